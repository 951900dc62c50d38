import { isMap } from '../../model/json.js'
import { toPlainName, toPlainPattern } from '../../model/plain-name.js'
import { ask } from './ask.js'
import { startCombobox, toPart } from './combobox.js'
import { toStatus } from './icon-picker.js'
import { make } from './make.js'

/** Offers the pages of the site in the field of a route, and a field for each parameter of the one that is chosen. */
export function startPagePicker(field: HTMLInputElement, home: string): void {
  const form = field.closest('form') ?? document
  const typed = new Map<string, string>()
  const seen = new Map<string, Page>()
  let suggested: Page['titles'] | null = null
  let chosen = field.value
  startCombobox(field, async (words) => {
    // A page that is chosen is to be replaced: all are offered.
    const found = await ask(home, 'routes', words === chosen ? '' : words)
    if (found === null) return null
    const offers = pagesIn(found).map((page) => {
      const { name, title, pattern, labels } = page
      seen.set(name, page)
      const about = make('span', { className: 'about' })
      about.append(title === '' ? toPart(name, 'ltr', 'code') : toPart(title, 'auto', 'b'))
      about.append(toPart(toPlainPattern(pattern)))
      if (labels.length > 0) about.append(toPart(labels.join(' · '), 'auto'))
      return { value: name, parts: [about] }
    })
    const hasBest = words !== '' && words !== chosen
    return { offers, status: toStatus(field, offers.length, found['total']), hasBest }
  })
  /** The page of a route; undefined where there is none, null without a response. */
  const pageOf = async (route: string): Promise<Page | undefined | null> => {
    const found = seen.has(route) ? null : await ask(home, 'routes', route)
    for (const page of found === null ? [] : pagesIn(found)) seen.set(page.name, page)
    return seen.get(route) ?? (found === null ? null : undefined)
  }
  const onChosen = async (): Promise<void> => {
    const { value: wanted } = field
    // Leaving the field is no other choice, and must not take the next field from under the pointer.
    if (wanted === chosen) return
    const former = chosen
    chosen = wanted
    const page = await pageOf(wanted)
    // The response for another route, or none: the fields stay.
    if (page === null || field.value !== wanted) return
    const { title = '', titles = {}, pattern = '', parameters = [] } = page ?? {}
    // A form that came back may have the name of the page before.
    const isNew = field.form?.action.includes('new=') && former !== ''
    suggested ??= isNew ? ((await pageOf(former))?.titles ?? {}) : {}
    suggested = suggestLabel(form, titles, suggested)
    const path = toPart(toPlainPattern(pattern))
    path.className = 'soft'
    const parts = [title === '' ? '' : toPart(title, 'auto', 'b'), ' ', path]
    form.querySelector('.page')?.replaceChildren(...(page === undefined ? [] : parts))
    showParameters(form, field, parameters, typed)
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
  /** Its texts by their locales. */
  readonly titles: Readonly<Record<string, string>>
  readonly pattern: string
  readonly labels: readonly string[]
  readonly parameters: readonly {
    readonly name: string
    readonly required: boolean
    readonly values: readonly string[]
  }[]
}

function pagesIn({ routes }: Readonly<Record<string, unknown>>): readonly Page[] {
  return (Array.isArray(routes) ? routes : []).filter(isMap) as unknown as readonly Page[]
}

/** Names an item after its page, in each language in which nobody named it; returns what is suggested then. */
function suggestLabel(form: ParentNode, titles: Page['titles'], before: Page['titles']): Page['titles'] {
  const fields = [...form.querySelectorAll<HTMLInputElement>('[name^="label:"]')]
  const textIn = (texts: Page['titles'], { name }: HTMLInputElement) => texts[name.slice(6)] ?? ''
  const isFirst = Object.keys(before).length === 0
  if (isFirst && fields.some(({ value }) => value !== '')) return before
  for (const each of fields.filter((field) => field.value === textIn(before, field))) {
    each.value = textIn(titles, each)
    each.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return titles
}

/** Gives each parameter a field, with what was typed for one of the same name, be it of an earlier route. */
function showParameters(
  form: ParentNode,
  route: HTMLInputElement,
  parameters: Page['parameters'],
  typed: Map<string, string>,
): void {
  for (const old of form.querySelectorAll<HTMLInputElement>('[name^="param:"]')) {
    typed.set(old.name, old.value)
    old.closest('.field')?.remove()
  }
  // The language of the visitor fills its place, unless the item has its own.
  const shown = parameters.filter(({ name }) => name !== '_locale' || typed.has('param:_locale'))
  const fields = shown.map(({ name, required, values }) => {
    const field = make('div', { className: 'field' })
    const id = `param:${name}`
    const plain = toPlainName(name)
    const textContent = required ? `${plain} (${route.dataset['required']})` : plain
    const label = make('label', { textContent, htmlFor: id })
    const input = make('input', {
      ...{ id, name: id, className: 'mono', dir: 'ltr', maxLength: MAX_LENGTH, value: typed.get(id) ?? '' },
      ...{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false },
    })
    field.append(label, input)
    if (values.length > 0) {
      const list = make('datalist', { id: `values:${name}` })
      list.append(...values.map((value) => new Option('', value)))
      input.setAttribute('list', list.id)
      field.append(list)
    }
    return field
  })
  route.closest('.field')?.after(...fields)
  const lacking = shown.findIndex(({ name, required }) => required && !typed.get(`param:${name}`))
  if (document.activeElement === route) fields[lacking]?.querySelector('input')?.focus()
}

/** Of the value of a parameter, in characters. */
const MAX_LENGTH = 1_000
