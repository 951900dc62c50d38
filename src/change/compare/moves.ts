import type { PlacedItem } from '../items.js'
import type { Match } from './match.js'
import { definitelyMoved, stayingPlaces } from './order.js'

/**
 * `moved`: it is in another list, or at another place among those that stayed, however these are chosen. `may-have`: it is
 * among those that are said to have moved, and others could be in its place: of two neighbours that changed places, one.
 */
export type Move = 'moved' | 'may-have'

/** The items of the later of two values that moved, by their pointers. */
export function movesBetween(
  olds: readonly PlacedItem[],
  news: readonly PlacedItem[],
  { toBefore }: Match,
): ReadonlyMap<string, Move> {
  const places = new Map(olds.map((placed) => [placed.pointer, placed]))
  const moves = new Map<string, Move>()
  const lists = new Map<string | null, { readonly pointer: string; readonly order: number }[]>()
  for (const { pointer, parent } of news) {
    const old = places.get(toBefore.get(pointer) ?? '')
    if (old === undefined) continue
    const home = parent === null ? null : toBefore.get(parent)
    if (home !== old.parent) {
      moves.set(pointer, 'moved')
      continue
    }
    const list = lists.get(parent) ?? []
    list.push({ pointer, order: old.order })
    lists.set(parent, list)
  }
  for (const list of lists.values()) {
    const orders = list.map(({ order }) => order)
    const staying = stayingPlaces(orders)
    if (staying.size === list.length) continue
    const definitely = definitelyMoved(orders)
    for (const [place, { pointer }] of list.entries())
      if (!staying.has(place)) moves.set(pointer, definitely.has(place) ? 'moved' : 'may-have')
  }
  return moves
}
