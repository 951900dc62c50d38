import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createSeenTime } from '../../service/seen-time.js'

/** Milliseconds for which git may hold its lock: a stale lock must not stop everything. */
const MAX_WAIT_MS = 2_000
/** At most this many milliseconds count between two checks: on a stalled machine, git stood still, too. */
const STEP_MS = 200
/** Milliseconds within which a merge that follows a fetch has changed the files, or put them back. */
const PULL_MS = 1_000

/** Whether git is changing the work tree, by its `.git/index.lock`; at most for two seconds. */
export function createGitCheck(root: string): (now: number) => boolean {
  const seen = createSeenTime(STEP_MS)
  let since: number | null = null
  return (now) => {
    const at = seen(now)
    const folder = findGitFolder(root)
    if (folder === null || !existsSync(join(folder, 'index.lock'))) {
      since = null
      return false
    }
    since ??= at
    return at - since < MAX_WAIT_MS
  }
}

/**
 * Whether a fetch, merge or reset began within the last second, by what it writes first. A merge that fails puts files and
 * index back as they were when it began: what is written or committed meanwhile would vanish from the disk.
 */
export function isPulling(root: string): boolean {
  const folder = findGitFolder(root)
  if (folder === null) return false
  return ['FETCH_HEAD', 'ORIG_HEAD'].some((name) => {
    try {
      return Math.abs(Date.now() - statSync(join(folder, name)).mtimeMs) < PULL_MS
    } catch {
      // There is none, or the folder belongs to another user.
      return false
    }
  })
}

/** The git folder of the work tree that a folder lies in; of a linked work tree or a submodule, its own. */
function findGitFolder(root: string): string | null {
  const entry = join(root, '.git')
  try {
    const stats = statSync(entry)
    if (stats.isDirectory()) return entry
    // A file names the git folder (gitrepository-layout).
    const [, path] = (stats.isFile() && /^gitdir: (.+)$/m.exec(readFileSync(entry, 'utf8'))) || []
    return path === undefined ? null : resolve(root, path)
  } catch {
    if (existsSync(entry)) return null
    // There is nothing, or nothing that can be read: the way there may lead through a file.
  }
  return dirname(root) === root ? null : findGitFolder(dirname(root))
}
