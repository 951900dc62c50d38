import { showTime } from '../../model/short-time.js'
import { make } from './make.js'

/** Shows the times of a page in the zone of the browser. */
export function showTimes(root: ParentNode): void {
  for (const each of root.querySelectorAll('time'))
    each.textContent = showTime(Date.parse(each.dateTime), document.documentElement.lang)
}

/** Offers a calendar and a clock in the place of a time that is typed with its offset; one that is no time stays as it is. */
export function offerTimes(field: HTMLInputElement): void {
  const time = new Date(field.value)
  const [label] = field.labels ?? []
  if (label === undefined || (field.value !== '' && Number.isNaN(time.getTime()))) return
  const picker = make('input', { type: 'datetime-local' })
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  if (field.value !== '') picker.defaultValue = local.toISOString().slice(0, 16)
  picker.addEventListener('input', () => {
    field.value = picker.value && withOffset(picker.value)
    // Half a time is none, and the server says so.
    if (picker.validity.badInput) field.value = '?'
    warn()
  })
  const form = field.form
  const warn = (): void => {
    const later = new Date(field.value).getTime() > Date.now()
    const note = form?.querySelector<HTMLElement>(`#${picker.id}-closes`)
    if (note) note.hidden = field.value === '' || later !== (picker.id === 'visibleFrom')
  }
  // The label, its errors and links to them mean the one that is seen.
  picker.id = field.id
  field.removeAttribute('id')
  field.type = 'hidden'
  picker.ariaInvalid = field.ariaInvalid
  picker.setAttribute('aria-describedby', `${picker.id}-error`)
  document.getElementById(`${picker.id}-hint`)?.remove()
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const name = timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')
  const textContent = field.dataset['zone']?.replace('{zone}', name) ?? ''
  label.append(' ', make('span', { className: 'soft small', textContent }))
  field.after(picker)
  warn()
}

/** What a picker has, with the offset of the browser at that time. */
function withOffset(local: string): string {
  const minutes = -new Date(local).getTimezoneOffset()
  const two = (part: number): string => String(Math.trunc(Math.abs(part))).padStart(2, '0')
  return `${local}:00${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}
