import type { ItemDifference } from './differences.js'
import type { Match } from './match.js'

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
  const found: { readonly item: ItemDifference; below: number }[] = []
  for (const item of items) {
    const above = found.findLast(
      (each) => item.after?.pointer.startsWith(`${each.item.after?.pointer}/`) === true,
    )
    if (above === undefined || isOwn(item, match)) found.push({ item, below: 0 })
    else above.below++
  }
  return found
}

function isOwn({ fields, exposes, ...item }: ItemDifference, { before, after, toAfter }: Match): boolean {
  if (exposes || fields.some(({ kind }) => kind === 'permissions' || kind === 'hidden')) return true
  const from = before.at(item.before?.pointer)?.parent ?? null
  const to = after.at(item.after?.pointer)?.parent ?? null
  return from === null || to === null ? from !== to : toAfter.get(from) !== to
}
