import { dirname } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'
import { type Problem, toProblem } from '../model/problem.js'
import { type Log, toReason } from '../service/log.js'

/** Tells that something may have changed. Never what: events are hints, they get lost, doubled and late. */
export interface Watcher {
  /** Begins anew: the folder is another one than before. */
  readonly rewatch: () => void
  readonly close: () => Promise<void>
}

/** How the limits of the system are raised, by what it says when they are reached. */
const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'raise fs.inotify.max_user_watches; the periodic look carries on',
  EMFILE: 'raise fs.inotify.max_user_instances or the open files (ulimit -n); the periodic look carries on',
}

export interface WatcherDeps {
  readonly onHint: () => void
  /** Told what keeps changes from being reported; nothing, when it is tried anew. */
  readonly onHealth: (problems: readonly Problem[]) => void
  readonly log: Log
}

function watchFailed(reason: string, hint: string): Problem {
  const what = `The file system cannot report changes: ${reason}.`
  return toProblem({
    code: 'watch-failed',
    path: '',
    what,
    todo: `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`,
  })
}

/**
 * Watches the folders below `root` (one watch a folder, whatever the number of files) and the entry of `root` in its
 * parent, where a flipped link or a recreated folder shows.
 */
export function createWatcher(root: string, { onHint, onHealth, log }: WatcherDeps): Watcher {
  let failed = false
  const onError = (thrown: unknown): void => {
    const { code = '' } = thrown as NodeJS.ErrnoException
    const hint = HINTS[code]
    if (hint === undefined) {
      // One file or folder that cannot be looked at; the look will tell.
      log.error('watch_failed', { reason: toReason(thrown), hint: 'the periodic look carries on' })
      onHint()
      return
    }
    // One line for the hundreds of folders that cannot be watched for the same reason.
    if (failed) return
    failed = true
    log.error('watch_failed', { reason: toReason(thrown), hint })
    onHealth([watchFailed(toReason(thrown), hint)])
  }
  const listen = (watcher: FSWatcher): FSWatcher => {
    watcher.on('error', onError)
    // What changed before the watches stood told nobody.
    watcher.on('ready', onHint)
    watcher.on('raw', onHint)
    watcher.on('all', onHint)
    return watcher
  }
  const watchFolders = (): FSWatcher =>
    listen(watch(root, { ignoreInitial: true, ignored: (_path, stats) => stats?.isFile() === true }))
  const parent = dirname(root)
  const beside = (path: string): boolean => path !== parent && path !== root
  const entry = listen(
    watch(parent, { ignoreInitial: true, ignored: beside, depth: 0, followSymlinks: false }),
  )
  let folders = watchFolders()
  const closing = new Set<Promise<void>>()
  return {
    rewatch: () => {
      if (failed) onHealth([])
      failed = false
      const closed: Promise<void> = folders.close().finally(() => closing.delete(closed))
      closing.add(closed)
      folders = watchFolders()
    },
    close: async () => {
      await Promise.all([...closing, entry.close(), folders.close()])
    },
  }
}
