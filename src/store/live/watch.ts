import { type FSWatcher, lstatSync, statSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type Problem, toProblem } from '../../model/problem.js'
import { type Log, toReason } from '../../service/log.js'
import { isGone, toIdentity } from '../entry.js'

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
  /** Null where it could not be watched. */
  readonly watcher: FSWatcher | null
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
 * watch a folder, for any number of files, and none below it. A link is watched in its folder: the scan that finds the folders
 * has followed it.
 */
export function createWatcher(root: string, { onHint, onHealth, log }: WatcherDeps): Watcher {
  const watched = new Map<string, Watched>()
  /** What could not be watched since a limit was reached, by identity. */
  const failed = new Set<string>()
  const onError = (identity: string, thrown: unknown): void => {
    const cure = HINTS[(thrown as NodeJS.ErrnoException).code ?? '']
    const [reason, hint] = [toReason(thrown), `${cure ?? ''}${REST}`]
    // One line for hundreds of folders that cannot be watched for the same reason, on any number of tries.
    if (!isGone(thrown) && (cure === undefined || failed.size === 0))
      log.error('watch_failed', { reason, hint })
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
  const heal = (identity: string): void => {
    if (failed.delete(identity) && failed.size === 0) onHealth([])
  }
  const start = (identity: string, folder: string, onRaw: OnRaw): void => {
    const watcher = open(identity, folder, onRaw)
    watched.set(identity, { folder, onRaw, watcher })
    if (watcher === null) return
    heal(identity)
    // Changes before the watch began caused no event.
    onHint(identity === ENTRY ? null : folder)
  }
  const open = (identity: string, folder: string, onRaw: OnRaw): FSWatcher | null => {
    try {
      const watcher = watch(lstatSync(folder).isSymbolicLink() ? dirname(folder) : folder, onRaw)
      return watcher.on('error', (thrown) => onError(identity, thrown))
    } catch (thrown) {
      onError(identity, thrown)
      return null
    }
  }
  const stop = (identity: string): Watched | undefined => {
    const before = watched.get(identity)
    before?.watcher?.close()
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
      // Where there is room again for one, there may be room for all of them.
      for (const identity of failed) {
        startAnew(identity)
        if (failed.has(identity)) break
      }
      for (const [identity, folder] of folders) {
        if (!watched.has(identity)) start(identity, folder, () => onHint(folder))
      }
    },
    close: () => {
      for (const identity of watched.keys()) stop(identity)
    },
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
