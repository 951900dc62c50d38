import { act, findItem } from '../../../change/actions/action.js'
import { describeRefusal, toName } from '../../../change/actions/outcome.js'
import type { Acted, Refusal } from '../../../change/actions/refusal.js'
import { ownOf, type PlacedItem, readItems } from '../../../change/items.js'
import { writeChange } from '../../../document/edit/write-change.js'
import { type JsonMap, toKey } from '../../../model/json.js'
import { labelChain } from '../../../model/locale.js'
import { isError } from '../../../model/problem.js'
import { done, failed, type Result } from '../../../model/result.js'
import { contentHash } from '../../../store/hash.js'
import type { HttpProblem } from '../../../web/problem-json.js'
import type { Editing } from '../../api/editing.js'
import { type FormError, toError, toErrorOf, toFormError, toFound } from '../form-error.js'
import type { Answered, Call, Fields, Page } from '../page.js'
import type { Shown } from '../shown.js'
import type { Texts } from '../texts/en.js'
import { toAddresses } from './addresses.js'
import { type EditedMenu, findEdited } from './edited-menu.js'
import { glyphsOf } from './glyphs.js'
import { readItemForm, toItemForm, withHiddenValues } from './item-form.js'
import { changeAfter, takeStep } from './steps.js'

/** What a form is about: an item, or a new one beside or inside another. */
interface Subject {
  readonly menu: EditedMenu
  /** The item, or the one beside or inside which the new one goes. */
  readonly at: PlacedItem
  readonly where: Where | null
  /** The item that the fields show. */
  readonly item: JsonMap
  /** Identifies what the item was when the form was loaded. */
  readonly was: string
}

type Where = 'before' | 'after' | 'inside'

/** The form of an item. */
export function itemPage(deps: Shown, home: string): Page {
  const { editing, settings, config } = deps
  const { limits } = config.options
  const to = toAddresses(home)
  const glyphOf = glyphsOf(editing, home)
  const context = { locales: settings.locales, routes: settings.routes }
  const chainOf = ({ lang }: Texts) => labelChain(lang, settings.locales)

  const page = (
    call: Call,
    subject: Subject,
    form: Fields | null,
    { note = null, fault = null, status = fault?.status ?? 200, ...more }: Shortcomings = {},
  ): Answered => {
    const { t } = call
    const { menu, where, at, item } = subject
    const errors = fault === null ? (more.errors ?? []) : [toFormError(t, fault)]
    const typed = form === null ? item : readItemForm(form, item, context)
    const shown = toItemForm(typed, context, form?.get('route'))
    const given = call.query.get('type')
    const name = toName(item, t.actions, chainOf(t))
    const isNew = where !== null
    const labelOf = (field: string, text: string): string => form?.get(field) ?? text
    const model = {
      title: isNew ? t.itemForm.newTitle : t.itemForm.title(name),
      current: 'menus',
      ...{ isNew, errors, note, to },
      file: menu.file,
      was: (fault && form?.get('was')) ?? subject.was,
      state: (fault && form?.get('state')) ?? menu.state,
      back: to.edit(menu.file, { at: at.pointer }),
      here: toHere(subject),
      places: isNew
        ? null
        : {
            here: to.place(menu.file, { item: at.pointer }),
            other: to.transfer(menu.file, { item: at.pointer }),
          },
      type: form?.get('type') ?? (isNew && given !== undefined ? given : shown.type),
      leadsTo: form?.get('to') ?? shown.to,
      labels: shown.labels.map((each) => ({ ...each, text: labelOf(each.name, each.text) })),
      params: shown.params.map((each) => ({ ...each, text: labelOf(`param:${each.name}`, each.text) })),
      texts: Object.fromEntries(
        Object.entries(shown.texts).map(([field, text]) => [field, labelOf(field, text)]),
      ),
      isAny: shown.isAny,
      isNewTab: shown.isNewTab,
      isHidden: shown.isHidden,
      hasIcons: editing.icons.size > 0,
      glyphOf,
      routes: [...(settings.routes?.keys() ?? [])].slice(0, MOST_ROUTES),
      errorOf: toErrorOf(errors),
    }
    return done({ template: 'item', model, status })
  }

  const toHere = ({ menu: { file }, at: { pointer }, where }: Subject): string =>
    to.item(file, { item: pointer, ...(where !== null && { new: where }) })

  /** What the address of a form means in a menu as it is now. */
  const find = (menu: EditedMenu, query: Fields): Subject => {
    const where = WHERES.find((each) => each === query.get('new')) ?? null
    const at = findItem(menu.items, query.get('item') ?? '')
    if (where !== null || at === null || at.parent === null)
      return { menu, at: at ?? menu.items.menu, where: where ?? 'inside', item: {}, was: '' }
    const { base, change } = menu
    const origin = change.origins.get(at.pointer)
    const before = origin === undefined ? null : findItem(readItems(base.value ?? {}), origin.pointer)
    const own = ownOf(at.item)
    const item = withHiddenValues(own, before === null ? null : ownOf(before.item))
    return { menu, at, where, item, was: toMark(own) }
  }

  const actOn = ({ menu, at, where }: Subject, fields: JsonMap): Result<Acted, Refusal> =>
    act(
      menu.items,
      at.pointer,
      where === null ? { kind: 'set', fields } : { kind: 'add', where, item: fields },
      limits,
    )

  /** Where a form goes on that was loaded before the menu changed: to the item that it was about, else with what was typed. */
  const again = (call: Call, form: Fields, subject: Subject): Subject | Answered => {
    const { menu, where } = subject
    const was = form.get('was') ?? ''
    if (where !== null && call.query.has('new')) return subject
    const same = menu.items.all.filter(({ item }) => toMark(ownOf(item)) === was)
    const [only, ...others] = subject.was === was ? [subject.at] : same
    if (only !== undefined && others.length === 0) return find(menu, new Map([['item', only.pointer]]))
    const note = where === null ? call.t.itemForm.stale : call.t.itemForm.staleGone
    return page(call, subject, form, { note, status: 409 })
  }

  const save = (call: Call, form: Fields, subject: Subject, state: string): Answered => {
    const { operator, t } = call
    const { menu, at, where, item } = subject
    const fields = readItemForm(form, item, context)
    const refused = (errors: readonly FormError[]): Answered =>
      page(call, subject, form, { errors, status: 422 })
    let errors = ownErrors(fields, form.get('to') ?? '', t, context.locales.defaultLocale)
    const wish = contentHash(JSON.stringify([toHere(subject), ...form]))
    const taken = takeStep(editing, operator.id, menu, { state, wish }, () => {
      const acted = actOn(subject, fields)
      if (acted.fault === null && errors.length === 0) errors = judge(editing, menu, acted.value)
      return errors.length > 0 ? failed({ reason: 'same' }) : acted
    })
    if (errors.length > 0 && taken.fault?.kind !== 'stale') return refused(errors)
    if (taken.fault === null) {
      const pointer = taken.value.pointer ?? at.pointer
      if (form.has('another')) return done({ location: to.item(menu.file, { item: pointer, new: 'after' }) })
      return done({ location: to.edit(menu.file, { did: where === null ? 'set' : 'add', at: pointer }) })
    }
    const { fault } = taken
    if (fault.kind === 'problem') return failed(fault.problem)
    if (fault.kind === 'refused') {
      const { refusal } = fault
      if (refusal.reason === 'same') return done({ location: to.edit(menu.file, { at: at.pointer }) })
      return refused([toError('type', describeRefusal(refusal, at, t.actions, chainOf(t)))])
    }
    const next = again(call, form, subject)
    return 'menu' in next ? save(call, form, next, next.menu.state) : next
  }

  const open = (call: Call, state?: string): Result<Subject, NonNullable<Answered['fault']>> => {
    const { value: menu, fault } = findEdited(deps, call.operator, call.query.get('file') ?? '', state)
    return fault === null ? done(find(menu, call.query)) : failed(fault)
  }
  return {
    role: 'edit',
    show: (call) => {
      const { value: subject, fault } = open(call)
      return fault === null ? page(call, subject, null) : failed(fault)
    },
    submit: (call, form) => {
      const { value: subject, fault } = open(call, form.get('state'))
      return fault === null ? save(call, form, subject, form.get('state') ?? '') : failed(fault)
    },
    refused: (call, form, refusal) => {
      const { value: subject } = open(call, form.get('state'))
      return subject === null ? failed(refusal) : page(call, subject, form, { fault: refusal })
    },
  }
}

interface Shortcomings {
  readonly errors?: readonly FormError[]
  /** Why the form is not taken: it is still about what it was about. */
  readonly fault?: HttpProblem | null
  readonly note?: string | null
  readonly status?: number
}

const WHERES: readonly Where[] = ['before', 'after', 'inside']
/** Route names that the form offers. */
const MOST_ROUTES = 1_000

function toMark(item: JsonMap): string {
  return contentHash(toKey(item)).slice(0, 12)
}

/** What has to be typed, in the language of the page. */
function ownErrors(fields: JsonMap, to: string, { itemForm }: Texts, locale: string): readonly FormError[] {
  const { type, label, url, routeName } = fields
  if (type === 'divider') return []
  const isLost = (type ?? 'link') === 'link' && url === undefined && routeName === undefined
  return [
    ...(label === undefined ? [toError(`label:${locale}`, itemForm.needsLabel)] : []),
    ...(isLost && to === 'route' ? [toError('route', itemForm.needsRoute)] : []),
    ...(isLost && to !== 'route' ? [toError('url', itemForm.needsUrl)] : []),
  ]
}

/** What would be wrong with the item, as `lint` judges the file. */
function judge(editing: Editing, menu: EditedMenu, acted: Acted): readonly FormError[] {
  const change = changeAfter(menu, acted)
  const { value: document } = change === null ? failed('') : writeChange(menu.base, change)
  if (document === null) return []
  const under = `${acted.pointer}/`
  return editing.store
    .judge(document)
    .problems.filter(isError)
    .filter(({ pointer }) => pointer === acted.pointer || pointer.startsWith(under))
    .filter(({ pointer }) => !pointer.startsWith(`${under}children/`))
    .map((problem) => toFound(fieldOf(problem.pointer.slice(under.length).split('/')), problem))
}

function fieldOf([key = '', part = '']: readonly string[]): string | null {
  const fields: Readonly<Record<string, string>> = {
    ...{ url: 'url', routeName: 'route', routeParams: 'more', icon: 'icon', id: 'id', type: 'type' },
    ...{ permissions: 'permissions', attributes: part === 'class' || part === 'title' ? part : 'attributes' },
    label: part === '' ? 'label' : `label:${part}`,
  }
  return Object.hasOwn(fields, key) ? (fields[key] ?? null) : null
}
