import { editedFields } from './item-fields.js'
import type { Match } from './match.js'
import { type Move, movesBetween } from './moves.js'

/** What a change did to an item that still exists. Items below do not change it. */
export interface ItemFate {
  /** Where the item was; null for one that was added. */
  readonly before: string | null
  /** The fields of its own that differ, such as `url` and `label.es`; none for one that was added. */
  readonly edited: readonly string[]
  /** How it moved; null for one that is where it was. */
  readonly move: Move | null
}

/** What became of each item of the later of two values of a menu, by its pointer, unchanged ones included. */
export function toFates(match: Match): ReadonlyMap<string, ItemFate> {
  const moves = movesBetween(match)
  return new Map(
    match.after.all.map(({ pointer, item }) => {
      const old = match.before.at(match.toBefore.get(pointer))
      const edited = old === undefined ? [] : editedFields(old.item, item)
      return [pointer, { before: old?.pointer ?? null, edited, move: moves.get(pointer) ?? null }]
    }),
  )
}
