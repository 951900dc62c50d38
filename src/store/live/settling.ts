import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Limits } from '../../model/limits.js'
import { everyItem, type Menu } from '../../model/menu.js'
import type { MenuFile } from '../../model/menu-file.js'
import { createSeenTime } from '../../service/seen-time.js'
import { readContent } from '../disk-tree.js'
import { toSignature } from '../entry.js'
import { contentHash } from '../hash.js'
import { asLoaded, type Loaded, unlistedIn } from '../load.js'
import type { MenusFolder } from '../menu-paths.js'
import { type MenuTree, withEntries } from '../menu-tree.js'
import { createPause } from '../pause.js'

/** Which changes of a folder apply: those of files no longer being written. Times are monotonic, in milliseconds. */
export interface Settling {
  /** Whether the waiting files are as they were found: then the folder need not be listed again. */
  readonly isAsFound: (tree: MenuTree) => Promise<boolean>
  /** The tree with what is still changing as it was loaded. While a file of a fresh batch changes, all of it waits. */
  readonly settle: (tree: MenuTree, files: Loaded['files'], now: number) => Promise<MenuTree>
  /**
   * Whether a file lost more than half of the items that it serves: a writer may be in the middle of it, so it counts only
   * when it is found so twice.
   */
  readonly isHeld: (file: MenuFile, before: Menu | null) => boolean
  /** Ends a load of what had settled; returns the files that are held from now on. */
  readonly end: (tree: MenuTree, now: number) => readonly string[]
  readonly isHolding: () => boolean
  /** Forgets all waiting files: the writer is not done yet, and changes are noted anew. */
  readonly forget: () => void
  /** Milliseconds until more may have settled; null when nothing waits. */
  readonly delay: (now: number) => number | null
}

interface Waiting {
  readonly version: string
  readonly since: number
  /** When it was first noted, in observed time. */
  readonly first: number
  readonly isHeld: boolean
}

/** The version of a file that is gone. */
const GONE = 'gone'
/** Milliseconds for which a file must stay unchanged before it counts: a writer may be in the middle of it. */
export const STILL_MS = 100
/** Milliseconds for which a batch waits for its last file to settle; then the others go ahead. */
export const PATIENCE_MS = 1_000
/** Milliseconds after which a file that keeps changing is judged by its content, not by its times. */
const RESTLESS_MS = 3_000
/** At most this many milliseconds count between two rescans: a stalled process has not seen a batch change. */
const STEP_MS = PATIENCE_MS / 2
/** Milliseconds that a file which lost most of its items gets to recover them. */
export const HOLD_MS = 1_000
/** With fewer items, every edit loses half. */
const FEW_ITEMS = 6

export function createSettling(folder: MenusFolder, limits: Limits): Settling {
  const waiting = new Map<string, Waiting>()
  const seen = createSeenTime(STEP_MS)
  /** The versions that were found once to have lost most of their items, by path. */
  const shrunk = new Map<string, string>()
  let due: readonly string[] = []
  let held: string[] = []
  const versionIn = ({ entries }: MenuTree, path: string): string => entries.get(path)?.version ?? GONE

  const note = (path: string, found: string, now: number): void => {
    const before = waiting.get(path)
    const first = before?.first ?? seen(now)
    const isRestless = seen(now) - first >= RESTLESS_MS
    const text = isRestless ? readContent(folder, path, limits)?.text : null
    const version = text instanceof Uint8Array ? contentHash(text) : found
    if (before?.version !== version) waiting.set(path, { version, since: now, first, isHeld: false })
  }
  const dueAt = (now: number): readonly string[] => {
    const still = [...waiting].filter(([, { since }]) => now - since >= STILL_MS)
    const isImpatient = still.some(([, { first }]) => seen(now) - first >= PATIENCE_MS)
    return still.length === waiting.size || isImpatient ? still.map(([path]) => path) : []
  }
  const changedIn = async (tree: MenuTree, files: Loaded['files']): Promise<ReadonlySet<string>> => {
    const changed = new Set<string>()
    const pause = createPause()
    for (const [path, { version }] of tree.entries) {
      if (files.get(path)?.version !== version) changed.add(path)
      await pause()
    }
    const unlisted = new Set(unlistedIn(tree, files))
    for (const path of files.keys()) {
      if (!tree.entries.has(path) && !unlisted.has(path)) changed.add(path)
      await pause()
    }
    return changed
  }

  return {
    isAsFound: async (tree) => {
      const pause = createPause()
      for (const path of waiting.keys()) {
        if (signatureAt(join(folder.root, path)) !== versionIn(tree, path)) return false
        await pause()
      }
      return true
    },
    settle: async (tree, files, now) => {
      const changed = await changedIn(tree, files)
      for (const path of waiting.keys()) if (!changed.has(path)) waiting.delete(path)
      const pause = createPause()
      for (const path of changed) {
        note(path, versionIn(tree, path), now)
        await pause()
      }
      due = dueAt(now)
      const isDue = new Set(due)
      const known = asLoaded(new Map([...files].filter(([path]) => changed.has(path))), tree.read).entries
      const unsettled = [...changed].filter((path) => !isDue.has(path))
      return withEntries(
        tree,
        unsettled.map((path) => [path, known.get(path) ?? null]),
      )
    },
    isHeld: ({ path, version, menu }, before) => {
      const isNew = lostMost(before, menu) && shrunk.get(path) !== version
      if (isNew) held.push(path)
      if (isNew) shrunk.set(path, version)
      else shrunk.delete(path)
      return isNew
    },
    end: (tree, now) => {
      const ended = held
      held = []
      for (const path of due) waiting.delete(path)
      // The waiting time of a held file restarts as well: its batch is to be served together with it.
      for (const path of ended) {
        const version = versionIn(tree, path)
        waiting.set(path, {
          version,
          since: now + HOLD_MS - STILL_MS,
          first: seen(now) + HOLD_MS,
          isHeld: true,
        })
      }
      return ended
    },
    isHolding: () => [...waiting.values()].some(({ isHeld }) => isHeld),
    forget: () => waiting.clear(),
    delay: (now) => {
      if (waiting.size === 0) return null
      const left = [...waiting.values()].map(({ since }) => since + STILL_MS - now).filter((ms) => ms > 0)
      // A settled file that waits for its batch is checked again when the batch may be complete.
      return left.length === 0 ? 0 : Math.max(1, ...left)
    },
  }
}

/** Whether a menu has less than half of its former items, and had enough for that to matter. */
function lostMost(before: Menu | null, now: Menu | null): boolean {
  if (before === null || now === null) return false
  const [had, has] = [before, now].map(({ items }) => [...everyItem(items)].length) as [number, number]
  return had >= FEW_ITEMS && has * 2 < had
}

function signatureAt(place: string): string {
  try {
    return toSignature(statSync(place))
  } catch {
    return GONE
  }
}
