import { EVERYBODY, type Gate, isWiderThanAll, narrowBy } from '../compare/gate.js'
import { type PlacedItem, placedItems } from '../items.js'
import type { Json } from '../json.js'
import type { Merged } from './merge.js'

/**
 * The items of a merge, by their pointers in its value, that somebody sees who sees them on neither side, though no
 * field of theirs is in conflict: one side took an item out of a section for few, and the other opened the item to all
 * because it stood there. Of a branch only the item at its top.
 */
export function widenedItems({ value, origins }: Merged, mine: Json, theirs: Json): readonly string[] {
  const items = placedItems(value)
  const [gates, gatesOfMine, gatesOfTheirs] = [items, placedItems(mine), placedItems(theirs)].map(toGates)
  const found = new Set<string>()
  const below = new Set<string>()
  for (const { pointer, parent } of items) {
    const origin = origins.get(pointer)
    const before = [gatesOfMine?.get(origin?.mine ?? ''), gatesOfTheirs?.get(origin?.theirs ?? '')]
    const known = before.filter((gate) => gate !== undefined)
    if (known.length === 0 || !isWiderThanAll(known, gates?.get(pointer) ?? null)) continue
    if (parent === null || !below.has(parent)) found.add(pointer)
    below.add(pointer)
  }
  return [...found]
}

/** Who may see each item, by its pointer. */
function toGates(items: readonly PlacedItem[]): ReadonlyMap<string, Gate> {
  const gates = new Map<string, Gate>()
  for (const { item, pointer, parent } of items) {
    const above = parent === null ? EVERYBODY : (gates.get(parent) ?? null)
    gates.set(pointer, narrowBy(above, item))
  }
  return gates
}
