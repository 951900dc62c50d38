import type { Json, JsonMap } from '../model/json.js'
import type { Pairs } from './compare/kinship.js'
import { matchMenus } from './compare/match.js'
import { openRuns } from './compare/order.js'
import { type PlacedItem, placedItems } from './items.js'

/** The three values of a merge. `theirs` is what is on the disk, or on the branch that is merged in. */
export type Side = 'base' | 'mine' | 'theirs'

/** One thing for each value of a merge. */
export type ThreeOf<T> = { readonly [side in Side]: T }

/** Which value an item comes from, and where it is there. */
export interface ItemOrigin {
  /** A side of a merge, or the name of another text. The value that is changed is `base`. */
  readonly side: string
  /** A JSON Pointer (RFC 6901). */
  readonly pointer: string
}

/** A value of a menu, and by item pointer where each of its items comes from; an item without an entry is new. */
export interface Change {
  readonly value: Json
  readonly origins: ReadonlyMap<string, ItemOrigin>
}

/** The change to a value whose items are at the same places as before. */
export function changeInPlace(after: Json): Change {
  const origins = placedItems(after).map(({ pointer }) => [pointer, { side: 'base', pointer }] as const)
  return { value: after, origins: new Map(origins) }
}

/** The items of two values of a menu that are the same: those that match, and siblings that took each other's place. */
export function sameItems(before: Json, after: Json): Pairs {
  const match = matchMenus(before, after)
  const [toBefore, taken] = [new Map(match.toBefore), new Set(match.toAfter.keys())]
  for (const parent of [match.after.menu, ...match.after.all]) {
    const home = toBefore.get(parent)
    if (home === undefined) continue
    const kept = parent.below.map((now) => {
      const old = toBefore.get(now)
      return old?.parent === home ? old.place : null
    })
    for (const [lost, found] of openRuns(home.below.length, kept)) {
      const olds = lost.flatMap((place) => home.below[place] ?? []).filter((old) => !taken.has(old))
      const news = found.flatMap((place) => parent.below[place] ?? []).filter((now) => !toBefore.has(now))
      for (const [old, now] of likeliest(olds, news)) {
        taken.add(old)
        toBefore.set(now, old)
      }
    }
  }
  return match.after.all.flatMap((now): Pairs => {
    const old = toBefore.get(now)
    return old === undefined ? [] : [[old, now]]
  })
}

/** How many new items are considered for a lost one. */
const NEAR = 100
/** Keys whose equal values show that it is the same item. */
const TELLING = ['label', 'url', 'routeName', 'icon']

/** Pairs in order: all when there are as many on both sides, else those that have something in common. */
function likeliest(lost: readonly PlacedItem[], found: readonly PlacedItem[]): Pairs {
  const isLevel = lost.length === found.length
  let from = 0
  return lost.flatMap((old): Pairs => {
    const near = found.slice(from, from + (isLevel ? 1 : NEAR))
    const step = near.findIndex((now) => mayFollow(old.item, now.item, isLevel))
    from += isLevel ? 1 : step + 1
    const now = near[step]
    return now === undefined ? [] : [[old, now]]
  })
}

function mayFollow(before: JsonMap, after: JsonMap, isLevel: boolean): boolean {
  if (typeof before['id'] === 'string' && typeof after['id'] === 'string') return false
  if ((before['type'] ?? 'link') !== (after['type'] ?? 'link')) return false
  return isLevel || TELLING.some((key) => before[key] !== undefined && before[key] === after[key])
}
