import type { Json } from '../../model/json.js'
import { type Gate, gatesOf, isWider } from '../compare/gate.js'
import { type PlacedItem, readItems } from '../items.js'
import type { Merged } from './merge.js'

/**
 * The merged items, by their pointers, that some viewer sees who sees them on neither side, although none of their fields is
 * in conflict: one side took an item out of a section for few, and the other opened the item to all because it was there. Of
 * a branch only the item at its top.
 */
export function widenedItems({ value, origins }: Merged, mine: Json, theirs: Json): readonly string[] {
  const items = readItems(value)
  const gates = gatesOf(items)
  const [here, there] = [mine, theirs].map((side) => {
    const gatesOfSide = [...gatesOf(readItems(side))]
    return new Map<string | null | undefined, Gate>(gatesOfSide.map(([{ pointer }, gate]) => [pointer, gate]))
  })
  const isWidened = (placed: PlacedItem): boolean => {
    const origin = origins.get(placed.pointer)
    const known = [here?.get(origin?.mine), there?.get(origin?.theirs)].filter((gate) => gate !== undefined)
    return isWider(known, gates.get(placed) ?? null)
  }
  const widened = new Set<PlacedItem | null>(items.all.filter(isWidened))
  const tops = items.all.filter((placed) => widened.has(placed) && !widened.has(placed.parent))
  return tops.map(({ pointer }) => pointer)
}
