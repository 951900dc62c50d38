import { forgetWords } from './kept-words.js'
import { make } from './make.js'
import { fetchAt, fetchPage, readData, sendForm } from './refresh.js'
import { rowAt, treeOf } from './tree.js'
import { hasUnsavedWords } from './unsaved-words.js'

/** From this width on, the form of an item, of its place or of the menu is shown beside the tree. */
export const WIDE = '(min-width: 1000px)'
/** What is shown of the page at an address. */
const FORM = ':is(.item-form, .panel-form)'

/** A form beside the tree: that of its own page, sent in the same way. */
export interface ItemPanel {
  /** Whether a link is followed here: it leads to such a form, and there is room. */
  readonly takes: (link: HTMLAnchorElement) => boolean
  /**
   * Shows the form at an address, unless somebody wants to keep what they typed into another one. Afterwards, the focus is
   * where `toOpener` finds it, else on the row of the item.
   */
  readonly open: (address: string, toOpener: () => HTMLElement | null) => Promise<void>
  /** Whether typed words are being saved: then `next` is called once they are. The form stays if it has errors. */
  readonly saves: (next: () => void) => boolean
  /** Marks the row of the open form, which may have moved or been replaced. */
  readonly mark: () => void
}

export interface ItemPanelDeps {
  /** The question before typed words are lost. */
  readonly leaveAsk: string
  /** Gives the fields of a form what a script adds to them. */
  readonly equip: (root: ParentNode) => void
  /** Where the item or the place that a form was loaded for is now: its pointer, null where that is unknown. */
  readonly toNow: (pointer: string) => () => string | null
  /** Shows the menu that comes of a form on its way, if any. */
  readonly take: (sent: Promise<Document | null>) => Promise<void>
  /** Says that the server does not respond. */
  readonly fail: () => void
}

export function createItemPanel({ leaveAsk, equip, toNow, take, fail }: ItemPanelDeps): ItemPanel {
  const panel = make('aside', { className: 'panel sheet', tabIndex: -1 })
  let opener: () => HTMLElement | null = () => null
  let place: () => string | null = () => null
  /** Whether the form came back with what was typed into it. */
  let isReturned = false

  /** What goes on once the button that saves for it has saved. */
  const after = new WeakMap<HTMLElement, () => void>()

  const hasWords = (): boolean => panel.isConnected && (isReturned || hasUnsavedWords(panel))
  const isLost = (): boolean => !hasWords() || confirm(leaveAsk)
  const close = (): void => {
    panel.remove()
    forgetWords()
    isReturned = false
  }
  const mark = (): void => {
    if (!panel.isConnected) return
    const row = opener()?.closest('.row')
    for (const each of document.querySelectorAll('.row.now')) each.classList.remove('now')
    row?.classList.add('now')
  }
  /** The row of the item of the form, however it was opened. */
  const rowHere = (): HTMLElement | null =>
    rowAt(treeOf(), place() ?? '')?.querySelector('.name, .more') ?? null
  const leave = (): void => {
    if (!isLost()) return
    close()
    opener()?.focus()
  }
  /** The item or place of the form, from now on wherever it goes. */
  const settle = (): string => {
    const { action } = panel.querySelector(FORM) as HTMLFormElement
    const item = new URL(action).searchParams.get('item')
    place = item === null ? () => null : toNow(item)
    return item ?? ''
  }
  const show = (page: Document): boolean => {
    const main = page.querySelector('main')
    const form = main?.querySelector<HTMLFormElement>(FORM)
    if (!main || !form) return false
    for (const each of main.querySelectorAll('.crumbs, .pages, .done')) each.remove()
    const title = make('h2', { id: 'panel-title' })
    title.append(...(main.querySelector('h1')?.childNodes ?? []))
    main.querySelector('h1')?.replaceWith(title)
    panel.setAttribute('aria-labelledby', title.id)
    const first = main.querySelector<HTMLElement>('[autofocus]') ?? panel
    for (const each of main.querySelectorAll('[autofocus]')) each.removeAttribute('autofocus')
    panel.replaceChildren(...main.childNodes)
    document.querySelector('main')?.after(panel)
    panel.scrollTop = 0
    panel.toggleAttribute('data-typed', isReturned)
    settle()
    equip(panel)
    first.focus({ preventScroll: true })
    return true
  }
  /** Sends the form; returns the page of the menu that came of it, null where there is none. */
  const send = async (form: HTMLFormElement, submitter: HTMLElement | null): Promise<Document | null> => {
    const address = new URL(form.action)
    const now = place()
    if (now !== null) address.searchParams.set('item', now)
    try {
      const { response, page } = await sendForm(form, submitter, address.href)
      if (readData(page) !== null) {
        close()
        return page
      }
      isReturned = !response.redirected
      // Anything but a form is shown as a page of its own.
      if (!show(page)) form.submit()
      else if (!isReturned) {
        // Saved, and another one is added.
        opener = () => document.querySelector<HTMLElement>('.row.now :is(.name, .more)')
        const menu = await fetchPage({ did: 'add', at: settle() })
        return typeof menu === 'string' ? null : menu
      }
    } catch {
      fail()
    }
    return null
  }

  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || !form.matches(`.panel ${FORM}`)) return
    event.preventDefault()
    // The place of another new item is one of the menu that is shown by then.
    void take(send(form, event.submitter)).then(() => {
      if (panel.isConnected) return settle()
      if (document.activeElement === document.body) opener()?.focus()
      if (event.submitter) after.get(event.submitter)?.()
    })
  })
  panel.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || !link.matches('.actions a')) return
    event.preventDefault()
    leave()
  })
  panel.addEventListener('input', () => panel.setAttribute('data-typed', ''))
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) leave()
  })
  return {
    mark,
    saves: (next) => {
      const form = panel.querySelector<HTMLFormElement>(FORM)
      if (form === null || !hasWords()) return false
      // A button of its own: if the form stays, its other buttons do no more than they say.
      const button = make('button', { className: 'for-review', hidden: true })
      form.querySelector('.for-review')?.remove()
      form.append(button)
      after.set(button, next)
      form.requestSubmit(button)
      return true
    },
    takes: (link) => matchMedia(WIDE).matches && /\/(item|place|settings)$/.test(link.pathname),
    open: async (address, toOpener) => {
      if (!isLost()) return panel.querySelector<HTMLElement>('input:not([type=hidden])')?.focus()
      try {
        const { page } = await fetchAt(address)
        forgetWords()
        isReturned = false
        if (show(page)) {
          opener = () => toOpener() ?? rowHere()
          return mark()
        }
      } catch {
        // The browser says why.
      }
      close()
      location.assign(address)
    },
  }
}
