import { byParent, type PlacedItem, placedItems } from '../items.js'
import type { Json, JsonMap } from '../json.js'
import type { Match } from './match.js'
import { openRuns } from './order.js'

/**
 * Which item of the value before each item of the value after is, by their pointers: those that match, and beyond them
 * those that took the place of one another among siblings that do.
 */
export function inPlace(before: Json, after: Json, match: Match): ReadonlyMap<string, string> {
  const toBefore = new Map(match.toBefore)
  const taken = new Set(match.toAfter.keys())
  const oldLists = byParent(placedItems(before))
  for (const [parent, list] of byParent(placedItems(after))) {
    const home = parent === '' ? '' : toBefore.get(parent)
    const oldList = (home === undefined ? undefined : oldLists.get(home)) ?? []
    const places = new Map(oldList.map(({ pointer }, place) => [pointer, place]))
    const kept = list.map(({ pointer }) => places.get(toBefore.get(pointer) ?? '') ?? null)
    for (const run of openRuns(oldList.length, kept)) {
      const lost = run[0]
        .flatMap((place) => oldList[place] ?? [])
        .filter(({ pointer }) => !taken.has(pointer))
      const found = run[1]
        .flatMap((place) => list[place] ?? [])
        .filter(({ pointer }) => !toBefore.has(pointer))
      for (const [old, now] of likeliest(lost, found)) {
        taken.add(old.pointer)
        toBefore.set(now.pointer, old.pointer)
      }
    }
  }
  return toBefore
}

type Items = readonly PlacedItem[]

/** Pairs in order: all when there are as many on both sides, else those that have something in common. */
function likeliest(lost: Items, found: Items): readonly (readonly [PlacedItem, PlacedItem])[] {
  if (lost.length === found.length) {
    return lost.flatMap((old, place) => {
      const now = found[place]
      return now !== undefined && mayFollow(old.item, now.item) ? [[old, now] as const] : []
    })
  }
  const pairs: (readonly [PlacedItem, PlacedItem])[] = []
  let from = 0
  for (const old of lost) {
    const near = found.slice(from, from + NEAR)
    const place = near.findIndex((now) => mayFollow(old.item, now.item) && isAlike(old.item, now.item))
    const now = near[place]
    if (now === undefined) continue
    pairs.push([old, now])
    from += place + 1
  }
  return pairs
}

function mayFollow(before: JsonMap, after: JsonMap): boolean {
  if (typeof before['id'] === 'string' && typeof after['id'] === 'string') return false
  return (before['type'] ?? 'link') === (after['type'] ?? 'link')
}

function isAlike(before: JsonMap, after: JsonMap): boolean {
  return TELLING.some((key) => before[key] !== undefined && before[key] === after[key])
}

/** How many new items are looked at for one that is lost. */
const NEAR = 100
/** Keys of which an equal value says that it is the same item. */
const TELLING = ['label', 'url', 'routeName', 'icon']
