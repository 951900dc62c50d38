import type { Items, PlacedItem } from '../../change/items.js'
import { isList } from '../../model/json.js'
import { everyItem, type MenuItem } from '../../model/menu.js'
import type { MenuFile } from '../../model/menu-file.js'
import type { Draft } from '../../store/drafts/read-draft.js'
import { newAudiencesOf } from './draft-changes.js'
import type { Workspace } from './workspace.js'

/** Whether a site can identify its visitors; otherwise, no visitor has any permission. */
export function hasViewers({ service: { policies } }: Workspace): boolean {
  return policies.resolveViewer !== undefined || policies.canView !== undefined
}

/**
 * The items that nobody sees because they need a permission, and that a draft adds, or shows to others than before; those that
 * are hidden are so on purpose.
 */
export function newlyUnseen(workspace: Workspace, draft: Draft, { all }: Items): readonly PlacedItem[] {
  if (hasViewers(workspace)) return []
  const audiences = newAudiencesOf(draft)
  return all.filter(({ item, pointer }) => isUnseen(item) && audiences.has(pointer))
}

/** The items of published menus that nobody sees for that reason. */
export function unseenInFiles(
  workspace: Workspace,
  files: readonly MenuFile[],
): readonly { readonly file: string; readonly item: MenuItem }[] {
  if (hasViewers(workspace)) return []
  return files.flatMap(({ path: file, menu }) =>
    [...everyItem(menu?.items ?? [])].filter(isUnseen).map((item) => ({ file, item })),
  )
}

function isUnseen({
  permissions,
  hidden,
}: {
  readonly permissions?: unknown
  readonly hidden?: unknown
}): boolean {
  return hidden !== true && isList(permissions) && permissions.length > 0
}
