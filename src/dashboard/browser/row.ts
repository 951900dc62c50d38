import { ROW_KEYS } from './keys.js'
import { make } from './make.js'
import type { EditorTexts } from './page-data.js'
import { allRows } from './tree.js'

/** Gives a row its handle, and its links the keys that they have. */
export function equipRow(row: Element): void {
  const own = row.querySelector(':scope > .row')
  // Keys and the menu of the row do the same.
  own?.prepend(make('span', { className: 'handle', ariaHidden: 'true' }))
  for (const link of own?.querySelectorAll('a') ?? []) link.setAttribute('aria-keyshortcuts', ROW_KEYS)
}

/** A copy of a row and all below it, without what there can be only once. */
export function copyRow(row: Element): Element {
  const copy = row.cloneNode(true) as Element
  for (const each of copy.querySelectorAll('[id]')) each.removeAttribute('id')
  return copy
}

/** Marks the rows of the items that differ from what is published, by their pointers, and no others. */
export function showMarks(
  marks: Readonly<Record<string, unknown>>,
  { tree: { marks: words } }: EditorTexts,
): void {
  for (const [pointer, row] of allRows()) {
    const own = row.querySelector(':scope > .row')
    const shown = own?.querySelector('.mark')
    const mark = MARKS.find((each) => each === marks[pointer])
    if (shown?.classList.contains(mark ?? '') || (!shown && mark === undefined)) continue
    shown?.remove()
    if (mark === undefined) continue
    const dot = make('span', { className: `mark ${mark}`, title: words[mark] })
    dot.append(make('span', { className: 'hidden', textContent: words[mark] }))
    own?.querySelector('.name, .line')?.after(dot)
  }
}

const MARKS = ['new', 'changed', 'moved'] as const

/** Shows on a row whether its item is hidden; `word` says so. */
export function markHidden(row: Element, isHidden: boolean, word: string): void {
  row.classList.toggle('off', isHidden)
  const own = row.querySelector(':scope > .row')
  own?.querySelector('.chip.gone')?.remove()
  if (!isHidden) return
  own?.querySelector('.words')?.append(make('span', { className: 'chip gone', textContent: word }))
}
