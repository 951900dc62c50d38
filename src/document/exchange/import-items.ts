import { isEqual, isList, isMap, type Json, type JsonMap, own } from '../../model/json.js'
import { type Locale, toLocale } from '../../model/locale.js'
import { quote } from '../issue.js'
import {
  type Conversion,
  createConversion,
  createNotebook,
  note,
  put,
  putOthers,
  read,
  readFlag,
  readWhole,
} from './conversion.js'
import { fillUp, ITEM_CONTENT, ITEM_SETTINGS, isAbsent, OWN_MEMBER } from './fields.js'

/** What an import goes by, besides the JSON. */
export interface Importing {
  /** The locale whose text the base label of an item is. */
  readonly defaultLocale: Locale
  /** How many items there may still be. */
  room: number
}

/**
 * The items of a list in the order of their positions, with those of another list, which the bundle does not see. What is not a
 * list of maps is left to the rules of a menu.
 */
export function toItems(
  list: Json,
  around: Conversion,
  at: string,
  from: string,
  importing: Importing,
  unseen: { readonly list: Json; readonly from: string } = { list: [], from },
): Json {
  around.places.set(at, from)
  if (!isList(list)) return list
  const others = isList(unseen.list) ? unseen.list : []
  if (!isList(unseen.list)) around.notebook.add('refused', unseen.from, 'The items must be a list.')
  importing.room -= list.length + others.length
  if (importing.room < 0) {
    around.notebook.add('refused', from, 'The JSON has too many items.')
    return []
  }
  const toPlaced = (rows: readonly Json[], path: string) => {
    let next = 0
    return rows.map((raw, place) => {
      const row = { ...around, raw: isMap(raw) ? raw : {}, from: `${path}/${place}` }
      next = (readWhole(row, 'position') ?? next) + 1
      return { raw, from: row.from, position: next }
    })
  }
  // Equal positions keep their order.
  const toOrdered = (rows: ReturnType<typeof toPlaced>) => rows.toSorted((a, b) => a.position - b.position)
  const placed = toPlaced(list, from)
  if (toOrdered(placed).some((row, index) => row !== placed[index]))
    around.notebook.add('changed', from, 'The items are sorted by their positions.')
  return toOrdered([...placed, ...toPlaced(others, unseen.from)]).map(({ raw, from: path }, index) => {
    const item = createConversion(isMap(raw) ? raw : {}, `${at}/${index}`, path, around)
    return isMap(raw) ? toItem(item, importing) : raw
  })
}

/** What a row makes of an item, without the items below it. */
export function toItemValue(
  { children: _, ...row }: JsonMap,
  { defaultLocale }: Pick<Importing, 'defaultLocale'>,
): JsonMap {
  const conversion = createConversion(row, '', '', { notebook: createNotebook(), places: new Map() })
  return toItem(conversion, { defaultLocale, room: 0 })
}

function toItem(conversion: Conversion, importing: Importing): JsonMap {
  const [type, children] = [toType(conversion), read(conversion, 'children')]
  if (type !== 'link') put(conversion, '/type', type, 'itemType')
  if (type !== 'divider') {
    putLabel(conversion, importing)
    putDestination(conversion, type)
    put(conversion, '/icon', read(conversion, 'icon'))
  }
  putPermissions(conversion)
  if (readFlag(conversion, 'targetBlank') === true)
    put(conversion, '/attributes', { target: '_blank' }, 'targetBlank')
  if (read(conversion, 'itemType') === 'service') put(conversion, '/x-itemType', 'service', 'itemType')
  putOthers(conversion, ITEM_SETTINGS, ITEM_CONTENT)
  const [at, from] = [`${conversion.at}/children`, `${conversion.from}/children`]
  const { children: unseen, ...others } = ownMember(conversion.raw, conversion) ?? {}
  if (children !== null || (unseen ?? null) !== null) {
    const list = { list: unseen ?? [], from: `${conversion.from}/${OWN_MEMBER}/children` }
    put(conversion, '/children', toItems(children ?? [], conversion, at, from, importing, list))
  }
  return fillUp(conversion.value, unseen === null ? { ...others, children: null } : others)
}

/** What our own export says of a menu or an item besides the fields of the bundle; null for none. */
export function ownMember(
  raw: JsonMap,
  { notebook, from }: Pick<Conversion, 'notebook' | 'from'>,
): JsonMap | null {
  const value = own(raw, OWN_MEMBER) ?? null
  if (value === null || isMap(value)) return value
  notebook.add('refused', `${from}/${OWN_MEMBER}`, `"${OWN_MEMBER}" must be a map.`)
  return null
}

/** The type of an item; one that is not known is left to the rules of a menu. */
function toType(conversion: Conversion): Json {
  const type = read(conversion, 'itemType') ?? 'link'
  const isParent = type === 'link' && read(conversion, 'children') !== null
  const isNowhere = ['routeName', 'externalUrl'].every((field) => read(conversion, field) === null)
  if (type !== 'service' && !(isParent && isNowhere)) return type
  const why = isParent ? 'This link leads nowhere and has children' : 'The application computes this link'
  note(conversion, 'changed', 'itemType', `${why}, so it becomes a section.`)
  return 'section'
}

/** One text for all locales, or the translations with the base label as the text of the default locale. */
function putLabel(conversion: Conversion, { defaultLocale }: Importing): void {
  const [base, translations] = [read(conversion, 'label') ?? '', read(conversion, 'translations') ?? {}]
  if (typeof base !== 'string') note(conversion, 'refused', 'label', 'The label must be a string.')
  if (!isMap(translations))
    note(conversion, 'refused', 'translations', 'The translations must be a map of strings.')
  const label = new Map<string, Json>()
  for (const [tag, text] of Object.entries(translations)) {
    if (isBlank(text)) continue
    const locale = toLocale(tag) ?? tag
    const twice = `${quote(tag)} is a second spelling of ${quote(locale)}.`
    if (label.has(locale)) note(conversion, 'refused', 'translations', twice)
    else if (locale !== tag)
      note(conversion, 'changed', 'translations', `${quote(tag)} is written ${quote(locale)}.`)
    label.set(locale, text)
  }
  // Our own export repeats a text of another locale as the base label.
  const isRepeated = isMap(own(conversion.raw, OWN_MEMBER)) && [...label.values()].includes(base)
  const isBase = label.size === 0 || (!label.has(defaultLocale) && !isBlank(base) && !isRepeated)
  const texts = isBase ? [[defaultLocale, base] as const, ...label] : [...label]
  put(
    conversion,
    '/label',
    label.size === 0 ? base : Object.fromEntries(texts),
    label.size === 0 ? 'label' : 'translations',
  )
  if (isBase || isRepeated || isBlank(base) || base === label.get(defaultLocale)) conversion.used.add('label')
  conversion.used.add('translations')
}

function isBlank(text: Json): boolean {
  return text === null || (typeof text === 'string' && text.trim() === '')
}

/** A route or a URL: what the type of the link says, else what there is. Only a link has a URL. */
function putDestination(conversion: Conversion, type: Json): void {
  const linkType = read(conversion, 'linkType') ?? 'route'
  if (linkType !== 'route' && linkType !== 'external')
    note(conversion, 'refused', 'linkType', `${quote(linkType)} is not one of route, external.`)
  const fields = linkType === 'external' ? ['externalUrl', 'routeName'] : ['routeName', 'externalUrl']
  const used = fields.find(
    (field) => read(conversion, field) !== null && (type === 'link' || field === 'routeName'),
  )
  if (used === undefined) return
  if (type === 'link' && used !== fields[0])
    note(conversion, 'changed', used, `${quote(used)} is used, since there is no ${quote(fields[0])}.`)
  put(conversion, used === 'routeName' ? '/routeName' : '/url', read(conversion, used), used)
  if (used === 'routeName') put(conversion, '/routeParams', read(conversion, 'routeParams'))
}

/** The permissions, and whether any of them is enough. What is not a list of texts is left to the rules of a menu. */
function putPermissions(conversion: Conversion): void {
  const [keys, key] = [read(conversion, 'permissionKeys'), read(conversion, 'permissionKey')]
  const field = keys === null ? 'permissionKey' : 'permissionKeys'
  if (readFlag(conversion, 'isUnanimous') === false) put(conversion, '/permissionMode', 'any', 'isUnanimous')
  const given = keys ?? (key === null ? [] : [key])
  const trimmed = isList(given) ? given.map((each) => (typeof each === 'string' ? each.trim() : each)) : []
  const kept = trimmed.filter((each) => each !== '')
  // A list of blanks is refused: an item must not become visible to everyone.
  const permissions = kept.length > 0 ? kept : given
  if (!isAbsent(permissions)) put(conversion, '/permissions', permissions, field)
  if (kept.length > 0 && !isEqual(kept, given))
    note(conversion, 'changed', field, 'Spaces around permission keys are removed, and so are empty keys.')
  if (kept.includes(key)) conversion.used.add('permissionKey')
}
