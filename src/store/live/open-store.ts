import { resolve } from 'node:path'
import type { MenuDocument } from '../../document/menu-document.js'
import { judgeDocument } from '../../document/parse.js'
import { derived } from '../../model/derived.js'
import type { MenuFile } from '../../model/menu-file.js'
import type { Problem } from '../../model/problem.js'
import type { Snapshot } from '../../model/snapshot.js'
import type { Log } from '../../service/log.js'
import { type DiskTree, readEach, scanDisk } from '../disk-tree.js'
import { isFileError, toWithheld, unreadable } from '../entry.js'
import { createGitCheck } from '../git/lock.js'
import { contentHash } from '../hash.js'
import { asLoaded, type Loaded, type LoadOptions, load, NOTHING, withoutVersions } from '../load.js'
import type { MenusFolder } from '../menu-paths.js'
import { type Edits, UNKNOWN, withEdits, withEntries } from '../menu-tree.js'
import type { Judging } from '../publish/publish.js'
import type { ReadOptions } from '../read-options.js'
import { createContentCheck } from './content-check.js'
import { createParser, isLarge } from './parser.js'
import { createProbe } from './probe.js'
import { folderMissing, logChanges } from './report.js'
import { createRescans } from './rescans.js'
import { createSettling, HOLD_MS } from './settling.js'

export interface StoreOptions {
  /** Whether to follow changes; a store that does not keeps nothing open. */
  readonly watch: boolean
  /** Only files whose name starts with this are read. */
  readonly filePrefix: string
  /** As of a MenusFolder. Default: none. */
  readonly closed?: readonly string[]
  /** Seconds between two rescans without an event. */
  readonly rescanSeconds: number
  readonly log: Log
  /** The flag, variable or function that names the folder, for advice. Default: the option of the configuration file. */
  readonly namedBy?: string
  /** Called now and then while the folder is read for the first time. */
  readonly onProgress?: (read: number, total: number) => void
}

/** A menus folder in memory. */
export interface Store {
  /** The served snapshot: replaced as a whole, never edited. Read it once a request. */
  readonly current: Snapshot
  /** Rescans the whole folder now and takes over its changes, even to files that are still changing. */
  readonly refresh: () => Promise<void>
  /** Calls back after each new snapshot, with the time in milliseconds since 1970 at which its rescan began; returns a function that ends it. */
  readonly onChange: (listener: (snapshot: Snapshot, begun: number) => void) => () => void
  readonly close: () => Promise<void>
}

/** The same, with what a publisher needs. */
export interface EditedStore extends Store, Judging {
  /** Runs `write`, during which nothing is rescanned, then loads the whole folder: its changes are served together. */
  readonly replace: (write: () => Promise<void>) => Promise<void>
}

/** Milliseconds between a hint and the rescan that follows it: events come in bursts. */
const HINT_MS = 10
/** Milliseconds between two checks of git's lock. */
const GIT_MS = 50
/** Each rescan of the timer reads a twelfth of all contents, not only the file times and sizes. */
const CONTENT_TURNS = 12

/**
 * Opens a menus folder: loads all of it, then follows its changes. An event only schedules a rescan, as do an error of the
 * watcher and the timer; the content decides. Never throws because of the folder or its content.
 */
export async function openStore(
  dir: string,
  reading: ReadOptions,
  options: StoreOptions,
): Promise<EditedStore> {
  const { log, filePrefix, closed = [], watch, namedBy = null, onProgress } = options
  const { limits, vocabulary } = reading
  const folder: MenusFolder = { root: resolve(dir), filePrefix, closed }
  const { root } = folder
  const parser = createParser(reading)
  const settling = createSettling(folder, limits)
  const isGitBusy = createGitCheck(root)
  const findChanged = createContentCheck(folder, limits, CONTENT_TURNS)
  const listeners = new Set<Parameters<Store['onChange']>[0]>()
  let loaded: Loaded = NOTHING
  /** What was found last; null until the folder can be listed. */
  let tree: DiskTree | null = null
  let folderProblems: readonly Problem[] = []
  /** Why changes are not reported; the periodic rescan still finds them, later. */
  let watchProblems: readonly Problem[] = []
  let started = false

  /** At the start there are no requests that would wait. */
  const parse: LoadOptions['parse'] = (path, bytes, isBatch) =>
    started && (isBatch || isLarge(bytes))
      ? parser.aside(path, bytes).catch((thrown: unknown) => toWithheld(path, unreadable(path, thrown)))
      : parser.here(path, bytes)

  const judge = derived((document: MenuDocument): MenuFile => {
    const known = loaded.files.get(document.path)?.file
    const isKnown = known?.version === contentHash(document.bytes)
    return isKnown ? known : judgeDocument(document, { ...reading, hash: contentHash })
  })
  const parseEdited =
    (edits: Edits): LoadOptions['parse'] =>
    (path, bytes, isBatch) => {
      const file = edits.get(path) && judge(edits.get(path) as MenuDocument)
      return file?.version === contentHash(bytes) ? file : parse(path, bytes, isBatch)
    }

  const inputs = (): Pick<LoadOptions, 'off' | 'folderProblems'> => {
    return { off: vocabulary.off, folderProblems: [...folderProblems, ...watchProblems] }
  }
  /** The folder as it was loaded, whatever became of it since. */
  const treeNow = () => asLoaded(loaded.files, (paths) => readEach(folder, limits, paths))

  const serve = (next: Loaded): void => {
    const before = loaded.snapshot
    loaded = next
    if (next.snapshot === before) return
    for (const listener of listeners) listener(next.snapshot, rescans.begun())
    logChanges(before, next.snapshot, log, root)
  }

  /** Serves what was served, because the folder cannot be read. Throws what is no error of the file system. */
  const keepServed = async (thrown: unknown): Promise<void> => {
    if (!isFileError(thrown)) throw thrown
    tree = null
    folderProblems = [folderMissing(root, thrown, namedBy)]
    watcher?.follow(new Map())
    serve(await load(treeNow(), loaded, { parse, ...inputs() }))
  }

  const responds = createProbe(root, () => {
    if (watch) onHint()
  })
  /** Whether the folder responds at all, so that no call waits for it. */
  const isThere = async (): Promise<boolean> => {
    const isResponding = await responds()
    if (!isResponding)
      await keepServed(Object.assign(new Error('it does not respond'), { code: 'ETIMEDOUT' }))
    return isResponding
  }

  const scan = async (): Promise<DiskTree> => {
    const found = await scanDisk(folder, limits)
    folderProblems = []
    watcher?.follow(found.folders)
    return found
  }

  /** Loads all that differs, at once: for the start and for a refresh. */
  const loadAll = async (): Promise<void> => {
    if (!(await isThere())) return
    try {
      tree = await scan()
      settling.forget()
      serve(await load(tree, loaded, { parse, ...inputs(), ...(!started && onProgress && { onProgress }) }))
    } catch (thrown) {
      await keepServed(thrown)
    }
  }

  /**
   * Whether git holds its lock. Then earlier findings do not count: only a listing that begins after git's release has
   * everything that git wrote, however late the events come.
   */
  const waitsForGit = (): boolean => {
    if (!isGitBusy(performance.now())) return false
    settling.forget()
    tree = null
    rescans.schedule(GIT_MS, true)
    return true
  }

  /** Loads changes that have settled. `isWhole` lists the folder; otherwise only waiting files are checked. */
  const rescan = async (isWhole: boolean): Promise<void> => {
    if (!(await isThere()) || waitsForGit()) return
    try {
      if (isWhole || tree === null || !(await settling.isAsFound(tree))) tree = await scan()
      const settled = await settling.settle(tree, loaded.files, performance.now())
      if (waitsForGit()) return
      const next = await load(settled, loaded, { parse, ...inputs(), isHeld: settling.isHeld })
      for (const path of settling.end(tree, performance.now()))
        log.warn('menu_shrank', { path, wait: HOLD_MS })
      // Git may have begun while files were read: its changes are served together.
      if (waitsForGit()) return
      // Changes made together are served together: a held file delays the others by that second.
      serve(settling.isHolding() ? { ...loaded, files: next.files } : next)
    } catch (thrown) {
      await keepServed(thrown)
    }
    const delay = settling.delay(performance.now())
    if (delay !== null) rescans.schedule(delay, false)
  }

  const rescans = createRescans(rescan, log)
  const onHint = (): void => rescans.schedule(HINT_MS, true)
  const onHealth = (problems: readonly Problem[]): void => {
    watchProblems = problems
    onHint()
  }
  // A store that does not watch does without what watches.
  const watcher = watch ? (await import('./watch.js')).createWatcher(root, { onHint, onHealth, log }) : null
  await rescans.run(loadAll)
  started = true
  const onTurn = (): void => {
    // A save that comes meanwhile waits for these files no longer than for a rescan.
    const verify = async (): Promise<void> => {
      if (!(await isThere())) return
      const found = await findChanged(loaded.files)
      loaded = { ...loaded, files: withoutVersions(loaded.files, found) }
    }
    rescans.run(verify).catch(() => {})
    rescans.schedule(0, true)
  }
  const timer = watch ? setInterval(onTurn, options.rescanSeconds * 1000) : undefined
  /** The refresh that has not begun yet: further calls share it. */
  let refreshing: Promise<void> | null = null

  return {
    get current() {
      return loaded.snapshot
    },
    judge,
    loadWith: async (edits) => {
      const edited = withEdits(treeNow(), edits)
      return (await load(edited, loaded, { parse: parseEdited(edits), ...inputs() })).snapshot
    },
    write: (edits, write) =>
      rescans.run(async () => {
        await write()
        const written = withEntries(
          treeNow(),
          Array.from(edits.keys(), (path) => [path, UNKNOWN]),
        )
        serve(await load(written, loaded, { parse: parseEdited(edits), ...inputs() }))
      }),
    replace: (write) =>
      rescans.run(async () => {
        await write()
        await loadAll()
      }),
    refresh: () => {
      refreshing ??= rescans.run(() => {
        refreshing = null
        return loadAll()
      })
      return refreshing
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {
      clearInterval(timer)
      await rescans.close()
      await parser.close()
      watcher?.close()
    },
  }
}
