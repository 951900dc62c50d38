import { isList, isMap, type Json, type JsonMap } from '../../model/json.js'
import { type Locale, toLocale } from '../../model/locale.js'
import { quote } from '../issue.js'
import { type Draft, draftBelow, note, put, putOthers, read, readFlag, readWhole } from './draft.js'
import { ITEM_FIELDS } from './fields.js'

/** What an import goes by, besides the JSON. */
export interface Importing {
  /** The locale whose text the base label of an item is. */
  readonly defaultLocale: Locale
  /** How many items there may still be. */
  room: number
}

/** The items of a list in the order of their positions. What is not a list of maps is left to the rules of a menu. */
export function toItems(list: Json, around: Draft, at: string, from: string, importing: Importing): Json {
  around.places.set(at, from)
  if (!isList(list)) return list
  importing.room -= list.length
  if (importing.room < 0) return around.notebook.add('refused', from, 'The JSON has too many items.') ?? []
  let next = 0
  const placed = list.map((raw, place) => {
    const row = { ...around, raw: isMap(raw) ? raw : {}, from: `${from}/${place}` }
    next = (readWhole(row, 'position') ?? next) + 1
    return { raw, place, position: next }
  })
  // Equal positions keep their order.
  const ordered = placed.toSorted((a, b) => a.position - b.position)
  if (ordered.some(({ place }, index) => place !== index))
    around.notebook.add('changed', from, 'The items are put in the order of their positions.')
  return ordered.map(({ raw, place }, index) => {
    const item = draftBelow(around, isMap(raw) ? raw : {}, `${at}/${index}`, `${from}/${place}`)
    return isMap(raw) ? toItem(item, importing) : raw
  })
}

function toItem(draft: Draft, importing: Importing): JsonMap {
  const [type, children] = [toType(draft), read(draft, 'children')]
  if (type !== 'link') put(draft, 'type', type, 'itemType')
  if (type === 'divider') drop(draft, ON_NO_DIVIDER, 'a divider has none')
  else {
    put(draft, 'label', toLabel(draft, importing), read(draft, 'translations') ? 'translations' : 'label')
    putDestination(draft, type)
    put(draft, 'icon', read(draft, 'icon'))
  }
  putPermissions(draft)
  if (readFlag(draft, 'targetBlank') === true) put(draft, 'attributes', { target: '_blank' }, 'targetBlank')
  if (read(draft, 'itemType') === 'service') put(draft, 'x-itemType', 'service', 'itemType')
  putOthers(draft, ITEM_FIELDS)
  const [at, from] = [`${draft.at}/children`, `${draft.from}/children`]
  if (children !== null) put(draft, 'children', toItems(children, draft, at, from, importing))
  return Object.fromEntries(draft.entries)
}

/** The type of an item; one that is not known is left to the rules of a menu. */
function toType(draft: Draft): Json {
  const type = read(draft, 'itemType') ?? 'link'
  const isNowhere = ['routeName', 'externalUrl'].every((field) => read(draft, field) === null)
  if (type === 'service')
    note(draft, 'changed', 'itemType', 'An application computes this link: it becomes a section.')
  else if (type !== 'link' || !isNowhere || read(draft, 'children') === null) return type
  else note(draft, 'changed', 'itemType', 'This link leads nowhere and has children: it becomes a section.')
  return 'section'
}

const ON_NO_DIVIDER = ['label', 'translations', 'routeName', 'routeParams', 'externalUrl', 'icon']

function drop(draft: Draft, fields: readonly string[], why: string): void {
  for (const field of fields) {
    if (read(draft, field) !== null) note(draft, 'dropped', field, `${quote(field)} is left out: ${why}.`)
  }
}

/** One text for all locales, or the translations with the base label as the text of the default locale. */
function toLabel(draft: Draft, { defaultLocale }: Importing): Json {
  const [base, translations] = [read(draft, 'label') ?? '', read(draft, 'translations') ?? {}]
  if (typeof base !== 'string') return note(draft, 'refused', 'label', 'The label must be a text.')
  if (!isMap(translations))
    return note(draft, 'refused', 'translations', 'The translations must be a map of texts.')
  const label = new Map<string, Json>()
  for (const [tag, text] of Object.entries(translations)) {
    if (text === null || isBlank(text)) continue
    const locale = toLocale(tag) ?? tag
    if (label.has(locale)) {
      const what = `${quote(tag)} is a second spelling of ${quote(locale)}.`
      return note(draft, 'refused', 'translations', what)
    }
    label.set(locale, text)
    if (locale !== tag) note(draft, 'changed', 'translations', `${quote(tag)} is written ${quote(locale)}.`)
  }
  if (label.size === 0) return base
  const text = label.get(defaultLocale)
  if (text === undefined && !isBlank(base)) return Object.fromEntries([[defaultLocale, base], ...label])
  if (text !== base && !isBlank(base))
    note(
      draft,
      'dropped',
      'label',
      `${quote(base)} is left out: the text for ${defaultLocale} is ${quote(text)}.`,
    )
  return Object.fromEntries(label)
}

function isBlank(text: Json): boolean {
  return typeof text === 'string' && text.trim() === ''
}

/** A route or a URL: what the type of the link says, else what there is. Only a link has a URL. */
function putDestination(draft: Draft, type: Json): void {
  const linkType = read(draft, 'linkType') ?? 'route'
  if (linkType !== 'route' && linkType !== 'external')
    note(draft, 'refused', 'linkType', `${quote(linkType)} is not one of route, external.`)
  const fields = linkType === 'external' ? ['externalUrl', 'routeName'] : ['routeName', 'externalUrl']
  const used = type === 'link' ? fields.find((field) => read(draft, field) !== null) : 'routeName'
  if (used === undefined) return
  if (type === 'link' && used !== fields[0])
    note(draft, 'changed', used, `${quote(used)} is used, since there is no ${quote(fields[0])}.`)
  put(draft, used === 'routeName' ? 'routeName' : 'url', read(draft, used), used)
  const isRouted = used === 'routeName' && read(draft, used) !== null
  if (isRouted) put(draft, 'routeParams', read(draft, 'routeParams'))
  else drop(draft, ['routeParams'], 'the item leads to no route')
  drop(
    draft,
    fields.filter((field) => field !== used),
    type === 'link' ? `"${used}" is used` : 'only a link has one',
  )
}

/** The permissions, and whether any of them is enough. What is not a list of texts is left to the rules of a menu. */
function putPermissions(draft: Draft): void {
  const [keys, key] = [read(draft, 'permissionKeys'), read(draft, 'permissionKey')]
  const field = keys === null ? 'permissionKey' : 'permissionKeys'
  if (readFlag(draft, 'isUnanimous') === false) put(draft, 'permissionMode', 'any', 'isUnanimous')
  const given = keys ?? (key === null ? [] : [key])
  if (!isList(given)) put(draft, 'permissions', given, field)
  if (!isList(given)) return
  const trimmed = given.map((each) => (typeof each === 'string' ? each.trim() : each))
  const kept = trimmed.filter((each) => each !== '')
  if (kept.some((each, place) => each !== given[place]) || kept.length < given.length)
    note(draft, 'changed', field, 'Blanks around permission keys are left out, and so are blank keys.')
  // Blank ones alone are refused: an item must not become visible to everybody.
  if (given.length > 0) put(draft, 'permissions', kept.length > 0 ? kept : given, field)
  if (keys !== null && key !== null && !kept.includes(key))
    drop(draft, ['permissionKey'], '"permissionKeys" replaces it')
}
