import { isEqual, isList, isMap, type Json, type JsonMap, own } from '../../model/json.js'
import { toPointer } from '../../model/pointer.js'
import { isEmptyWindow } from '../../model/window.js'
import type { Side, ThreeOf } from '../change.js'
import { EVERYBODY, isWider, narrowBy } from '../compare/audience.js'
import { ofEach, SIDES } from './three-trees.js'

/** The three versions of one thing; undefined where absent. */
export type Three = ThreeOf<Json | undefined>

/** Decides a field that both sides changed: `field` is its JSON Pointer. */
export type AskField = (field: string, values: Three) => Side

/**
 * Merges the fields of an item, or of a menu: a field that one side changed is as that side has it. Without a base both
 * sides added the item, and people decide about every difference. Maps are merged key by key, so labels by locale. Fields
 * that only make sense together are one:
 * - `type`, `routeName` and `url`, since a link needs exactly one destination, and a section has no URL;
 * - `visibleFrom` and `visibleUntil`, where they would be no window together;
 * - `permissions` and `permissionMode`. Where both sides changed them, added and removed keys combine unless that shows the
 *   item to a viewer who sees it on neither side; two narrow changes can make a wide one.
 *
 * @param guard the side that decides who sees the item, if that was decided
 */
export function mergeFields(
  before: JsonMap | null,
  mine: JsonMap,
  theirs: JsonMap,
  ask: AskField,
  guard: Side | null = null,
): JsonMap {
  const items = { base: before ?? {}, mine, theirs }
  const mergeWhole = before === null ? whereEqual : whereOneChanged
  const access = guard === null ? mergeAccess(items, mergeWhole, ask) : pick(items, ACCESS)[guard]
  const window = guard === null ? mergeWindow(items, mergeWhole, ask) : pick(items, WINDOW)[guard]
  const together = { ...mergeTarget(items, mergeWhole, ask), ...access, ...window }
  return mergeMaps(items, (key, values) => {
    if (guard !== null && key === 'hidden') return values[guard]
    if (TOGETHER.includes(key)) return own(together, key)
    const hasList = LISTS.includes(key) && (isList(values.mine) || isList(values.theirs))
    const others = hasList ? ofEach((side) => (isList(values[side]) ? undefined : values[side])) : values
    const merged = mergeField(toPointer([key]), others, mergeWhole, ask)
    return merged === undefined && hasList ? [] : merged
  })
}

const TARGET = ['type', 'routeName', 'url']
const DESTINATION = ['routeName', 'url']
const ACCESS = ['permissions', 'permissionMode']
const WINDOW = ['visibleFrom', 'visibleUntil']
const TOGETHER = [...TARGET, ...ACCESS, ...WINDOW]
/** The items below are merged elsewhere: an empty list marks their place. */
const LISTS = ['children', 'items']
/** A context is merged as a whole: one that neither side wrote would match no request. */
const CONTEXT = '/context'

function mergeField(field: string, values: Three, mergeWhole: MergeWhole, ask: AskField): Json | undefined {
  const clean = mergeWhole(values) ?? mergeWhole(ofEach((side) => toMeaning(field.slice(1), values[side])))
  if (clean !== null) return values[clean]
  const { base, mine, theirs } = values
  if (!isMap(mine) || !isMap(theirs) || field === CONTEXT) return values[ask(field, values)]
  return mergeMaps({ base: isMap(base) ? base : {}, mine, theirs }, (key, each) =>
    mergeField(field + toPointer([key]), each, mergeWhole, ask),
  )
}

/** What a missing key means. */
const DEFAULTS: JsonMap = { type: 'link', permissionMode: 'all', hidden: false }

/** A value as it is read: undefined where it says no more than a missing key. Nothing is known of `x-` keys. */
function toMeaning(key: string, value: Json | undefined): Json | undefined {
  if (value === undefined || isEqual(value, own(DEFAULTS, key))) return undefined
  const isBlank = value === null || (typeof value === 'object' ? isEmpty(value) : value === '')
  return isBlank && !key.startsWith('x-') && (!key.includes('/') || key.startsWith('label/'))
    ? undefined
    : value
}

/** The same for some keys of an item. */
function toMeanings(items: ThreeOf<JsonMap>): ThreeOf<JsonMap> {
  return ofEach((side) =>
    Object.fromEntries(
      Object.entries(items[side]).filter(([key, value]) => toMeaning(key, value) !== undefined),
    ),
  )
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}

/** Merges maps key by key, in the order of `mine`. */
function mergeMaps(
  maps: ThreeOf<JsonMap>,
  mergeKey: (key: string, values: Three) => Json | undefined,
): JsonMap {
  const merged = unionOfKeys(maps).map((key) => [key, mergeKey(key, valuesOf(maps, key))] as const)
  return Object.fromEntries(merged.filter((entry): entry is [string, Json] => entry[1] !== undefined))
}

/** The side from which a thing changed as a whole is taken; null where people have to decide. */
type MergeWhole = (values: Three) => Side | null

const whereOneChanged: MergeWhole = ({ base, mine, theirs }) => {
  if (isEqual(mine, theirs) || isEqual(theirs, base)) return 'mine'
  return isEqual(mine, base) ? 'theirs' : null
}

const whereEqual: MergeWhole = ({ mine, theirs }) => (isEqual(mine, theirs) ? 'mine' : null)

function mergeTarget(items: ThreeOf<JsonMap>, mergeWhole: MergeWhole, ask: AskField): JsonMap {
  const { mine, theirs } = toMeanings(items)
  const [all, destinations] = [pick(items, TARGET), pick(items, DESTINATION)]
  const types = pick(items, ['type'])
  const type = mergeWhole(types) ?? mergeWhole(toMeanings(types))
  const destination = mergeWhole(destinations)
  if (type !== null && destination !== null) {
    const merged = { ...types[type], ...destinations[destination] }
    if (isWhole(merged) || !(isWhole(all.mine) && isWhole(all.theirs))) return merged
  } else if (type !== null && isEqual(mine['type'], theirs['type'])) {
    const used = DESTINATION.filter((key) => SIDES.some((side) => items[side][key] !== undefined))
    const [only = 'url'] = used
    const field = mine['routeName'] === undefined ? '/url' : '/routeName'
    const values = used.length > 1 ? destinations : valuesOf(items, only)
    return { ...types[type], ...destinations[ask(field, values)] }
  }
  return all[ask('/type', all)]
}

/** Whether an item's destination fits its type: a link has exactly one, a section no URL. */
function isWhole({ type = 'link', routeName, url }: JsonMap): boolean {
  if (type === 'section') return url === undefined
  return type !== 'link' || (routeName === undefined) !== (url === undefined)
}

function mergeAccess(items: ThreeOf<JsonMap>, mergeWhole: MergeWhole, ask: AskField): JsonMap {
  const [all, modes] = [pick(items, ACCESS), pick(items, ['permissionMode'])]
  const clean = mergeWhole(all) ?? mergeWhole(toMeanings(all))
  if (clean !== null) return all[clean]
  const lists = valuesOf(items, 'permissions')
  const mode = mergeWhole(modes) ?? mergeWhole(toMeanings(modes))
  // Without a base, it is unknown what either side added or removed.
  const permissions = mergeWhole === whereEqual ? null : mergeSets(lists)
  if (mode !== null && permissions !== null) {
    const merged: JsonMap = { ...(permissions !== undefined && { permissions }), ...modes[mode] }
    const [audience, ...audiences] = [merged, all.mine, all.theirs].map((each) => narrowBy(EVERYBODY, each))
    if (!isWider(audiences, audience ?? null)) return merged
  }
  return all[ask('/permissions', isEqual(modes.mine, modes.theirs) ? lists : all)]
}

function mergeWindow(items: ThreeOf<JsonMap>, mergeWhole: MergeWhole, ask: AskField): JsonMap {
  const all = pick(items, WINDOW)
  const clean = mergeWhole(all)
  if (clean !== null) return all[clean]
  const [from, until] = WINDOW.map((key) => {
    const time = pick(items, [key])
    const side = mergeWhole(time)
    return side === null ? null : time[side]
  })
  if (from != null && until != null && !isEmptyWindow({ ...from, ...until })) return { ...from, ...until }
  const differing = WINDOW.filter((key) => !isEqual(all.mine[key], all.theirs[key]))
  const [only = 'visibleFrom'] = differing
  return all[ask(toPointer([only]), differing.length > 1 ? all : valuesOf(items, only))]
}

/** Drops keys that either side removed and appends those that either added; null where these are not lists. */
function mergeSets(values: Three): Json | undefined | null {
  const clean = whereOneChanged(values)
  if (clean !== null) return values[clean]
  const { base = [], mine = [], theirs = [] } = values
  if (!isList(base) || !isList(mine) || !isList(theirs)) return null
  const has = (list: readonly Json[], key: Json): boolean => list.some((each) => isEqual(each, key))
  const kept = mine.filter((key) => has(theirs, key) || !has(base, key))
  return [...new Set([...kept, ...theirs.filter((key) => !has(mine, key) && !has(base, key))])]
}

function valuesOf(items: ThreeOf<JsonMap>, key: string): Three {
  return ofEach((side) => own(items[side], key))
}

/** The three versions of some keys. */
function pick(items: ThreeOf<JsonMap>, keys: readonly string[]): ThreeOf<JsonMap> {
  return ofEach((side) =>
    Object.fromEntries(Object.entries(items[side]).filter(([key]) => keys.includes(key))),
  )
}

/** The keys of all three: those of `mine`, then each of the others behind the same key as there. */
function unionOfKeys({ base, mine, theirs }: ThreeOf<JsonMap>): readonly string[] {
  const keys = Object.keys(mine)
  for (const map of [theirs, base]) {
    let place = 0
    for (const key of Object.keys(map)) {
      if (!keys.includes(key)) keys.splice(place, 0, key)
      place = keys.indexOf(key) + 1
    }
  }
  return keys
}
