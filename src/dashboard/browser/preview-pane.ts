import { fetchAt } from './refresh.js'

/** How long the page is still before it is drawn again, in milliseconds. */
const PAUSE_MS = 400

/** What visitors would see of the menu, beside its items. */
export interface PreviewPane {
  /** Puts it on the page, which may be another one than before. */
  readonly place: () => void
  /** The draft has changed. */
  readonly update: () => void
}

/** @param address the page that shows the preview of the draft, of which the list is taken */
export function createPreviewPane(address: string, title: string): PreviewPane {
  const pane = document.createElement('details')
  const summary = document.createElement('summary')
  const drawn = document.createElement('div')
  pane.className = 'sheet pane'
  summary.textContent = title
  pane.append(summary, drawn)
  let timer = 0
  let draws = 0
  const draw = async (): Promise<void> => {
    const own = ++draws
    try {
      const { page } = await fetchAt(address)
      // An answer that comes late shows the draft as it was before.
      if (own !== draws) return
      const panel = page.querySelector('section.sheet')
      const shown = panel?.querySelector('.drawn') ?? panel?.querySelector('.alert, .note, .soft')
      drawn.replaceChildren(...(shown ? [shown] : []))
    } catch {
      // What is shown stays until the server answers.
    }
  }
  const update = (): void => {
    clearTimeout(timer)
    if (pane.open) timer = setTimeout(draw, PAUSE_MS)
  }
  pane.addEventListener('toggle', () => {
    if (pane.open) void draw()
  })
  return { place: () => document.querySelector('.dock')?.before(pane), update }
}
