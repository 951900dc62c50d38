import { dirname } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'
import type { Log } from '../service/log.js'
import { toReason } from '../service/log.js'

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

/**
 * Watches the folders below `root` (one watch a folder, whatever the number of files) and the entry of `root` in its
 * parent, where a flipped link or a recreated folder shows.
 */
export function createWatcher(root: string, onHint: () => void, log: Log): Watcher {
  const onError = (thrown: unknown): void => {
    const { code = '' } = thrown as NodeJS.ErrnoException
    const hint = HINTS[code] ?? 'the periodic look carries on'
    log.error('watch_failed', { reason: toReason(thrown), hint })
    onHint()
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
      const closed: Promise<void> = folders.close().finally(() => closing.delete(closed))
      closing.add(closed)
      folders = watchFolders()
    },
    close: async () => {
      await Promise.all([...closing, entry.close(), folders.close()])
    },
  }
}
