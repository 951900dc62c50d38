import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { toIdentity } from '../entry.js'
import { contentHash } from '../hash.js'
import { inFolder } from '../inside.js'

/** Thrown while another process writes the same file. */
export class FileBusyError extends Error {
  override readonly name = 'FileBusyError'
}

/** Names an entry of a folder that is kept open (`inFolder`). */
export type At = (name: string) => string

export interface NewText {
  readonly text: string | Uint8Array
  /** The permission bits. */
  readonly mode: number
}

/** Milliseconds after which a file that was left beside another belongs to a process that has ended. */
export const STALE_MS = 10_000
/** What remains beside a menu when a process ends in the middle of a save; `own` is what earlier releases left. */
const ASIDE_NAME: RegExp = /(?:^|\/)\.menuscript-[\da-f]{12}\.(?:tmp|own)$/

/** Whether a path is one that a process leaves beside a file when it ends in the middle of writing it. */
export function isAsideName(path: string): boolean {
  return ASIDE_NAME.test(path)
}

/** Whether a process may still work with a file that is beside another. */
function isFresh({ mtimeMs }: Pick<Stats, 'mtimeMs'>): boolean {
  return Math.abs(Date.now() - mtimeMs) < STALE_MS
}

/**
 * Writes a text beside a name of an open folder and gives it the name once it is on the disk, unless `isMeant`, called last,
 * answers false. A link of that name gives way to the text; its target stays.
 */
export function putFile(
  at: At,
  name: string,
  { text, mode }: NewText,
  isMeant: (aside: string) => boolean = () => true,
): boolean {
  return besideFile(at, name, (aside, descriptor) => {
    writeText(descriptor, text, mode)
    if (!isMeant(aside) || !isStillOurs(aside, descriptor)) return false
    renameSync(aside, at(name))
    return true
  })
}

/** The same, atomically, for a name that must be free. Throws EEXIST if it is not. */
export function putNewFile(at: At, name: string, { text, mode }: NewText): void {
  besideFile(at, name, (aside, descriptor) => {
    writeText(descriptor, text, mode)
    linkSync(aside, at(name))
    return true
  })
}

/** Deletes a file of an open folder, unless `isMeant`, called last, answers false. */
export function deleteFile(at: At, name: string, isMeant: () => boolean): boolean {
  return besideFile(at, name, () => {
    if (!isMeant()) return false
    unlinkSync(at(name))
    return true
  })
}

/**
 * Works with a new file beside another one, whose name keeps other processes of ours from the same work: it is made from the
 * name of the other. When `work` answers that it has changed the folder, the folder is synced.
 */
export function besideFile(
  at: At,
  name: string,
  work: (aside: string, descriptor: number) => boolean,
): boolean {
  // A name that no scan reads as a menu, and that fits wherever the other does.
  const aside = at(`.menuscript-${contentHash(name).slice(0, 12)}.tmp`)
  const descriptor = openAside(aside)
  let isDone = false
  try {
    // The folder may have been swapped just before.
    at('.')
    isDone = work(aside, descriptor)
  } finally {
    // Once it has the name, another process may have one of its own beside it.
    if (isStillOurs(aside, descriptor)) rmSync(aside, { force: true })
    else if (!isDone) leftBehind.add(toIdentity(fstatSync(descriptor)))
    closeSync(descriptor)
  }
  if (isDone) syncFolder(at('.'))
  return isDone
}

/** What this process could not delete because its folder was away: by now it may be back. */
const leftBehind = new Set<string>()

/** Opens the new file. One that was left there is another process at work, or is old: that process has ended. */
function openAside(aside: string): number {
  try {
    return openSync(aside, 'wx', 0o600)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown
    const stats = lstatSync(aside, { throwIfNoEntry: false })
    const isAtWork = stats !== undefined && isFresh(stats) && !leftBehind.has(toIdentity(stats))
    if (isAtWork) throw new FileBusyError('another process writes it')
    rmSync(aside, { force: true })
    return openSync(aside, 'wx', 0o600)
  }
}

function writeText(descriptor: number, text: NewText['text'], mode: number): void {
  writeFileSync(descriptor, text)
  fchmodSync(descriptor, mode)
  fsyncSync(descriptor)
}

/** Whether a name still leads to the open file: a process that stood still for long may have lost it. */
function isStillOurs(aside: string, descriptor: number): boolean {
  const [own, there] = [fstatSync(descriptor), lstatSync(aside, { throwIfNoEntry: false })]
  return there !== undefined && own.ino === there.ino && own.dev === there.dev
}

/** Without it, the old text may be back after a power cut. Windows and some file systems cannot do it. */
function syncFolder(folder: string): void {
  let descriptor: number
  try {
    descriptor = openSync(folder, 'r')
  } catch {
    // A folder that may not be listed.
    return
  }
  try {
    fsyncSync(descriptor)
  } catch (thrown) {
    if (!CANNOT_SYNC.has((thrown as NodeJS.ErrnoException).code ?? '')) throw thrown
  } finally {
    closeSync(descriptor)
  }
}

const CANNOT_SYNC: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR', 'EBADF'])

/**
 * Deletes what saves that were cut off have left in a folder and below it, once it is older than any save takes. Returns the
 * paths. What cannot be listed or deleted stays.
 */
export function removeStrays(root: string): readonly string[] {
  const removed: string[] = []
  for (const path of listed(root).filter(isAsideName)) {
    try {
      inFolder(root, dirname(path), (at) => {
        const place = at(path.slice(path.lastIndexOf('/') + 1))
        if (isFresh(lstatSync(place))) return
        rmSync(place)
        removed.push(path)
      })
    } catch {
      // No save is delayed by it.
    }
  }
  return removed
}

function listed(root: string): readonly string[] {
  try {
    const entries = readdirSync(root, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
  } catch {
    return []
  }
}
