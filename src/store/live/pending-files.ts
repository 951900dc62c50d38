import { createSeenTime } from '../../service/seen-time.js'

/** Milliseconds for which a file must stay unchanged before it counts: a writer may be in the middle of it. */
export const STILL_MS = 100
/** Milliseconds for which a batch waits for its last file to settle; then the others go ahead. */
export const PATIENCE_MS = 1_000
/** Milliseconds after which a file that keeps changing is judged by its content, not by its times. */
export const RESTLESS_MS = 3_000
/** At most this many milliseconds count between two rescans: a stalled process has not seen a batch change. */
const STEP_MS = PATIENCE_MS / 2

interface Pending {
  readonly signature: string
  readonly since: number
  /** When it was first noted, in observed time. */
  readonly first: number
  readonly held: boolean
}

/** Which files changed, and when each is taken over: once it settles. Times are monotonic, in milliseconds. */
export interface PendingFiles {
  /** Notes the signature of a file; null: unchanged since it was taken over, or gone as before. */
  readonly note: (path: string, signature: string | null, now: number) => void
  /** Delays a file by `ms` more milliseconds, if it stays unchanged. */
  readonly hold: (path: string, signature: string, now: number, ms: number) => void
  /** Forgets all waiting files: the writer is not done yet, and changes are noted anew. */
  readonly forget: () => void
  /** Whether a file is held. */
  readonly isHolding: () => boolean
  /** Whether a file has kept changing for so long that its times may be meaningless. */
  readonly isRestless: (path: string, now: number) => boolean
  /** The waiting files, settled or not. */
  readonly waiting: () => string[]
  /** The files to take over now; none while a file of a fresh batch still changes. */
  readonly due: (now: number) => string[]
  /** Milliseconds until a rescan can find more; null when nothing waits. */
  readonly delay: (now: number) => number | null
}

export function createPendingFiles(): PendingFiles {
  const pending = new Map<string, Pending>()
  const seen = createSeenTime(STEP_MS)
  return {
    note: (path, signature, now) => {
      const before = pending.get(path)
      if (signature === null) pending.delete(path)
      else if (before?.signature !== signature)
        pending.set(path, { signature, since: now, first: before?.first ?? seen(now), held: false })
    },
    hold: (path, signature, now, ms) => {
      // Its waiting time restarts as well: the batch is to be served together with it.
      pending.set(path, { signature, since: now + ms - STILL_MS, first: seen(now) + ms, held: true })
    },
    forget: () => pending.clear(),
    isHolding: () => [...pending.values()].some(({ held }) => held),
    isRestless: (path, now) => {
      const at = seen(now)
      return at - (pending.get(path)?.first ?? at) >= RESTLESS_MS
    },
    waiting: () => [...pending.keys()],
    due: (now) => {
      const at = seen(now)
      const still = [...pending].filter(([, { since }]) => now - since >= STILL_MS)
      const isImpatient = still.some(([, { first }]) => at - first >= PATIENCE_MS)
      return still.length === pending.size || isImpatient ? still.map(([path]) => path) : []
    },
    delay: (now) => {
      if (pending.size === 0) return null
      const left = [...pending.values()].map(({ since }) => since + STILL_MS - now).filter((ms) => ms > 0)
      // A settled file that waits for its batch is checked again when the batch may be complete.
      return left.length === 0 ? 0 : Math.max(1, ...left)
    },
  }
}
