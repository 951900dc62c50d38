import { placedItems } from '../items.js'
import type { Json } from '../json.js'
import { editedFields } from './item-fields.js'
import { matchItems } from './match.js'
import { type Move, movesBetween } from './moves.js'

/** What a change did to an item that is there after it. What is below an item does not change it. */
export interface ItemFate {
  /** Where the item was; null for one that was added. */
  readonly before: string | null
  /** The fields of its own that differ, such as `url` and `label.es`; none for one that was added. */
  readonly edited: readonly string[]
  /** Whether it moved; null for one that is where it was. */
  readonly move: Move | null
}

/** What became of each item of the later of two values of a menu, by its pointer, those that stayed as they were included. */
export function toFates(before: Json, after: Json): ReadonlyMap<string, ItemFate> {
  const match = matchItems(before, after)
  const [olds, news] = [placedItems(before), placedItems(after)]
  const moves = movesBetween(olds, news, match)
  const items = new Map(olds.map(({ pointer, item }) => [pointer, item]))
  return new Map(
    news.map(({ pointer, item }) => {
      const old = match.toBefore.get(pointer) ?? null
      const edited = old === null ? [] : editedFields(items.get(old) ?? {}, item)
      return [pointer, { before: old, edited, move: moves.get(pointer) ?? null }]
    }),
  )
}
