import { make } from './make.js'

/** A value to choose, as its option shows it. */
export interface Offer {
  readonly value: string
  /** What the option shows. Default: the value alone. */
  readonly parts?: readonly Node[]
}

/** What a search found, and whether Enter takes the first; null where nothing is known, so that nothing is offered. */
export type Offers = {
  readonly offers: readonly Offer[]
  readonly status: string
  readonly hasBest?: boolean
} | null

/**
 * Offers values for what is typed in a field: a combobox with a list (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).
 * What is typed counts, whether it is in the list or not.
 */
export function startCombobox(
  field: HTMLInputElement,
  find: (words: string) => Promise<Offers>,
  onShown: (list: Element) => void = () => {},
): void {
  const popup = make('div', { className: 'offers', hidden: true })
  const ariaLabel = field.labels?.[0]?.textContent ?? ''
  const list = make('ul', { id: `${field.id}-list`, role: 'listbox', ariaLabel })
  const count = make('p', { className: 'hint', role: 'status' })
  popup.append(list, count)
  field.after(popup)
  field.removeAttribute('list')
  field.role = 'combobox'
  field.setAttribute('aria-autocomplete', 'list')
  field.setAttribute('aria-controls', list.id)
  field.ariaExpanded = 'false'
  const values = new WeakMap<Element, string>()

  const activate = (option: Element | null): void => {
    for (const each of list.children) each.ariaSelected = String(each === option)
    field.setAttribute('aria-activedescendant', option?.id ?? '')
  }
  const setOpen = (isOpen: boolean): void => {
    popup.hidden = !isOpen
    field.ariaExpanded = String(isOpen && list.children.length > 0)
    if (!isOpen) activate(null)
  }
  const choose = (option: Element): void => {
    field.value = values.get(option) ?? ''
    setOpen(false)
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const show = ({ offers, status, hasBest = false }: NonNullable<Offers>): void => {
    const options = offers.map(({ value, parts = [] }, place) => {
      const option = make('li', { id: `${list.id}-${place}`, role: 'option' })
      option.append(...parts)
      values.set(option, value)
      return option
    })
    list.replaceChildren(...options)
    list.hidden = options.length === 0
    onShown(list)
    count.textContent = status
    const isNew = popup.hidden
    setOpen(true)
    activate(hasBest ? list.firstElementChild : null)
    list.scrollTop = 0
    // At each key, the field would move under the eyes of who types.
    if (!isNew) return
    const before = scrollY
    popup.scrollIntoView({ block: 'nearest' })
    // A panel scrolls in itself, and stays where it is while the page scrolls.
    if (field.closest('.panel')) scrollTo(0, before)
  }
  const step = (option: Element | null): void => {
    activate(option)
    option?.scrollIntoView({ block: 'nearest' })
  }

  // One request at a time: what was typed meanwhile is words for next, and a response for older words is dropped.
  let wanted: string | null = null
  /** Whether Enter was pressed before the list for the words was there: it takes the best one then. */
  let isDecided = false
  const offer = async (): Promise<void> => {
    const isAsking = wanted !== null
    wanted = field.value
    if (isAsking) return
    for (;;) {
      const words: string = wanted
      const found = await find(words)
      if (wanted !== words) continue
      wanted = null
      const isTaken = isDecided
      isDecided = false
      if (found === null) return setOpen(false)
      if (document.activeElement === field) show(found)
      const best = list.querySelector('[aria-selected=true]')
      if (isTaken && best !== null) choose(best)
      return
    }
  }

  field.addEventListener('input', () => {
    // What is highlighted was for other words.
    activate(null)
    isDecided = false
    offer()
  })
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
      else if (key === 'ArrowDown') step(active?.nextElementSibling ?? list.firstElementChild)
      else step(active?.previousElementSibling ?? list.lastElementChild)
    } else if (key === 'Enter' && wanted !== null) isDecided = true
    else if (popup.hidden) return
    else if ((key === 'Enter' || key === 'Tab') && active !== null) {
      choose(active)
      if (key === 'Tab' && document.activeElement === field) return
    } else if (key === 'Escape' || (key === 'Enter' && list.children.length === 0)) setOpen(false)
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

/** A text of an option, from left to right unless `dir` says otherwise. */
export function toPart(text: string, dir = 'ltr', tag: 'b' | 'bdi' | 'code' = 'bdi'): HTMLElement {
  return make(tag, { dir, textContent: text })
}
