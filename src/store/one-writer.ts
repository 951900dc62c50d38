import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds after which a lock belongs to a process that died: whoever holds one only reads and writes a small file. */
const STALE_MS = 10_000
const WAIT_MS = 15_000
const PAUSE_MS = 20

/**
 * Runs a change of a file while no other process runs one of the same file, by a lock beside it (`FILE.lock`). Throws what
 * `work` throws, file system errors, or that the lock was held for too long.
 */
export async function asOneWriter<T>(file: string, work: () => T): Promise<T> {
  const lock = `${file}.lock`
  const end = performance.now() + WAIT_MS
  while (!take(lock)) {
    if (performance.now() > end) throw new Error(`${lock} is held by another process`)
    removeStale(lock)
    await sleep(PAUSE_MS)
  }
  try {
    return work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function take(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600))
    return true
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw thrown
  }
}

/** Two processes may do so at once: each compares the file with what it read, as well. */
function removeStale(lock: string): void {
  const { mtimeMs = Number.NaN } = statSync(lock, { throwIfNoEntry: false }) ?? {}
  if (Math.abs(Date.now() - mtimeMs) > STALE_MS) rmSync(lock, { force: true })
}
