import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Menu } from '../../model/menu.js'
import { areAlike, type Problem } from '../../model/problem.js'
import { buildSnapshot, type Snapshot } from '../../model/snapshot.js'
import type { Log } from '../../service/log.js'
import { createGitCheck } from '../git/lock.js'
import { contentHash } from '../hash.js'
import type { ReadOptions } from '../read-options.js'
import { type Scan, scanFolder } from '../scan.js'
import { createLooks } from './looks.js'
import { createMenuFiles, folderMissing, type TakeOverOptions } from './menu-files.js'
import { createParser } from './parser.js'
import { createProbe } from './probe.js'
import { logChanges } from './report.js'
import { createSettling } from './settling.js'
import { createWatcher, type Watcher } from './watch.js'

export interface StoreOptions {
  /** Whether to follow changes; a store that does not holds nothing open. */
  readonly watch: boolean
  /** Only files whose name starts so are read. */
  readonly filePrefix: string
  /** Seconds between two looks that need no event. */
  readonly rescanSeconds: number
  readonly log: Log
  /** The flag, variable or function that names the folder, for advice. Default: the option of the configuration file. */
  readonly namedBy?: string
  /** Told now and then while the folder is read for the first time. */
  readonly onProgress?: (read: number, total: number) => void
}

/** A folder of menus in memory. */
export interface Store {
  /** What is served: replaced as a whole, never edited. Read it once a request. */
  readonly current: Snapshot
  /** Looks at the whole folder now and takes over what changed, whether or not it holds still. */
  readonly refresh: () => Promise<void>
  /** Calls back after each new snapshot; answers a function that ends it. */
  readonly onChange: (listener: (snapshot: Snapshot) => void) => () => void
  readonly close: () => Promise<void>
}

/** Milliseconds of work after which requests are let through. */
const SLICE_MS = 4
/** Milliseconds between a hint and the look that follows it: events come in bursts. */
const HINT_MS = 10
/** Files from which on a change is parsed aside as a whole. */
const BATCH = 20
/** Files from which on a start is worth a second thread, which takes a while to come up. */
const MANY = 1_000
/** Files that are on their way to that thread at once, so that it never waits for the next. */
const LANES = 16
/** Milliseconds for which a file that lost most of its items is given the time to get them back. */
const HOLD_MS = 1_000
/** Milliseconds between two looks at the lock of git. */
const GIT_MS = 50
/** Every so many looks of the timer, the contents are read and not only what the file system says of them. */
const CONTENT_EVERY = 12

/**
 * Opens a folder of menus: reads all of it, then follows its changes. An event, an error of the watcher or the timer
 * only schedules a look; the content decides. Never throws for what is in the folder, or for the folder itself.
 */
export async function openStore(dir: string, reading: ReadOptions, options: StoreOptions): Promise<Store> {
  const { log, filePrefix, watch, namedBy = null } = options
  const root = resolve(dir)
  const parser = createParser(reading)
  const servedBy = (path: string): Menu | null => current.served.get(path)?.menu ?? null
  const files = createMenuFiles({ root, limits: reading.limits, parser, servedBy })
  const settling = createSettling()
  const isGitBusy = createGitCheck(root)
  const listeners = new Set<(snapshot: Snapshot) => void>()
  let folderProblems: readonly Problem[] = []
  /** Why changes are not reported; the periodic look finds them all the same, later. */
  let watchProblems: readonly Problem[] = []
  let folders: Scan['folders'] = new Map()
  let dirty = true
  let watcher: Watcher | null = null
  let started = false
  let current = buildSnapshot({ files: [], previous: null, folderProblems, hash: contentHash })

  const publish = (): void => {
    if (!dirty) return
    dirty = false
    const next = buildSnapshot({
      files: files.all(),
      previous: current,
      folderProblems: [...folderProblems, ...watchProblems],
      off: reading.vocabulary.off,
      hash: contentHash,
    })
    if (next.revision === current.revision && areAlike(next.problems, current.problems)) return
    const before = current
    current = next
    for (const listener of listeners) listener(next)
    logChanges(before, next, log, root)
  }

  const answers = createProbe(root, () => {
    if (watch) looks.schedule(HINT_MS, true)
  })
  /** Whether the folder can be looked at; when it does not answer, that is told, and what is served stays. */
  const isThere = async (): Promise<boolean> => {
    if (await answers()) return true
    if (folderProblems.length === 0) dirty = true
    folderProblems = [folderMissing(root, new Error('it does not answer'), namedBy)]
    publish()
    return false
  }

  /** Lists the folder, letting requests through; null when it cannot be listed, and what is served stays. */
  const scan = async (): Promise<Scan | null> => {
    try {
      const found = await drain(scanFolder(root, filePrefix))
      folders = found.folders
      watcher?.follow(folders)
      if (folderProblems.length > 0) dirty = true
      folderProblems = []
      if (files.refuse(found)) dirty = true
      for (const path of found.refused.keys()) settling.note(path, null, 0)
      return found
    } catch (thrown) {
      if (folderProblems.length === 0) dirty = true
      folders = new Map()
      watcher?.follow(folders)
      folderProblems = [folderMissing(root, thrown, namedBy)]
      return null
    }
  }

  /** Takes over paths one after the other; at the start nobody waits, later it is done beside the requests. */
  const takeOver = async (
    paths: readonly string[],
    how: TakeOverOptions,
    onProgress?: StoreOptions['onProgress'],
  ): Promise<readonly string[]> => {
    const held: string[] = []
    const queue = paths.values()
    let done = 0
    const lane = async (aside: TakeOverOptions['aside']): Promise<void> => {
      let pause = performance.now() + SLICE_MS
      for (const path of queue) {
        const taken = await files.takeOver(path, { ...how, aside })
        if (taken === 'changed') dirty = true
        if (taken === 'held') held.push(path)
        else settling.note(path, null, 0)
        done++
        if (performance.now() < pause) continue
        onProgress?.(done, paths.length)
        await setImmediate()
        pause = performance.now() + SLICE_MS
      }
    }
    // The thread takes what this one leaves it.
    const beside = how.aside === 'never' && paths.length > MANY ? LANES : 0
    await Promise.all([lane(how.aside), ...Array.from({ length: beside }, () => lane('always'))])
    return held
  }

  /** Takes over all that differs, at once: for the start and for whoever asks. */
  const takeOverAll = async (): Promise<void> => {
    if (!(await isThere())) return
    const found = await scan()
    if (found !== null) {
      const changed = [...files.compare(found)].filter(([, signature]) => signature !== null)
      await takeOver(
        changed.map(([path]) => path),
        { aside: started ? 'large' : 'never', patient: false },
        options.onProgress,
      )
    }
    publish()
  }

  /**
   * Whether git holds its lock. Then nothing that was seen so far counts: only a listing that begins after git let go
   * has all that git wrote, however late the events come.
   */
  const waitsForGit = (): boolean => {
    if (!isGitBusy(performance.now())) return false
    settling.forget()
    looks.schedule(GIT_MS, true)
    return true
  }

  /** Takes over what differs and holds still. `whole` lists the folder; otherwise only what waits is looked at. */
  const look = async (whole: boolean): Promise<void> => {
    if (!(await isThere()) || waitsForGit()) return
    const found = whole ? await scan() : null
    const now = performance.now()
    if (found !== null) {
      for (const [path, signature] of files.compare(found)) {
        if (!settling.isRestless(path, now)) settling.note(path, signature, now)
      }
    }
    // A file that waits may have changed since it was listed.
    for (const path of settling.waiting()) {
      const signature = settling.isRestless(path, now) ? files.lookInside(path) : files.look(path)
      settling.note(path, signature, performance.now())
    }
    if (waitsForGit()) return
    const due = settling.due(performance.now())
    const aside = due.length > BATCH ? 'always' : 'large'
    for (const path of await takeOver(due, { aside, patient: true })) {
      log.warn('menu_shrank', { path, wait: HOLD_MS })
      settling.hold(path, files.look(path) ?? '', performance.now(), HOLD_MS)
    }
    // Git may have begun while files were read: what it wrote is served with the rest of it.
    if (waitsForGit()) return
    // What changed together is served together: a file that is held holds the others for that second.
    if (!settling.isHolding()) publish()
    const delay = settling.delay(performance.now())
    if (delay !== null) looks.schedule(delay, false)
  }

  const looks = createLooks(look, log)
  /** The refresh that has not begun: whoever asks meanwhile gets what it finds. */
  let refreshing: Promise<void> | null = null
  await takeOverAll()
  started = true
  if (watch) {
    watcher = createWatcher(root, {
      onHint: () => looks.schedule(HINT_MS, true),
      onHealth: (problems) => {
        watchProblems = problems
        dirty = true
        looks.schedule(HINT_MS, true)
      },
      log,
    })
    watcher.follow(folders)
  }
  let turns = 0
  const timer = watch
    ? setInterval(() => {
        turns++
        if (turns % CONTENT_EVERY === 0) files.distrust()
        watcher?.retry()
        looks.schedule(0, true)
      }, options.rescanSeconds * 1000)
    : null

  return {
    get current() {
      return current
    },
    refresh: () => {
      refreshing ??= looks.run(() => {
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
      if (timer !== null) clearInterval(timer)
      await looks.close()
      await parser.close()
      await watcher?.close()
    },
  }
}

/** Runs a generator to its end, letting requests through between its steps. */
async function drain<T>(steps: Generator<void, T>): Promise<T> {
  let pause = performance.now() + SLICE_MS
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() < pause) continue
    await setImmediate()
    pause = performance.now() + SLICE_MS
  }
}
