import { matchMenus } from '../../change/compare/match.js'
import { openRuns } from '../../change/compare/order.js'
import { isEqual, isList, isMap, type Json, type JsonMap } from '../../change/json.js'

/**
 * Which item of the value before an item of the value after is, by their pointers: those that match, and beyond them
 * those that stand in the place of one another among siblings that do.
 */
export function pairItems(before: Json, after: Json): ReadonlyMap<string, string> {
  const match = matchMenus(before, after)
  const toBefore = new Map(match.toBefore)
  const toAfter = new Map(match.toAfter)
  const walk = (oldList: Json | undefined, old: string, newList: Json | undefined, now: string): void => {
    if (!isList(newList)) return
    if (isList(oldList))
      pairInPlace({ list: oldList, at: old }, { list: newList, at: now }, toAfter, toBefore)
    for (const [place, item] of newList.entries()) {
      if (!isMap(item)) continue
      const from = toBefore.get(`${now}/${place}`) ?? null
      const source = from === null ? undefined : itemAt(before, from)
      walk(source?.['children'], `${from}/children`, item['children'], `${now}/${place}/children`)
    }
  }
  walk(
    isMap(before) ? before['items'] : undefined,
    '/items',
    isMap(after) ? after['items'] : undefined,
    '/items',
  )
  return toBefore
}

/** The item at a pointer of which every second step is a place. */
function itemAt(value: Json, pointer: string): JsonMap | undefined {
  let now: Json | undefined = value
  for (const step of pointer.split('/').slice(1)) {
    now = isList(now) ? now[Number(step)] : isMap(now) ? now[step] : undefined
  }
  return isMap(now) ? now : undefined
}

interface Siblings {
  readonly list: readonly Json[]
  readonly at: string
}

function pairInPlace(
  before: Siblings,
  after: Siblings,
  toAfter: Map<string, string>,
  toBefore: Map<string, string>,
): void {
  const places = new Map(before.list.map((_, place) => [`${before.at}/${place}`, place]))
  const kept = after.list.map((_, place) => places.get(toBefore.get(`${after.at}/${place}`) ?? '') ?? null)
  for (const [old, now] of openRuns(before.list.length, kept)) {
    const lost = old.filter((place) => !toAfter.has(`${before.at}/${place}`) && isMap(before.list[place]))
    const found = now.filter((place) => !toBefore.has(`${after.at}/${place}`) && isMap(after.list[place]))
    for (const [a, b] of likeliest(lost, found, before.list, after.list)) {
      toAfter.set(`${before.at}/${a}`, `${after.at}/${b}`)
      toBefore.set(`${after.at}/${b}`, `${before.at}/${a}`)
    }
  }
}

/** Pairs in order: all when there are as many on both sides, else those that have something in common. */
function likeliest(
  lost: readonly number[],
  found: readonly number[],
  before: readonly Json[],
  after: readonly Json[],
): readonly (readonly [number, number])[] {
  const isLevel = lost.length === found.length
  const may = (a: number, b: number): boolean => isLikely(before[a] as JsonMap, after[b] as JsonMap, isLevel)
  if (isLevel) {
    return lost.map((a, index) => [a, found[index] ?? 0] as const).filter(([a, b]) => may(a, b))
  }
  const pairs: (readonly [number, number])[] = []
  let from = 0
  for (const a of lost) {
    const place = found.slice(from, from + NEAR).findIndex((b) => may(a, b))
    if (place === -1) continue
    pairs.push([a, found[from + place] ?? 0])
    from += place + 1
  }
  return pairs
}

function isLikely(before: JsonMap, after: JsonMap, isAlone: boolean): boolean {
  if (typeof before['id'] === 'string' && typeof after['id'] === 'string') return false
  if ((before['type'] ?? 'link') !== (after['type'] ?? 'link')) return false
  return isAlone || TELLING.some((key) => before[key] !== undefined && before[key] === after[key])
}

/** So many items that are new are looked at for one that is lost. */
const NEAR = 100
/** Keys of which an equal value says that it is the same item. */
const TELLING = ['label', 'url', 'routeName', 'icon']

/** The pointers of the items of a value after that are, with all items below them, what they were before; donors are not. */
export function stillItems(
  before: Json,
  after: Json,
  pairs: ReadonlyMap<string, string>,
  isDonated: (pointer: string) => boolean,
): ReadonlySet<string> {
  const still = new Set<string>()
  const walk = (value: Json | undefined, at: string, oldValue: Json | undefined, old: string): boolean => {
    if (!isList(value)) return !isList(oldValue) && isEqual(value, oldValue)
    let isSame = isList(oldValue) && oldValue.length === value.length
    for (const [place, item] of value.entries()) {
      const pointer = `${at}/${place}`
      const from = pairs.get(pointer)
      const was = from === undefined ? undefined : itemAt(before, from)
      if (!isMap(item)) {
        isSame &&= isList(oldValue) && isEqual(item, oldValue[place])
        continue
      }
      const isBelow = walk(item['children'], `${pointer}/children`, was?.['children'], `${from}/children`)
      const isOwn = was !== undefined && !isDonated(pointer) && isEqualButBelow(item, was)
      if (isOwn && isBelow) still.add(pointer)
      isSame &&= isOwn && isBelow && from === `${old}/${place}`
    }
    return isSame
  }
  const [now, was] = [after, before].map((each) => (isMap(each) ? each['items'] : undefined))
  walk(now, '/items', was, '/items')
  return still
}

function isEqualButBelow(a: JsonMap, b: JsonMap): boolean {
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && (key === 'children' || isEqual(a[key], b[key])))
  )
}
