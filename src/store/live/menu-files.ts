import { existsSync, lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { tooLarge } from '../../document/menu-document.js'
import type { Limits } from '../../model/limits.js'
import { everyItem, type Menu } from '../../model/menu.js'
import type { MenuFile } from '../../model/menu-file.js'
import { type Problem, toProblem } from '../../model/problem.js'
import { toReason } from '../../service/log.js'
import { isGone, MENU_NAME, outside, toSignature, toWithheld, unreadable } from '../entry.js'
import { contentHash } from '../hash.js'
import { leadsBack, leadsOut, OutsideError } from '../inside.js'
import type { JudgedFiles } from '../judged-files.js'
import { readMenuBytes } from '../read-file.js'
import type { Scan } from '../scan.js'
import type { Parser } from './parser.js'

/** The signature of a missing file. */
const GONE = 'gone'
const REFUSED = 'refused'
/** Bytes from which parsing would delay requests noticeably. */
const LARGE = 16_384
/** Files between two pauses. */
const SLICE = 256
/** With fewer items, every edit loses half. */
const FEW_ITEMS = 6

export interface MenuFilesDeps {
  readonly root: string
  readonly limits: Limits
  readonly parser: Parser
  /** What a path serves now; null for nothing. */
  readonly servedBy: (path: string) => Menu | null
}

/**
 * How a file is taken over: `here`, at once; `aside`, parsed in the thread; `patient`, so that a file which lost more than
 * half of its items counts only when it is found so twice. A writer may be in the middle of it.
 */
export interface TakeOverOptions {
  readonly aside: 'never' | 'large' | 'always'
  readonly patient: boolean
  /** Files that need no parsing where they are found in this version, by path. Default: none. */
  readonly judged?: JudgedFiles
}

interface Known {
  readonly signature: string
  readonly file: MenuFile
}

/** The known files of a folder, each as it was last taken over. */
export interface MenuFiles {
  readonly all: () => readonly MenuFile[]
  readonly known: (path: string) => MenuFile | null
  /** The paths that a scan found in another state than the known one, each with its signature; yields now and then. */
  readonly changed: (scan: Scan) => Generator<void, ReadonlyMap<string, string>>
  /** The signature of a path now, or null when it is unchanged; by its content where its times differ at each rescan. */
  readonly check: (path: string, byContent: boolean) => string | null
  /** Reads a path and takes over its content. */
  readonly takeOver: (path: string, options: TakeOverOptions) => Promise<'same' | 'changed' | 'held'>
  /** Takes over which files a scan refused to read, and forgets those it no longer refuses. False when nothing changed. */
  readonly refuse: (scan: Scan) => boolean
  /** Forgets the signatures, so that the next rescan reads every file. */
  readonly distrust: () => void
}

export function createMenuFiles({ root, limits, parser, servedBy }: MenuFilesDeps): MenuFiles {
  const known = new Map<string, Known>()
  /** The versions that were found once to have lost most of their items. */
  const held = new Map<string, string>()
  /** The known paths that the last scan did not list. */
  const unlisted = new Set<string>()
  /** Whether nothing lists a path that can be read: its folder was replaced by a link that leads back. */
  const isAround = (path: string): boolean => unlisted.has(path) && leadsBack(root, path)
  /** Where a folder on the way was just replaced by a link, this may be that of a file outside: reading it is refused. */
  const signatureNow = (path: string): string => {
    const stats = lstatSync(join(root, path))
    if (!stats.isSymbolicLink()) return toSignature(stats)
    return leadsOut(root, path) ? REFUSED : toSignature(statSync(join(root, path)))
  }
  const signatureOf = (path: string, byContent: boolean): string => {
    try {
      if (isAround(path)) return GONE
      if (!byContent) return signatureNow(path)
      const { bytes, size } = readMenuBytes(root, path, limits.bytes)
      return `${size} ${contentHash(bytes)}`
    } catch {
      return byContent ? signatureOf(path, false) : GONE
    }
  }
  const isKnown = (path: string, signature: string): boolean =>
    (known.get(path)?.signature ?? GONE) === signature

  const read = async (path: string, { aside, judged }: TakeOverOptions): Promise<Known | null> => {
    const before = known.get(path)
    try {
      if (isAround(path)) return null
      const { bytes, signature, size } = readMenuBytes(root, path, limits.bytes)
      if (size > limits.bytes) return { signature, file: toWithheld(path, tooLarge(path, size, limits)) }
      // Unchanged bytes keep the value, and everything derived from it.
      const version = contentHash(bytes)
      if (before?.file.version === version) return { signature, file: before.file }
      const given = judged?.get(path)
      if (given?.version === version) return { signature, file: given }
      const isAside = aside === 'always' || (aside === 'large' && bytes.length > LARGE)
      const file = isAside ? await parser.aside(path, bytes) : parser.here(path, bytes)
      return { signature, file }
    } catch (thrown) {
      if (isGone(thrown)) return null
      // A link may have replaced the file since the folder was listed.
      if (thrown instanceof OutsideError) return { signature: REFUSED, file: toWithheld(path, outside(path)) }
      return { signature: signatureOf(path, false), file: toWithheld(path, unreadable(path, thrown)) }
    }
  }

  return {
    all: () => Array.from(known.values(), ({ file }) => file),
    known: (path) => known.get(path)?.file ?? null,
    changed: function* ({ signatures, refused }) {
      // Files in a folder that cannot be listed are not gone.
      const closed = [...refused.keys()].map((path) => `${path}/`)
      const isGoneNow = (path: string): boolean =>
        !signatures.has(path) && !refused.has(path) && !closed.some((folder) => path.startsWith(folder))
      const found = new Map<string, string>()
      unlisted.clear()
      let count = 0
      for (const [path, signature] of signatures) {
        if (!isKnown(path, signature)) found.set(path, signature)
        if (++count % SLICE === 0) yield
      }
      for (const path of known.keys()) {
        if (isGoneNow(path)) {
          unlisted.add(path)
          found.set(path, GONE)
        }
        if (++count % SLICE === 0) yield
      }
      return found
    },
    check: (path, byContent) => {
      const signature = signatureOf(path, byContent)
      return isKnown(path, signature) ? null : signature
    },
    takeOver: async (path, options) => {
      const before = known.get(path)
      const now = await read(path, options)
      if (now === null) {
        held.delete(path)
        // In a folder that is gone, nothing was deleted: its menus stay served.
        if (!isFolder(root)) return 'same'
        return known.delete(path) ? 'changed' : 'same'
      }
      const { version, menu } = now.file
      if (options.patient && held.get(path) !== version && lostMost(servedBy(path), menu)) {
        held.set(path, version)
        return 'held'
      }
      held.delete(path)
      known.set(path, now)
      return before?.file === now.file ? 'same' : 'changed'
    },
    refuse: ({ refused, signatures }) => {
      let changed = false
      // An entry named like a menu goes as a file does: when it stays away.
      for (const [path, { signature }] of known) {
        if (signature !== REFUSED || MENU_NAME.test(path) || refused.has(path) || signatures.has(path))
          continue
        known.delete(path)
        changed = true
      }
      for (const [path, problem] of refused) {
        const before = known.get(path)
        if (before?.signature === REFUSED && before.file.problems[0]?.what === problem.what) continue
        known.set(path, { signature: REFUSED, file: toWithheld(path, problem) })
        changed = true
      }
      return changed
    },
    distrust: () => {
      for (const [path, { signature, file }] of known) {
        if (signature !== REFUSED) known.set(path, { signature: '', file })
      }
    },
  }
}

/** Whether a menu has less than half of its former items, and had enough for that to matter. */
function lostMost(before: Menu | null, now: Menu | null): boolean {
  if (before === null || now === null) return false
  const [had, has] = [before, now].map(({ items }) => [...everyItem(items)].length) as [number, number]
  return had >= FEW_ITEMS && has * 2 < had
}

/** Whether there is a folder. Where that is unknown, nothing was deleted either. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** The problem of a folder that cannot be listed, with advice about its option. */
export function folderMissing(root: string, thrown: unknown, namedBy: string | null): Problem {
  const { code } = thrown as NodeJS.ErrnoException
  const isFile = code === 'ENOTDIR' && existsSync(root)
  const cause = isFile ? 'it is a file, not a folder' : toReason(thrown)
  const reason = code === 'ENOENT' ? 'it does not exist' : cause
  const first = isFile ? 'Put a folder in its place' : 'Create the folder, fix its permissions'
  const other = isFile ? 'a folder' : 'the right one'
  const rest = namedBy === null ? `point storage.connections at ${other}` : `give ${namedBy} ${other}`
  const what = `The menus folder ${root} cannot be read: ${reason}.`
  return toProblem({ code: 'folder-missing', path: '', what, todo: `${first}, or ${rest}.` })
}
