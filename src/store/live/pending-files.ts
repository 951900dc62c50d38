import { createSeenTime } from '../../service/seen-time.js'

/** Milliseconds for which a file has to stay as it is before it counts: a writer may be in the middle of it. */
export const STILL_MS = 100
/** Milliseconds for which a batch waits for its last file to hold still; then the others do not wait any longer. */
export const PATIENCE_MS = 1_000
/** Milliseconds after which a file that never looks the same is judged by its content, and not by its times. */
export const RESTLESS_MS = 3_000
/** At most so many milliseconds count between two rescans: a process that was held up has not seen a batch change. */
const STEP_MS = PATIENCE_MS / 2

interface Pending {
  readonly signature: string
  readonly since: number
  /** When it was noted first, in time that was seen. */
  readonly first: number
  readonly held: boolean
}

/** Which files changed, and when each is taken over: once it holds still. Times are monotonic, in milliseconds. */
export interface PendingFiles {
  /** Notes the signature of a file; null: the one that it was taken over under last, or it is gone as before. */
  readonly note: (path: string, signature: string | null, now: number) => void
  /** Has a file wait `ms` milliseconds more, as long as it stays as it is. */
  readonly hold: (path: string, signature: string, now: number, ms: number) => void
  /** Forgets everything that waits: the writer is not done yet, and what differs is noted anew. */
  readonly forget: () => void
  /** Whether a file is held. */
  readonly isHolding: () => boolean
  /** Whether a file has not looked the same for so long that its times may mean nothing. */
  readonly isRestless: (path: string, now: number) => boolean
  /** The files that wait, whether or not they hold still. */
  readonly waiting: () => string[]
  /** The files to take over now; none while one of a fresh batch still changes. */
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
      // Its patience begins anew as well: what waits with it is to be served together with it.
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
      // A file that holds still and waits for its batch is checked again when the batch may be whole.
      return left.length === 0 ? 0 : Math.max(1, ...left)
    },
  }
}
