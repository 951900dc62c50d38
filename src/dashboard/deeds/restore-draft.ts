import { placedItems } from '../../change/items.js'
import { type MenuDocument, readDocument } from '../../document/menu-document.js'
import { isEqual } from '../../model/json.js'
import { done } from '../../model/result.js'
import type { Operator } from '../access/operator.js'
import { Refusal } from '../refusal.js'
import { recordDiscard } from './drafts.js'
import { type EditedMenu, findEdited } from './edited-menu.js'
import { findText } from './history.js'
import { changeAfter, takeStep } from './steps.js'
import { toReadable, type Workspace } from './workspace.js'

/**
 * Makes an earlier text the next step of the operator's draft, so that it can be reviewed, changed and undone. Items that are
 * still there stay the same items; those that come back bring their form and their comments.
 *
 * @param id one of those that the history of the file lists
 */
export async function restoreToDraft(
  workspace: Workspace,
  operator: Operator,
  { file, id }: { readonly file: string; readonly id: string },
): Promise<void> {
  const { bytes } = await findText(workspace, file, id)
  const menu = findEdited(workspace, operator, file)
  takeText(workspace, operator, menu, readDocument(file, bytes, workspace.config.options.limits), id)
}

/** Makes what the draft began with its next step, so that discarding it can be undone. */
export function clearDraft(workspace: Workspace, operator: Operator, menu: EditedMenu): void {
  const { file, base, draft, state } = menu
  takeText(workspace, operator, menu, base, state)
  recordDiscard(workspace, operator, { user: operator.id, path: file }, draft?.steps.position ?? 0)
}

function takeText(
  workspace: Workspace,
  operator: Operator,
  menu: EditedMenu,
  document: MenuDocument,
  wish: string,
): void {
  const { bytes, value } = toReadable(document)
  // A form that is sent twice is one step.
  if (isEqual(menu.change.value, value)) return
  const acted = { operations: [{ op: 'replace', path: '', value }], pointer: '' } as const
  const here = changeAfter(menu, acted)?.origins
  const returned = placedItems(value).flatMap(({ pointer }) => (here?.has(pointer) ? [] : [pointer]))
  const { state } = menu
  const { fault } = takeStep(
    workspace,
    operator.id,
    menu,
    { state, wish: `restore ${wish}` },
    () => done(acted),
    () => ({ source: { bytes, pointers: new Map(returned.map((pointer) => [pointer, pointer])) } }),
  )
  if (fault !== null) throw new Refusal('uneditable')
}
