import { chownSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { contentHash } from '../hash.js'
import { areSame, FolderSwappedError, inFolder, isWithin, OutsideError } from '../inside.js'
import { readMenuBytes } from '../read-file.js'
import { deleteFile, putFile } from './put-file.js'

/** As large as `limits.bytes` may be. */
const MAX_BYTES = 8_388_608

/**
 * Replaces the text of a file of a folder, in whole or not at all: it is written beside the file and takes its name once it
 * is on the disk; then the folder is synced, too. Mode and, where allowed, owner stay; a symbolic link stays one. False when the file no longer holds the version that the
 * text was made from, and then nothing is written. Throws FolderSwappedError, FileBusyError, OutsideError, or file system errors.
 */
export function replaceFile(root: string, path: string, version: string, text: string | Uint8Array): boolean {
  const realRoot = realpathSync.native(root)
  const real = realpathSync.native(join(realRoot, path))
  if (!isWithin({ root: realRoot, closed: [] }, real)) throw new OutsideError(path)
  const [folder, name] = [relative(realRoot, dirname(real)), basename(real)]
  return inFolder(realRoot, folder, (at) => {
    const { mode, uid, gid } = lstatSync(at(name))
    const isPut = putFile(at, name, { text, mode: mode & 0o7777 }, (aside) => {
      keepOwner(aside, uid, gid)
      return holds(realRoot, join(folder, name), version)
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
  return inFolder(root, dirname(path), (at) =>
    deleteFile(at, basename(path), () => holds(root, path, version)),
  )
}

function holds(root: string, path: string, version: string): boolean {
  return contentHash(readMenuBytes({ root, closed: [] }, path, MAX_BYTES).bytes) === version
}

/** Only root may give a file away; other users have made their own. */
export function keepOwner(file: string, uid: number, gid: number): void {
  try {
    chownSync(file, uid, gid)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EPERM') throw thrown
  }
}
