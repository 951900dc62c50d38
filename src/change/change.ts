import type { Json } from '../model/json.js'
import { inPlace } from './compare/in-place.js'
import { matchMenus } from './compare/match.js'
import { placedItems } from './items.js'

/** The three values of a merge. `theirs` is what is on the disk, or on the branch that is merged in. */
export type Side = 'base' | 'mine' | 'theirs'

/** One thing for each value of a merge. */
export type ThreeOf<T> = { readonly [side in Side]: T }

/** Which value an item comes from, and where it is there. */
export interface ItemOrigin {
  readonly side: Side
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

/**
 * The change from one value of a menu to another that somebody wrote: matching items are the same, and so are siblings that
 * took each other's place. All origins are in `base`.
 */
export function changeBetween(before: Json, after: Json): Change {
  const pairs = inPlace(matchMenus(before, after))
  return {
    value: after,
    origins: new Map([...pairs].map(([now, pointer]) => [now, { side: 'base', pointer }])),
  }
}
