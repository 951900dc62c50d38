import { fillCounted } from './page-language.js'
import { isChanged } from './unsaved-words.js'

/** Marks the fields of a table of texts that differ from how the page came, and says how many there are. */
export function markChangedCells(): void {
  const count = document.querySelector<HTMLElement>('[data-changed]')
  const fields = [...document.querySelectorAll<HTMLInputElement>('.texts td input')]
  const show = (): void => {
    for (const field of fields) field.parentElement?.classList.toggle('edited', isChanged(field))
    const changed = fields.filter(isChanged).length
    if (count)
      count.textContent =
        changed === 0 ? '' : fillCounted(JSON.parse(count.dataset['changed'] ?? ''), { count: changed })
  }
  if (count === null) return
  document.addEventListener('input', show)
  show()
}
