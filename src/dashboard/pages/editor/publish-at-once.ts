import { asideOf } from '../../../store/drafts/steps.js'
import { countChanges, isTakingAway, newAudiencesOf, outdatedIn } from '../../deeds/draft-changes.js'
import { publishDraft } from '../../deeds/drafts.js'
import { type EditedMenu, isSame } from '../../deeds/edited-menu.js'
import { unseenItems } from '../../deeds/viewers.js'
import type { Workspace } from '../../deeds/workspace.js'
import type { Call } from '../../page.js'
import { attempt } from '../../refusal.js'
import { toPublishedPath } from '../files/outcome.js'

/**
 * Publishes a draft of which a review would show nothing but its changes, and returns the address of the page that says so; null
 * where something needs a look or a decision first, such as deleted items. Throws why it cannot be written.
 *
 * @param state that of the draft as the operator saw it
 */
export async function publishAtOnce(
  workspace: Workspace,
  { operator }: Call,
  { file, draft, base, disk, items, state: now }: EditedMenu,
  state: string,
): Promise<string | null> {
  if (draft === null || state !== now || countChanges(draft) === 0) return null
  if (!isSame(base, disk) || asideOf(draft.steps) !== null) return null
  if (isTakingAway(draft) || outdatedIn(draft, workspace.settings.locales).size > 0) return null
  const audiences = newAudiencesOf(draft)
  if (unseenItems(workspace, items).some(({ pointer }) => audiences.has(pointer))) return null
  const wish = { id: draft.id, revision: draft.revision, file: undefined }
  const { value: tried } = await attempt(() => publishDraft(workspace, operator, { ...wish, isDry: true }))
  if (tried === null || tried.problems.length > 0) return null
  return toPublishedPath(workspace, await publishDraft(workspace, operator, { ...wish, isDry: false }), file)
}
