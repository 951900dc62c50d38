import { isEqual, isMap, type Json, type JsonMap, own } from '../../model/json.js'

/** Each member of these keys is a field of its own: `label.es`, `attributes.rel`. */
export const IN_PARTS: readonly string[] = ['label', 'attributes', 'display']

/** The meaning of a changed key. `key` is for keys without a meaning to us, such as `x-…`. */
export type FieldKind =
  | 'label'
  | 'target'
  | 'permissions'
  | 'hidden'
  | 'icon'
  | 'type'
  | 'attributes'
  | 'id'
  | 'name'
  | 'code'
  | 'context'
  | 'display'
  | 'key'

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

const ITEM_KINDS: Readonly<Record<string, FieldKind>> = {
  label: 'label',
  type: 'type',
  routeName: 'target',
  routeParams: 'target',
  url: 'target',
  permissions: 'permissions',
  permissionMode: 'permissions',
  hidden: 'hidden',
  icon: 'icon',
  attributes: 'attributes',
  id: 'id',
}
const MENU_KINDS: Readonly<Record<string, FieldKind>> = {
  code: 'code',
  name: 'name',
  context: 'context',
  display: 'display',
}

/** What changed of an item itself, without the items below it, in the order in which people ask for it. */
export function itemChanges(before: JsonMap, after: JsonMap): readonly FieldChange[] {
  return changes(before, after, ITEM_KINDS, 'children')
}

/** What changed of a menu, without its items. */
export function menuChanges(before: JsonMap, after: JsonMap): readonly FieldChange[] {
  return changes(before, after, MENU_KINDS, 'items')
}

function changes(
  before: JsonMap,
  after: JsonMap,
  kinds: Readonly<Record<string, FieldKind>>,
  leftOut: string,
): readonly FieldChange[] {
  const others = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const unknown = others.filter((key) => key !== leftOut && !Object.hasOwn(kinds, key)).sort()
  return [...Object.keys(kinds), ...unknown].flatMap((key) => {
    const [from, to] = [own(before, key), own(after, key)]
    if (isEqual(from, to)) return []
    const kind = Object.hasOwn(kinds, key) ? (kinds[key] ?? 'key') : 'key'
    if (!IN_PARTS.includes(key) || !isInParts(from, to)) return [toChange(kind, key, null, from, to)]
    const [olds, news] = [isMap(from) ? from : {}, isMap(to) ? to : {}]
    const parts = [...new Set([...Object.keys(olds), ...Object.keys(news)])].sort()
    return parts
      .filter((part) => !isEqual(own(olds, part), own(news, part)))
      .map((part) => toChange(kind, key, part, own(olds, part), own(news, part)))
  })
}

/** Whether both values have parts, or one of them has and the other is absent. */
function isInParts(from: Json | undefined, to: Json | undefined): boolean {
  const maps = [from, to].filter((value) => isMap(value) && Object.keys(value).length > 0)
  return maps.length > 0 && [from, to].every((value) => value === undefined || isMap(value))
}

function toChange(
  kind: FieldKind,
  key: string,
  part: string | null,
  from: Json | undefined,
  to: Json | undefined,
): FieldChange {
  return { kind, key, part, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}
