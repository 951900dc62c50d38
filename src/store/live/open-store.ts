import { resolve } from 'node:path'
import type { MenuDocument } from '../../document/menu-document.js'
import { judgeDocument } from '../../document/parse.js'
import { derived } from '../../model/derived.js'
import type { Menu } from '../../model/menu.js'
import type { MenuFile } from '../../model/menu-file.js'
import { areAlike, compareText, type Problem } from '../../model/problem.js'
import { buildSnapshot, type Snapshot, type SnapshotInputs, snapshotInSteps } from '../../model/snapshot.js'
import type { Log } from '../../service/log.js'
import { createGitCheck } from '../git/lock.js'
import { contentHash } from '../hash.js'
import type { Judging } from '../judged-files.js'
import { createPause, inSlices } from '../pause.js'
import type { ReadOptions } from '../read-options.js'
import { type Scan, scanFolder } from '../scan.js'
import { createScanMemory } from '../scan-memory.js'
import { createMenuFiles, folderMissing, type TakeOverOptions } from './menu-files.js'
import { createParser } from './parser.js'
import { createPendingFiles } from './pending-files.js'
import { createProbe } from './probe.js'
import { logChanges } from './report.js'
import { createRescans } from './rescans.js'

export interface StoreOptions {
  /** Whether to follow changes; a store that does not keeps nothing open. */
  readonly watch: boolean
  /** Only files whose name starts with this are read. */
  readonly filePrefix: string
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
  /** Calls back after each new snapshot; answers a function that ends it. */
  readonly onChange: (listener: (snapshot: Snapshot) => void) => () => void
  readonly close: () => Promise<void>
}

/** The same, with what a publisher needs. */
export type EditedStore = Store & Judging

/** Milliseconds between a hint and the rescan that follows it: events come in bursts. */
const HINT_MS = 10
/** From this many files on, the whole change is parsed aside. */
const BATCH = 20
/** Milliseconds that a file which lost most of its items gets to recover them. */
const HOLD_MS = 1_000
/** Milliseconds between two checks of git's lock. */
const GIT_MS = 50
/** Every twelfth rescan of the timer reads the contents, not only the file times and sizes. */
const CONTENT_EVERY = 12
const NONE: ReadonlyMap<string, string> = new Map()

/**
 * Opens a menus folder: reads all of it, then follows its changes. An event only schedules a rescan of its folder, an error
 * of the watcher or the timer one of all folders; the content decides. Never throws because of the folder or its content.
 */
export async function openStore(
  dir: string,
  reading: ReadOptions,
  options: StoreOptions,
): Promise<EditedStore> {
  const { log, filePrefix, watch, namedBy = null } = options
  const root = resolve(dir)
  const parser = createParser(reading)
  const servedBy = (path: string): Menu | null => current.served.get(path)?.menu ?? null
  const files = createMenuFiles({ root, limits: reading.limits, parser, servedBy })
  const pending = createPendingFiles()
  const memory = createScanMemory()
  const isGitBusy = createGitCheck(root)
  const listeners = new Set<(snapshot: Snapshot) => void>()
  let folderProblems: readonly Problem[] = []
  /** Why changes are not reported; the periodic rescan still finds them, later. */
  let watchProblems: readonly Problem[] = []
  let dirty = true
  let started = false
  let current = buildSnapshot({ files: [], previous: null, folderProblems, hash: contentHash })

  const inputsOf = (all: Iterable<MenuFile>): SnapshotInputs => ({
    files: all,
    previous: current,
    folderProblems: [...folderProblems, ...watchProblems],
    off: reading.vocabulary.off,
    hash: contentHash,
  })

  const judge = derived((document: MenuDocument): MenuFile => {
    const known = files.known(document.path)
    const isKnown = known?.version === contentHash(document.bytes)
    return isKnown ? known : judgeDocument(document, { ...reading, hash: contentHash })
  })

  const publish = async (): Promise<void> => {
    if (!dirty) return
    dirty = false
    const next = await inSlices(snapshotInSteps(inputsOf(files.all())))
    if (next.revision === current.revision && areAlike(next.problems, current.problems)) return
    const before = current
    current = next
    for (const listener of listeners) listener(next)
    logChanges(before, next, log, root)
  }

  /** Records that the folder is readable (null), or why not: then its menus stay served. */
  const noteFolder = (thrown: unknown): void => {
    const now = thrown === null ? [] : [folderMissing(root, thrown, namedBy)]
    dirty ||= now.length !== folderProblems.length
    folderProblems = now
  }

  const answers = createProbe(root, () => {
    if (watch) onHint(null)
  })
  /** Whether the folder responds at all, so that no call waits for it. */
  const isThere = async (): Promise<boolean> => {
    if (await answers()) return true
    noteFolder(new Error('it does not answer'))
    await publish()
    return false
  }

  /** Lists the folder, with pauses for requests, and answers the paths that changed, with their signatures; none when it cannot be listed. */
  const scan = async (): Promise<ReadonlyMap<string, string>> => {
    let found: Scan | null = null
    try {
      const pause = createPause()
      for (const listed of scanFolder(root, filePrefix, memory)) {
        found = listed
        await pause()
      }
      noteFolder(null)
    } catch (thrown) {
      noteFolder(thrown)
    }
    watcher?.follow(found?.folders ?? new Map())
    if (found === null) return NONE
    if (files.refuse(found)) dirty = true
    for (const path of found.refused.keys()) pending.note(path, null, 0)
    return inSlices(files.changed(found))
  }

  /** Takes over paths one after the other; at the start there are no requests, later it works in the background. */
  const takeOver = async (paths: readonly string[], how: TakeOverOptions): Promise<readonly string[]> => {
    const held: string[] = []
    const pause = createPause()
    for (const [place, path] of paths.entries()) {
      const taken = await files.takeOver(path, how)
      if (taken === 'changed') dirty = true
      if (taken === 'held') held.push(path)
      else pending.note(path, null, 0)
      if ((await pause()) && !started) options.onProgress?.(place + 1, paths.length)
    }
    return held
  }

  /** Takes over all that differs, at once: for the start and for a refresh. */
  const takeOverAll = async (): Promise<void> => {
    if (!(await isThere())) return
    memory.doubt(null)
    const aside = started ? 'large' : 'never'
    // In the order of snapshots, which then have little to sort.
    const paths = [...(await scan()).keys()].sort(compareText)
    await takeOver(paths, { aside, patient: false })
    await publish()
  }

  /**
   * Whether git holds its lock. Then earlier findings do not count: only a listing that begins after git's release has
   * everything that git wrote, however late the events come.
   */
  const waitsForGit = (): boolean => {
    if (!isGitBusy(performance.now())) return false
    pending.forget()
    memory.doubt(null)
    rescans.schedule(GIT_MS, true)
    return true
  }

  /** Takes over changes in files that have settled. `whole` lists the folder; otherwise only waiting files are checked. */
  const rescan = async (whole: boolean): Promise<void> => {
    if (!(await isThere()) || waitsForGit()) return
    const changed = whole ? await scan() : NONE
    const waiting = new Set(pending.waiting())
    const now = performance.now()
    const pause = createPause()
    for (const path of new Set([...changed.keys(), ...waiting])) {
      // A waiting file may have changed since it was listed; another one waits from now on.
      const isWaiting = waiting.has(path)
      const signature = isWaiting ? files.check(path, pending.isRestless(path, now)) : changed.get(path)
      pending.note(path, signature ?? null, performance.now())
      await pause()
    }
    if (waitsForGit()) return
    const due = pending.due(performance.now())
    const aside = due.length > BATCH ? 'always' : 'large'
    for (const path of await takeOver(due, { aside, patient: true })) {
      log.warn('menu_shrank', { path, wait: HOLD_MS })
      pending.hold(path, files.check(path, false) ?? '', performance.now(), HOLD_MS)
    }
    // Git may have begun while files were read: its changes are served together.
    if (waitsForGit()) return
    // Changes made together are served together: a held file delays the others by that second.
    if (!pending.isHolding()) await publish()
    const delay = pending.delay(performance.now())
    if (delay !== null) rescans.schedule(delay, false)
  }

  const rescans = createRescans(rescan, log)
  const onHint = (folder: string | null): void => {
    memory.doubt(folder)
    rescans.schedule(HINT_MS, true)
  }
  const onHealth = (problems: readonly Problem[]): void => {
    watchProblems = problems
    dirty = true
    onHint(null)
  }
  // A store that does not watch does without what watches.
  const watcher = watch ? (await import('./watch.js')).createWatcher(root, { onHint, onHealth, log }) : null
  await rescans.run(takeOverAll)
  started = true
  let turns = 0
  const onTurn = (): void => {
    turns++
    if (turns % CONTENT_EVERY === 0) files.distrust()
    memory.doubt(null)
    rescans.schedule(0, true)
  }
  const timer = watch ? setInterval(onTurn, options.rescanSeconds * 1000) : undefined
  /** The refresh that has not begun yet: further calls share it. */
  let refreshing: Promise<void> | null = null

  return {
    get current() {
      return current
    },
    judge,
    snapshotWith: (judged) => {
      const others = files.all().filter(({ path }) => !judged.has(path))
      return buildSnapshot(inputsOf([...others, ...[...judged.values()].filter((file) => file !== null)]))
    },
    takeOver: (judged, write) =>
      rescans.run(async () => {
        await write()
        await takeOver([...judged.keys()], { aside: 'large', patient: false, judged })
        await publish()
      }),
    refresh: () => {
      refreshing ??= rescans.run(() => {
        refreshing = null
        return takeOverAll()
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
