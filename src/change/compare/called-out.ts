import { toAbove } from '../items.js'
import type { ItemDifference } from './differences.js'
import { type Match, toPointers } from './match.js'

/** An item whose own change lets more or fewer viewers see something, with how many items below follow from it. */
export interface CalledItem<Item> {
  readonly item: Item
  readonly below: number
}

/** The items whose change lets more viewers see them, or their destination; and those that fewer see, without removed ones. */
export function calledOut<Item extends ItemDifference>(
  items: readonly Item[],
  match: Match,
): Readonly<Record<'widened' | 'narrowed', readonly CalledItem<Item>[]>> {
  const toAfter = toPointers(match.toAfter)
  /** Changes of visibility that are the item's own. Others follow from the nearest called-out item above. */
  const causes = (called: readonly Item[]): readonly CalledItem<Item>[] => {
    const found: { readonly item: Item; below: number }[] = []
    for (const item of called) {
      const { before, after, fields, exposes } = item
      const above = found.findLast(
        (each) => after?.pointer.startsWith(`${each.item.after?.pointer}/`) === true,
      )
      const isGuard = fields.some(({ kind }) => kind === 'permissions' || kind === 'hidden')
      const isMoved = toAfter.get(toAbove(before?.pointer ?? '')) !== toAbove(after?.pointer ?? '')
      if (above === undefined || exposes || isGuard || isMoved) found.push({ item, below: 0 })
      else above.below++
    }
    return found
  }
  return {
    widened: causes(items.filter(({ widens, exposes }) => widens || exposes)),
    narrowed: causes(items.filter(({ narrows }) => narrows)),
  }
}
