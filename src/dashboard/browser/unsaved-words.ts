import { TYPED } from './careful-forms.js'

/** Fields that somebody fills in, of forms that save something. */
const FIELDS = 'main form[method=post] :is(textarea, input:not([type=hidden]))'

/** Asks before somebody leaves a page on which a field differs from how the page came, unless its form was just sent. */
export function keepUnsavedWords(): void {
  let isSent = false
  document.addEventListener('submit', ({ target, defaultPrevented }) => {
    if (!defaultPrevented && (target as HTMLFormElement).querySelector(TYPED) !== null) isSent = true
  })
  document.addEventListener('input', () => {
    isSent = false
  })
  addEventListener('beforeunload', (event) => {
    const fields = document.querySelectorAll<HTMLInputElement>(FIELDS)
    if (!isSent && [...fields].some(isChanged)) event.preventDefault()
  })
}

function isChanged({ value, defaultValue, checked, defaultChecked }: HTMLInputElement): boolean {
  return value !== defaultValue || checked !== defaultChecked
}
