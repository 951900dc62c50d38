import type { EditorTexts } from './page-data.js'
import { fillCounted } from './page-language.js'

/** What the bar at the bottom says of a draft. */
export interface DockState {
  /** What its forms send. */
  readonly state: string
  readonly steps: number
  readonly redoable: number
  readonly changes: number
}

/** Makes the bar at the bottom, and the forms around it, fit the draft as it is. The form of an item stays about what it showed. */
export function showDock({ state, steps, redoable, changes }: DockState, texts: EditorTexts): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('main input[name=state]'))
    field.value = state
  const dock = document.querySelector('.dock')
  const count = dock?.querySelector(':scope > p b')
  if (!dock || !count) return
  count.textContent = changes === 0 ? texts.unchanged : fillCounted(texts.changes, { count: changes })
  // Another step than the one from another menu is the last one now, and it was just done.
  dock.querySelector('.came')?.remove()
  dock.querySelector(':scope > p .soft')?.remove()
  for (const [kind, left] of [['undo', steps] as const, ['redo', redoable] as const]) {
    const button = dock.querySelector<HTMLButtonElement>(`button[value=${kind}]`)
    if (button !== null) button.disabled = left === 0
  }
  // A draft without changes still holds back the file as others have changed it.
  const isHeld = changes > 0 || dock.querySelector('.notes > .alert') !== null
  dock.querySelector('.with-changes')?.toggleAttribute('hidden', steps === 0 || !isHeld)
}
