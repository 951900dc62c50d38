/** Fields that somebody fills in. */
const FILLED = ':is(textarea, input:not([type=hidden]))'
/** Those of forms that save something. */
const FIELDS = `:is(main, aside) form[method=post] ${FILLED}`

/** Asks before somebody leaves a page on which a field differs from how the page came, unless its form was just sent. */
export function keepUnsavedWords(): void {
  let isSent = false
  // After everyone who may send the form without leaving the page.
  addEventListener('submit', ({ target, defaultPrevented }) => {
    if (!defaultPrevented && (target as HTMLFormElement).querySelector(FILLED) !== null) isSent = true
  })
  document.addEventListener('input', () => {
    isSent = false
  })
  addEventListener('beforeunload', (event) => {
    // What came back with errors is what was typed.
    const isReturned = document.querySelector('[data-typed] [role=alert]') !== null
    if (!isSent && (isReturned || hasUnsavedWords(document))) event.preventDefault()
  })
}

/** Whether a field of a part of the page differs from how it came. */
export function hasUnsavedWords(root: ParentNode): boolean {
  return [...root.querySelectorAll<HTMLInputElement>(FIELDS)].some(isChanged)
}

/** Whether a field differs from how it came. */
export function isChanged({ value, defaultValue, checked, defaultChecked }: HTMLInputElement): boolean {
  return value !== defaultValue || checked !== defaultChecked
}
