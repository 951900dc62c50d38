import { isList, type Json, type JsonMap } from '../../model/json.js'
import { type Pairs, pairsByChildren } from '../compare/kinship.js'
import { type Match, matchItems } from '../compare/match.js'
import { matchAll } from '../compare/match-left.js'
import { type Items, type PlacedItem, readItems } from '../items.js'

/** The items of one side, and a name for each that is known to be the same on the other; no id can equal such a name. */
interface Named {
  readonly items: Items
  readonly names: Map<string, string>
}

/**
 * The same items added by both sides, by the pointers in `mine` and `theirs`: items with one id, and under one parent those
 * that match as between two versions. A divider without content of its own is the same only between the same items.
 */
export function pairAdded(matchOfMine: Match, matchOfTheirs: Match): ReadonlyMap<string, string> {
  const [mine, theirs] = [matchOfMine, matchOfTheirs].map(
    ({ after, toBefore }): Named => ({ items: after, names: new Map(toBefore) }),
  ) as [Named, Named]
  const pairs = new Map<string, string>()
  const lists: (readonly [mine: string | null, theirs: string | null])[] = [[null, null]]
  const pair = ({ pointer }: PlacedItem, other: PlacedItem): void => {
    pairs.set(pointer, other.pointer)
    mine.names.set(pointer, `+${pointer}`)
    theirs.names.set(other.pointer, `+${pointer}`)
    lists.push([pointer, other.pointer])
  }
  const byId = new Map<Json, PlacedItem>()
  for (const each of theirs.items.all) {
    if (typeof each.item['id'] === 'string' && isOpen(theirs, each)) byId.set(each.item['id'], each)
  }
  for (const each of mine.items.all) {
    const other = byId.get(each.item['id'] ?? null)
    if (other !== undefined && isOpen(mine, each) && isOpen(theirs, other)) pair(each, other)
  }
  for (const [base, pointer] of matchOfMine.toAfter) {
    const other = matchOfTheirs.toAfter.get(base)
    if (other !== undefined) lists.push([pointer, other])
  }
  for (const [own, other] of lists) {
    const [list, others] = [mine.items.below(own), theirs.items.below(other)]
    for (const find of [pairsByOwn, pairsByBelow]) {
      const isLeft = list.some((each) => isOpen(mine, each)) && others.some((each) => isOpen(theirs, each))
      if (!isLeft) break
      for (const [one, twin] of find(list, others, mine, theirs)) pair(one, twin)
    }
  }
  return pairs
}

type List = readonly PlacedItem[]

function isOpen({ names }: Named, { pointer }: PlacedItem): boolean {
  return !names.has(pointer)
}

/** Pairs items of two lists by their own content, as `matchAll` does; a named item matches only its namesake. */
function pairsByOwn(list: List, others: List, mine: Named, theirs: Named): Pairs {
  const shared = new Set(others.map(({ pointer }) => theirs.names.get(pointer)))
  const toItems = (each: List, { names }: Named): Items => {
    let gap = ''
    const items = each.map(({ item, pointer }): JsonMap => {
      const id = names.get(pointer)
      if (id === undefined) return isBareDivider(item) ? { ...item, '/gap': gap } : toFlat(item)
      if (shared.has(id)) gap = id
      return { id }
    })
    return readItems({ items })
  }
  const { toAfter, after } = matchAll(toItems(list, mine), toItems(others, theirs))
  return list.flatMap((each, place): Pairs => {
    const twin = others[after.at(toAfter.get(`/items/${place}`))?.place ?? -1]
    return twin !== undefined && isOpen(mine, each) ? [[each, twin]] : []
  })
}

/** Pairs the rest by the items below: at least half of the items below either are the same. */
function pairsByBelow(list: List, others: List, mine: Named, theirs: Named): Pairs {
  const branchesOf = (each: List, side: Named): List =>
    each.filter((item) => isOpen(side, item) && side.items.below(item.pointer).length > 0)
  const [olds, news] = [branchesOf(list, mine), branchesOf(others, theirs)]
  if (olds.length === 0 || news.length === 0) return []
  const toItems = (branches: List, { items, names }: Named, side: string): Items =>
    readItems({
      items: branches.map(({ pointer }) => ({
        id: `${side} ${pointer}`,
        children: items.below(pointer).map(({ item, pointer: child }): JsonMap => {
          const id = names.get(child)
          return id === undefined ? toFlat(item) : { id }
        }),
      })),
    })
  const match = matchItems(toItems(olds, mine, 'mine'), toItems(news, theirs, 'theirs'))
  const { before, after, toAfter } = match
  return pairsByChildren(before.below(null), after.below(null), before, after, toAfter).flatMap(
    ([{ place }, other]): Pairs => {
      const [one, twin] = [olds[place], news[other.place]]
      const hasTwoIds = one?.item['id'] !== undefined && twin?.item['id'] !== undefined
      return one === undefined || twin === undefined || hasTwoIds ? [] : [[one, twin]]
    },
  )
}

function isBareDivider(item: JsonMap): boolean {
  return item['type'] === 'divider' && Object.keys(item).length === 1
}

/** An item whose children are a field like any other. */
function toFlat(item: JsonMap): JsonMap {
  if (!isList(item['children'])) return item
  const { children, ...own } = item
  return { ...own, '/children': children }
}
