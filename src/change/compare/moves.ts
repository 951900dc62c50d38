import type { PlacedItem } from '../items.js'
import type { Match } from './match.js'
import { definitelyMoved, stayingPlaces } from './order.js'

/**
 * `moved`: it is in another list, or at another place among those that stayed, however these are chosen. `may-have`: it is
 * reported as moved, but others could be in its place: of two neighbours that changed places, one.
 */
export type Move = 'moved' | 'may-have'

/** The items of the later of two values that moved, by their pointers. */
export function movesBetween({ before, after, toBefore }: Match): ReadonlyMap<string, Move> {
  const moves = new Map<string, Move>()
  for (const parent of [null, ...after.all.map(({ pointer }) => pointer)]) {
    const home = parent === null ? null : toBefore.get(parent)
    const stayed: (readonly [now: PlacedItem, order: number])[] = []
    for (const now of after.below(parent)) {
      const old = before.at(toBefore.get(now.pointer))
      if (old !== undefined && old.parent === home) stayed.push([now, old.order])
      else if (old !== undefined) moves.set(now.pointer, 'moved')
    }
    const orders = stayed.map(([, order]) => order)
    const staying = stayingPlaces(orders)
    if (staying.size === stayed.length) continue
    const definitely = definitelyMoved(orders)
    for (const [place, [{ pointer }]] of stayed.entries())
      if (!staying.has(place)) moves.set(pointer, definitely.has(place) ? 'moved' : 'may-have')
  }
  return moves
}
