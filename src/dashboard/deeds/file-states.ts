import type { Snapshot } from '../../model/snapshot.js'
import type { Draft } from '../../store/drafts/open-drafts.js'
import { countChanges } from './draft-changes.js'

/** How a menu file takes part in what is served: not at all, by its last version without an error, or as it is. */
export type FileState = 'withheld' | 'last-good' | 'served'

/** The state of a menu file in a snapshot. */
export function stateOf({ served }: Snapshot, path: string): FileState {
  const claim = served.get(path)
  return claim === undefined ? 'withheld' : claim.stale ? 'last-good' : 'served'
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
}[] {
  return drafts
    .filter(({ steps }) => steps.position > 0)
    .map((draft) => {
      const { path, user, changed, revision, steps } = draft
      return { file: path, user, changed, revision, steps: steps.position, changes: countChanges(draft) }
    })
}
