import { placedItems } from '../../change/items.js'
import { readDocument } from '../../document/menu-document.js'
import { isEqual } from '../../model/json.js'
import { done } from '../../model/result.js'
import type { Operator } from '../access/operator.js'
import { Refusal } from '../refusal.js'
import { findEdited } from './edited-menu.js'
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
  const { value } = toReadable(readDocument(file, bytes, workspace.config.options.limits))
  const menu = findEdited(workspace, operator, file)
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
    { state, wish: `restore ${id}` },
    () => done(acted),
    () => ({ source: { bytes, pointers: new Map(returned.map((pointer) => [pointer, pointer])) } }),
  )
  if (fault !== null) throw new Refusal('uneditable')
}
