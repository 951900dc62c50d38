import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { contentHash } from './hash.js'

/**
 * Puts a text in the place of another, in whole or not at all: it is written beside the file and takes its name once it
 * is on the disk; then the folder is brought there, too. Mode and, where that is allowed, owner stay; a symbolic link stays one. False when the file does not
 * hold the version any more that the text was made from, and nothing was written. Throws what the file system says.
 */
export function replaceFile(file: string, version: string, text: string): boolean {
  const real = realpathSync(file)
  const { mode, uid, gid } = statSync(real)
  // A name that no scan of menus takes for one.
  const aside = join(dirname(real), `.${basename(real)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const descriptor = openSync(aside, 'wx', 0o600)
    try {
      writeFileSync(descriptor, text)
      fchmodSync(descriptor, mode & 0o7777)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    keepOwner(aside, uid, gid)
    if (contentHash(readFileSync(real)) !== version) return false
    renameSync(aside, real)
    syncFolder(dirname(real))
    return true
  } finally {
    rmSync(aside, { force: true })
  }
}

/** Without it, the old text may be back after a power cut. Windows cannot do it, nor can some file systems. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // The new text has its name, and nothing of it is lost while the machine runs.
  }
}

/** Only root may give a file away; anybody else has made one of their own. */
function keepOwner(file: string, uid: number, gid: number): void {
  try {
    chownSync(file, uid, gid)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EPERM') throw thrown
  }
}
