import { isList, type Json, type JsonMap } from '../../model/json.js'
import { type Pairs, pairsByChildren } from '../compare/kinship.js'
import { type Match, matchItems } from '../compare/match.js'
import { type Items, type PlacedItem, readItems } from '../items.js'

/** A name for each item of one side that is known to be the same on the other; no id can equal such a name. */
type Names = Map<PlacedItem | null, string>
type List = readonly PlacedItem[]

/**
 * The same items added by both sides, those of `mine` with those of `theirs`: items with one id, and under one parent those
 * that match as between two versions. A divider without content of its own is the same only between the same items.
 */
export function pairAdded(mine: Match, theirs: Match): ReadonlyMap<PlacedItem, PlacedItem> {
  const namesOf = ({ toBefore }: Match): Names =>
    new Map([...toBefore].map(([now, base]) => [now, base.pointer]))
  const [names, others] = [namesOf(mine), namesOf(theirs)]
  const pairs = new Map<PlacedItem, PlacedItem>()
  const parents: [mine: PlacedItem, theirs: PlacedItem][] = [[mine.after.menu, theirs.after.menu]]
  const pair = (one: PlacedItem, twin: PlacedItem): void => {
    pairs.set(one, twin)
    names.set(one, `+${one.pointer}`)
    others.set(twin, `+${one.pointer}`)
    parents.push([one, twin])
  }
  const byId = new Map<Json | undefined, PlacedItem>()
  for (const each of theirs.after.all) {
    if (typeof each.item['id'] === 'string' && !others.has(each)) byId.set(each.item['id'], each)
  }
  for (const each of mine.after.all) {
    const twin = byId.get(each.item['id'])
    if (twin !== undefined && !names.has(each) && !others.has(twin)) pair(each, twin)
  }
  for (const base of mine.before.all) {
    const [one, twin] = [mine.toAfter.get(base), theirs.toAfter.get(base)]
    if (one !== undefined && twin !== undefined) parents.push([one, twin])
  }
  for (const [one, twin] of parents) {
    for (const find of [pairsByOwn, pairsByBelow]) {
      const isLeft =
        one.below.some((each) => !names.has(each)) && twin.below.some((each) => !others.has(each))
      if (isLeft) for (const [added, same] of find(one.below, twin.below, names, others)) pair(added, same)
    }
  }
  return pairs
}

/** Pairs items of two lists by their own content, as for a merge; a named item matches only its namesake. */
function pairsByOwn(list: List, others: List, names: Names, otherNames: Names): Pairs {
  const shared = new Set(others.map((each) => otherNames.get(each)))
  const toItems = (each: List, names: Names): Items => {
    let gap = ''
    const items = each.map((placed): JsonMap => {
      const id = names.get(placed)
      if (id === undefined)
        return isBareDivider(placed.item) ? { ...placed.item, '/gap': gap } : toFlat(placed.item)
      if (shared.has(id)) gap = id
      return { id }
    })
    return readItems({ items })
  }
  const { before, toAfter } = matchItems(toItems(list, names), toItems(others, otherNames), true)
  return list.flatMap((one, place): Pairs => {
    const twin = others[toAfter.get(before.menu.below[place] ?? null)?.place ?? -1]
    return twin === undefined || names.has(one) ? [] : [[one, twin]]
  })
}

/** Pairs the rest by the items below: at least half of the items below either are the same. */
function pairsByBelow(list: List, others: List, names: Names, otherNames: Names): Pairs {
  const branchesOf = (each: List, names: Names): List =>
    each.filter((placed) => !names.has(placed) && placed.below.length > 0)
  const [olds, news] = [branchesOf(list, names), branchesOf(others, otherNames)]
  if (olds.length === 0 || news.length === 0) return []
  const toItems = (branches: List, names: Names, side: string): Items =>
    readItems({
      items: branches.map(({ pointer, below }) => ({
        id: `${side} ${pointer}`,
        children: below.map((child): JsonMap => {
          const id = names.get(child)
          return id === undefined ? toFlat(child.item) : { id }
        }),
      })),
    })
  const { before, after, toAfter } = matchItems(
    toItems(olds, names, 'mine'),
    toItems(news, otherNames, 'theirs'),
  )
  return pairsByChildren(before.menu.below, after.menu.below, toAfter).flatMap(
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
