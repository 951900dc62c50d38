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
 * Matches the items of two values of a menu: by id, else by equal content, else by type and destination, else by label,
 * of one type if there is one; among several the nearest in reading order. What has an id matches nothing that has
 * another.
 */
export function matchItems(before: Json, after: Json): Match {
  const [left, right] = [placedItems(before), placedItems(after)]
  const toAfter = new Map<string, string>()
  const toBefore = new Map<string, string>()
  const pair = (a: PlacedItem, b: PlacedItem): void => {
    toAfter.set(a.pointer, b.pointer)
    toBefore.set(b.pointer, a.pointer)
  }
  for (const keyOf of [idOf, contentOf, destinationOf, labelOf, textOf]) {
    const openLeft = left.filter(({ pointer }) => !toAfter.has(pointer))
    const openRight = bucket(
      right.filter(({ pointer }) => !toBefore.has(pointer)),
      keyOf,
    )
    for (const each of openLeft) {
      const key = keyOf(each.item)
      const found = key === null ? undefined : takeNearest(openRight.get(key) ?? [], each)
      if (found !== undefined) pair(each, found)
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

/** An item without what is below it. */
export function ownOf(item: JsonMap): JsonMap {
  if (!isList(item['children'])) return item
  const { children: _, ...own } = item
  return own
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

/** Takes the candidate that is nearest in reading order and may be the same item. */
function takeNearest(candidates: PlacedItem[], { item, order }: PlacedItem): PlacedItem | undefined {
  let best = -1
  for (const [place, candidate] of candidates.entries()) {
    const isOther =
      idOf(item) !== null && idOf(candidate.item) !== null && idOf(item) !== idOf(candidate.item)
    if (isOther) continue
    const nearest = candidates[best]
    if (nearest === undefined || Math.abs(candidate.order - order) < Math.abs(nearest.order - order))
      best = place
  }
  return best === -1 ? undefined : candidates.splice(best, 1)[0]
}

function idOf(item: JsonMap): string | null {
  return typeof item['id'] === 'string' ? item['id'] : null
}

function contentOf(item: JsonMap): string {
  return toKey(item)
}

function destinationOf(item: JsonMap): string | null {
  const { type = 'link', routeName, routeParams = {}, url } = item
  if (routeName === undefined && url === undefined) return null
  return toKey([type, routeName ?? null, routeParams, url ?? null])
}

function labelOf(item: JsonMap): string | null {
  return item['label'] === undefined ? null : toKey([item['type'] ?? 'link', item['label']])
}

/** Of what became another type the label alone is left. */
function textOf({ label }: JsonMap): string | null {
  return label === undefined ? null : toKey(label)
}

/** A text that equal values share, and only those: keys of maps in one order. */
function toKey(value: Json): string {
  if (isList(value)) return `[${value.map(toKey).join()}]`
  if (!isMap(value)) return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${toKey(value[key] as Json)}`).join()}}`
}
