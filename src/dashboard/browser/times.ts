import { showBriefly, showTime } from '../../model/short-time.js'
import { make } from './make.js'
import { lang } from './page-language.js'

/** Shows the times of a page in the zone of the browser. */
export function showTimes(root: ParentNode): void {
  for (const each of root.querySelectorAll('time')) {
    const time = Date.parse(each.dateTime)
    const isBrief = each.matches('.brief')
    each.textContent = (isBrief ? showBriefly : showTime)(time, lang)
    if (isBrief) each.title = showTime(time, lang)
  }
}

/** Offers a calendar and a clock in the place of a time that is typed with its offset; one that is no time stays as it is. */
export function offerTimes(field: HTMLInputElement): void {
  const time = new Date(field.value)
  const [label] = field.labels ?? []
  if (label === undefined || (field.value !== '' && Number.isNaN(time.getTime()))) return
  // Years of four digits.
  const picker = make('input', { type: 'datetime-local', max: '9999-12-31T23:59' })
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  if (field.value !== '') picker.defaultValue = local.toISOString().slice(0, 16)
  picker.addEventListener('input', () => {
    field.value = picker.value && withOffset(picker.value)
    show('half', false)
    warn()
  })
  const show = (part: 'half' | 'closes', isShown: boolean): void => {
    document.getElementById(`${picker.id}-${part}`)?.toggleAttribute('hidden', !isShown)
  }
  field.form?.addEventListener('submit', (event) => {
    // A date without a time has no value, so the server would see none.
    if (!picker.validity.badInput) return
    show('half', true)
    event.preventDefault()
    picker.focus()
  })
  const warn = (): void => {
    const later = new Date(field.value).getTime() > Date.now()
    show('closes', field.value !== '' && later === (picker.id === 'visibleFrom'))
  }
  // The label, its errors and links to them mean the one that is seen.
  picker.id = field.id
  field.removeAttribute('id')
  field.type = 'hidden'
  picker.ariaInvalid = field.ariaInvalid
  picker.setAttribute('aria-describedby', `${picker.id}-error ${picker.id}-half`)
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
  // As `… GMT+0200 …` (ECMA-262, section 21.4.4.41.3).
  const [, zone = ''] = String(new Date(local)).split('GMT')
  return `${local}:00${zone.slice(0, 3)}:${zone.slice(3, 5)}`
}
