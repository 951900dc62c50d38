import { statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { FSWatcher } from 'chokidar'
import { type Problem, toProblem } from '../../model/problem.js'
import { type Log, toReason } from '../../service/log.js'
import { toIdentity } from '../entry.js'

/** Reports that something in a folder may have changed. Never what: events are hints, get lost, come twice and late. */
export interface Watcher {
  /** Watches exactly these folders: identity → real path. Tries again what could not be watched. */
  readonly follow: (folders: ReadonlyMap<string, string>) => void
  readonly close: () => void
}

/** How to raise each limit of the system, by its error. */
const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'raise fs.inotify.max_user_watches; ',
  EMFILE: 'raise fs.inotify.max_user_instances or the open files (ulimit -n); ',
}
const REST = 'the periodic rescan continues'

/** The identity of the folder's entry in its parent; no folder below has it. */
const ENTRY = ''

type OnRaw = (event: string, name: string | null) => void

interface Watched {
  readonly folder: string
  /** Called for each event of the system. */
  readonly onRaw: OnRaw
  readonly watcher: FSWatcher
}

export interface WatcherDeps {
  /** Called with the real path of a watched folder; with null where any folder may have changed. */
  readonly onHint: (folder: string | null) => void
  /** Called with what prevents reports of changes; with nothing, when everything is watched again. */
  readonly onHealth: (problems: readonly Problem[]) => void
  readonly log: Log
}

/**
 * Watches the entry of `root` in its parent, where a flipped link or a recreated folder shows, and the given folders: one
 * watch a folder, for any number of files, and none below it. Links are not followed: the scan that finds the folders has
 * done so.
 */
export function createWatcher(root: string, { onHint, onHealth, log }: WatcherDeps): Watcher {
  const watched = new Map<string, Watched>()
  /** What could not be watched since a limit was reached, by identity. */
  const failed = new Set<string>()
  const onError = (identity: string, thrown: unknown): void => {
    const cure = HINTS[(thrown as NodeJS.ErrnoException).code ?? '']
    const [reason, hint] = [toReason(thrown), `${cure ?? ''}${REST}`]
    // One line for hundreds of folders that cannot be watched for the same reason, on any number of tries.
    if (cure === undefined || failed.size === 0) log.error('watch_failed', { reason, hint })
    if (cure === undefined) {
      // One unreadable file or folder; the rescan finds out.
      onHint(null)
      return
    }
    const what = `The file system cannot report changes: ${reason}.`
    const todo = `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`
    if (failed.size === 0) onHealth([toProblem({ code: 'watch-failed', path: '', what, todo })])
    failed.add(identity)
  }
  const heal = (identity: string): boolean => {
    const isHealed = failed.delete(identity)
    if (isHealed && failed.size === 0) onHealth([])
    return isHealed
  }
  const start = (identity: string, folder: string, onRaw: OnRaw): void => {
    const isOther = (path: string): boolean => resolve(path) !== folder
    const watcher = new FolderWatcher({ ignoreInitial: true, ignored: isOther, followSymlinks: false })
    watcher.add(folder)
    let isFine = true
    watcher.on('error', (thrown) => {
      isFine = false
      onError(identity, thrown)
    })
    watcher.on('ready', () => {
      if (!isFine) return
      // Where there is room again, there may be room for all of them.
      if (heal(identity)) for (const each of failed) startAnew(each)
      // Changes before the watch began caused no event.
      onHint(identity === ENTRY ? null : folder)
    })
    watcher.on('raw', onRaw)
    watched.set(identity, { folder, onRaw, watcher })
  }
  const stop = (identity: string): Watched | undefined => {
    const before = watched.get(identity)
    // It ends now; what comes later is nothing to wait for.
    before?.watcher.close().catch(() => {})
    watched.delete(identity)
    return before
  }
  const startAnew = (identity: string): void => {
    const before = stop(identity)
    if (before !== undefined) start(identity, before.folder, before.onRaw)
  }
  const parent = dirname(root)
  // Where the parent is a link, that link is watched. Nothing else in it matters.
  const names: readonly (string | null)[] = [null, basename(root), basename(parent)]
  let above = identityOf(parent)
  start(ENTRY, parent, (_event, name) => {
    if (names.includes(name)) onHint(null)
  })
  return {
    follow: (folders) => {
      const now = identityOf(parent)
      if (above !== now) startAnew(ENTRY)
      above = now
      // A recreated folder has the path of the one before, whose watch has to end first.
      for (const identity of watched.keys()) {
        if (identity === ENTRY || folders.has(identity)) continue
        stop(identity)
        heal(identity)
      }
      // One of them shows whether there is room.
      const [first] = failed
      if (first !== undefined) startAnew(first)
      for (const [identity, folder] of folders) {
        if (!watched.has(identity)) start(identity, folder, () => onHint(folder))
      }
    },
    close: () => {
      for (const identity of watched.keys()) stop(identity)
    },
  }
}

/**
 * Reports what the system reports of a folder. Chokidar would also read each of its entries, at the start and after each event,
 * to compare them with what it knows: it does not where it has just done so, which is what this claims.
 */
class FolderWatcher extends FSWatcher {
  override _throttle(): false {
    return false
  }
}

/** The identity of the folder at a path now; empty without one. */
function identityOf(folder: string): string {
  try {
    return toIdentity(statSync(folder))
  } catch {
    return ''
  }
}
