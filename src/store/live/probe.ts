import { opendir } from 'node:fs/promises'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds after which a folder that does not respond counts as unreadable. */
const ANSWER_MS = 3_000

/**
 * Checks without blocking whether a folder responds at all; an error is a response. A call on a mount whose server is gone
 * never ends, and scans are synchronous, which is ten times cheaper. `onAnswer` is called when it responds after all.
 */
export function createProbe(root: string, onAnswer: () => void): () => Promise<boolean> {
  let isLate = false
  const ask = async (): Promise<true> => {
    await opendir(root).then(
      (folder) => void folder.close().catch(() => {}),
      () => {},
    )
    if (isLate) onAnswer()
    isLate = false
    return true
  }
  return async () => {
    if (isLate) return false
    const patience = new AbortController()
    // In a stalled process, the timer fires before a waiting response: that goes first.
    const late = sleep(ANSWER_MS, null, { signal: patience.signal })
      .then(() => setImmediate(false))
      .catch(() => false)
    const answered = await Promise.race([ask(), late])
    patience.abort()
    isLate = !answered
    return answered
  }
}
