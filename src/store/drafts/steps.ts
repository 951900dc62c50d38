import type { Change, ItemOrigin } from '../../change/change.js'
import { changeInPlace } from '../../change/change.js'
import { type Applied, applyOperations } from '../../change/operations/apply.js'
import type { Operation, OperationFault } from '../../change/operations/operation.js'
import type { Json, JsonMap } from '../../model/json.js'
import { type Limits, toYamlLimits } from '../../model/limits.js'
import { done, type Result } from '../../model/result.js'

/** One step of a draft: operations, or a merge with what the file has become meanwhile, which is the base from then on. */
export type Step =
  | { readonly kind: 'edit'; readonly operations: readonly Operation[] }
  | {
      readonly kind: 'rebase'
      /** The name of the text that is the new base. */
      readonly base: string
      readonly value: JsonMap
      /** Where its items come from in that base, by their pointers. */
      readonly origins: Readonly<Record<string, string>>
    }

/** The steps of a draft, of which those behind the position are undone. */
export interface Steps {
  readonly all: readonly Step[]
  readonly position: number
}

export const NO_STEPS: Steps = { all: [], position: 0 }

/** The steps with one more; what was undone is dropped. */
export function withStep({ all, position }: Steps, step: Step): Steps {
  return { all: [...all.slice(0, position), step], position: position + 1 }
}

/** The steps with the last one undone, or the first undone one done again; null where there is none. */
export function moved({ all, position }: Steps, by: -1 | 1): Steps | null {
  const next = position + by
  return next < 0 || next > all.length ? null : { all, position: next }
}

/** The name of the text that the steps start from: that of the last merge, else `first`. */
export function baseName({ all, position }: Steps, first: string): string {
  const rebased = all.slice(0, position).findLast((step) => step.kind === 'rebase')
  return rebased?.base ?? first
}

/** What the steps of a draft made so far; without `work` where they were no operations. */
export type Made = Change & Partial<Pick<Applied, 'work'>>

/** What further operations make of it: the same as all at once would. */
export function withOperations(
  { value, origins, work }: Made,
  operations: readonly Operation[],
  limits: Limits,
): Result<Made, OperationFault> {
  return applyOperations(value, operations, toYamlLimits(limits), origins, work)
}

/** What the steps make of the value of their base. */
export function toChange({ all, position }: Steps, base: Json, limits: Limits): Result<Made, OperationFault> {
  const taken = all.slice(0, position)
  const from = taken.findLastIndex(({ kind }) => kind === 'rebase')
  const operations = taken.slice(from + 1).flatMap((step) => (step.kind === 'edit' ? step.operations : []))
  const start = startOf(taken[from], base)
  return operations.length === 0 ? done(start) : withOperations(start, operations, limits)
}

function startOf(step: Step | undefined, base: Json): Change {
  if (step?.kind !== 'rebase') return changeInPlace(base)
  const origins = Object.entries(step.origins).map(([pointer, from]): [string, ItemOrigin] => [
    pointer,
    { side: 'base', pointer: from },
  ])
  return { value: step.value, origins: new Map(origins) }
}
