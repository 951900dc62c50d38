import type { JsonMap } from '../../model/json.js'
import type { PlacedItem } from '../items.js'
import type { Pairs } from './kinship.js'
import type { Match } from './match.js'
import { openRuns } from './order.js'

/**
 * Which item of the value before each item of the value after is, by their pointers: matching items, and siblings that took
 * each other's place.
 */
export function inPlace({ before, after, ...match }: Match): ReadonlyMap<string, string> {
  const toBefore = new Map(match.toBefore)
  const taken = new Set(match.toAfter.keys())
  for (const parent of [null, ...after.all.map(({ pointer }) => pointer)]) {
    const home = parent === null ? null : toBefore.get(parent)
    if (home === undefined) continue
    const [olds, news] = [before.below(home), after.below(parent)]
    const places = new Map(olds.map(({ pointer, place }) => [pointer, place]))
    const kept = news.map(({ pointer }) => places.get(toBefore.get(pointer) ?? '') ?? null)
    for (const [lost, found] of openRuns(olds.length, kept)) {
      const pairs = likeliest(
        lost.flatMap((place) => olds[place] ?? []).filter(({ pointer }) => !taken.has(pointer)),
        found.flatMap((place) => news[place] ?? []).filter(({ pointer }) => !toBefore.has(pointer)),
      )
      for (const [old, now] of pairs) {
        taken.add(old.pointer)
        toBefore.set(now.pointer, old.pointer)
      }
    }
  }
  return toBefore
}

/** Pairs in order: all when there are as many on both sides, else those that have something in common. */
function likeliest(lost: readonly PlacedItem[], found: readonly PlacedItem[]): Pairs {
  const isLevel = lost.length === found.length
  const pairs: (readonly [PlacedItem, PlacedItem])[] = []
  let from = 0
  for (const old of lost) {
    const near = found.slice(from, from + (isLevel ? 1 : NEAR))
    const step = near.findIndex((now) => mayFollow(old.item, now.item, isLevel))
    const now = near[step]
    if (now !== undefined) pairs.push([old, now])
    from += isLevel ? 1 : step + 1
  }
  return pairs
}

function mayFollow(before: JsonMap, after: JsonMap, isLevel: boolean): boolean {
  if (typeof before['id'] === 'string' && typeof after['id'] === 'string') return false
  if ((before['type'] ?? 'link') !== (after['type'] ?? 'link')) return false
  return isLevel || TELLING.some((key) => before[key] !== undefined && before[key] === after[key])
}

/** How many new items are considered for a lost one. */
const NEAR = 100
/** Keys whose equal values show that it is the same item. */
const TELLING = ['label', 'url', 'routeName', 'icon']
