import { type PlacedItem, placedItems } from '../items.js'
import { isList, isMap, type Json, type JsonMap, toKey } from '../json.js'
import { align, type CostOf } from './align.js'
import { pairsByChildren, pairsByText } from './kinship.js'

/** Which items of two values are the same item, by their pointers; each is in one pair at most. */
export interface Match {
  readonly toAfter: ReadonlyMap<string, string>
  readonly toBefore: ReadonlyMap<string, string>
}

/**
 * Matches the items of two values of a menu: by id, else by equal content (and then all items below them, place by
 * place), else by type and destination, else by label, else by a text of their labels, else by what is below them.
 * Of several that could be the same, those in lists that belong together are, then those with the same neighbours, then
 * the nearest, and never across each other. What has an id matches nothing that has another. Both directions give the
 * same pairs.
 */
export function matchItems(before: Json, after: Json): Match {
  const [left, right] = [placedItems(before), placedItems(after)]
  const toAfter = new Map<string, string>()
  const toBefore = new Map<string, string>()
  const pair = (a: PlacedItem, b: PlacedItem): void => {
    toAfter.set(a.pointer, b.pointer)
    toBefore.set(b.pointer, a.pointer)
  }
  const contentOf = contentKeys()
  /** What makes two items the same, the surest first. */
  const keys: readonly KeyOf[] = [idOf, contentOf, destinationOf, labelOf]
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
  const pairBy = (keyOf: KeyOf, a: PlacedItem, b: PlacedItem): void => {
    if (!isOpen(a) || !isNew(b)) return
    pair(a, b)
    if (keyOf === contentOf) pairBranch(a.pointer, b.pointer, a.item)
  }
  const isOpen = ({ pointer }: PlacedItem): boolean => !toAfter.has(pointer)
  const isNew = ({ pointer }: PlacedItem): boolean => !toBefore.has(pointer)
  const rivalsBy = (keyOf: KeyOf): readonly Rivals[] =>
    toRivals(left.filter(isOpen), right.filter(isNew), keyOf)
  // What has one candidate goes first: the others are told apart by what is around them.
  for (const keyOf of keys) {
    for (const { olds, news } of rivalsBy(keyOf)) {
      const [a, b] = [olds[0], news[0]]
      const isAlone = olds.length === 1 && news.length === 1
      if (isAlone && a !== undefined && b !== undefined && maySame(a, b)) pairBy(keyOf, a, b)
    }
  }
  const parents = new Map(right.map(({ pointer, parent }) => [pointer, parent]))
  /** The list in which an item stands now. */
  const toHome = (pointer: string): string | undefined => parents.get(toAfter.get(pointer) ?? '') ?? undefined
  // From the inside out: a branch may be known by its branches.
  const pairBranches = (): void => {
    for (;;) {
      const found = pairsByChildren(left.filter(isOpen), right.filter(isNew), toHome)
      const pairs = found.filter(([a, b]) => maySame(a, b))
      for (const [a, b] of pairs) pair(a, b)
      if (pairs.length === 0) return
    }
  }
  const isPair = (a: string | null, b: string | null): boolean =>
    a === null ? b === null : toAfter.get(a) === b
  const [aroundOld, aroundNew] = [toNeighbours(left), toNeighbours(right)]
  const costOf: CostOf<PlacedItem> = (a, b) => {
    if (!maySame(a, b)) return null
    const [before, behind] = aroundOld(a)
    const [beforeNew, behindNew] = aroundNew(b)
    const strangers = Number(!isPair(before, beforeNew)) + Number(!isPair(behind, behindNew))
    return { strangers, distance: Math.abs(a.order - b.order) }
  }
  pairBranches()
  for (const keyOf of keys) {
    for (const { olds, news } of rivalsBy(keyOf)) {
      for (const lane of toLanes(olds, news, toAfter)) {
        for (const [a, b] of align(lane.olds.filter(isOpen), lane.news.filter(isNew), costOf))
          pairBy(keyOf, a, b)
      }
      for (const [a, b] of align(olds.filter(isOpen), news.filter(isNew), costOf)) pairBy(keyOf, a, b)
    }
  }
  const [olds, news] = [left.filter(isOpen), right.filter(isNew)]
  for (const [a, b] of pairsByText(olds, news)) if (maySame(a, b)) pair(a, b)
  pairBranches()
  return { toAfter: inOrder(left, toAfter), toBefore: inOrder(right, toBefore) }
}

type KeyOf = (item: JsonMap) => string | null

/** Items of both sides with one key: any of the one could be any of the other. */
interface Rivals {
  readonly key: string
  readonly olds: PlacedItem[]
  readonly news: PlacedItem[]
}

/** In reading order, parents before children, the same in both directions. */
function toRivals(
  left: readonly PlacedItem[],
  right: readonly PlacedItem[],
  keyOf: KeyOf,
): readonly Rivals[] {
  const found = new Map<string, Rivals>()
  const enter = (side: 'olds' | 'news', each: PlacedItem): void => {
    const key = keyOf(each.item)
    if (key === null) return
    const rivals = found.get(key) ?? { key, olds: [], news: [] }
    rivals[side].push(each)
    found.set(key, rivals)
  }
  for (const each of left) enter('olds', each)
  for (const each of right) enter('news', each)
  const place = ({ olds, news }: Rivals): number => (olds[0]?.order ?? 0) + (news[0]?.order ?? 0)
  return [...found.values()]
    .filter(({ olds, news }) => olds.length > 0 && news.length > 0)
    .sort((a, b) => place(a) - place(b) || (a.key < b.key ? -1 : 1))
}

/** Rivals by the lists that belong together. */
function toLanes(
  olds: readonly PlacedItem[],
  news: readonly PlacedItem[],
  toAfter: ReadonlyMap<string, string>,
): Iterable<{ readonly olds: PlacedItem[]; readonly news: PlacedItem[] }> {
  const lanes = new Map<string | null, { readonly olds: PlacedItem[]; readonly news: PlacedItem[] }>()
  for (const each of news) {
    const lane = lanes.get(each.parent) ?? { olds: [], news: [] }
    lane.news.push(each)
    lanes.set(each.parent, lane)
  }
  for (const each of olds) {
    const parent = each.parent === null ? null : toAfter.get(each.parent)
    if (parent !== undefined) lanes.get(parent)?.olds.push(each)
  }
  return lanes.values()
}

function inOrder(
  items: readonly PlacedItem[],
  pairs: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map(
    items.flatMap(({ pointer }) => {
      const other = pairs.get(pointer)
      return other === undefined ? [] : [[pointer, other] as const]
    }),
  )
}

/** Tells the pointers of the items right before and behind an item in its list; null at the ends. */
function toNeighbours(
  items: readonly PlacedItem[],
): (item: PlacedItem) => readonly [before: string | null, behind: string | null] {
  const last = new Map<string | null, PlacedItem>()
  const before = new Map<string, string>()
  const behind = new Map<string, string>()
  for (const each of items) {
    const previous = last.get(each.parent)
    if (previous !== undefined) {
      before.set(each.pointer, previous.pointer)
      behind.set(previous.pointer, each.pointer)
    }
    last.set(each.parent, each)
  }
  return ({ pointer }) => [before.get(pointer) ?? null, behind.get(pointer) ?? null]
}

function maySame({ item }: PlacedItem, other: PlacedItem): boolean {
  const [id, otherId] = [idOf(item), idOf(other.item)]
  return id === null || otherId === null || id === otherId
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
