import { type ItemDifference, isOwnChange } from './differences.js'
import { goneBranches } from './gone-branches.js'

/**
 * How many changes a difference has for people, as reviews list them: an item is one, however much of it changed, as are a
 * branch that is gone and the menu itself.
 */
export function numberOfChanges(items: readonly ItemDifference[], isMenuChanged: boolean): number {
  const own = items.filter(isOwnChange)
  const isBelowGone = goneBranches(own)
  return own.filter((item) => !isBelowGone(item)).length + Number(isMenuChanged)
}
