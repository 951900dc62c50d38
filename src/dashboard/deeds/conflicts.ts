import type { Side, ThreeOf } from '../../change/change.js'
import type { Ask, Conflict } from '../../change/merge/conflict.js'
import type { Json } from '../../model/json.js'
import { describeConflict } from '../../review/merge/conflict-text.js'
import { contentHash } from '../../store/hash.js'
import type { PublishFault } from '../../store/publish/plan.js'

/** Identifies a conflict among those of one merge. */
export function conflictKey({ kind, base, mine, theirs, field }: Conflict): string {
  return contentHash(JSON.stringify([kind, base, mine, theirs, field])).slice(0, 12)
}

/** A conflict for people who choose: `what` in English, and all that other words can be made of. */
export interface DescribedConflict extends Omit<Conflict, 'values'> {
  readonly id: string
  readonly what: string
  /** A value that is absent is null. */
  readonly values: ThreeOf<Json>
}

/**
 * The conflicts of a publish: those that these choices lead to, and those that come with the file's side of each. A branch
 * that was deleted, for example, can be shown to too many viewers only if it is kept.
 */
export function describeConflicts(
  fault: PublishFault & { readonly reason: 'conflict' },
  choices: ReadonlyMap<string, Side> = new Map(),
): {
  readonly version: string
  readonly conflicts: readonly DescribedConflict[]
} {
  const { merged, theirs, base } = fault
  const all = [merged.choosing(byChoices(choices, [])), merged.choosing(() => 'theirs')]
  const conflicts = new Map(
    all.flatMap((each) => each.conflicts.map((conflict) => [conflictKey(conflict), conflict] as const)),
  )
  const values = { base: base.value ?? {}, mine: fault.mine, theirs: theirs.value ?? {} }
  return {
    version: contentHash(theirs.bytes),
    conflicts: [...conflicts].map(([id, conflict]) => {
      const { values: _, ...place } = conflict
      const valueIn = (side: keyof typeof values): Json => conflict.values[side] ?? null
      return {
        ...{ id, ...place },
        what: describeConflict(conflict, values),
        values: { base: valueIn('base'), mine: valueIn('mine'), theirs: valueIn('theirs') },
      }
    }),
  }
}

/** Decides conflicts by choices, by their ids, and others by `rest`; `missed` collects undecided ones. */
export function byChoices(choices: ReadonlyMap<string, Side>, missed: Conflict[], rest?: Side): Ask {
  return (conflict) => {
    const side = choices.get(conflictKey(conflict)) ?? rest
    if (side === undefined) missed.push(conflict)
    return side ?? 'mine'
  }
}
