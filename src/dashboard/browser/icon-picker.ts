import { fill } from '../../change/fill.js'
import { ask } from './ask.js'
import { startCombobox, toPart } from './combobox.js'
import { make } from './make.js'
import { lang } from './page-language.js'

/** Offers the icons whose names have the words that are typed in a field, each with its glyph. */
export function startIconPicker(field: HTMLInputElement, home: string): void {
  let glyphs = new Set<unknown>()
  const showChosen = (): void =>
    field.parentElement
      ?.querySelector('.chosen')
      ?.replaceChildren(...(glyphs.has(field.value) ? [toGlyph(home, field.value)] : []))
  // All at once would keep the response to the next key waiting.
  const onScreen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      onScreen.unobserve(target)
      target.firstElementChild?.append(toGlyph(home, target.textContent ?? ''))
    }
  })
  const find = async (words: string) => {
    const found = await ask(home, 'icons', words)
    // Without a response, nothing is known about the icons.
    if (found === null) return null
    glyphs = new Set(Array.isArray(found['drawn']) ? found['drawn'] : [])
    showChosen()
    const names = Array.isArray(found['icons']) ? found['icons'].map(String) : []
    showUnknown(field, words.trim() !== '' && names.length === 0)
    const isMixed = new Set(names.map(collectionOf)).size > 1
    const offers = names.map((value) => ({ value, parts: [make('span'), ...toParts(value, isMixed)] }))
    return { offers, status: toStatus(field, offers.length, found['total']), hasBest: words.trim() !== '' }
  }
  startCombobox(field, find, (list) => {
    onScreen.disconnect()
    for (const option of list.children) if (glyphs.has(option.textContent)) onScreen.observe(option)
  })
  field.addEventListener('change', async () => {
    showChosen()
    const { value } = field
    const found = value.trim() === '' ? {} : await ask(home, 'icons', value)
    if (found === null || field.value !== value) return
    const { icons = [''] } = found
    showUnknown(field, Array.isArray(icons) && value.trim() !== '' && !icons.includes(value.trim()))
  })
}

/** `bootstrap-icons:`, the collection of `bootstrap-icons:book-half`. */
const collectionOf = (name: string): string => name.slice(0, name.lastIndexOf(':') + 1)

/** A name without its collection, which is not shown where all are of the same one. */
function toParts(value: string, isMixed: boolean): readonly Element[] {
  const textContent = isMixed ? '' : collectionOf(value)
  return [make('span', { className: 'collection', textContent }), toPart(value.slice(textContent.length))]
}

/** How many of all that were found a list shows, in words. */
export function toStatus({ dataset }: HTMLElement, shown: number, total: unknown): string {
  const { shown: sentence = '', unknown = '' } = dataset
  const values = { shown: shown.toLocaleString(lang), total: Number(total ?? 0).toLocaleString(lang) }
  return shown === 0 ? unknown : fill(sentence, values)
}

function showUnknown(field: HTMLInputElement, isUnknown: boolean): void {
  const note = field.closest('form')?.querySelector<HTMLElement>('#icon-unknown')
  if (note) note.hidden = !isUnknown
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
