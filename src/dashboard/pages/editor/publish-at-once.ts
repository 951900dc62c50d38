import { asideOf } from '../../../store/drafts/steps.js'
import { countChanges, isTakingAway, outdatedIn } from '../../deeds/draft-changes.js'
import { publishDraft } from '../../deeds/drafts.js'
import { type EditedMenu, isSame } from '../../deeds/edited-menu.js'
import { newlyOpen, newlyUnseen } from '../../deeds/viewers.js'
import type { Workspace } from '../../deeds/workspace.js'
import type { Call } from '../../page.js'
import { attempt } from '../../refusal.js'
import { toPublishedPath } from '../files/outcome.js'

/** What a review would show besides the changes of a draft, as far as the page of its menu says it beforehand. */
interface Look {
  /** Whether an operator has to look at the draft, or to decide something, before it is published. */
  readonly needsLook: boolean
  /** The permissions that the item at a pointer lacks, and all others that lead to its page name. */
  readonly lacksOf: (pointer: string) => readonly string[]
}

export async function describeLook(workspace: Workspace, menu: EditedMenu): Promise<Look> {
  const { draft, base, disk, items } = menu
  const open = draft === null ? [] : await newlyOpen(workspace, items)
  const lacks = new Map(open.map((each) => [each.pointer, each.lacks]))
  const needsLook =
    draft !== null &&
    (open.length > 0 ||
      !isSame(base, disk) ||
      asideOf(draft.steps) !== null ||
      isTakingAway(draft) ||
      outdatedIn(draft, workspace.settings.locales).size > 0 ||
      newlyUnseen(workspace, draft, items).length > 0)
  return { needsLook, lacksOf: (pointer) => lacks.get(pointer) ?? [] }
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
  if ((await describeLook(workspace, menu)).needsLook) return null
  const wish = { id: draft.id, revision: draft.revision, file: undefined }
  const { value: tried } = await attempt(() => publishDraft(workspace, operator, { ...wish, isDry: true }))
  if (tried === null || tried.problems.length > 0) return null
  return toPublishedPath(workspace, await publishDraft(workspace, operator, { ...wish, isDry: false }), file)
}
