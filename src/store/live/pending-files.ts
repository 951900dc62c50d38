import { createSeenTime } from '../../service/seen-time.js'

/** Milliseconds for which a file has to stay as it is before it counts: a writer may be in the middle of it. */
export const SETTLE_MS = 100
/** Milliseconds for which a batch waits for its last file to settle; then the settled ones do not wait any longer. */
export const PATIENCE_MS = 1_000
/** Milliseconds after which a file that never looks the same is judged by what it says, and not by how it looks. */
export const RESTLESS_MS = 3_000
/** Milliseconds between two looks that count at most: a process that was held up has not seen a batch change meanwhile. */
const STEP_MS = PATIENCE_MS / 2

interface Unsettled {
  readonly signature: string
  readonly since: number
  /** When it was noted first, in time that was seen. */
  readonly first: number
  readonly held: boolean
}

/** Which files changed, and which of them hold still. Times are monotonic, in milliseconds. */
export interface Settling {
  /** Notes how a file looks now; null: as it looked when it was taken over last, or it is gone as before. */
  readonly note: (path: string, signature: string | null, now: number) => void
  /** Has a file wait for so many milliseconds more, as long as it stays as it is. */
  readonly hold: (path: string, signature: string, now: number, ms: number) => void
  /** Forgets everything that waits: whoever changes the files is not done yet, and what differs is noted anew. */
  readonly forget: () => void
  /** Whether a file is held. */
  readonly isHolding: () => boolean
  /** Whether a file has not looked the same for so long that its times may tell nothing. */
  readonly isRestless: (path: string, now: number) => boolean
  /** The files that wait, settled or not. */
  readonly waiting: () => string[]
  /** The files to take over now; none while one of a fresh batch still changes. */
  readonly due: (now: number) => string[]
  /** Milliseconds until a look can tell more; null when nothing waits. */
  readonly delay: (now: number) => number | null
}

export function createSettling(): Settling {
  const unsettled = new Map<string, Unsettled>()
  const seen = createSeenTime(STEP_MS)
  const isSettled = (each: Unsettled, now: number): boolean => now - each.since >= SETTLE_MS
  return {
    note: (path, signature, now) => {
      const before = unsettled.get(path)
      if (signature === null) unsettled.delete(path)
      else if (before?.signature !== signature) {
        const first = before?.first ?? seen(now)
        unsettled.set(path, { signature, since: now, first, held: false })
      }
    },
    hold: (path, signature, now, ms) => {
      // Its patience begins anew as well: what waits with it is to be served together with it.
      unsettled.set(path, { signature, since: now + ms - SETTLE_MS, first: seen(now) + ms, held: true })
    },
    forget: () => unsettled.clear(),
    isHolding: () => [...unsettled.values()].some(({ held }) => held),
    isRestless: (path, now) => {
      const at = seen(now)
      return at - (unsettled.get(path)?.first ?? at) >= RESTLESS_MS
    },
    waiting: () => [...unsettled.keys()],
    due: (now) => {
      const at = seen(now)
      const entries = [...unsettled]
      const settled = entries.filter(([, each]) => isSettled(each, now))
      const impatient = settled.some(([, each]) => at - each.first >= PATIENCE_MS)
      return settled.length === entries.length || impatient ? settled.map(([path]) => path) : []
    },
    delay: (now) => {
      const left = [...unsettled.values()].map(({ since }) => Math.max(0, since + SETTLE_MS - now))
      if (left.length === 0) return null
      // A settled file that waits for its batch is looked at again when the batch may be whole.
      const open = left.filter((ms) => ms > 0)
      return open.length === 0 ? 0 : Math.max(1, Math.max(...open))
    },
  }
}
