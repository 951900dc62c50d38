import { TYPED } from './careful-forms.js'
import { WIDE } from './item-panel.js'
import { make } from './make.js'
import { fetchAt } from './refresh.js'

/** How long the page is still before it is drawn again, in milliseconds. */
const PAUSE_MS = 400
/** Items of a menu whose preview is drawn before anyone opens it. */
const MOST_DRAWN = 200

/** What visitors would see of the menu, beside its items. */
export interface PreviewPane {
  /** Puts it on the page, which may be another one than before. */
  readonly place: () => void
  /** The draft has changed. */
  readonly update: () => void
}

/** Where there is room for it, it is open from the start, unless the menu is a large one. */
export function createPreviewPane(home: string, file: string, title: string, count: number): PreviewPane {
  const open = count <= MOST_DRAWN && matchMedia(WIDE).matches
  const pane = make('details', { className: 'sheet pane', open })
  // The page of the preview, of which the list is taken.
  const address = `${home}/preview?${new URLSearchParams({ file })}`
  const drawn = make('div')
  pane.append(make('summary', { textContent: title }), drawn)
  let timer = 0
  let draws = 0
  let language: HTMLSelectElement | null = null
  const draw = async (): Promise<void> => {
    const own = ++draws
    try {
      const { page } = await fetchAt(language ? `${address}&locale=${language.value}` : address)
      // A response that comes late shows the draft as it was before.
      if (own !== draws) return
      if (language === null) {
        language = page.querySelector<HTMLSelectElement>('#locale')
        language?.addEventListener('change', draw)
        if (language?.options[1]) drawn.before(language.closest('.field') as Element)
      }
      const panel = page.querySelector('section.sheet')
      const shown = panel?.querySelector('.drawn') ?? panel?.querySelector('.alert, .note')
      const [frame, next] = [drawn, shown].map((each) => each?.querySelector('iframe'))
      // A new frame would be empty at first.
      if (frame && next) {
        if (frame.srcdoc !== next.srcdoc) frame.srcdoc = next.srcdoc
        frame.height = next.height
        frame.previousElementSibling?.replaceWith(next.previousElementSibling ?? '')
      } else drawn.replaceChildren(...(shown ? [shown] : []))
    } catch {
      // What is shown stays until the server answers.
    }
  }
  const update = (): void => {
    clearTimeout(timer)
    if (pane.open) timer = setTimeout(draw, PAUSE_MS)
  }
  // What the page itself needs is not kept waiting.
  pane.addEventListener('toggle', update)
  return { place: () => document.querySelector('.dock')?.before(pane), update }
}

/** What the review is about, beside it. */
export function showPreview(home: string): void {
  const { file = '', preview } = document.querySelector<HTMLElement>('.dock')?.dataset ?? {}
  if (preview) createPreviewPane(home, file, preview, 0).place()
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
