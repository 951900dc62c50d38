import { isEqual, isMap, type Json, type JsonMap, own } from '../../model/json.js'

/** Each member of these keys is a field of its own: `label.es`, `attributes.rel`. */
const IN_PARTS: readonly string[] = ['label', 'attributes', 'display']

/** The meaning of each key of an item, in the order in which people ask for it. */
const ITEM_KINDS = {
  label: 'label',
  type: 'type',
  routeName: 'target',
  routeParams: 'target',
  url: 'target',
  permissions: 'permissions',
  permissionMode: 'permissions',
  hidden: 'hidden',
  visibleFrom: 'window',
  visibleUntil: 'window',
  icon: 'icon',
  attributes: 'attributes',
  id: 'id',
} as const
const MENU_KINDS = {
  code: 'code',
  name: 'name',
  context: 'context',
  visibleFrom: 'window',
  visibleUntil: 'window',
  display: 'display',
} as const

const KINDS_OF_ITEMS: ReadonlyMap<string, FieldKind> = new Map(Object.entries(ITEM_KINDS))
const KINDS_OF_MENUS: ReadonlyMap<string, FieldKind> = new Map(Object.entries(MENU_KINDS))

type KindsOf<Kinds> = Kinds[keyof Kinds]
/** The meaning of a changed key. `key` is for keys without a meaning to us, such as `x-…`. */
export type FieldKind = KindsOf<typeof ITEM_KINDS> | KindsOf<typeof MENU_KINDS> | 'key'

/** A changed value of a menu or an item. */
export interface FieldChange {
  readonly kind: FieldKind
  /** The key of the menu or item, such as `label`. */
  readonly key: string
  /** The key within its map that changed: the locale of a label, the name of an attribute; null for the whole value. */
  readonly part: string | null
  /** Absent when there was none. */
  readonly from?: Json
  /** Absent when it is gone. */
  readonly to?: Json
}

/** What changed of an item itself, without the items below it, in the order in which people ask for it. */
export function itemChanges(before: JsonMap, after: JsonMap): readonly FieldChange[] {
  return changes(before, after, KINDS_OF_ITEMS, 'children')
}

/** What changed of a menu, without its items. */
export function menuChanges(before: JsonMap, after: JsonMap): readonly FieldChange[] {
  return changes(before, after, KINDS_OF_MENUS, 'items')
}

function changes(
  before: JsonMap,
  after: JsonMap,
  known: ReadonlyMap<string, FieldKind>,
  leftOut: string,
): readonly FieldChange[] {
  const changed = keysOf(before, after).filter(
    (key) => key !== leftOut && !isEqual(own(before, key), own(after, key)),
  )
  if (changed.length === 0) return []
  const others = changed.filter((key) => !known.has(key))
  return [...[...known.keys()].filter((key) => changed.includes(key)), ...others].flatMap((key) => {
    const [from, to] = [own(before, key), own(after, key)]
    const kind = known.get(key) ?? 'key'
    if (!IN_PARTS.includes(key) || !haveParts(from, to)) return toChanges(kind, key, null, from, to)
    const [olds, news] = [isMap(from) ? from : {}, isMap(to) ? to : {}]
    return keysOf(olds, news).flatMap((part) => toChanges(kind, key, part, own(olds, part), own(news, part)))
  })
}

function keysOf(before: JsonMap, after: JsonMap): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
}

/** Whether both values have parts, or one of them has and the other is absent. */
function haveParts(from: Json | undefined, to: Json | undefined): boolean {
  const isFull = [from, to].some((value) => isMap(value) && Object.keys(value).length > 0)
  return isFull && [from, to].every((value) => value === undefined || isMap(value))
}

function toChanges(
  kind: FieldKind,
  key: string,
  part: string | null,
  from: Json | undefined,
  to: Json | undefined,
): readonly FieldChange[] {
  if (isEqual(from, to)) return []
  return [{ kind, key, part, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }]
}

/** A label that became one text for all, or no longer is: what that changes in each locale. Any other change as it is. */
export function byLocale(change: FieldChange): readonly FieldChange[] {
  const { kind, key, part, from, to } = change
  const [map, text] = isMap(from) ? [from, to] : [to, from]
  if (key !== 'label' || part !== null || !isMap(map) || typeof text !== 'string') return [change]
  const [first = '', ...others] = Object.keys(map)
  const single = [first, ...others].find((locale) => map[locale] === text) ?? first
  const [olds, news] = [from, to].map((value) => (isMap(value) ? value : { [single]: text })) as [
    JsonMap,
    JsonMap,
  ]
  return keysOf(olds, news).flatMap((locale) =>
    toChanges(kind, key, locale, own(olds, locale), own(news, locale)),
  )
}

/** The fields of an item: its keys; for labels and attributes, each member. Items below it are not fields. */
export function fieldsOf({ children: _, ...item }: JsonMap): readonly string[] {
  return Object.entries(item).flatMap(([key, value]) =>
    isInParts(key, value) ? Object.keys(value).map((part) => `${key}.${part}`) : [key],
  )
}

/**
 * The fields that differ between two versions of an item, lost ones included. A label that is one text is the same text in
 * each locale. Where a label or attributes became one value, that is the field that differs, and it covers the fields
 * before.
 */
export function editedFields(before: JsonMap, after: JsonMap): readonly string[] {
  const fields = itemChanges(before, after).flatMap(({ key, part, from, to }) => {
    if (part !== null) return [isInParts(key, after[key] ?? before[key]) ? `${key}.${part}` : key]
    if (!isInParts(key, to)) return [key]
    const isKept = (value: Json | undefined): boolean => key === 'label' && isEqual(value, from)
    return Object.keys(to).flatMap((name) => (isKept(to[name]) ? [] : [`${key}.${name}`]))
  })
  return [...new Set(fields)]
}

/** Whether a field is one of these, or a part of one. */
export function isAmong(names: ReadonlySet<string>, field: string): boolean {
  const dot = field.indexOf('.')
  return names.has(field) || (dot > 0 && names.has(field.slice(0, dot)))
}

function isInParts(key: string, value: Json | undefined): value is JsonMap {
  return IN_PARTS.includes(key) && isMap(value) && Object.keys(value).length > 0
}
