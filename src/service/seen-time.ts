/** Milliseconds that a process has seen pass, by a reading of a monotonic clock. */
export type SeenTime = (now: number) => number

/**
 * Counts the time that a wait has lasted: between two readings, at most `step` milliseconds count. A process that
 * was held up, by a busy machine or a signal, has not seen meanwhile what it waits for, and has not lost its patience.
 */
export function createSeenTime(step: number): SeenTime {
  let seen = 0
  let last: number | null = null
  return (now) => {
    // A reading that is used a second time may be older than the last one.
    const before: number = last ?? now
    seen += Math.min(step, Math.max(0, now - before))
    last = Math.max(before, now)
    return seen
  }
}
