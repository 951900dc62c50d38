import { type Change, sameItems } from '../../src/change/change.js'
import type { Json } from '../../src/model/json.js'

/** The change from one value of a menu to another that somebody wrote. All origins are in `base`. */
export function changeBetween(before: Json, after: Json): Change {
  const pairs = sameItems(before, after).map(
    ([old, now]) => [now.pointer, { side: 'base', pointer: old.pointer }] as const,
  )
  return { value: after, origins: new Map(pairs) }
}
