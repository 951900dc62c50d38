import { findItem } from '../../../change/actions/action.js'
import { toName } from '../../../change/actions/outcome.js'
import { labelChain } from '../../../model/locale.js'
import type { Draft } from '../../../store/drafts/read-draft.js'
import type { Step, Transfer } from '../../../store/drafts/steps.js'
import { type EditedMenu, findEdited } from '../../deeds/edited-menu.js'
import { turnBack } from '../../deeds/steps.js'
import type { Workspace } from '../../deeds/workspace.js'
import { toMap } from '../../forms/typed-text.js'
import type { Call } from '../../page.js'
import { attempt } from '../../refusal.js'
import { createPathTo } from '../path-to.js'
import { turnedIn } from './turned-step.js'

/** What is said of a move from or to another menu, and where that menu is. */
export interface TransferNotice {
  readonly text: string
  readonly link?: { readonly href: string; readonly text: string }
}

/** Says what came from another menu by the last step, and which draft waits there; null where that is not so any more. */
export async function describeTransfer(
  workspace: Workspace,
  call: Call,
  { draft, items }: EditedMenu,
): Promise<TransferNotice | null> {
  const { query, t } = call
  const item = findItem(items, query.get('at') ?? '')
  const last = draft?.steps.all[draft.steps.position - 1]
  if (item === null || last?.kind !== 'edit') return null
  if (!last.operations.some((each) => each.op === 'add' && each.path === item.pointer)) return null
  const transfer = transferOf(last)
  const isMove = query.get('did') === 'moved-in'
  if (isMove !== (transfer !== null)) return null
  const other = await findOther(workspace, call, transfer?.file ?? query.get('from') ?? '')
  if (other === null) return null
  const from = nameOf(other)
  const name = toName(item.item, t.actions, labelChain(t.lang, workspace.settings.locales))
  const count = Number(query.get('count')) || 1
  const [one, all] = isMove
    ? [t.editor.movedIn, t.editor.movedInAll]
    : [t.editor.copiedIn, t.editor.copiedInAll]
  const text = count > 1 ? t.fill(all, { count, from }) : t.fill(one, { name, from })
  if (transfer === null) return { text }
  if (stateOf(transfer, other) !== 'done') return null
  const href = createPathTo(workspace.home)('review', other.file)
  return { text, link: { href, text: t.fill(t.editor.reviewOf, { from }) } }
}

/**
 * Undoes or redoes in the other menu, too, what was just undone or redone of a move; nothing where its draft has gone on or is
 * gone. `describeOther` says what came of it.
 */
export async function turnOther(
  workspace: Workspace,
  call: Call,
  draft: Draft,
  way: 'undo' | 'redo',
): Promise<void> {
  const transfer = transferOf(turnedIn(draft, way))
  const other = transfer && (await findOther(workspace, call, transfer.file))
  if (!other?.draft) return
  const { all, position } = other.draft.steps
  const next = transferOf(all[way === 'undo' ? position - 1 : position])
  if (next?.id === transfer?.id)
    turnBack(workspace, call.operator.id, other, { state: other.state, wish: way }, way)
}

/** Says whether the other half of a move that was undone or redone is so, too, and what is where if not; null for another step. */
export async function describeOther(
  workspace: Workspace,
  call: Call,
  draft: Draft,
  way: 'undo' | 'redo',
): Promise<TransferNotice | null> {
  const { t } = call
  const step = turnedIn(draft, way)
  const transfer = transferOf(step)
  if (transfer === null) return null
  const other = await findOther(workspace, call, transfer.file)
  const from = other === null ? transfer.file : nameOf(other)
  const state = other === null ? 'gone' : stateOf(transfer, other)
  if (state === (way === 'undo' ? 'undone' : 'done'))
    return { text: t.fill(t.editor.otherHalf[way], { from }) }
  const isTarget = step?.kind === 'edit' && step.operations.some(({ op }) => op === 'add')
  const kind = state === 'gone' ? state : isTarget === (way === 'undo') ? 'missing' : 'doubled'
  const text = t.fill(t.editor.otherHalf[kind], { from })
  if (other === null) return { text }
  const href = createPathTo(workspace.home)('edit', other.file)
  return { text, link: { href, text: t.fill(t.editor.otherHalf.open, { from }) } }
}

/** What became of the step of a move in the draft of the other menu. */
function stateOf({ id }: Transfer, { draft }: EditedMenu): 'done' | 'undone' | 'gone' {
  const { all, position } = draft?.steps ?? { all: [], position: 0 }
  const at = all.findIndex((step) => transferOf(step)?.id === id)
  const isReplaced = all.slice(at + 1, position).some(replacesAll)
  return at === -1 || isReplaced ? 'gone' : at < position ? 'done' : 'undone'
}

/** Whether nothing stays of what was before a step, as where a draft is discarded or an earlier version put into it. */
function replacesAll(step: Step): boolean {
  return step.kind === 'edit' && step.operations.some(({ op, path }) => op === 'replace' && path === '')
}

function transferOf(step: Step | undefined): Transfer | null {
  return step?.kind === 'edit' ? (step.transfer ?? null) : null
}

/** The other menu; null where it cannot be edited by now. */
async function findOther(workspace: Workspace, { operator }: Call, file: string): Promise<EditedMenu | null> {
  return (await attempt(() => findEdited(workspace, operator, file))).value
}

/** What a menu is called, as its draft has it. */
function nameOf({ change, file }: EditedMenu): string {
  return String(toMap(change.value)['name'] ?? file)
}
