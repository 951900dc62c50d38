import { type FSWatcher, statSync, type WatchListener, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type Problem, toProblem } from '../../model/problem.js'
import { type Log, toReason } from '../../service/log.js'
import { toTarget } from '../links.js'
import { isGone, toIdentity } from '../scan.js'

/** Reports that something may have changed. Never what: events are hints, get lost, come twice and late. */
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

interface Watched {
  readonly folder: string
  /** Called for each event of the system. */
  readonly onEvent: WatchListener<string>
  /** None where the folder cannot be watched. */
  readonly watcher?: FSWatcher
}

export interface WatcherDeps {
  readonly onHint: () => void
  /** Called with what prevents reports of changes; with nothing, when everything is watched again. */
  readonly onHealth: (problems: readonly Problem[]) => void
  readonly log: Log
}

/**
 * Watches the entry of `root` in its parent, where a flipped link or a recreated folder shows, and the given folders: one
 * watch a folder, for any number of files, and none below it.
 */
export function createWatcher(root: string, { onHint, onHealth, log }: WatcherDeps): Watcher {
  const watched = new Map<string, Watched>()
  /** What could not be watched since a limit was reached, by identity. */
  const failed = new Set<string>()
  const onError = (identity: string, thrown: unknown): void => {
    if (isGone(thrown)) return
    const cure = HINTS[(thrown as NodeJS.ErrnoException).code ?? '']
    const [reason, hint] = [toReason(thrown), `${cure ?? ''}${REST}`]
    // One line for hundreds of folders that cannot be watched for the same reason, on any number of tries.
    if (cure === undefined || failed.size === 0) log.error('watch_failed', { reason, hint })
    if (cure === undefined) {
      // One unreadable file or folder; the rescan finds out.
      onHint()
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
  const start = (identity: string, { folder, onEvent }: Watched): void => {
    watched.get(identity)?.watcher?.close()
    watched.set(identity, { folder, onEvent })
    try {
      const watcher = watch(folder, onEvent)
      watched.set(identity, { folder, onEvent, watcher })
      watcher.on('error', (thrown) => onError(identity, thrown))
      heal(identity)
      // Changes before the watch began caused no event.
      onHint()
    } catch (thrown) {
      onError(identity, thrown)
    }
  }
  const parent = dirname(root)
  // Where the parent is a link, that link is watched. Nothing else matters beside them.
  const names: readonly (string | null)[] = [null, basename(root), basename(parent)]
  const startEntry = (): string => {
    const onEvent: Watched['onEvent'] = (_event, name) => names.includes(name) && onHint()
    start(ENTRY, { folder: toTarget(parent) === null ? parent : dirname(parent), onEvent })
    return identityOf(parent)
  }
  let above = startEntry()
  return {
    follow: (folders) => {
      if (above !== identityOf(parent)) above = startEntry()
      for (const [identity, { watcher }] of watched) {
        if (identity === ENTRY || folders.has(identity)) continue
        watcher?.close()
        watched.delete(identity)
        heal(identity)
      }
      for (const [identity, folder] of folders) {
        if (!watched.has(identity)) start(identity, { folder, onEvent: onHint })
      }
      for (const identity of failed) {
        const each = watched.get(identity)
        if (each !== undefined) start(identity, each)
        // One shows whether there is room.
        if (failed.has(identity)) break
      }
    },
    close: () => {
      for (const { watcher } of watched.values()) watcher?.close()
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
