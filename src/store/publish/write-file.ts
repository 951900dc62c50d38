import { accessSync, chownSync, constants, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { isGone } from '../entry.js'
import { contentHash } from '../hash.js'
import { areSame, FolderSwappedError, inFolder, isWithin, makeFolders, OutsideError } from '../inside.js'
import { readMenuBytes } from '../read-file.js'
import { deleteFile, putFile, putNewFile } from './atomic-file.js'

/** As large as `limits.bytes` may be. */
const MAX_BYTES = 8_388_608

/**
 * Replaces the text of a file in a folder atomically if it still has the version `from`; null is no file, on both
 * sides. The text is written beside the file and takes its name once it is on the disk; then the folder is synced, too.
 *
 * A new file gets the folders on its way. Otherwise mode and, where allowed, owner stay; a symbolic link stays one, and only
 * the link is deleted. False where the file has another version; nothing is written then. Throws EEXIST for a new file where
 * there is one, FolderSwappedError, FileBusyError, OutsideError, or other file system errors.
 */
export function writeFile(
  root: string,
  path: string,
  from: string | null,
  to: string | Uint8Array | null,
): boolean {
  if (from === null) return to === null || createFile(root, path, to)
  if (to !== null) return replaceFile(root, path, from, to)
  return inFolder(root, dirname(path), (at) => deleteFile(at, basename(path), () => holds(root, path, from)))
}

function createFile(root: string, path: string, text: string | Uint8Array): true {
  makeFolders(root, dirname(path))
  inFolder(root, dirname(path), (at) => putNewFile(at, basename(path), { text, mode: newMode() }))
  return true
}

/** The permissions of a new file. */
export function newMode(): number {
  return 0o666 & ~process.umask()
}

function replaceFile(root: string, path: string, version: string, text: string | Uint8Array): boolean {
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

/** Whether files can be made in a folder, which a publish would create, as far as that can be known without making one. */
export function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK | constants.X_OK)
    return true
  } catch (thrown) {
    return isGone(thrown) && dirname(dir) !== dir && isWritable(dirname(dir))
  }
}
