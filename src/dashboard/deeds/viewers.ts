import type { Items, PlacedItem } from '../../change/items.js'
import { isList } from '../../model/json.js'
import type { Workspace } from './workspace.js'

/** Whether a site can identify its visitors; otherwise, no visitor has any permission. */
export function hasViewers({ service: { policies } }: Workspace): boolean {
  return policies.resolveViewer !== undefined || policies.canView !== undefined
}

/** The items that nobody sees because they need a permission; those that are hidden are so on purpose. */
export function unseenItems(workspace: Workspace, { all }: Items): readonly PlacedItem[] {
  if (hasViewers(workspace)) return []
  return all.filter(
    ({ item: { permissions, hidden } }) => hidden !== true && isList(permissions) && permissions.length > 0,
  )
}
