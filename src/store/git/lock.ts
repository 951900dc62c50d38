import { existsSync, readFileSync, type Stats, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createSeenTime } from '../../service/seen-time.js'

/** Milliseconds for which git may hold its lock: a lock that was left behind must not stop everything. */
const MAX_WAIT_MS = 2_000
/** Milliseconds between two looks that count at most: where a whole machine stands still, git does so, too. */
const STEP_MS = 200

/** Whether git is in the middle of changing the work tree, as `.git/index.lock` says; at most for two seconds. */
export type IsGitBusy = (now: number) => boolean

export function createGitCheck(root: string): IsGitBusy {
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

/** The git folder of the work tree that a folder lies in; of a linked work tree, its own. */
function findGitFolder(root: string): string | null {
  for (let folder = root; ; folder = dirname(folder)) {
    const entry = join(folder, '.git')
    const stats = statsOf(entry)
    if (stats?.isDirectory()) return entry
    if (stats?.isFile()) return linkedFolder(folder, entry)
    if (dirname(folder) === folder) return null
  }
}

/** Null where there is nothing, or nothing that can be looked at: the way there may lead through a file. */
function statsOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

/** A linked work tree and a submodule have a file that says where their git folder is (gitrepository-layout). */
function linkedFolder(folder: string, entry: string): string | null {
  try {
    const [, path] = /^gitdir: (.+)$/m.exec(readFileSync(entry, 'utf8')) ?? []
    return path === undefined ? null : resolve(folder, path)
  } catch {
    return null
  }
}
