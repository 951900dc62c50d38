import { chownSync, constants, lstatSync, openSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { contentHash } from '../hash.js'
import { areSame, inFolder, isInside, OutsideError } from '../inside.js'
import { readMenuBytes, readOpened } from '../read-file.js'
import { deleteFile, FileBusyError, putFile } from './put-file.js'

/** Thrown when another folder took the place of the one in which a text was just written. */
export class FolderSwappedError extends FileBusyError {
  constructor(path: string) {
    super(`another folder took the place of the one that ${path} was in`)
  }
}

/** Reads the entry itself, not a link's target, and does not wait for a pipe. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** As large as `limits.bytes` may be. */
const MAX_BYTES = 8_388_608

/**
 * Replaces the text of a file of a folder, in whole or not at all: it is written beside the file and takes its name once it
 * is on the disk; then the folder is synced, too. Mode and, where allowed, owner stay; a symbolic link stays one. Nothing is
 * written outside the folder, even if links are flipped meanwhile. False when the file no longer holds the version that the
 * text was made from, and then nothing is written. Throws FolderSwappedError, FileBusyError, OutsideError, or file system errors.
 */
export function replaceFile(root: string, path: string, version: string, text: string | Uint8Array): boolean {
  const realRoot = realpathSync.native(root)
  const real = realpathSync.native(join(realRoot, path))
  if (!isInside(real, realRoot)) throw new OutsideError(path)
  const name = basename(real)
  return inFolder(realRoot, relative(realRoot, dirname(real)), (at) => {
    const { mode, uid, gid } = lstatSync(at(name))
    const isPut = putFile(at, name, { text, mode: mode & 0o7777 }, (aside) => {
      keepOwner(aside, uid, gid)
      return contentHash(readOpened(openSync(at(name), READ), MAX_BYTES).bytes) === version
    })
    if (isPut && !areSame(at(name), join(root, path))) throw new FolderSwappedError(path)
    return isPut
  })
}

/**
 * Deletes a file of a folder; of a symbolic link only the link. False, with nothing deleted, when it no longer holds a version.
 * Throws as `replaceFile` does.
 */
export function removeFile(root: string, path: string, version: string): boolean {
  const holds = (): boolean => contentHash(readMenuBytes(root, path, MAX_BYTES).bytes) === version
  return inFolder(root, dirname(path), (at) => deleteFile(at, basename(path), holds))
}

/** Only root may give a file away; other users have made their own. */
export function keepOwner(file: string, uid: number, gid: number): void {
  try {
    chownSync(file, uid, gid)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EPERM') throw thrown
  }
}
