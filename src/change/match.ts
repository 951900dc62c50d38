import { isList, isMap, type Json, type JsonMap } from './json.js'
import { toPointer } from './pointer.js'

/** An item of a menu's value, with where it stands. */
export interface PlacedItem {
  readonly item: JsonMap
  readonly pointer: string
  /** The pointer of the item above it; null for those at the top. */
  readonly parent: string | null
  /** Its place among all items in reading order, from 0. */
  readonly order: number
}

/** Which items of two values are the same item, by their pointers; each is in one pair at most. */
export interface Match {
  readonly toAfter: ReadonlyMap<string, string>
  readonly toBefore: ReadonlyMap<string, string>
}

/**
 * Matches the items of two values of a menu: by id, else by equal content (and then all items below are matched with
 * those below), else by type and destination, else by label; among several the nearest in reading order. What has an
 * id matches nothing that has another.
 */
export function matchItems(before: Json, after: Json): Match {
  const [left, right] = [placedItems(before), placedItems(after)]
  const contentOf = contentKeys()
  const toAfter = new Map<string, string>()
  const toBefore = new Map<string, string>()
  const pair = (a: PlacedItem, b: PlacedItem): void => {
    toAfter.set(a.pointer, b.pointer)
    toBefore.set(b.pointer, a.pointer)
  }
  /** Equal branches are the same down to their last item, however many others are equal to parts of them. */
  const pairBranch = (a: string, b: string, item: JsonMap): void => {
    const children = isList(item['children']) ? item['children'] : []
    for (const [place, child] of children.entries()) {
      const [below, other] = [`${a}/children/${place}`, `${b}/children/${place}`]
      if (!isMap(child)) continue
      if (!toAfter.has(below) && !toBefore.has(other)) {
        toAfter.set(below, other)
        toBefore.set(other, below)
      }
      pairBranch(below, other, child)
    }
  }
  for (const keyOf of [idOf, contentOf, destinationOf, labelOf]) {
    const openLeft = left.filter(({ pointer }) => !toAfter.has(pointer))
    const openRight = bucket(
      right.filter(({ pointer }) => !toBefore.has(pointer)),
      keyOf,
    )
    for (const each of openLeft) {
      const key = toAfter.has(each.pointer) ? null : keyOf(each.item)
      const found = key === null ? undefined : takeNearest(openRight.get(key) ?? [], each, toBefore)
      if (found === undefined) continue
      pair(each, found)
      if (keyOf === contentOf) pairBranch(each.pointer, found.pointer, each.item)
    }
  }
  return { toAfter, toBefore }
}

/** Every item of a menu's value, parents before children. */
export function placedItems(value: Json): readonly PlacedItem[] {
  const found: PlacedItem[] = []
  const walk = (list: Json | undefined, steps: readonly string[], parent: string | null): void => {
    if (!isList(list)) return
    for (const [place, item] of list.entries()) {
      if (!isMap(item)) continue
      const own = [...steps, String(place)]
      const pointer = toPointer(own)
      found.push({ item, pointer, parent, order: found.length })
      walk(item['children'], [...own, 'children'], pointer)
    }
  }
  walk(isMap(value) ? value['items'] : undefined, ['items'], null)
  return found
}

function bucket(
  items: readonly PlacedItem[],
  keyOf: (item: JsonMap) => string | null,
): Map<string, PlacedItem[]> {
  const found = new Map<string, PlacedItem[]>()
  for (const each of items) {
    const key = keyOf(each.item)
    if (key === null) continue
    const list = found.get(key)
    if (list === undefined) found.set(key, [each])
    else list.push(each)
  }
  return found
}

/** Takes the candidate that is nearest in reading order and may be the same item; they are in that order. */
function takeNearest(
  candidates: PlacedItem[],
  { item, order }: PlacedItem,
  taken: ReadonlyMap<string, string>,
): PlacedItem | undefined {
  const may = (place: number): boolean => {
    const candidate = candidates[place]
    if (candidate === undefined || taken.has(candidate.pointer)) return false
    const [id, other] = [idOf(item), idOf(candidate.item)]
    return id === null || other === null || id === other
  }
  let after = firstFrom(candidates, order)
  let before = after - 1
  while (before >= 0 && !may(before)) before--
  while (after < candidates.length && !may(after)) after++
  const distance = (place: number): number => Math.abs((candidates[place]?.order ?? Infinity) - order)
  const best = distance(before) <= distance(after) ? before : after
  return may(best) ? candidates.splice(best, 1)[0] : undefined
}

/** The place of the first candidate that does not stand before an order. */
function firstFrom(candidates: readonly PlacedItem[], order: number): number {
  let low = 0
  let high = candidates.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((candidates[middle]?.order ?? 0) < order) low = middle + 1
    else high = middle
  }
  return low
}

function idOf(item: JsonMap): string | null {
  return typeof item['id'] === 'string' ? item['id'] : null
}

/** Tells the content of items; that of items below is looked at once. */
function contentKeys(): (item: JsonMap) => string {
  const known = new Map<JsonMap, string>()
  const contentOf = (item: JsonMap): string => {
    const found = known.get(item)
    if (found !== undefined) return found
    const { children, ...own } = item
    const below = isList(children)
      ? children.map((each) => (isMap(each) ? contentOf(each) : toKey(each)))
      : null
    const key = toKey(below === null ? item : own) + (below === null ? '' : `[${below.join()}]`)
    known.set(item, key)
    return key
  }
  return contentOf
}

function destinationOf(item: JsonMap): string | null {
  const { type = 'link', routeName, routeParams = {}, url } = item
  if (routeName === undefined && url === undefined) return null
  return toKey([type, routeName ?? null, routeParams, url ?? null])
}

function labelOf(item: JsonMap): string | null {
  return item['label'] === undefined ? null : toKey([item['type'] ?? 'link', item['label']])
}

/** A text that equal values share, and only those: keys of maps in one order. */
function toKey(value: Json): string {
  if (isList(value)) return `[${value.map(toKey).join()}]`
  if (!isMap(value)) return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${toKey(value[key] as Json)}`).join()}}`
}
