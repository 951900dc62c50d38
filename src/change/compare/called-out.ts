import { toAbove } from '../items.js'
import type { ItemDifference } from './differences.js'
import { type Match, toPointers } from './match.js'

/** An item whose own change lets more or fewer viewers see something, with how many items below follow from it. */
export interface CalledItem {
  readonly item: ItemDifference
  readonly below: number
}

/** The items whose change lets more viewers see them, or see their destination. */
export function widenedBy(items: readonly ItemDifference[], match: Match): readonly CalledItem[] {
  return causes(
    items.filter(({ widens, exposes }) => widens || exposes),
    match,
  )
}

/** The items whose change lets fewer viewers see them; not the removed ones. */
export function narrowedBy(items: readonly ItemDifference[], match: Match): readonly CalledItem[] {
  return causes(
    items.filter(({ narrows }) => narrows),
    match,
  )
}

/** Changes of visibility that are the item's own. Others follow from the nearest called-out item above. */
function causes(items: readonly ItemDifference[], match: Match): readonly CalledItem[] {
  const toAfter = toPointers(match.toAfter)
  const found: { readonly item: ItemDifference; below: number }[] = []
  for (const item of items) {
    const { before, after, fields, exposes } = item
    const above = found.findLast((each) => after?.pointer.startsWith(`${each.item.after?.pointer}/`) === true)
    const isGuard = fields.some(({ kind }) => kind === 'permissions' || kind === 'hidden')
    const isMoved = toAfter.get(toAbove(before?.pointer ?? '')) !== toAbove(after?.pointer ?? '')
    if (above === undefined || exposes || isGuard || isMoved) found.push({ item, below: 0 })
    else above.below++
  }
  return found
}
