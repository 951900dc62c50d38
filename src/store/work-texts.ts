import { realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { tooLarge } from '../document/menu-document.js'
import { isGone, unreadable } from './entry.js'
import type { MenuTexts, Reach } from './git/menus.js'
import type { TextOrProblem } from './git/objects.js'
import { isInside, OutsideError } from './inside.js'
import { readMenuBytes } from './read-file.js'
import { type Scan, scanFolder } from './scan.js'

/**
 * Reads the texts of the menus that a folder has on the disk now, as `readTextsAt` reads those of a commit: symbolic links
 * count where they lead to a file of the folder. Null when there is no such folder. Throws file system errors for a folder
 * that cannot be listed.
 */
export function readTextsIn(root: string, { filePrefix, limits }: Reach): MenuTexts | null {
  let scan: Scan | undefined
  try {
    scan = [...scanFolder(root, filePrefix)].at(-1)
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown
  }
  if (scan === undefined) return null
  const realRoot = realpathSync.native(root)
  const texts = new Map<string, TextOrProblem>()
  for (const path of scan.signatures.keys()) {
    try {
      const { bytes, size } = readMenuBytes(root, path, limits.bytes)
      texts.set(path, size > limits.bytes ? tooLarge(path, size, limits) : bytes)
    } catch (thrown) {
      if (!isGone(thrown) && !(thrown instanceof OutsideError)) texts.set(path, unreadable(path, thrown))
    }
  }
  return new Map([...texts, ...scan.refused].filter(([path]) => !isElsewhere(realRoot, path)))
}

/** Whether a path leads through a linked folder, out of the folder, or nowhere: a commit does not record those. */
function isElsewhere(realRoot: string, path: string): boolean {
  try {
    const own = join(realRoot, path.split('/').join(sep))
    return !isInside(realpathSync.native(own), realRoot) || realpathSync.native(dirname(own)) !== dirname(own)
  } catch {
    return true
  }
}
