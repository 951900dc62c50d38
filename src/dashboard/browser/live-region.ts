import { make } from './make.js'

/** Says what happened: to those who look, and, politely, to those who listen. */
export interface LiveRegion {
  readonly say: (text: string) => void
  /** Shows a trouble until it is over; null ends it. The link leads to another tab. */
  readonly hold: (text: string | null, link?: { readonly text: string; readonly href: string }) => void
}

export function createLiveRegion(body: Element): LiveRegion {
  const add = (name: string): HTMLElement => {
    const region = make('div', { className: name, role: 'status' })
    body.append(region)
    return region
  }
  const line = add('said hidden')
  const held = add('held')
  const toast = createToast()
  let shown: string | null = null
  return {
    say: (text) => {
      // The same sentence again is news, too.
      line.textContent = line.textContent === text ? `${text}\u00a0` : text
      toast(text)
    },
    hold: (text, link) => {
      if (shown === text) return
      shown = text
      held.replaceChildren(text ?? '')
      if (link === undefined) return
      held.append(' ', make('a', { href: link.href, target: '_blank', textContent: link.text }))
    },
  }
}

/** Shows a sentence in the bar at the bottom, where it covers nothing; those who listen have it from the live region. */
function createToast(): (text: string) => void {
  const toast = make('span', { className: 'toast', ariaHidden: 'true' })
  let timer = 0
  const hide = (): void => {
    if (toast.matches(':hover')) timer = setTimeout(hide, SHOWN_MS)
    else toast.remove()
  }
  return (text) => {
    toast.textContent = text
    // What the page came with makes way, but for links.
    document.querySelector('.came:not(:has(a))')?.remove()
    const bar = document.querySelector('.dock > p')
    if (toast.parentElement !== bar) bar?.append(toast)
    clearTimeout(timer)
    timer = setTimeout(hide, SHOWN_MS)
  }
}

/** How long a sentence is to be seen. */
const SHOWN_MS = 8_000
