import type { Snapshot } from '../../model/snapshot.js'
import type { Draft } from '../../store/drafts/read-draft.js'
import { countChanges } from './draft-changes.js'

/** How a menu file takes part in what is served: not at all, by its last version without an error, or as it is. */
export type FileState = 'withheld' | 'last-good' | 'served'

/** The state of a menu file in a snapshot. */
export function stateOf({ served }: Snapshot, path: string): FileState {
  const claim = served.get(path)
  return claim === undefined ? 'withheld' : claim.stale ? 'last-good' : 'served'
}

/** After a change, a user counts as editing for this long, in milliseconds. */
const ACTIVE_MS = 120_000

export function isActive({ changed }: Pick<Draft, 'changed'>): boolean {
  return Date.now() - changed < ACTIVE_MS
}

/** The drafts that change something, as others see them. */
export function toEditors(drafts: readonly Draft[]): readonly {
  readonly file: string
  readonly user: string
  readonly changed: number
  readonly steps: number
  /** What a publish of it would change. */
  readonly changes: number
  readonly revision: number
  /** Whether the last change is recent. */
  readonly active: boolean
}[] {
  return drafts
    .filter(({ steps }) => steps.position > 0)
    .map((draft) => {
      const { path, user, changed, revision, steps } = draft
      const own = { file: path, user, changed, revision, steps: steps.position }
      return { ...own, changes: countChanges(draft), active: isActive(draft) }
    })
}
