import type { Change, ItemOrigin } from '../../change/change.js'
import { changeInPlace } from '../../change/change.js'
import { type Applied, applyOperations, progressOf } from '../../change/operations/apply.js'
import type { Operation, OperationFault } from '../../change/operations/operation.js'
import type { Json, JsonMap } from '../../model/json.js'
import { type Limits, toYamlLimits } from '../../model/limits.js'
import { done, type Result } from '../../model/result.js'

/** One step of a draft: operations, or a merge with what the file has become meanwhile, which is the base from then on. */
export type Step =
  | {
      readonly kind: 'edit'
      readonly operations: readonly Operation[]
      /** Where items come from that the operations added from another text. */
      readonly origins?: Origins
      /** The other half of it, if it moved items from or to another menu. */
      readonly transfer?: Transfer
    }
  | {
      readonly kind: 'rebase'
      /** The name of the text that is the new base. */
      readonly base: string
      readonly value: JsonMap
      readonly origins: Origins
      /** True where it put aside what the step before it made; false where an operator has decided about that. */
      readonly aside?: boolean
    }

/** A move between two menus, each of whose drafts has a step with it. */
export interface Transfer {
  /** The other menu, relative to the menus folder, with `/`. */
  readonly file: string
  /** Identifies the move in both drafts. */
  readonly id: string
}

/** Where items come from, by their pointers: pointers in the base, or in another text behind its name and an `@`. */
type Origins = Readonly<Record<string, string>>

/** The side of items that come from a text of a draft that is not its base. */
export function sideOf(name: string): string {
  return `@${name}`
}

/** The names of the texts beside the base that a change draws from. */
export function textsOf({ origins }: Change): readonly string[] {
  const sides = new Set([...origins.values()].map(({ side }) => side))
  return [...sides].flatMap((side) => (side.startsWith('@') ? side.slice(1) : []))
}

/** The form in which a step keeps origins. */
export function toOrigins(origins: Change['origins']): Origins {
  return Object.fromEntries(
    [...origins].map(([at, { side, pointer }]) => [at, side === 'base' ? pointer : side + pointer]),
  )
}

function fromOrigins(origins: Origins): readonly [string, ItemOrigin][] {
  return Object.entries(origins).map(([at, from]) => {
    const start = from.indexOf('/')
    return [at, { side: from.slice(0, start) || 'base', pointer: from.slice(start) }]
  })
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

/** The steps with the last one undone, or the first undone one redone; null where there is none. */
export function moved({ all, position }: Steps, by: -1 | 1): Steps | null {
  const next = position + by
  return next < 0 || next > all.length ? null : { all, position: next }
}

/** The steps up to the version of a draft that a merge put aside; null where there is none, or the operator has decided. */
export function asideOf({ all, position }: Steps): Steps | null {
  const at = all.findLastIndex(
    (step, each) => each < position && step.kind === 'rebase' && step.aside !== undefined,
  )
  const step = all[at]
  return step?.kind === 'rebase' && step.aside === true ? { all, position: at } : null
}

/** The name of the text that a draft began with. */
export const FIRST_BASE = 'base'

/** The name of the text that the steps start from: that of the last merge, or the first one. */
export function baseName({ all, position }: Steps): string {
  const rebased = all.slice(0, position).findLast((step) => step.kind === 'rebase')
  return rebased?.base ?? FIRST_BASE
}

/** What the steps of a draft made so far; without `progress` where they were no operations. */
export type Made = Change & Partial<Pick<Applied, 'progress'>>

/** What further operations make of it: the same as all at once would. */
export function withOperations(
  made: Made,
  base: Json,
  operations: readonly Operation[],
  limits: Limits,
  origins: Origins = {},
): Result<Made, OperationFault> {
  const most = toYamlLimits(limits)
  const before = made.progress ?? progressOf(made, base, most)
  const applied = applyOperations(made.value, operations, most, before)
  const added = fromOrigins(origins)
  if (applied.fault !== null || added.length === 0) return applied
  const { value, progress } = applied.value
  const next = { ...progress, origins: new Map([...progress.origins, ...added]) }
  return done({ value, origins: new Map([...applied.value.origins, ...added]), progress: next })
}

/** What the steps make of the value of their base. */
export function toChange({ all, position }: Steps, base: Json, limits: Limits): Result<Made, OperationFault> {
  const taken = all.slice(0, position)
  const from = taken.findLastIndex(({ kind }) => kind === 'rebase')
  let made: Made = startOf(taken[from], base)
  let operations: Operation[] = []
  for (const [at, step] of taken.entries()) {
    if (at <= from || step.kind !== 'edit') continue
    for (const each of step.operations) operations.push(each)
    const isLast = at === taken.length - 1
    if (!isLast && step.origins === undefined) continue
    const next = withOperations(made, base, operations, limits, step.origins)
    if (next.fault !== null) return next
    made = next.value
    operations = []
  }
  return done(made)
}

function startOf(step: Step | undefined, base: Json): Change {
  if (step?.kind !== 'rebase') return changeInPlace(base)
  return { value: step.value, origins: new Map(fromOrigins(step.origins)) }
}
