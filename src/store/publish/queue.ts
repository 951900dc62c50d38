import type { Problem } from '../../model/problem.js'
import { failed, type Result } from '../../model/result.js'
import type { CommitOutcome } from '../git/commit.js'
import type { Edit, Published, PublishFault } from './plan.js'

/** What led to edits, for the message of their commit. */
export type Occasion =
  /** `merge`: a draft was put on what others had made of the file since. */
  | { readonly kind: 'edit' | 'import' | 'merge' }
  /** `version` is what was restored, or of which an item was, in words such as `2026-03-01`. */
  | { readonly kind: 'restore'; readonly version: string; readonly isItem?: boolean }

export interface PublishRequest {
  /** Who publishes, for the versions that are kept. */
  readonly author: string
  /** Default: an edit, or a merge where the file has changed since. */
  readonly occasion?: Occasion
  /** Validates the request without writing. */
  readonly isDry?: boolean
}

/** What became of edits. */
export interface Publication {
  readonly files: readonly Published[]
  /** The warnings of these files. */
  readonly problems: readonly Problem[]
  /** What became of their commit; null without git. */
  readonly commit: CommitOutcome | null
}

/** What became of edits, or why nothing was written. */
export type PublishOutcome = Result<Publication, PublishFault>

/** Publishes edits of different files, all or none. */
export type Publish = (edits: readonly Edit[], request: PublishRequest) => Promise<PublishOutcome>

/** Writes menu files, one publish after the other. Dry runs, and what git does, wait for none. */
export interface Publisher {
  readonly publish: Publish
  /** Waits for the publishes that have begun; later ones are refused. */
  readonly close: () => Promise<void>
}

/** Publishes that run or wait; each holds a text in memory. */
const MAX_WAITING = 200

/** Bounds how many publishes run or wait, and refuses those that come after the end. */
export function createPublishQueue(publish: Publish): Publisher {
  const running = new Set<Promise<unknown>>()
  let isClosed = false
  return {
    publish: async (edits, request) => {
      const path = edits[0]?.path ?? ''
      if (isClosed) return failed({ reason: 'busy', path, what: 'the service is stopping' })
      if (running.size >= MAX_WAITING)
        return failed({ reason: 'overloaded', path, what: 'too many publishes wait' })
      const published = publish(edits, request)
      running.add(published)
      try {
        return await published
      } finally {
        running.delete(published)
      }
    },
    close: async () => {
      isClosed = true
      await Promise.allSettled(running)
    },
  }
}
