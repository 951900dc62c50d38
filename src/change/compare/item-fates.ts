import type { PlacedItem } from '../items.js'
import { editedFields } from './field-changes.js'
import type { Match } from './match.js'
import { definitelyMoved, stayingPlaces } from './order.js'

/**
 * `moved`: it is in another list, or at another place among those that stayed, however these are chosen. `may-have`: it is
 * reported as moved, but others could be in its place: of two neighbours that changed places, one.
 */
export type Move = 'moved' | 'may-have'

/** The items of the later of two values that moved. */
export function movesBetween({ after, toBefore }: Match): ReadonlyMap<PlacedItem, Move> {
  const moves = new Map<PlacedItem, Move>()
  for (const parent of [after.menu, ...after.all]) {
    const stayed: PlacedItem[] = []
    for (const now of parent.below) {
      const old = toBefore.get(now)
      if (old === undefined) continue
      if (old.parent === toBefore.get(parent)) stayed.push(now)
      else moves.set(now, 'moved')
    }
    const orders = stayed.map((now) => toBefore.get(now)?.order ?? 0)
    const staying = stayingPlaces(orders)
    if (staying.size === stayed.length) continue
    const definitely = definitelyMoved(orders)
    for (const [place, now] of stayed.entries())
      if (!staying.has(place)) moves.set(now, definitely.has(place) ? 'moved' : 'may-have')
  }
  return moves
}

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
    match.after.all.map((now) => {
      const old = match.toBefore.get(now)
      const edited = old === undefined ? [] : editedFields(old.item, now.item)
      return [now.pointer, { before: old?.pointer ?? null, edited, move: moves.get(now) ?? null }]
    }),
  )
}
