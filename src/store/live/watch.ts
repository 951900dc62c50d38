import { statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import chokidar, { type FSWatcher } from 'chokidar'
import { type Problem, toProblem } from '../../model/problem.js'
import { type Log, toReason } from '../../service/log.js'
import { toIdentity } from '../entry.js'

/** Reports that something in a folder may have changed. Never what: events are hints, get lost, come twice and late. */
export interface Watcher {
  /** Watches exactly these folders: identity → real path. Tries again what could not be watched. */
  readonly follow: (folders: ReadonlyMap<string, string>) => void
  readonly close: () => void
}

/** How to raise each file-watch limit, by its error. */
const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'raise fs.inotify.max_user_watches; ',
  EMFILE: 'raise fs.inotify.max_user_instances or the open files (ulimit -n); ',
}
const REST = 'the periodic rescan continues'
/** Milliseconds between two tries to watch what could not be watched. */
const RETRY_MS = 4_000
/** Milliseconds that a watch has to become ready. Each next one has twice as long. */
const READY_MS = 1_000

export interface WatcherDeps {
  /** Called when something may have changed. */
  readonly onHint: () => void
  /** Called with what prevents reports of changes; with nothing, when everything is watched again. */
  readonly onHealth: (problems: readonly Problem[]) => void
  readonly log: Log
}

/**
 * Watches the entry of `root` in its parent, where a flipped link or a recreated folder shows, and the given folders: one
 * watch a folder, for any number of files, and none below it. Links are not followed: the scan that finds the folders has
 * done so. When the folders are others, all of them are watched anew.
 */
export function createWatcher(root: string, { onHint, onHealth, log }: WatcherDeps): Watcher {
  const parent = dirname(root)
  // Where the parent is a link, that link is watched. Nothing else in it matters.
  const names: readonly (string | null)[] = [null, basename(root), basename(parent)]
  let watcher: FSWatcher | null = null
  let watched = ''
  /** When a limit was reached last; null while everything is watched. */
  let failedAt: number | null = null

  const start = (folders: readonly string[], readyMs = READY_MS): void => {
    const wanted = new Set([parent, ...folders])
    const before = watcher
    const isOther = (path: string): boolean => !wanted.has(resolve(path))
    const started = chokidar.watch([...wanted], {
      ignoreInitial: true,
      ignored: isOther,
      followSymlinks: false,
    })
    watcher = started
    let isFine = true
    const onError = (thrown: unknown): void => {
      if (watcher !== started) return
      const cure = HINTS[(thrown as NodeJS.ErrnoException).code ?? '']
      const [reason, hint] = [toReason(thrown), `${cure ?? ''}${REST}`]
      // One line for hundreds of folders that cannot be watched for the same reason, on any number of tries.
      if (cure === undefined || failedAt === null) log.error('watch_failed', { reason, hint })
      if (cure === undefined) {
        // One unreadable file or folder; the rescan finds out.
        onHint()
        return
      }
      const what = `The file system cannot report changes: ${reason}.`
      const todo = `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`
      if (failedAt === null) onHealth([toProblem({ code: 'watch-failed', path: '', what, todo })])
      isFine = false
      failedAt = performance.now()
    }
    started.on('error', onError)
    started.on('raw', (_event, name, details) => {
      const { watchedPath } = details as { readonly watchedPath?: string }
      if (watchedPath !== parent || names.includes(name) || folders.includes(parent)) onHint()
    })
    // It never is, and reports nothing, where a folder goes or is replaced while chokidar lists it.
    const overdue = setTimeout(() => {
      if (watcher !== started) return
      start(folders, 2 * readyMs)
      onHint()
    }, readyMs).unref()
    started.on('ready', () => {
      clearTimeout(overdue)
      if (watcher !== started) return
      if (isFine && failedAt !== null) {
        failedAt = null
        onHealth([])
      }
      // Changes before the watch began caused no event.
      if (isFine) onHint()
    })
    // It ends now; what comes later is nothing to wait for.
    before?.close().catch(() => {})
  }
  start([])
  return {
    follow: (folders) => {
      const now = [identityOf(parent), ...folders.keys()].sort().join('\n')
      const isRetried = failedAt !== null && performance.now() - failedAt > RETRY_MS
      if (now === watched && !isRetried) return
      watched = now
      start([...folders.values()])
    },
    close: () => {
      watcher?.close().catch(() => {})
      watcher = null
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
