import type { ItemDifference } from './differences.js'
import type { Match } from './match.js'

/** An item by whose own change more viewers, or fewer, see something, with how many below it follow from that. */
export interface CalledItem {
  readonly item: ItemDifference
  readonly below: number
}

/** The items by whose change more viewers see them, or see where they lead. */
export function widenedBy(items: readonly ItemDifference[], match: Match): readonly CalledItem[] {
  return causes(
    items.filter(({ widens, exposes }) => widens || exposes),
    match,
  )
}

/** The items by whose change fewer viewers see them; not those that were removed. */
export function narrowedBy(items: readonly ItemDifference[], match: Match): readonly CalledItem[] {
  return causes(
    items.filter(({ narrows }) => narrows),
    match,
  )
}

/** What changed who sees it by itself. Another follows from the nearest item above it that is called out. */
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
