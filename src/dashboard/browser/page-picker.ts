import { fill } from '../../change/fill.js'
import { isMap } from '../../model/json.js'
import { toPlainPattern } from '../../model/plain-name.js'
import { ask } from './ask.js'
import { startCombobox, toPart } from './combobox.js'
import { toStatus } from './icon-picker.js'
import { make } from './make.js'
import { fetchAt } from './refresh.js'

/** Offers the pages of the site in the field of a route, and what the form says and asks of the one that is chosen. */
export function startPagePicker(field: HTMLInputElement, home: string): void {
  const form = field.closest('form') ?? document
  const typed = new Map<string, string>()
  let suggested: Texts | null = null
  let chosen = field.value
  startCombobox(field, async (words) => {
    // A page that is chosen is to be replaced: all are offered.
    const found = await ask(home, 'routes', words === chosen ? '' : words, {
      guarded_last: field.dataset['open'] ?? '',
    })
    if (found === null) return null
    const offers = pagesIn(found).map(({ name, title, pattern, labels, needs }) => {
      const about = make('span', { className: 'about' })
      about.append(title === '' ? toPart(name, 'ltr', 'code') : toPart(title, 'auto', 'b'))
      about.append(toPart(toPlainPattern(pattern)))
      if (labels.length > 0) about.append(toPart(labels.join(' · '), 'auto'))
      if (needs.length > 0)
        about.append(toPart(fill(field.dataset['needs'] ?? '', { permissions: needs.join(', ') }), 'auto'))
      return { value: name, parts: [about] }
    })
    const hasBest = words !== '' && words !== chosen
    // Who presses Enter and types on is in the next field at once.
    if (hasBest && offers[0]) void formFor(offers[0].value)
    return { offers, status: toStatus(field, offers.length, found['total']), hasBest }
  })
  const forms = new Map<string, Promise<Element | null>>()
  /** The form as the server shows it for a page, which is loaded once; null without a response. */
  const formFor = (name: string): Promise<Element | null> => {
    const load = async (): Promise<Element | null> => {
      const url = new URL((field.form as HTMLFormElement).action)
      url.searchParams.set('route', name)
      const found = await fetchAt(url.href).catch(() => null)
      const next = found?.page.querySelector('.item-form') ?? null
      if (next === null) forms.delete(name)
      return next
    }
    const known = forms.get(name) ?? load()
    forms.set(name, known)
    return known
  }
  const onChosen = async (): Promise<void> => {
    const { value: wanted } = field
    // Leaving the field is no other choice, and must not take the next field from under the pointer.
    if (wanted === chosen) return
    const former = chosen
    chosen = wanted
    const next = await formFor(wanted)
    const isNew = field.form?.action.includes('new=')
    // A form that came back may have the name of the page before.
    if (isNew) suggested ??= textsIn(former === '' ? null : await formFor(former))
    // The response for another page, or none: the fields stay.
    if (next === null || field.value !== wanted) return
    if (isNew) suggested = suggestLabel(form, textsIn(next), suggested ?? {})
    const names = '[name^="param:"]'
    for (const old of form.querySelectorAll<HTMLInputElement>(names)) typed.set(old.name, old.value)
    for (const part of ['.page', '.of-page'])
      form
        .querySelector(part)
        ?.replaceChildren(...(next.querySelector(part)?.cloneNode(true).childNodes ?? []))
    const fields = [...form.querySelectorAll<HTMLInputElement>(names)]
    for (const each of fields) each.value = typed.get(each.name) ?? each.value
    const lacking = fields.find(({ required, value }) => required && value === '')
    if (document.activeElement === field) lacking?.focus()
  }
  // The name of a page is shown until other words are typed, which replace it.
  const setTyping = (isTyping: boolean): void => void field.classList.toggle('typing', isTyping)
  field.addEventListener('focus', () => field.select())
  field.addEventListener('input', () => setTyping(true))
  for (const end of ['change', 'blur']) field.addEventListener(end, () => setTyping(false))
  field.addEventListener('change', onChosen)
  // A heading is not named after the page that was chosen before: there is none once its form shows what fits it.
  const forget = ({ target }: Event): void => {
    if (suggested === null || (target as HTMLInputElement).value !== 'section') return
    field.value = ''
    void onChosen()
  }
  form.addEventListener('change', forget, true)
  // Browsers fire no `change` where a page was chosen from the list, and that of before is typed again.
  field.addEventListener('blur', onChosen)
}

interface Page {
  readonly name: string
  readonly title: string
  readonly pattern: string
  readonly labels: readonly string[]
  /** The permissions that its items have in common, in words. */
  readonly needs: readonly string[]
}

function pagesIn({ routes }: Readonly<Record<string, unknown>>): readonly Page[] {
  return (Array.isArray(routes) ? routes : []).filter(isMap) as unknown as readonly Page[]
}

/** Texts by the names of the fields of their languages. */
type Texts = Readonly<Record<string, string>>

const LABELS = '[name^="label:"]'

function textsIn(form: ParentNode | null): Texts {
  const fields = form?.querySelectorAll<HTMLInputElement>(LABELS) ?? []
  return Object.fromEntries([...fields].map(({ name, value }) => [name, value]))
}

/** Names an item after its page, in each language in which nobody named it; returns what is suggested then. */
function suggestLabel(form: ParentNode, texts: Texts, before: Texts): Texts {
  const fields = [...form.querySelectorAll<HTMLInputElement>(LABELS)]
  const isFirst = Object.values(before).every((text) => text === '')
  if (isFirst && fields.some(({ value }) => value !== '')) return before
  for (const each of fields.filter(({ name, value }) => value === (before[name] ?? ''))) {
    each.value = texts[each.name] ?? ''
    each.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return texts
}
