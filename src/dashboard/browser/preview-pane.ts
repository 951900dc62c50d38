import { TYPED } from './careful-forms.js'
import { make } from './make.js'
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
  const pane = make('details', { className: 'sheet pane' })
  const drawn = make('div')
  pane.append(make('summary', { textContent: title }), drawn)
  let timer = 0
  let draws = 0
  const draw = async (): Promise<void> => {
    const own = ++draws
    try {
      const page = (await fetchAt(address)).page
      // A response that comes late shows the draft as it was before.
      if (own !== draws) return
      const panel = page.querySelector('section.sheet')
      const shown = panel?.querySelector('.drawn') ?? panel?.querySelector('.alert, .note, .soft')
      const [frame, next] = [drawn.querySelector('iframe'), shown?.querySelector('iframe')]
      // The width that was chosen stays.
      if (frame && next) frame.srcdoc = next.srcdoc
      else drawn.replaceChildren(...(shown ? [shown] : []))
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

/** On the page of the preview: shows what visitors get as soon as something is chosen. What is typed waits for the button. */
export function showChosen(): void {
  const form = document.querySelector<HTMLFormElement>('form.ask')
  let loads = 0
  form?.addEventListener('change', async ({ target }) => {
    if (target instanceof Element && target.matches(TYPED) && !target.matches('#now')) return
    const address = new URL(form.action)
    for (const [name, value] of new FormData(form)) address.searchParams.append(name, String(value))
    const own = ++loads
    const panels = (await fetchAt(address.href).catch(() => null))?.page.querySelector('#panels')
    if (own !== loads || !panels) return
    document.querySelector('#panels')?.replaceWith(panels)
    history.replaceState(null, '', address)
  })
}
