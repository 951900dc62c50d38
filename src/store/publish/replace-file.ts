import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { contentHash } from '../hash.js'
import { inFolder, isInside, OutsideError } from '../inside.js'
import { readOpened } from '../read-file.js'

/** Reads the entry itself, not a link's target, and does not wait for a pipe. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** As large as `limits.bytes` may be. */
const MAX_BYTES = 8_388_608

/**
 * Replaces the text of a file of a folder, in whole or not at all: it is written beside the file and takes its name once it
 * is on the disk; then the folder is synced, too. Mode and, where allowed, owner stay; a symbolic link stays one. Nothing is
 * written outside the folder, even if links are flipped meanwhile. False, with nothing written, when the file no longer
 * holds the version that the text was made from. Throws OutsideError, or file system errors.
 */
export function replaceFile(root: string, path: string, version: string, text: string): boolean {
  const realRoot = realpathSync.native(root)
  const real = realpathSync.native(join(realRoot, path))
  if (!isInside(real, realRoot)) throw new OutsideError(path)
  const name = basename(real)
  return inFolder(realRoot, relative(realRoot, dirname(real)), (at) => {
    const { mode, uid, gid } = lstatSync(at(name))
    return putFile(at, name, { text, mode: mode & 0o7777 }, (aside) => {
      keepOwner(aside, uid, gid)
      const descriptor = openSync(at(name), READ)
      return contentHash(readOpened(descriptor, MAX_BYTES).bytes) === version
    })
  })
}

/**
 * Writes a text beside a name of an open folder and gives it the name once it is on the disk, unless `isMeant`, called last,
 * answers false. A link of that name gives way to the text; its target stays.
 */
export function putFile(
  at: (name: string) => string,
  name: string,
  { text, mode }: { readonly text: string; readonly mode: number },
  isMeant: (aside: string) => boolean = () => true,
): boolean {
  // A name that no scan reads as a menu.
  const aside = at(`.${name}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const descriptor = openSync(aside, 'wx', 0o600)
    try {
      writeFileSync(descriptor, text)
      fchmodSync(descriptor, mode)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    if (!isMeant(aside)) return false
    renameSync(aside, at(name))
    syncFolder(at('.'))
    return true
  } finally {
    rmSync(aside, { force: true })
  }
}

/** Without it, the old text may be back after a power cut. Windows and some file systems cannot do it. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // The new text has its name, and is safe while the machine runs.
  }
}

/** Only root may give a file away; other users have made their own. */
function keepOwner(file: string, uid: number, gid: number): void {
  try {
    chownSync(file, uid, gid)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EPERM') throw thrown
  }
}
