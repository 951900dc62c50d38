import { act } from '../../../change/actions/action.js'
import { describeOutcome, describeRefusal, toName } from '../../../change/actions/outcome.js'
import type { Acted } from '../../../change/actions/refusal.js'
import { ownOf } from '../../../change/items.js'
import { mergeFields } from '../../../change/merge/fields.js'
import { toNearest } from '../../../document/did-you-mean.js'
import { writeChange } from '../../../document/edit/write-change.js'
import { isMap, type JsonMap, toKey } from '../../../model/json.js'
import { toLabelText } from '../../../model/label.js'
import { labelChain } from '../../../model/locale.js'
import { toPlainName, toPlainPattern } from '../../../model/plain-name.js'
import { parsePointer } from '../../../model/pointer.js'
import { isError } from '../../../model/problem.js'
import { failed } from '../../../model/result.js'
import { isRequired, paramsOf, type Route, type Routes } from '../../../model/route.js'
import { contentHash } from '../../../store/hash.js'
import { type EditedMenu, findEdited } from '../../deeds/edited-menu.js'
import { routeUsageOf, valuesOf } from '../../deeds/route-usage.js'
import { changeAfter, takeStep } from '../../deeds/steps.js'
import { hasViewers } from '../../deeds/viewers.js'
import type { Workspace } from '../../deeds/workspace.js'
import { fileIn, formPage } from '../../forms/form-page.js'
import { readItemForm, toItemForm } from '../../forms/item-form.js'
import { type FormError, type Trouble, toError, toFound } from '../../forms/trouble.js'
import { toTyped } from '../../forms/typed-text.js'
import type { Fields, Page, SeeOther } from '../../page.js'
import type { Texts } from '../../texts/language.js'
import { createPathTo } from '../path-to.js'
import { isVisibleNow } from '../times.js'
import { findAgain, type Subject, toSubject } from './item-subject.js'
import { missingIn } from './rows.js'

/** In the address of a form: it begins at the first language without a text. */
export const MISSING = { start: 'missing' } as const

/** The form of an item. */
export function itemPage(workspace: Workspace): Page {
  const { config, home, icons, settings } = workspace
  const to = createPathTo(home)
  const { locales, routes, permissions } = settings
  const { lint } = config.options
  const context = { locales, routes, permissions }
  const chainOf = ({ lang }: Texts) => labelChain(lang, settings.locales)
  const toHere = ({ menu: { file }, at: { pointer }, where }: Subject): string =>
    to('item', file, { item: pointer, ...(where !== null && { new: where }) })

  /** A new item that leads to a page has its name, in each language. */
  const toNamed = (item: JsonMap, asked: string | undefined): JsonMap => {
    const label = routes?.get(asked ?? '')?.title
    return asked === undefined || !label ? item : { ...item, routeName: asked, label }
  }

  /** A new item is named after the one that it goes into. */
  const toNewTitle = ({ at, where }: Subject, t: Texts): string => {
    const parent = where === 'inside' ? at : at.parent
    if (parent === null || parent.parent === null) return t.itemForm.newTitle
    return t.fill(t.itemForm.newInside, { name: toName(parent.item, t.actions, chainOf(t)) })
  }

  return formPage<Subject>({
    template: 'item',
    find: (call, form) =>
      toSubject(findEdited(workspace, call.operator, fileIn(call), form?.get('state')), call.query),
    view: async ({ t, query }, subject, form, { problem }) => {
      const { menu, where, at, item, before } = subject
      const isNew = where !== null
      /** The page that the item is to lead to. */
      const asked = form === null ? query.get('route') : form.get('route')
      const typed = form !== null ? readItemForm(form, item, context) : isNew ? toNamed(item, asked) : item
      const shown = toItemForm(typed, context, asked)
      const isSeries = isNew && query.get('did') === 'add'
      const type = form?.get('type') ?? (isNew ? query.get('type') : null) ?? shown.type
      const isLikeIt = isSeries && Boolean(at.item['url'])
      const startsWithPage = isNew && !isLikeIt && Boolean(routes?.size) && type === 'link'
      const chain = chainOf(t)
      const usage = (await routeUsageOf(workspace.current())).get(shown.texts.route)
      const known = routes?.get(shown.texts.route)
      // Those that it needs come first, then those that its page needs elsewhere.
      const rankOf = ({ key, isOn }: { readonly key: string; readonly isOn: boolean }): number =>
        isOn ? 2 : Number(usage?.needs.includes(key) ?? false)
      const toTitle = (each: Route): string => toLabelText(each.title, chain).text
      const gaps = query.get('start') === MISSING.start ? missingIn(item['label'], locales.locales) : []
      const textOf = (field: string, text: string): string => form?.get(field) ?? text
      const texts = Object.fromEntries(
        Object.entries(shown.texts).map(([field, text]) => [field, textOf(field, text)]),
      )
      const isForEveryone = form?.has('who') ? form.get('who') === 'everyone' : shown.isForEveryone
      // Refused as it is, it is still about what it was about.
      const kept = problem ? form : null
      return {
        title: isNew
          ? toNewTitle(subject, t)
          : t.fill(t.itemForm.title, { name: toName(item, t.actions, chainOf(t)) }),
        ...{ isNew, isSeries, startsWithPage, pointer: at.pointer, file: menu.file },
        notice:
          isSeries && form === null ? describeOutcome({ kind: 'add', item: at }, t.actions, chain) : null,
        was: kept?.get('was') ?? subject.was,
        state: kept?.get('state') ?? menu.state,
        back: to('edit', menu.file, { at: at.pointer }),
        here: `${toHere(subject)}${isSeries ? '&did=add' : ''}`,
        type,
        leadsTo: form?.get('to') ?? (startsWithPage ? 'route' : shown.to),
        isSameText: shown.isSameText === null ? null : (form?.has('sameText') ?? shown.isSameText),
        labels: shown.labels.map((each) => ({
          ...{ ...each, text: textOf(each.name, each.text), isGap: gaps.includes(each.locale) },
        })),
        start: gaps[0] ?? shown.labels[0]?.locale,
        params: shown.params.map((each) => ({
          ...{ ...each, text: textOf(`param:${each.name}`, each.text) },
          values: known === undefined ? [] : valuesOf(known, each.name, usage),
          isUnknown: each.text !== '' && known?.values?.get(each.name)?.includes(each.text) === false,
        })),
        permissions: shown.permissions
          .map(({ key, says, isOn }) => ({ key, says: toLabelText(says, chain).text || key, isOn }))
          .sort((a, b) => rankOf(b) - rankOf(a) || a.says.localeCompare(b.says, t.lang))
          .map((each) => ({ ...each, isOn: form?.has(`permission:${each.key}`) ?? each.isOn })),
        isForEveryone,
        isByDefault: isForEveryone && !shown.isHidden && !texts['visibleFrom'] && !texts['visibleUntil'],
        hasViewers: hasViewers(workspace),
        isOpenMenu: menu.items.all.every(({ item }) => item['permissions'] === undefined),
        handsOn: settings.api.node_members.includes('attributes'),
        isUnknownIcon:
          shown.texts.icon !== '' && icons.size > 0 && !icons.has(textOf('icon', shown.texts.icon)),
        page:
          known === undefined
            ? null
            : { title: toTitle(known), pattern: toPlainPattern(known.pattern), needs: usage?.needs ?? [] },
        texts,
        isAny: form?.has('mode') ? form.get('mode') === 'any' : shown.isAny,
        ...{ isNewTab: shown.isNewTab, isHidden: shown.isHidden },
        isLive: before !== null && isVisibleNow(before),
        isPublished: !isNew && menu.change.origins.has(at.pointer),
        routes: [...(routes ?? [])].slice(0, MOST_ROUTES).map(([name, route]) => ({
          name,
          says: [toTitle(route), toPlainPattern(route.pattern)].filter(Boolean).join(' · '),
        })),
      }
    },
    submit(call, form, subject) {
      const { t, operator } = call
      /** With a `base`, the form was about the item as it was then, and what became of it since is merged. */
      const save = (about: Subject, state: string, base: JsonMap | null = null): SeeOther | Trouble => {
        const { menu, at, where, item } = about
        const differing: FormError[] = []
        const mine = readItemForm(form, base ?? item, context)
        const typed =
          base === null
            ? mine
            : mergeFields(base, mine, ownOf(at.item), (field, { theirs }) => {
                const value = theirs === undefined ? t.review.absent : toTyped(theirs)
                const place = fieldOf(parsePointer(field) ?? [])
                const name = place === 'label' ? `label:${locales.defaultLocale}` : place
                differing.push(toError(name, t.fill(t.itemForm.isNow, { value })))
                return 'mine'
              })
        if (differing.length > 0) return { errors: differing, status: 409 }
        // A new item without a label is named after its page.
        const title = where === null ? undefined : routes?.get(typed['routeName'] as string)?.title
        // The script types a name for all languages into the field of the default one.
        const suggested = typeof title === 'string' ? toKey({ [locales.defaultLocale]: title }) : null
        const isNamed = toKey(typed['label'] ?? null) === suggested
        const fields: JsonMap = {
          ...(title !== undefined && { label: title }),
          ...typed,
          ...(isNamed && title !== undefined && { label: title }),
        }
        let errors: readonly FormError[] = [
          ...(lint.rules['unknown-route'] === 'off' ? [] : pageErrors(fields, item, routes, t)),
          ...ownErrors(fields, form, t, context.locales.defaultLocale),
          ...paramErrors(fields, item, context.routes, t),
        ]
        const wish = contentHash(JSON.stringify([toHere(about), ...form]))
        const action =
          where === null
            ? ({ kind: 'set', fields } as const)
            : ({ kind: 'add', where, item: fields } as const)
        const { value: step, fault } = takeStep(workspace, operator.id, menu, { state, wish }, () => {
          const acted = act(menu.items, at.pointer, action, config.options.limits)
          if (acted.fault === null && errors.length === 0) errors = judge(workspace, menu, acted.value, t)
          return errors.length > 0 ? failed({ reason: 'same' }) : acted
        })
        if (errors.length > 0 && fault !== 'stale') return { errors }
        if (fault === null) {
          const pointer = step.pointer ?? at.pointer
          if (form.has('another')) {
            const next = form.get('another') === 'inside' && fields['type'] === 'section' ? 'inside' : 'after'
            return { location: to('item', menu.file, { item: pointer, new: next, did: 'add' }) }
          }
          return { location: to('edit', menu.file, { did: where === null ? 'set' : 'add', at: pointer }) }
        }
        if (fault === 'stale') {
          const next = findAgain(call, form, about)
          if (next !== null) return save(next.subject, next.subject.menu.state, next.base)
          const note = where === null ? t.itemForm.stale : t.itemForm.staleGone
          return { errors: [toError(null, note)], status: 409 }
        }
        if (fault.reason === 'same') return { location: to('edit', menu.file, { at: at.pointer }) }
        const text = describeRefusal(fault, at, t.actions, chainOf(t))
        return { errors: [toError('type', text)] }
      }
      return save(subject, form.get('state') ?? '')
    },
  })
}

/** Route names that the form offers. */
const MOST_ROUTES = 1_000

/** A page that was typed here, and that the site does not have. */
function pageErrors(
  { routeName }: JsonMap,
  before: JsonMap,
  routes: Routes | null,
  { choose, fill }: Texts,
): readonly FormError[] {
  if (typeof routeName !== 'string' || routes === null || routes.has(routeName)) return []
  if (before['routeName'] === routeName) return []
  const name = toNearest(routeName, routes.keys())
  const advice = name === null ? '' : ` ${fill(choose.meantPage, { name })}`
  return [toError('route', `${choose.unknownPage}${advice}`)]
}

/** What has to be typed, in the language of the page. */
function ownErrors(
  { type, label, url, routeName, permissions }: JsonMap,
  form: Fields,
  { choose, itemForm }: Texts,
  locale: string,
): readonly FormError[] {
  // Without a permission it would be for everyone, which is not what was chosen.
  const isOpen = form.get('who') === 'some' && permissions === undefined
  const ofWho = isOpen ? [toError('permissions', choose.needsPermission)] : []
  if (type === 'divider') return ofWho
  const isLost = (type ?? 'link') === 'link' && url === undefined && routeName === undefined
  return [
    ...(label === undefined ? [toError(`label:${locale}`, itemForm.needsLabel)] : []),
    ...(isLost && form.get('to') === 'route' ? [toError('route', itemForm.needsRoute)] : []),
    ...(isLost && form.get('to') !== 'route' ? [toError('url', itemForm.needsUrl)] : []),
    ...ofWho,
  ]
}

/** The parameters without which a page that was chosen here has no path. */
function paramErrors(
  { routeName, routeParams }: JsonMap,
  before: JsonMap,
  routes: Routes | null,
  t: Texts,
): readonly FormError[] {
  const route = routes?.get(String(routeName))
  const given = isMap(routeParams) ? routeParams : {}
  const isSame =
    before['routeName'] === routeName && toKey(before['routeParams'] ?? null) === toKey(routeParams ?? null)
  if (route === undefined || isSame) return []
  return paramsOf(route)
    .filter((name) => name !== '_locale' && isRequired(route, name) && !Object.hasOwn(given, name))
    .map((name) => toError(`param:${name}`, t.fill(t.itemForm.needsParam, { name: toPlainName(name) })))
}

/** What would be wrong with the item, as `lint` judges the file. */
function judge(workspace: Workspace, menu: EditedMenu, acted: Acted, t: Texts): readonly FormError[] {
  const change = changeAfter(menu, acted)
  const { value: document } = change === null ? failed('') : writeChange(menu.base, change, menu.draft?.texts)
  if (document === null) return []
  const under = `${acted.pointer}/`
  return workspace.store
    .judge(document)
    .problems.filter(isError)
    .filter(({ pointer }) => pointer === acted.pointer || pointer.startsWith(under))
    .filter(({ pointer }) => !pointer.startsWith(`${under}children/`))
    .map((problem) =>
      problem.code === 'url-without-scheme'
        ? toError('url', t.choose.noScheme)
        : toFound(fieldOf(problem.pointer.slice(under.length).split('/')), problem),
    )
}

function fieldOf([key = '', part = '']: readonly string[]): string | null {
  const fields: Readonly<Record<string, string>> = {
    ...{ url: 'url', routeName: 'route', routeParams: 'more', icon: 'icon', id: 'id', type: 'type' },
    ...{ permissions: 'permissions', attributes: part === 'class' || part === 'title' ? part : 'attributes' },
    ...{ visibleFrom: 'visibleFrom', visibleUntil: 'visibleUntil' },
    label: part === '' ? 'label' : `label:${part}`,
  }
  return Object.hasOwn(fields, key) ? (fields[key] ?? null) : null
}
