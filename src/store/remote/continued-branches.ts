import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMap, type Json } from '../../model/json.js'
import { isGone } from '../entry.js'
import type { State } from '../state.js'
import type { SeenBranch } from './propose.js'

/** Which branch a draft continues, by the id of the draft. Throws file system errors. */
export interface ContinuedBranches {
  /** Null for a draft that continues none. */
  readonly of: (draft: string) => SeenBranch | null
  readonly set: (draft: string, seen: SeenBranch) => void
}

const NAME = 'continued.json'
/** Drafts that are remembered: more than there can be at a time. */
const MAX_DRAFTS = 2_000

/** Opens what is kept in the state folder; what cannot be read there counts as nothing. */
export function openContinued({ dir, write }: Pick<State, 'dir' | 'write'>): ContinuedBranches {
  const read = (): Record<string, Json> => {
    try {
      const value: unknown = JSON.parse(readFileSync(join(dir, NAME), 'utf8'))
      return isMap(value as Json) ? (value as Record<string, Json>) : {}
    } catch (thrown) {
      if (!isGone(thrown) && !(thrown instanceof SyntaxError)) throw thrown
      return {}
    }
  }
  return {
    of: (draft) => {
      const { [draft]: seen = null } = read()
      if (!isMap(seen)) return null
      const { branch, commit } = seen
      return typeof branch === 'string' && typeof commit === 'string' ? { branch, commit } : null
    },
    set: (draft, seen) => {
      const { [draft]: _, ...others } = read()
      const entries = [...Object.entries(others), [draft, seen]].slice(-MAX_DRAFTS)
      write(NAME, JSON.stringify(Object.fromEntries(entries)))
    },
  }
}

/** Where nothing can be kept. */
export const NOT_CONTINUED: ContinuedBranches = { of: () => null, set: () => {} }
