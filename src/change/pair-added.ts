import type { Side } from './conflict.js'
import { isEqual, type Json, type JsonMap, toKey } from './json.js'
import { byParent, ownOf, type PlacedItem } from './match.js'

/** The items of a value by pointer, parents before children. */
export type Placed = ReadonlyMap<string, PlacedItem>

/**
 * What both sides added and is the same, by the pointers in `mine` and `theirs`: items with one id, and at one place
 * items that say the same, what is below them aside. One place is below one parent and behind the same neighbour of
 * the base.
 */
export function pairAdded(
  placed: { readonly [side in Side]: Placed },
  twins: { readonly mine: ReadonlyMap<string, string>; readonly theirs: ReadonlyMap<string, string> },
): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  const taken = new Set<string>()
  const old = { mine: new Map(reversed(twins.mine)), theirs: new Map(reversed(twins.theirs)) }
  const isOpen = (side: 'mine' | 'theirs', pointer: string): boolean =>
    !old[side].has(pointer) && !(side === 'mine' ? pairs : taken).has(pointer)
  const byId = new Map<Json, string>()
  for (const { item, pointer } of placed.theirs.values()) {
    if (typeof item['id'] === 'string' && isOpen('theirs', pointer)) byId.set(item['id'], pointer)
  }
  const open: [mine: string, theirs: string][] = [['', '']]
  const pair = (mine: string, theirs: string): void => {
    pairs.set(mine, theirs)
    taken.add(theirs)
    open.push([mine, theirs])
  }
  for (const { item, pointer } of placed.mine.values()) {
    const other = byId.get(item['id'] ?? null)
    if (other !== undefined && isOpen('mine', pointer)) pair(pointer, other)
  }
  for (const [base, mine] of twins.mine) {
    const theirs = twins.theirs.get(base)
    if (theirs !== undefined) open.push([mine, theirs])
  }
  const lists = { mine: byParent(placed.mine.values()), theirs: byParent(placed.theirs.values()) }
  for (const [mineParent, theirsParent] of open) {
    const mineList = lists.mine.get(mineParent) ?? []
    const theirsList = lists.theirs.get(theirsParent) ?? []
    if (mineList.every(({ pointer }) => !isOpen('mine', pointer))) continue
    const shared = new Set(theirsList.map(({ pointer }) => old.theirs.get(pointer)))
    const known = new Set(
      mineList.map(({ pointer }) => old.mine.get(pointer)).filter((each) => shared.has(each)),
    )
    const gaps = toGaps(theirsList, (pointer) => old.theirs.get(pointer), known)
    for (const partOf of [wholeOf, ownOf]) {
      const rivals = byContent(gaps, partOf)
      for (const [gap, items] of toGaps(mineList, (pointer) => old.mine.get(pointer), known)) {
        for (const { item, pointer } of items) {
          if (!isOpen('mine', pointer)) continue
          const part = partOf(item)
          const alike = rivals.get(gap)?.get(toKey(part)) ?? []
          // The first comes last; what is taken goes, so that thousands of equal items are looked at once.
          while (alike.length > 0 && !isOpen('theirs', alike.at(-1)?.pointer ?? '')) alike.pop()
          const same = alike.findLast(
            (each) => isOpen('theirs', each.pointer) && isEqual(part, partOf(each.item)),
          )
          if (same !== undefined) pair(pointer, same.pointer)
        }
      }
    }
  }
  return pairs
}

function wholeOf(item: JsonMap): JsonMap {
  return item
}

/** The items of each gap by what a part of them says, the last one first. */
function byContent(
  gaps: ReadonlyMap<string, readonly PlacedItem[]>,
  partOf: (item: JsonMap) => JsonMap,
): ReadonlyMap<string, ReadonlyMap<string, PlacedItem[]>> {
  const toBuckets = (items: readonly PlacedItem[]): ReadonlyMap<string, PlacedItem[]> => {
    const buckets = new Map<string, PlacedItem[]>()
    for (const each of items.toReversed()) {
      const key = toKey(partOf(each.item))
      const bucket = buckets.get(key)
      if (bucket === undefined) buckets.set(key, [each])
      else bucket.push(each)
    }
    return buckets
  }
  return new Map([...gaps].map(([gap, items]) => [gap, toBuckets(items)]))
}

function reversed(map: ReadonlyMap<string, string>): [string, string][] {
  return [...map].map(([key, value]) => [value, key])
}

/** The items of a list by the last one before them that both sides know; `''` is the beginning. */
function toGaps(
  list: readonly PlacedItem[],
  toBase: (pointer: string) => string | undefined,
  known: ReadonlySet<string | undefined>,
): ReadonlyMap<string, readonly PlacedItem[]> {
  const gaps = new Map<string, PlacedItem[]>([['', []]])
  let gap = ''
  for (const each of list) {
    const base = toBase(each.pointer)
    if (base !== undefined && known.has(base)) gap = base
    const items = gaps.get(gap)
    if (items === undefined) gaps.set(gap, [each])
    else items.push(each)
  }
  return gaps
}
