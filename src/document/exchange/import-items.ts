import { isEqual, isList, isMap, type Json, type JsonMap } from '../../model/json.js'
import { type Locale, toLocale } from '../../model/locale.js'
import { quote } from '../issue.js'
import { createDraft, type Draft, note, put, putOthers, read, readFlag, readWhole } from './draft.js'
import { ITEM_CONTENT, ITEM_SETTINGS, isAbsent } from './fields.js'

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
  if (importing.room < 0) {
    around.notebook.add('refused', from, 'The JSON has too many items.')
    return []
  }
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
    const item = createDraft(isMap(raw) ? raw : {}, `${at}/${index}`, `${from}/${place}`, around)
    return isMap(raw) ? toItem(item, importing) : raw
  })
}

function toItem(draft: Draft, importing: Importing): JsonMap {
  const [type, children] = [toType(draft), read(draft, 'children')]
  if (type !== 'link') put(draft, 'type', type, 'itemType')
  if (type !== 'divider') {
    putLabel(draft, importing)
    putDestination(draft, type)
    put(draft, 'icon', read(draft, 'icon'))
  }
  putPermissions(draft)
  if (readFlag(draft, 'targetBlank') === true) put(draft, 'attributes', { target: '_blank' }, 'targetBlank')
  if (read(draft, 'itemType') === 'service') put(draft, 'x-itemType', 'service', 'itemType')
  putOthers(draft, ITEM_SETTINGS, ITEM_CONTENT)
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

/** One text for all locales, or the translations with the base label as the text of the default locale. */
function putLabel(draft: Draft, { defaultLocale }: Importing): void {
  const [base, translations] = [read(draft, 'label') ?? '', read(draft, 'translations') ?? {}]
  if (typeof base !== 'string') note(draft, 'refused', 'label', 'The label must be a text.')
  if (!isMap(translations)) note(draft, 'refused', 'translations', 'The translations must be a map of texts.')
  const label = new Map<string, Json>()
  for (const [tag, text] of Object.entries(translations)) {
    if (isBlank(text)) continue
    const locale = toLocale(tag) ?? tag
    const twice = `${quote(tag)} is a second spelling of ${quote(locale)}.`
    if (label.has(locale)) note(draft, 'refused', 'translations', twice)
    else if (locale !== tag)
      note(draft, 'changed', 'translations', `${quote(tag)} is written ${quote(locale)}.`)
    label.set(locale, text)
  }
  const isBase = label.size === 0 || (!label.has(defaultLocale) && !isBlank(base))
  const texts = isBase ? [[defaultLocale, base] as const, ...label] : [...label]
  put(
    draft,
    'label',
    label.size === 0 ? base : Object.fromEntries(texts),
    label.size === 0 ? 'label' : 'translations',
  )
  if (isBase || isBlank(base) || base === label.get(defaultLocale)) draft.used.add('label')
  draft.used.add('translations')
}

function isBlank(text: Json): boolean {
  return text === null || (typeof text === 'string' && text.trim() === '')
}

/** A route or a URL: what the type of the link says, else what there is. Only a link has a URL. */
function putDestination(draft: Draft, type: Json): void {
  const linkType = read(draft, 'linkType') ?? 'route'
  if (linkType !== 'route' && linkType !== 'external')
    note(draft, 'refused', 'linkType', `${quote(linkType)} is not one of route, external.`)
  const fields = linkType === 'external' ? ['externalUrl', 'routeName'] : ['routeName', 'externalUrl']
  const used = fields.find(
    (field) => read(draft, field) !== null && (type === 'link' || field === 'routeName'),
  )
  if (used === undefined) return
  if (type === 'link' && used !== fields[0])
    note(draft, 'changed', used, `${quote(used)} is used, since there is no ${quote(fields[0])}.`)
  put(draft, used === 'routeName' ? used : 'url', read(draft, used), used)
  if (used === 'routeName') put(draft, 'routeParams', read(draft, 'routeParams'))
}

/** The permissions, and whether any of them is enough. What is not a list of texts is left to the rules of a menu. */
function putPermissions(draft: Draft): void {
  const [keys, key] = [read(draft, 'permissionKeys'), read(draft, 'permissionKey')]
  const field = keys === null ? 'permissionKey' : 'permissionKeys'
  if (readFlag(draft, 'isUnanimous') === false) put(draft, 'permissionMode', 'any', 'isUnanimous')
  const given = keys ?? (key === null ? [] : [key])
  const trimmed = isList(given) ? given.map((each) => (typeof each === 'string' ? each.trim() : each)) : []
  const kept = trimmed.filter((each) => each !== '')
  // Blank ones alone are refused: an item must not become visible to everybody.
  const permissions = kept.length > 0 ? kept : given
  if (!isAbsent(permissions)) put(draft, 'permissions', permissions, field)
  if (kept.length > 0 && !isEqual(kept, given))
    note(draft, 'changed', field, 'Blanks around permission keys are left out, and so are blank keys.')
  if (kept.includes(key)) draft.used.add('permissionKey')
}
