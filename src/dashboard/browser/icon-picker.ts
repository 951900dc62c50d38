import { fill } from '../../change/fill.js'
import { ask } from './ask.js'

/**
 * Offers the icons whose names have the words that are typed in a field, each with its glyph: a combobox with a list
 * (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). What is typed counts, whether it is in the list or not.
 */
export function startIconPicker(field: HTMLInputElement, home: string): void {
  const popup = document.createElement('div')
  popup.className = 'offers'
  popup.hidden = true
  const list = document.createElement('ul')
  list.id = `${field.id}-list`
  list.role = 'listbox'
  list.ariaLabel = field.labels?.[0]?.textContent ?? ''
  const count = document.createElement('p')
  count.className = 'hint'
  count.role = 'status'
  popup.append(list, count)
  field.parentElement?.append(popup)
  field.role = 'combobox'
  field.setAttribute('aria-autocomplete', 'list')
  field.setAttribute('aria-controls', list.id)
  field.ariaExpanded = 'false'

  let glyphs = new Set<unknown>()
  const showChosen = (): void =>
    field.parentElement
      ?.querySelector('.chosen')
      ?.replaceChildren(...(glyphs.has(field.value) ? [toGlyph(home, field.value)] : []))
  // All at once would keep the answer to the next key waiting.
  const onScreen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        onScreen.unobserve(target)
        target.firstElementChild?.append(toGlyph(home, target.textContent ?? ''))
      }
    },
    { root: list },
  )

  const activate = (option: Element | null): void => {
    for (const each of list.children) each.ariaSelected = String(each === option)
    field.setAttribute('aria-activedescendant', option?.id ?? '')
    option?.scrollIntoView({ block: 'nearest' })
  }
  const setOpen = (isOpen: boolean): void => {
    popup.hidden = !isOpen
    field.ariaExpanded = String(isOpen && list.children.length > 0)
    if (!isOpen) activate(null)
  }
  const choose = (option: Element): void => {
    field.value = option.textContent ?? ''
    showChosen()
    setOpen(false)
  }
  const show = ({ icons, total }: Readonly<Record<string, unknown>>): void => {
    const names = Array.isArray(icons) ? icons.map(String) : []
    onScreen.disconnect()
    list.replaceChildren(...names.map((name, place) => toOption(name, `${list.id}-${place}`)))
    for (const option of list.children) if (glyphs.has(option.textContent)) onScreen.observe(option)
    list.hidden = names.length === 0
    const { lang } = document.documentElement
    const { shown = '', unknown = '' } = field.dataset
    const values = {
      shown: names.length.toLocaleString(lang),
      total: Number(total ?? 0).toLocaleString(lang),
    }
    count.textContent = names.length === 0 ? unknown : fill(shown, values)
    setOpen(true)
    activate(null)
    list.scrollTop = 0
    popup.scrollIntoView({ block: 'nearest' })
  }

  // One request at a time: what was typed meanwhile is words for next, and an answer for older words is dropped.
  let wanted: string | null = null
  const offer = async (): Promise<void> => {
    const isAsking = wanted !== null
    wanted = field.value
    if (isAsking) return
    for (;;) {
      const words: string = wanted
      const found = await ask(home, 'icons', words)
      if (wanted !== words) continue
      wanted = null
      // Without an answer, nothing is known about the icons.
      if (found === null) return setOpen(false)
      glyphs = new Set(Array.isArray(found['drawn']) ? found['drawn'] : [])
      showChosen()
      if (document.activeElement === field) show(found)
      return
    }
  }

  field.addEventListener('input', offer)
  field.addEventListener('click', () => {
    if (popup.hidden) offer()
  })
  field.addEventListener('blur', () => setOpen(false))
  field.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    const { key } = event
    const active = list.querySelector('[aria-selected=true]')
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (popup.hidden) offer()
      else if (key === 'ArrowDown') activate(active?.nextElementSibling ?? list.firstElementChild)
      else activate(active?.previousElementSibling ?? list.lastElementChild)
    } else if (popup.hidden) return
    else if (key === 'Enter' && active !== null) choose(active)
    else if (key === 'Escape') setOpen(false)
    else return
    event.preventDefault()
  })
  // The focus stays in the field, also while the list is scrolled.
  popup.addEventListener('mousedown', (event) => event.preventDefault())
  list.addEventListener('click', ({ target }) => {
    const option = target instanceof Element ? target.closest('li') : null
    if (option !== null) choose(option)
  })
}

/** An icon to choose, with room for its glyph. */
function toOption(name: string, id: string): Element {
  const option = document.createElement('li')
  option.id = id
  option.role = 'option'
  const text = document.createElement('bdi')
  text.dir = 'ltr'
  text.textContent = name
  option.append(document.createElement('span'), text)
  return option
}

/**
 * The drawing of an icon, as an image of its own origin: whatever is in it, it can run nothing
 * (https://svgwg.org/svg2-draft/conform.html#secure-static-mode).
 */
function toGlyph(home: string, name: string): Element {
  const glyph = new Image()
  glyph.alt = ''
  glyph.src = `${home}/api/icon?${new URLSearchParams({ name })}`
  return glyph
}
