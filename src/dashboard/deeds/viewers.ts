import { type Items, type PlacedItem, withAncestors } from '../../change/items.js'
import { toClosed } from '../../model/direction.js'
import { isList } from '../../model/json.js'
import { toLabelText } from '../../model/label.js'
import { type Locale, labelChain } from '../../model/locale.js'
import { everyItem, type MenuItem } from '../../model/menu.js'
import type { MenuFile } from '../../model/menu-file.js'
import type { Settings } from '../../service/settings.js'
import type { Draft } from '../../store/drafts/read-draft.js'
import { newAudiencesOf } from './draft-changes.js'
import { routeUsageOf } from './route-usage.js'
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

/** An item that is open to visitors, to whom no other item shows its page. */
export interface OpenItem extends PlacedItem {
  /** The permissions that every published item names that leads there; this one names none of them. */
  readonly lacks: readonly string[]
}

/**
 * The items of a draft that are more open than all published ones that lead to their pages. An item that is published like that
 * is never among them.
 */
export async function newlyOpen(workspace: Workspace, { all }: Items): Promise<readonly OpenItem[]> {
  const usages = await routeUsageOf(workspace.current())
  return all.flatMap((placed) => {
    const lacks = usages.get(String(placed.item['routeName']))?.needs ?? []
    if (lacks.length === 0) return []
    const isGuarded = withAncestors(placed).some(
      ({ item: { hidden, permissions } }) =>
        hidden === true || (isList(permissions) && permissions.some((key) => lacks.includes(String(key)))),
    )
    return isGuarded ? [] : [{ ...placed, lacks }]
  })
}

/** What a permission allows, in the first language that says it; else its key. */
export function describePermission({ permissions }: Settings, key: string, chain: readonly Locale[]): string {
  return toLabelText(permissions?.get(key), chain).text || key
}

/** What some permissions allow, in a language, as one text. */
export function describePermissions(settings: Settings, keys: readonly string[], lang: string): string {
  const chain = labelChain(lang, settings.locales)
  const texts = keys.map((key) => describePermission(settings, key, chain))
  return new Intl.ListFormat(lang, { type: 'unit' }).format(texts.map(toClosed))
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
