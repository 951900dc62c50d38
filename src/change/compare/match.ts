import { isList, isMap, type Json, type JsonMap, toKey } from '../../model/json.js'
import { type Items, type PlacedItem, readItems } from '../items.js'
import { align } from './align.js'
import { groupItems } from './groups.js'
import { type Pairs, pairsByChildren, pairsByText } from './kinship.js'

/** Which items of two values are the same item, by their pointers; each is in at most one pair. */
export interface Match {
  readonly before: Items
  readonly after: Items
  readonly toAfter: ReadonlyMap<string, string>
  readonly toBefore: ReadonlyMap<string, string>
}

export function matchMenus(before: Json, after: Json): Match {
  return matchItems(readItems(before), readItems(after))
}

/**
 * Matches the items of two values of a menu: by id, else by equal content (and then all items below them, place by place),
 * else by type and destination, else by label, else by a text of their labels, else by the items below them. Among several
 * candidates, those in lists that belong together win, then those with the same neighbours, then the nearest; pairs never
 * cross. An item with an id never matches one with another id. Both directions give the same pairs.
 */
export function matchItems(before: Items, after: Items): Match {
  const toAfter = new Map<string, string>()
  const toBefore = new Map<string, string>()
  const olds = (items: readonly PlacedItem[]) => items.filter(({ pointer }) => !toAfter.has(pointer))
  const news = (items: readonly PlacedItem[]) => items.filter(({ pointer }) => !toBefore.has(pointer))
  const pair = (a: PlacedItem, b: PlacedItem): boolean => {
    if (toAfter.has(a.pointer) || toBefore.has(b.pointer) || !maySame(a, b)) return false
    toAfter.set(a.pointer, b.pointer)
    toBefore.set(b.pointer, a.pointer)
    return true
  }
  /** Equal branches are the same down to their last item, even if others are equal to parts of them. */
  const pairBranch = (a: PlacedItem, b: PlacedItem): void => {
    const others = after.below(b.pointer)
    for (const [place, child] of before.below(a.pointer).entries()) {
      const other = others[place]
      if (other === undefined) continue
      pair(child, other)
      pairBranch(child, other)
    }
  }
  const contentOf = contentKeys()
  const pairBy = (keyOf: KeyOf, pairs: Pairs): void => {
    for (const [a, b] of pairs) if (pair(a, b) && keyOf === contentOf) pairBranch(a, b)
  }
  /** What makes two items the same, the surest first. */
  const keys: readonly KeyOf[] = [idOf, contentOf, destinationOf, labelOf]
  const groupsBy = (keyOf: KeyOf) =>
    groupItems(olds(before.all), news(after.all), ({ item }) => [keyOf(item) ?? []].flat())
  // Items with one candidate go first: what is around the others decides which is which.
  for (const keyOf of keys) {
    for (const group of groupsBy(keyOf)) {
      const [a, b] = [group.olds[0], group.news[0]]
      const isAlone = group.olds.length === 1 && group.news.length === 1
      if (isAlone && a !== undefined && b !== undefined) pairBy(keyOf, [[a, b]])
    }
  }
  // From the inside out: a branch may be identified by its branches.
  const pairBranches = (): void => {
    const find = () => pairsByChildren(olds(before.all), news(after.all), before, after, toAfter)
    while (find().filter(([a, b]) => pair(a, b)).length > 0);
  }
  pairBranches()
  const costOf = (a: PlacedItem, b: PlacedItem): number => {
    if (!maySame(a, b)) return Number.POSITIVE_INFINITY
    const distance = Math.min(Math.abs(a.order - b.order), FAR)
    return strangersAround(a, b, { before, after, toAfter }) * STRANGER_COST + distance
  }
  const homeOf = ({ parent }: PlacedItem): readonly string[] =>
    parent === null ? [''] : [toAfter.get(parent) ?? []].flat()
  for (const keyOf of keys) {
    for (const group of groupsBy(keyOf)) {
      const lists = groupItems(group.olds, group.news, homeOf, ({ parent }) => [parent ?? ''])
      for (const rivals of [...lists, group])
        pairBy(keyOf, align(olds(rivals.olds), news(rivals.news), costOf))
    }
  }
  for (const [a, b] of pairsByText(olds(before.all), news(after.all))) pair(a, b)
  pairBranches()
  return { before, after, toAfter: inOrder(before, toAfter), toBefore: inOrder(after, toBefore) }
}

/** Different neighbours cost more than any distance. */
const STRANGER_COST = 1e7
const FAR = 10_000

type KeyOf = (item: JsonMap) => string | null

function inOrder({ all }: Items, pairs: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map(
    all.flatMap(({ pointer }) => {
      const other = pairs.get(pointer)
      return other === undefined ? [] : [[pointer, other] as const]
    }),
  )
}

/** How many of the two neighbours of an item are not those of another; a missing neighbour equals a missing one. */
export function strangersAround(
  old: PlacedItem,
  now: PlacedItem,
  { before, after, toAfter }: Omit<Match, 'toBefore'>,
): number {
  const others = after.around(now)
  return before.around(old).filter((each, at) => {
    const other = others[at]
    return each === undefined ? other !== undefined : toAfter.get(each.pointer) !== (other?.pointer ?? null)
  }).length
}

/** Whether the ids of two items allow them to be the same. */
export function maySame({ item }: PlacedItem, other: PlacedItem): boolean {
  const [id, otherId] = [idOf(item), idOf(other.item)]
  return id === null || otherId === null || id === otherId
}

function idOf(item: JsonMap): string | null {
  return typeof item['id'] === 'string' ? item['id'] : null
}

/** A key for the content of an item; the content of items below is read once. */
function contentKeys(): (item: JsonMap) => string {
  const known = new Map<JsonMap, string>()
  const contentOf = (item: JsonMap): string => {
    const found = known.get(item)
    if (found !== undefined) return found
    const { children, ...own } = item
    const key = isList(children)
      ? `${toKey(own)}[${children.map((each) => (isMap(each) ? contentOf(each) : toKey(each))).join()}]`
      : toKey(item)
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
