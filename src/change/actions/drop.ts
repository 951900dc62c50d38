import { done, type Result } from '../../model/result.js'
import type { PlacedItem } from '../items.js'
import { levelOf, levelsBelow, listOf, type MenuLimits } from './places.js'
import { type Refusal, refuse } from './refusal.js'

/** Where a dragged item would land. */
export interface Drop {
  readonly parent: PlacedItem
  /** Its place in the list of the parent, from 0, once it is taken out of where it is. */
  readonly position: number
  /** The level that it gets, clamped to what is possible there. */
  readonly level: number
}

/**
 * Where an item lands that is dragged between rows: into the slot in front of the row at `slot`, at the level
 * nearest to the wanted one. Between two rows an item can be at the level of the lower one, at that of the upper one, at those
 * in between, and inside the upper one.
 *
 * @param rows the visible rows in their order, without those of the item and of what is below it; what is in a closed branch
 *   has none
 */
export function dropAt(
  rows: readonly PlacedItem[],
  item: PlacedItem,
  { slot, level }: { readonly slot: number; readonly level: number },
  { levels }: MenuLimits,
): Result<Drop, Refusal> {
  const place = Math.min(Math.max(0, slot), rows.length)
  const [above, next] = [rows[place - 1] ?? null, rows[place] ?? null]
  const menu = topOf(item)
  const lowest = next === null ? 1 : levelOf(next)
  const inside = above === null ? 1 : levelOf(above) + (above.item['type'] === 'divider' ? 0 : 1)
  const highest = Math.min(inside, levels - levelsBelow(item))
  if (highest < lowest) return refuse('levels', { limit: levels })
  const wanted = Math.min(Math.max(level, lowest), highest)
  let before = above
  while (before !== null && levelOf(before) > wanted) before = before.parent
  if (before !== null && levelOf(before) === wanted) {
    const parent = before.parent ?? menu
    const isTakenBefore = item.parent === parent && item.index < before.index
    return done({ parent, position: before.index + (isTakenBefore ? 0 : 1), level: wanted })
  }
  const parent = before ?? menu
  // Into a closed branch: behind what is there.
  const isOpen = before === null || next?.parent === before
  const last = listOf(parent).length - (item.parent === parent ? 1 : 0)
  return done({ parent, position: isOpen ? 0 : last, level: wanted })
}

function topOf(item: PlacedItem): PlacedItem {
  return item.parent === null ? item : topOf(item.parent)
}
