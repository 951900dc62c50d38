import type { Side } from '../change.js'
import { pairsByChildren } from '../compare/kinship.js'
import { matchItems } from '../compare/match.js'
import { matchAll } from '../compare/match-left.js'
import { byParent, type PlacedItem, placedItems } from '../items.js'
import { isList, type Json, type JsonMap } from '../json.js'

/** The items of a value by pointer, parents before children. */
export type Placed = ReadonlyMap<string, PlacedItem>

type Edited = 'mine' | 'theirs'

/**
 * What both sides added and is the same, by the pointers in `mine` and `theirs`: items with one id, and under one parent
 * what matches as it does between two versions. A divider that says nothing more is the same only between the same
 * items.
 */
export function pairAdded(
  placed: { readonly [side in Side]: Placed },
  twins: { readonly [side in Edited]: ReadonlyMap<string, string> },
): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  /** What is known to be the same item has the same name on both sides, which is no id that an item can have. */
  const names = { mine: reversed(twins.mine), theirs: reversed(twins.theirs) }
  const open: [mine: string, theirs: string][] = [['', '']]
  const pair = (mine: string, theirs: string): void => {
    pairs.set(mine, theirs)
    names.mine.set(mine, `+${mine}`)
    names.theirs.set(theirs, `+${mine}`)
    open.push([mine, theirs])
  }
  const isOpen = (side: Edited, { pointer }: PlacedItem): boolean => !names[side].has(pointer)
  const byId = new Map<Json, PlacedItem>()
  for (const each of placed.theirs.values()) {
    if (typeof each.item['id'] === 'string' && isOpen('theirs', each)) byId.set(each.item['id'], each)
  }
  for (const each of placed.mine.values()) {
    const other = byId.get(each.item['id'] ?? null)
    if (other === undefined || !isOpen('mine', each) || !isOpen('theirs', other)) continue
    pair(each.pointer, other.pointer)
  }
  for (const [base, mine] of twins.mine) {
    const theirs = twins.theirs.get(base)
    if (theirs !== undefined) open.push([mine, theirs])
  }
  const lists = { mine: byParent(placed.mine.values()), theirs: byParent(placed.theirs.values()) }
  for (const [mineParent, theirsParent] of open) {
    const [mine, theirs] = [lists.mine.get(mineParent) ?? [], lists.theirs.get(theirsParent) ?? []]
    const both = { mine, theirs }
    for (const find of [pairsByOwn, pairsByBelow]) {
      if (!mine.some((each) => isOpen('mine', each)) || !theirs.some((each) => isOpen('theirs', each))) break
      for (const [one, other] of find(both, names, lists)) pair(one.pointer, other.pointer)
    }
  }
  return pairs
}

type Names = { readonly [side in Edited]: ReadonlyMap<string, string> }
type Lists = { readonly [side in Edited]: readonly PlacedItem[] }
type ListsOf = { readonly [side in Edited]: ReadonlyMap<string, readonly PlacedItem[]> }
type Pairs = readonly (readonly [mine: PlacedItem, theirs: PlacedItem])[]

/** Pairs items of two lists by what they say themselves, as `matchAll` does; one that has a name already matches only its namesake. */
function pairsByOwn({ mine, theirs }: Lists, names: Names): Pairs {
  const shared = new Set(theirs.map(({ pointer }) => names.theirs.get(pointer)))
  const toValue = (list: readonly PlacedItem[], names: ReadonlyMap<string, string>): Json => {
    let gap = ''
    const items = list.map(({ item, pointer }): JsonMap => {
      const id = names.get(pointer)
      if (id === undefined) return isBareDivider(item) ? { ...item, '/gap': gap } : toFlat(item)
      if (shared.has(id)) gap = id
      return { id }
    })
    return { items }
  }
  const { toAfter } = matchAll(toValue(mine, names.mine), toValue(theirs, names.theirs))
  return mine.flatMap((each, place) => {
    const now = toAfter.get(`/items/${place}`)
    const other = now === undefined ? undefined : theirs[Number(now.slice('/items/'.length))]
    return other === undefined || names.mine.has(each.pointer) ? [] : [[each, other] as const]
  })
}

/** Pairs what is left by what is below it: at least half of the items below either are the same. */
function pairsByBelow({ mine, theirs }: Lists, names: Names, lists: ListsOf): Pairs {
  const branchesOf = (side: Edited, list: readonly PlacedItem[]): readonly PlacedItem[] =>
    list.filter(({ pointer }) => !names[side].has(pointer) && lists[side].has(pointer))
  const [olds, news] = [branchesOf('mine', mine), branchesOf('theirs', theirs)]
  if (olds.length === 0 || news.length === 0) return []
  const toValue = (side: Edited, branches: readonly PlacedItem[]): Json => ({
    items: branches.map(({ pointer }) => ({
      id: `${side} ${pointer}`,
      children: (lists[side].get(pointer) ?? []).map(({ item, pointer: child }): JsonMap => {
        const id = names[side].get(child)
        return id === undefined ? toFlat(item) : { id }
      }),
    })),
  })
  const [before, after] = [toValue('mine', olds), toValue('theirs', news)]
  const { toAfter } = matchItems(before, after)
  const toHome = (pointer: string): string | undefined =>
    toAfter.get(pointer)?.replace(/\/children\/\d+$/, '')
  const [kinOfMine, kinOfTheirs] = [before, after].map((value) =>
    placedItems(value).filter(({ parent }) => parent === null),
  )
  const found = pairsByChildren(kinOfMine ?? [], kinOfTheirs ?? [], toHome)
  return found.flatMap(([one, other]) => {
    const [a, b] = [
      olds[Number(one.pointer.slice('/items/'.length))],
      news[Number(other.pointer.slice('/items/'.length))],
    ]
    const hasTwoIds = a?.item['id'] !== undefined && b?.item['id'] !== undefined
    return a === undefined || b === undefined || hasTwoIds ? [] : [[a, b] as const]
  })
}

function isBareDivider(item: JsonMap): boolean {
  return item['type'] === 'divider' && Object.keys(item).length === 1
}

/** An item with what is below it as a field like any other. */
function toFlat(item: JsonMap): JsonMap {
  if (!isList(item['children'])) return item
  const { children, ...own } = item
  return { ...own, '/children': children }
}

function reversed(map: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...map].map(([key, value]) => [value, key]))
}
