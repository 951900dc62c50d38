import { derived } from '../../model/derived.js'
import { isList, isMap, type Json, type JsonMap, toKey } from '../../model/json.js'
import { type Items, type PlacedItem, readItems } from '../items.js'
import { align } from './align.js'
import { groupItems, type Pairs, pairsByChildren, pairsByText } from './kinship.js'

/** Which items of two values are the same item; each is in at most one pair. The menus themselves are a pair, too. */
export interface Match {
  readonly before: Items
  readonly after: Items
  readonly toAfter: ReadonlyMap<PlacedItem | null, PlacedItem>
  readonly toBefore: ReadonlyMap<PlacedItem | null, PlacedItem>
}

/** The pairs by their pointers; those of the menus are `''`. */
export function toPointers(pairs: Match['toAfter']): ReadonlyMap<string, string> {
  return new Map([...pairs].map(([one, other]) => [one?.pointer ?? '', other.pointer]))
}

export function matchMenus(before: Json, after: Json): Match {
  return matchItems(readItems(before), readItems(after))
}

/**
 * Matches the items of two values of a menu: by id, else by equal content (and then all items below them, place by place),
 * else by type and destination, else by label, else by a text of their labels, else by the items below them. What is left
 * matches with another type if no other item has its label, and dividers between the same neighbours. Among several
 * candidates, those in lists that belong together win, then those with the same neighbours, then the nearest; pairs never
 * cross. An item with an id never matches one with another id. Both directions give the same pairs.
 */
export function matchItems(before: Items, after: Items, { pairs, isOpen }: Known = NOTHING): Match {
  const all: Pairs = [[before.menu, after.menu], ...pairs]
  const toAfter = new Map<PlacedItem | null, PlacedItem>(all)
  const toBefore = new Map<PlacedItem | null, PlacedItem>(all.map(([old, now]) => [now, old]))
  const olds = (items: readonly PlacedItem[]) => items.filter((each) => isOpen(each) && !toAfter.has(each))
  const news = (items: readonly PlacedItem[]) => items.filter((each) => isOpen(each) && !toBefore.has(each))
  const pair = (a: PlacedItem, b: PlacedItem): boolean => {
    if (!isOpen(a) || !isOpen(b) || toAfter.has(a) || toBefore.has(b) || !maySame(a, b)) return false
    toAfter.set(a, b)
    toBefore.set(b, a)
    return true
  }
  /** Equal branches are the same down to their last item, even if others are equal to parts of them. */
  const pairBranch = (a: PlacedItem, b: PlacedItem): void => {
    for (const [place, child] of a.below.entries()) {
      const other = b.below[place]
      if (other === undefined) continue
      pair(child, other)
      pairBranch(child, other)
    }
  }
  /** The content of items below is read once. */
  const contentOf: KeyOf = derived((item) => {
    const { children, ...own } = item
    if (!isList(children)) return toKey(item)
    return `${toKey(own)}[${children.map((each) => (isMap(each) ? contentOf(each) : toKey(each))).join()}]`
  })
  const pairBy = (keyOf: KeyOf, pairs: Pairs): void => {
    for (const [a, b] of pairs) if (pair(a, b) && keyOf === contentOf) pairBranch(a, b)
  }
  const groupsBy = (keyOf: KeyOf) =>
    groupItems(olds(before.all), news(after.all), ({ item }) => [keyOf(item)])
  const pairAlone = (keyOf: KeyOf): void => {
    for (const { olds, news } of groupsBy(keyOf)) {
      const [[a, other], [b, rival]] = [olds, news]
      if (a && b && !other && !rival) pairBy(keyOf, [[a, b]])
    }
  }
  // From the inside out: a branch may be identified by its branches.
  const pairBranches = (isAlike: (a: PlacedItem, b: PlacedItem) => boolean): void => {
    const find = () => pairsByChildren(olds(before.all), news(after.all), toAfter, isAlike)
    while (find().filter(([a, b]) => pair(a, b)).length > 0);
  }
  const costOf = (a: PlacedItem, b: PlacedItem): number => {
    if (!maySame(a, b)) return Number.POSITIVE_INFINITY
    const distance = Math.min(Math.abs(a.order - b.order), FAR)
    return strangersAround(a, b, toAfter) * STRANGER_COST + distance
  }
  const homeOf = ({ parent }: PlacedItem) => [toAfter.get(parent)?.pointer]
  /** What makes two items the same, the surest first. */
  const keys: readonly KeyOf[] = [idOf, contentOf, destinationOf, labelOf]
  // Items with one candidate go first: what is around the others decides which is which.
  for (const keyOf of keys) pairAlone(keyOf)
  for (const [a, b] of pairsByText(olds(before.all), news(after.all), 1)) pair(a, b)
  pairBranches(haveOneType)
  for (const keyOf of keys) {
    for (const group of groupsBy(keyOf)) {
      const lists = groupItems(group.olds, group.news, homeOf, ({ parent }) => [parent?.pointer])
      for (const rivals of [...lists, group])
        pairBy(keyOf, align(olds(rivals.olds), news(rivals.news), costOf))
    }
  }
  for (const [a, b] of pairsByText(olds(before.all), news(after.all))) pair(a, b)
  pairBranches(() => true)
  pairAlone(({ label }) => (label === undefined ? undefined : toKey(label)))
  for (const old of olds(before.all)) {
    const now = old.item['type'] === 'divider' ? dividerFor(old, toAfter) : undefined
    if (now !== undefined) pair(old, now)
  }
  return { before, after, toAfter, toBefore }
}

/** What is known of two values before their items are matched. */
interface Known {
  /** Items that are the same. */
  readonly pairs: Pairs
  /** Whether an item may match another one. */
  readonly isOpen: (placed: PlacedItem) => boolean
}

const NOTHING: Known = { pairs: [], isOpen: () => true }

/** Different neighbours cost more than any distance. */
const STRANGER_COST = 1e7
const FAR = 10_000

type KeyOf = (item: JsonMap) => string | undefined

/** How many of the two neighbours of an item are not those of another; a missing neighbour equals a missing one. */
function strangersAround(old: PlacedItem, now: PlacedItem, toAfter: Match['toAfter']): number {
  return [-1, 1].filter((step) => {
    const before = old.parent?.below[old.place + step]
    const twin = before === undefined ? undefined : (toAfter.get(before) ?? null)
    return twin !== now.parent?.below[now.place + step]
  }).length
}

/** The divider between the same neighbours. */
function dividerFor(old: PlacedItem, toAfter: Match['toAfter']): PlacedItem | undefined {
  const above = old.parent?.below[old.place - 1]
  // Only the one behind the same neighbour can be it.
  const place = above === undefined ? 0 : (toAfter.get(above)?.place ?? -2) + 1
  const now = toAfter.get(old.parent)?.below[place]
  return now?.item['type'] === 'divider' && strangersAround(old, now, toAfter) === 0 ? now : undefined
}

/** Whether the ids of two items allow them to be the same. */
function maySame({ item }: PlacedItem, other: PlacedItem): boolean {
  const [id, otherId] = [idOf(item), idOf(other.item)]
  return id === undefined || otherId === undefined || id === otherId
}

/** A branch of another type may be what was around it before. */
function haveOneType({ item: { type = 'link' } }: PlacedItem, { item }: PlacedItem): boolean {
  return type === (item['type'] ?? 'link')
}

function idOf({ id }: JsonMap): string | undefined {
  return typeof id === 'string' ? id : undefined
}

function destinationOf({ type = 'link', routeName, routeParams = {}, url }: JsonMap): string | undefined {
  if (routeName === undefined && url === undefined) return undefined
  return toKey([type, routeName ?? null, routeParams, url ?? null])
}

function labelOf({ type = 'link', label }: JsonMap): string | undefined {
  return label === undefined ? undefined : toKey([type, label])
}
