import { findItem } from '../../../change/actions/action.js'
import { toName } from '../../../change/actions/outcome.js'
import { labelChain } from '../../../model/locale.js'
import { type EditedMenu, findEdited } from '../../deeds/edited-menu.js'
import { turnBack } from '../../deeds/steps.js'
import type { Workspace } from '../../deeds/workspace.js'
import { toMap } from '../../forms/typed-text.js'
import type { Call, Fields } from '../../page.js'
import { attempt } from '../../refusal.js'
import { createPathTo } from '../path-to.js'

/** What came from another menu, and how an undo takes it back there, too. */
export interface TransferNotice {
  readonly text: string
  readonly link?: { readonly href: string; readonly text: string }
  /** What the form sends with its undo; null where nothing left the other menu. */
  readonly both: Readonly<Record<'otherFile' | 'otherStates', string>> | null
}

/** Says what came from another menu by the last step, and which draft waits there; null where that is not so any more. */
export async function describeTransfer(
  workspace: Workspace,
  { query, operator, t }: Call,
  { draft, items, state }: EditedMenu,
): Promise<TransferNotice | null> {
  const item = findItem(items, query.get('at') ?? '')
  const last = lastOperations(draft)
  if (item === null || !last.some((each) => each.op === 'add' && each.path === item.pointer)) return null
  // It may be impossible to edit that menu by now.
  const { value: other } = await attempt(() => findEdited(workspace, operator, query.get('from') ?? ''))
  if (other === null) return null
  const from = nameOf(other)
  const name = toName(item.item, t.actions, labelChain(t.lang, workspace.settings.locales))
  const count = Number(query.get('count')) || 1
  if (query.get('did') === 'copied-in') {
    const text =
      count > 1 ? t.fill(t.editor.copiedInAll, { count, from }) : t.fill(t.editor.copiedIn, { name, from })
    return { text, both: null }
  }
  const left = lastOperations(other.draft)
  if (left.length === 0 || left.some(({ op }) => op !== 'remove')) return null
  const href = createPathTo(workspace.home)('review', other.file)
  return {
    text: count > 1 ? t.fill(t.editor.movedInAll, { count, from }) : t.fill(t.editor.movedIn, { name, from }),
    link: { href, text: t.fill(t.editor.reviewOf, { from }) },
    both: { otherFile: other.file, otherStates: `${state} ${other.state}` },
  }
}

/** Undoes in the other menu what its draft lost by the step that was just undone; its name, and whether it could be. */
export async function undoThere(
  workspace: Workspace,
  { operator }: Call,
  form: Fields,
): Promise<{ readonly other: string; readonly back: 'both' | 'here' } | null> {
  const other = form.get('otherFile') ?? ''
  const [here, there] = (form.get('otherStates') ?? '').split(' ')
  // After further steps, another one was undone.
  if (other === '' || here !== form.get('state')) return null
  const { value: menu } = await attempt(() => findEdited(workspace, operator, other))
  const wish = { state: there ?? '', wish: 'undo' }
  const isDone = menu?.state === there && menu !== null
  const step = isDone ? turnBack(workspace, operator.id, menu, wish, 'undo') : null
  return { other, back: step?.fault === null ? 'both' : 'here' }
}

/** What a menu is called, as its draft has it. */
export function nameOf({ change, file }: EditedMenu): string {
  return String(toMap(change.value)['name'] ?? file)
}

function lastOperations(draft: EditedMenu['draft']) {
  const step = draft?.steps.all[draft.steps.position - 1]
  return step?.kind === 'edit' ? step.operations : []
}
