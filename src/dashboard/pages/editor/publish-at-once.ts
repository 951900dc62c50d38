import { asideOf } from '../../../store/drafts/steps.js'
import { countChanges, isTakingAway, outdatedIn } from '../../deeds/draft-changes.js'
import { publishDraft } from '../../deeds/drafts.js'
import { type EditedMenu, isSame } from '../../deeds/edited-menu.js'
import { newlyOpen, newlyUnseen } from '../../deeds/viewers.js'
import type { Workspace } from '../../deeds/workspace.js'
import type { Call } from '../../page.js'
import { attempt } from '../../refusal.js'
import { toPublishedPath } from '../files/outcome.js'

/** Whether an operator has to look at a draft, or to decide something, before it is published. */
async function needsLook(workspace: Workspace, { draft, base, disk, items }: EditedMenu): Promise<boolean> {
  if (draft === null) return false
  if (!isSame(base, disk) || asideOf(draft.steps) !== null) return true
  if (isTakingAway(draft) || outdatedIn(draft, workspace.settings.locales).size > 0) return true
  if (newlyUnseen(workspace, draft, items).length > 0) return true
  return (await newlyOpen(workspace, draft, items)).length > 0
}

/** What the page of a menu says beforehand of what a review would show. */
export async function describeLook(
  workspace: Workspace,
  menu: EditedMenu,
): Promise<{ readonly needsLook: boolean; readonly lacksOf: (pointer: string) => readonly string[] }> {
  const { draft, items } = menu
  const open = draft === null ? [] : await newlyOpen(workspace, draft, items)
  const lacks = new Map(open.map((each) => [each.pointer, each.lacks]))
  return { needsLook: await needsLook(workspace, menu), lacksOf: (pointer) => lacks.get(pointer) ?? [] }
}

/**
 * Publishes a draft of which a review would show nothing but its changes, and returns the address of the page that says so; null
 * where it needs a look, has errors or warnings. Throws why it cannot be written.
 *
 * @param state that of the draft as the operator saw it
 */
export async function publishAtOnce(
  workspace: Workspace,
  { operator }: Call,
  menu: EditedMenu,
  state: string,
): Promise<string | null> {
  const { file, draft } = menu
  if (draft === null || state !== menu.state || countChanges(draft) === 0) return null
  if (await needsLook(workspace, menu)) return null
  const wish = { id: draft.id, revision: draft.revision, file: undefined }
  const { value: tried } = await attempt(() => publishDraft(workspace, operator, { ...wish, isDry: true }))
  if (tried === null || tried.problems.length > 0) return null
  return toPublishedPath(workspace, await publishDraft(workspace, operator, { ...wish, isDry: false }), file)
}
