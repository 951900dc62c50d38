import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { toReason } from '../../service/log.js'

/** Marks a git folder as that of our clone, says what the clone is of, and has the time when its remote was last reached. */
const MARK = 'menuscript'

/** Milliseconds after which a lock in a clone that nobody else uses is what a killed process left. */
const STALE_LOCK_MS = 2_000

/**
 * Takes a folder for a clone, and returns why that is not possible, in words for people. A checkout overwrites files: the folder
 * must be empty, or marked as a clone of Menuscript.
 */
export function takeFolder(folder: string): string | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (isClone(folder)) return null
    if (!isEmpty(folder))
      return `${folder} has files and is no clone that Menuscript made; storage.git.clone needs an empty folder`
    mkdirSync(join(folder, '.git'), { recursive: true })
    writeFileSync(join(folder, '.git', MARK), '')
    return null
  } catch (thrown) {
    return `${folder} (storage.git.clone) cannot be used: ${toReason(thrown)}`
  }
}

/** Has a clone that nobody else uses begin anew where it is one of something else. Throws file system errors. */
export function prepareFolder(folder: string, origin: string): void {
  const gitFolder = join(folder, '.git')
  const mark = join(gitFolder, MARK)
  if (readFileSync(mark, 'utf8') === origin) return
  // The mark is written last: a process that is killed before leaves it to the next one.
  for (const name of readdirSync(gitFolder))
    if (!name.startsWith(MARK)) rmSync(join(gitFolder, name), { recursive: true, force: true })
  writeFileSync(mark, origin)
}

/** Whether `menuscript serve` has made a clone in a folder. */
export function isClone(folder: string): boolean {
  return existsSync(join(folder, '.git', MARK))
}

/** When the remote of a clone was last reached. */
export interface Reached {
  readonly seconds: () => number
  readonly note: () => void
}

/** Keeps it as the time of the mark, so that a restart while the remote is away does not hide how old the clone is. */
export function openReached(folder: string): Reached {
  const mark = join(folder, '.git', MARK)
  // While the service runs, a clock that is set must not matter.
  let at = performance.now() - Math.max(0, Date.now() - statSync(mark).mtimeMs)
  return {
    seconds: () => (performance.now() - at) / 1000,
    note: () => {
      at = performance.now()
      try {
        utimesSync(mark, new Date(), new Date())
      } catch {
        // After a restart, the clone then seems older than it is.
      }
    },
  }
}

/** A process that was killed before it could set the mark leaves an empty git folder. */
function isEmpty(folder: string): boolean {
  return readdirSync(folder).every((name) => {
    const path = join(folder, name)
    return name === '.git' && lstatSync(path).isDirectory() && readdirSync(path).length === 0
  })
}

/** Removes what killed processes left locked in a clone that nobody else uses; answers the paths. */
export async function removeLocks(folder: string): Promise<readonly string[]> {
  const gitFolder = join(folder, '.git')
  const names = readdirSync(gitFolder, { recursive: true, encoding: 'utf8' })
  const locks = names.filter((name) => name.endsWith('.lock')).map((name) => join(gitFolder, name))
  // Git may outlive the service that started it: it gets the time to finish.
  if (!locks.every(isStale)) await sleep(STALE_LOCK_MS)
  for (const lock of locks) rmSync(lock, { force: true })
  return locks
}

/** Whether a lock is old enough to be what a killed process left. */
export function isStale(lock: string): boolean {
  const made = statSync(lock, { throwIfNoEntry: false })
  return made === undefined || Date.now() - made.mtimeMs >= STALE_LOCK_MS
}
