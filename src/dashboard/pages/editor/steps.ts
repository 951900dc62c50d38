import type { Acted, Refusal } from '../../../change/actions/refusal.js'
import type { Change } from '../../../change/change.js'
import { applyOperations } from '../../../change/operations/apply.js'
import { toYamlLimits } from '../../../model/limits.js'
import { done, failed, type Result } from '../../../model/result.js'
import type { Draft, DraftFault, DraftRef } from '../../../store/drafts/open-drafts.js'
import { contentHash } from '../../../store/hash.js'
import type { HttpProblem } from '../../../web/problem-json.js'
import { startDraft } from '../../api/drafts.js'
import type { Editing } from '../../api/editing.js'
import { toDraftProblem } from '../../api/faults.js'
import type { EditedMenu } from './edited-menu.js'

/** Why a step was not taken. */
export type StepFault =
  /** The page was of another state: another tab changed the draft, or somebody the file. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'problem'; readonly problem: HttpProblem }

/** What a form wants: `state` is that of its page, `wish` tells it from the other forms of that page. */
export interface Wish {
  readonly state: string
  readonly wish: string
}

type Taken = Result<{ readonly draft: Draft; readonly pointer: string | null }, StepFault>

/**
 * Takes one step of the draft of an operator; the first step starts it. A form that is sent twice is one step: its state and
 * what it wants are the key. `toActed` is not called for the second one, whose pointer is null.
 */
export function takeStep(
  editing: Editing,
  user: string,
  menu: EditedMenu,
  { state, wish }: Wish,
  toActed: () => Result<Acted, Refusal>,
): Taken {
  const key = contentHash(`${state} ${wish}`)
  if (state !== menu.state) {
    const { draft } = menu
    const again = draft && editing.drafts.edit({ id: draft.id, user, revision: NEVER, key }, [])
    return again?.value ? done({ draft: again.value, pointer: null }) : failed({ kind: 'stale' })
  }
  const { value: acted, fault: refusal } = toActed()
  if (refusal !== null) return failed({ kind: 'refused', refusal })
  const { value: ref, fault } = refOf(editing, user, menu, key)
  if (fault !== null) return failed(toFault(fault))
  const edited = editing.drafts.edit(ref, acted.operations)
  return edited.fault === null
    ? done({ draft: edited.value, pointer: acted.pointer })
    : failed(toFault(edited.fault))
}

/** What a step would make of the menu; null where it cannot be applied. */
export function changeAfter({ base, change }: EditedMenu, { operations }: Acted): Change | null {
  return applyOperations(change.value, operations, toYamlLimits(base.limits), change.origins).value
}

/** Undoes or redoes a step of the draft. */
export function turnBack(
  { drafts }: Editing,
  user: string,
  { draft, state: now }: EditedMenu,
  { state, wish }: Wish,
  way: 'undo' | 'redo',
): Taken {
  if (draft === null) return failed({ kind: 'stale' })
  const revision = state === now ? draft.revision : NEVER
  const key = contentHash(`${state} ${wish}`)
  const turned = drafts[way]({ id: draft.id, user, revision, key })
  return turned.fault === null ? done({ draft: turned.value, pointer: null }) : failed(toFault(turned.fault))
}

/** A revision that no draft has: only what was done already is answered. */
const NEVER = -1

/** The draft that a step is added to. */
function refOf(
  editing: Editing,
  user: string,
  { draft, base }: EditedMenu,
  key: string,
): Result<DraftRef, DraftFault> {
  if (draft !== null) return done({ id: draft.id, user, revision: draft.revision, key })
  const { value: opened, fault } = startDraft(editing, user, base)
  return fault === null ? done({ id: opened.id, user, revision: opened.revision, key }) : failed(fault)
}

function toFault(fault: DraftFault): StepFault {
  return fault.reason === 'changed' || fault.reason === 'gone'
    ? { kind: 'stale' }
    : { kind: 'problem', problem: toDraftProblem(fault) }
}
