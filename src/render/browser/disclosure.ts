/** Steps of the keys; Home and End go as far as possible. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
  Home: -1 / 0,
  End: 1 / 0,
}
let count = 0

/**
 * Makes disclosure menus (https://www.w3.org/WAI/ARIA/apg/patterns/disclosure/) of those of the style `disclosure`, whose
 * branches are `<details>` until then: buttons that say whether their list is open, arrow keys, Escape, and a mouse that
 * opens what it points at. Call it again after adding menus; those that are enhanced stay as they are.
 */
export function enhanceMenus(root: ParentNode = document): void {
  // In browsers of before 2024, the menu stays as it is.
  for (const list of root.querySelectorAll<HTMLElement>(
    '[data-menu-style=disclosure] :is(nav>ul,nav>details>ul)',
  ))
    if ('ariaExpanded' in list) enhance(list)
}

function enhance(list: HTMLElement): void {
  const buttons = [...list.querySelectorAll<HTMLDetailsElement>(':scope>li>details')].map(toButton)
  if (!buttons[0]) return
  let timer = 0
  /** The one whose list the mouse has opened, and closes when it leaves. */
  let pointed: HTMLElement | null = null
  /** A mouse that only crosses a branch does not open it, and one may leave it for a moment. */
  const later = (act: () => void): void => {
    clearTimeout(timer)
    timer = setTimeout(act, 200)
  }
  /** Lists over the page close others; lists in it push others down. */
  const open = (button: HTMLElement): void => {
    for (const each of buttons) if (floats(each)) each.ariaExpanded = 'false'
    button.ariaExpanded = 'true'
  }

  for (const button of buttons) {
    const item = button.parentElement as HTMLElement
    if (!floats(button) && panelOf(button).querySelector('[aria-current]')) open(button)
    button.onclick = () => {
      // What the mouse has opened on its way to the button stays.
      if (pointed !== button && isOpen(button)) button.ariaExpanded = 'false'
      else open(button)
      pointed = null
      // Safari does not focus what is clicked.
      button.focus()
    }
    item.onpointerenter = ({ pointerType }) =>
      later(() => {
        // What a click has opened stays.
        if (pointerType !== 'mouse' || !floats(button) || (!pointed && buttons.some(isOpen))) return
        open(button)
        pointed = button
      })
    item.onpointerleave = () =>
      later(() => {
        if (pointed === button && !item.matches(':focus-within')) button.ariaExpanded = 'false'
        pointed = null
      })
    // Escape closes, and whatever happens elsewhere, unless the mouse is still there.
    for (const type of ['focusin', 'pointerdown', 'keydown'])
      document.addEventListener(type, (event) => {
        const isEscape = (event as KeyboardEvent).key === 'Escape'
        const isElsewhere = pointed !== button && !item.contains(event.target as Node)
        if (!isOpen(button) || !floats(button) || !(isEscape || isElsewhere)) return
        if (item.matches(':focus-within')) button.focus()
        button.ariaExpanded = 'false'
      })
  }
  list.onkeydown = (event) => {
    let step = STEPS[event.key]
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    if (/[LR]/.test(event.key) && list.matches(':dir(rtl)')) step = -step
    const at = event.target as HTMLElement
    const entered = step === 1 && isOpen(at) ? at : buttons.find((button) => panelOf(button).contains(at))
    const stops = entered
      ? panelOf(entered).querySelectorAll<HTMLElement>('a,summary')
      : list.querySelectorAll<HTMLElement>(':scope>li>a,:scope>li>button')
    const shown = [...stops].filter((stop) => stop.checkVisibility())
    const next = shown[shown.indexOf(at) + step] ?? shown.at(step < 0 ? 0 : -1)
    next?.focus()
  }
}

/** Puts a button in the place of a `<summary>`, before the list that it opens. */
function toButton(details: HTMLDetailsElement): HTMLElement {
  const [summary, panel] = details.children as unknown as readonly [HTMLElement, HTMLElement]
  const isFocused = summary.matches(':focus')
  const button = document.createElement('button')
  button.type = 'button'
  button.ariaLabel = summary.ariaLabel
  button.ariaExpanded = `${details.open}`
  button.append(...summary.childNodes)
  let id: string
  // A page may have several copies of this script.
  do id = `menu-panel-${++count}`
  while (document.getElementById(id))
  panel.id = id
  button.setAttribute('aria-controls', id)
  details.replaceWith(button, panel)
  if (isFocused) button.focus()
  return button
}

function panelOf(button: Element): HTMLElement {
  return button.nextElementSibling as HTMLElement
}

function isOpen(button: Element): boolean {
  return button.ariaExpanded === 'true'
}

/** Whether a list is over the page, not in it: the style sheet decides, by the width of the window. */
function floats(button: Element): boolean {
  return getComputedStyle(panelOf(button)).position === 'absolute'
}

enhanceMenus()
