import type { Acted } from '../../change/actions/refusal.js'
import { restoreItem } from '../../change/branch.js'
import { placedItems } from '../../change/items.js'
import { type MenuDocument, readDocument } from '../../document/menu-document.js'
import { isEqual, type Json } from '../../model/json.js'
import { done } from '../../model/result.js'
import type { Beyond } from '../../store/drafts/next.js'
import type { Operator } from '../access/operator.js'
import { Refusal } from '../refusal.js'
import { recordDiscard } from './drafts.js'
import { type EditedMenu, findEdited } from './edited-menu.js'
import { findText } from './history.js'
import { changeAfter, takeStep } from './steps.js'
import { toReadable, type Workspace } from './workspace.js'

/**
 * Makes an earlier text, or one item of it, the next step of the operator's draft, so that it can be reviewed, changed and
 * undone. Items that are still there stay the same items; those that come back bring their form and their comments.
 *
 * @param id one of those that the history of the file lists
 * @param pointer of an item in that text; null for all of it
 */
export async function restoreToDraft(
  workspace: Workspace,
  operator: Operator,
  { file, id, pointer }: { readonly file: string; readonly id: string; readonly pointer: string | null },
): Promise<void> {
  const { bytes } = await findText(workspace, file, id)
  const menu = findEdited(workspace, operator, file)
  const earlier = toReadable(readDocument(file, bytes, workspace.config.options.limits))
  if (pointer === null) return takeText(workspace, operator, menu, earlier, id)
  const { value: change, fault } = restoreItem(earlier.value, menu.change.value, pointer)
  if (fault !== null) throw new Refusal(fault, { pointer })
  const back = [...change.origins].filter(([, { side }]) => side === 'theirs')
  const pointers = new Map(back.map(([now, { pointer: then }]) => [now, then]))
  takeValue(workspace, operator, menu, change.value, { bytes, pointers }, `${id} ${pointer}`)
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
  const here = changeAfter(menu, toActed(value))?.origins
  const returned = placedItems(value).flatMap(({ pointer }) => (here?.has(pointer) ? [] : [pointer]))
  const pointers = new Map(returned.map((pointer) => [pointer, pointer]))
  takeValue(workspace, operator, menu, value, { bytes, pointers }, wish)
}

/** @param source the text that items come back from, and where they are in it, by where they are now */
function takeValue(
  workspace: Workspace,
  operator: Operator,
  menu: EditedMenu,
  value: Json,
  source: NonNullable<Beyond['source']>,
  wish: string,
): void {
  // A form that is sent twice is one step.
  if (isEqual(menu.change.value, value)) return
  const { fault } = takeStep(
    workspace,
    operator.id,
    menu,
    { state: menu.state, wish: `restore ${wish}` },
    () => done(toActed(value)),
    () => ({ source }),
  )
  if (fault !== null) throw new Refusal('uneditable')
}

function toActed(value: Json): Acted {
  return { operations: [{ op: 'replace', path: '', value }], pointer: '' }
}
