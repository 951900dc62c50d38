import type { Acted, Refusal as ActionRefusal } from '../../change/actions/refusal.js'
import type { Change } from '../../change/change.js'
import type { Operation } from '../../change/operations/operation.js'
import { writeChange } from '../../document/edit/write-change.js'
import { isError, type Problem } from '../../model/problem.js'
import { done, failed, type Result } from '../../model/result.js'
import type { Beyond } from '../../store/drafts/next.js'
import type { DraftFault } from '../../store/drafts/open-drafts.js'
import type { Draft } from '../../store/drafts/read-draft.js'
import { withOperations } from '../../store/drafts/steps.js'
import { contentHash } from '../../store/hash.js'
import { nextTurn } from '../../store/pause.js'
import type { Operator } from '../access/operator.js'
import { Refusal } from '../refusal.js'
import { needRoomFor, startDraft } from './drafts.js'
import { type EditedMenu, findEdited } from './edited-menu.js'
import { toDraftProblem } from './faults.js'
import type { Workspace } from './workspace.js'

/**
 * Why a step was not taken: it is impossible, or the page was of another state, because another tab changed the draft, or
 * somebody the file.
 */
export type StepFault = ActionRefusal | 'stale'

/** What a form wants: `state` is that of its page, `wish` tells it from the other forms of that page. */
export interface Wish {
  readonly state: string
  readonly wish: string
  /** Identifies the step wherever it is sent from. Default: the state and the wish do. */
  readonly key?: string | undefined
}

function keyOf({ state, wish, key }: Wish): string {
  return contentHash(key === undefined ? `${state} ${wish}` : `key ${key}`)
}

/** The draft after a step, and where its item is; null where that is not known. */
export interface Step {
  readonly draft: Draft
  readonly pointer: string | null
}

/**
 * Takes one step of the draft of an operator; the first step starts it. A form that is sent twice is one step: its state and
 * what it wants are the key. `toActed` is not called for the second one, whose pointer is null.
 *
 * @param beyondOf what the step has to do with another menu
 */
export function takeStep(
  workspace: Workspace,
  user: string,
  menu: EditedMenu,
  wish: Wish,
  toActed: () => Result<Acted, ActionRefusal>,
  beyondOf: (acted: Acted) => Beyond = () => ({}),
): Result<Step, StepFault> {
  const key = keyOf(wish)
  if (wish.state !== menu.state || wish.key !== undefined) {
    const { draft } = menu
    const again = draft && workspace.drafts.edit({ id: draft.id, user, revision: NEVER, key }, [])
    if (again?.value) return done({ draft: again.value, pointer: null })
    if (wish.state !== menu.state) return failed('stale')
  }
  const { value: acted, fault: refusal } = toActed()
  if (refusal !== null) return failed(refusal)
  const { value: draft, fault } = menu.draft ? done(menu.draft) : startDraft(workspace, user, menu.base)
  if (fault !== null) return failed(toStale(fault))
  const ref = { id: draft.id, user, revision: draft.revision, key }
  return toStep(workspace.drafts.edit(ref, acted.operations, beyondOf(acted)), acted.pointer)
}

/** What a step would make of the menu; null where it cannot be applied. */
export function changeAfter({ base, change }: EditedMenu, { operations }: Acted): Change | null {
  return withOperations(change, base.value ?? {}, operations, base.limits).value
}

/** What would be wrong with the menu after a step, as `lint` judges the file. */
export function errorsAfter(workspace: Workspace, menu: EditedMenu, acted: Acted): readonly Problem[] {
  const change = changeAfter(menu, acted)
  const written = change && writeChange(menu.base, change, menu.draft?.texts).value
  return written ? workspace.store.judge(written).problems.filter(isError) : []
}

/** Undoes or redoes a step of the draft. */
export function turnBack(
  { drafts }: Workspace,
  user: string,
  { draft, state: now }: EditedMenu,
  wish: Wish,
  way: 'undo' | 'redo',
): Result<Step, StepFault> {
  if (draft === null) return failed('stale')
  const revision = wish.state === now ? draft.revision : NEVER
  return toStep(drafts[way]({ id: draft.id, user, revision, key: keyOf(wish) }), null)
}

/** A revision that no draft has: only what was done already is answered. */
const NEVER = -1

function toStep(
  { value: draft, fault }: Result<Draft, DraftFault>,
  pointer: Step['pointer'],
): Result<Step, 'stale'> {
  return fault === null ? done({ draft, pointer }) : failed(toStale(fault))
}

/** What was changed or is gone; throws for any other fault. */
function toStale(fault: DraftFault): 'stale' {
  if (fault.reason === 'changed' || fault.reason === 'gone') return 'stale'
  throw new Refusal(toDraftProblem(fault))
}

/** Makes what was planned a step of each draft; throws before the first one where a draft has changed, or there are too many. */
export async function addToDrafts(
  workspace: Workspace,
  operator: Operator,
  plan: {
    readonly edits: readonly {
      readonly file: string
      readonly base: EditedMenu
      readonly operations: readonly Operation[]
    }[]
    /** Identifies the plan. */
    readonly version: string
  },
): Promise<void> {
  const { edits, version: wish } = plan
  const find = ({ file, base: { state } }: (typeof edits)[number]): EditedMenu => {
    const menu = findEdited(workspace, operator, file, state)
    if (menu.state !== state) throw new Refusal('plan-changed')
    return menu
  }
  const files = edits.map((edit) => find(edit).file)
  needRoomFor(workspace, operator.id, files)
  for (const edit of edits) {
    const menu = find(edit)
    const acted = done({ operations: edit.operations, pointer: '' })
    const { fault } = takeStep(workspace, operator.id, menu, { state: menu.state, wish }, () => acted)
    if (fault !== null) throw new Refusal('plan-changed')
    await nextTurn()
  }
}
