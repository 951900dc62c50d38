import { toShortName } from '../../change/items.js'
import type { EditorTexts } from './page-data.js'
import { fillCounted } from './page-language.js'
import { readData, sendForm } from './refresh.js'
import { pickOf, pointerOf, rowOf } from './tree.js'

const PICKS = '.tree .pick'

/** The rows that are chosen by their checkboxes, of which the bar at the bottom says how many. */
export interface Selection {
  /** Whether a row is one of those that are chosen. */
  readonly has: (row: Element) => boolean
  /** Chooses nothing any more; whether something was chosen. */
  readonly clear: () => boolean
  /** Names the chosen items as they are now, for the form that is sent. */
  readonly name: () => void
  /** Shows how many there are. */
  readonly show: () => void
}

/** Lets rows be chosen, on a touch screen once somebody begins to select: one by one, from the last one on with Shift, and all with Ctrl+A. */
export function createSelection({ tree: { count: words } }: EditorTexts): Selection {
  const root = document.documentElement
  let last: HTMLInputElement | null = null
  const boxes = (): readonly HTMLInputElement[] => [...document.querySelectorAll<HTMLInputElement>(PICKS)]
  const chosen = (): readonly HTMLInputElement[] => boxes().filter(({ checked }) => checked)
  const show = (): void => {
    const count = chosen().length
    root.classList.toggle('picking', count > 0)
    const line = document.querySelector('.picked')
    if (line !== null) line.textContent = fillCounted(words, { count })
    const button = document.querySelector<HTMLElement>('.tools .select')
    if (button !== null)
      button.textContent = button.dataset[root.matches('.selecting') ? 'done' : 'select'] ?? ''
  }
  const pick = (box: HTMLInputElement, isChosen: boolean, isRange: boolean): void => {
    const seen = boxes().filter((each) => each.offsetParent)
    const ends = [last === null ? -1 : seen.indexOf(last), seen.indexOf(box)]
    const [from, to] = [Math.min(...ends), Math.max(...ends)]
    for (const each of isRange && from >= 0 ? seen.slice(from, to + 1) : [box]) each.checked = isChosen
    last = box
    show()
  }
  const clear = (): boolean => {
    const all = chosen()
    for (const each of all) each.checked = false
    show()
    return all.length > 0
  }
  document.addEventListener('click', ({ target, shiftKey }) => {
    if (target instanceof Element && target.matches('.tools .select')) {
      if (!root.classList.toggle('selecting')) clear()
      show()
    }
    if (target instanceof HTMLInputElement && target.matches(PICKS)) pick(target, target.checked, shiftKey)
  })
  document.addEventListener('keydown', (event) => {
    const { key, shiftKey, ctrlKey, metaKey, target } = event
    const box = target instanceof Element ? pickOf(rowOf(target)) : null
    if (!box || !(target as Element).matches('.name, .more, .pick')) return
    if (key === ' ') pick(box, shiftKey || !box.checked, shiftKey)
    else if (key === 'a' && (ctrlKey || metaKey)) {
      for (const each of boxes()) each.checked = each.offsetParent !== null
      show()
    } else return
    event.preventDefault()
  })
  return {
    has: (row) => pickOf(row)?.checked === true,
    clear,
    name: () => {
      for (const each of boxes()) {
        const row = each.checked ? rowOf(each) : null
        if (row !== null) each.name = `pick:${toShortName(pointerOf(row))}`
      }
    },
    show,
  }
}

/** Does to the chosen items what their bar says, in one step; the page of the menu that comes of it, or another one is loaded. */
export async function sendChosen(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  selection: Selection,
): Promise<Document | null> {
  const { response, page } = await sendForm(form, submitter)
  if (readData(page) === null) {
    location.assign(response.url)
    return null
  }
  if (response.ok) selection.clear()
  return page
}
