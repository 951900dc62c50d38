import type { Json } from '../../model/json.js'
import { gatesOf, isWider } from '../compare/gate.js'
import { type PlacedItem, readItems } from '../items.js'
import type { Merged } from './merge.js'

/**
 * The merged items, by their pointers, that some viewer sees who sees them on neither side, although none of their fields is
 * in conflict: one side took an item out of a section for few, and the other opened the item to all because it was there. Of
 * a branch only the item at its top.
 */
export function widenedItems({ value, origins }: Merged, mine: Json, theirs: Json): readonly string[] {
  const items = readItems(value)
  const [gates, gatesOfMine, gatesOfTheirs] = [items, readItems(mine), readItems(theirs)].map(gatesOf)
  const isWidened = ({ pointer }: PlacedItem): boolean => {
    const origin = origins.get(pointer)
    const before = [gatesOfMine?.get(origin?.mine ?? ''), gatesOfTheirs?.get(origin?.theirs ?? '')]
    const known = before.filter((gate) => gate !== undefined)
    return isWider(known, gates?.get(pointer) ?? null)
  }
  const widened = new Set(items.all.filter(isWidened).map(({ pointer }) => pointer))
  return items.all.flatMap(({ pointer, parent }) =>
    widened.has(pointer) && !widened.has(parent ?? '') ? [pointer] : [],
  )
}
