import { realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { Problem } from '../model/problem.js'
import type { MenuTexts } from './git/menus.js'
import { isInside, OutsideError } from './inside.js'
import { readMenuBytes } from './read-file.js'
import { isGone, type Scan, scanFolder, unreadable } from './scan.js'

/** The texts of the menus that lie in a folder, with what has the name of a menu and cannot be read. */
export interface WorkTexts extends MenuTexts {
  readonly refused: ReadonlyMap<string, Problem>
}

/**
 * Reads the texts of the menus that a folder has on the disk now, as `readTextsAt` reads those of a commit: of symbolic
 * links, those that lead to a file of the folder count. Null when there is no such folder. Throws what the file system
 * says of a folder that cannot be listed.
 */
export function readTextsIn(
  root: string,
  { filePrefix, limit }: { readonly filePrefix: string; readonly limit: number },
): WorkTexts | null {
  const scan = scanOrNull(root, filePrefix)
  if (scan === null) return null
  const realRoot = realpathSync.native(root)
  const texts = new Map<string, Uint8Array>()
  const tooLarge = new Map<string, number>()
  const refused = new Map([...scan.refused].filter(([path]) => !isElsewhere(realRoot, path)))
  for (const path of scan.signatures.keys()) {
    if (isElsewhere(realRoot, path)) continue
    try {
      const { bytes, size } = readMenuBytes(root, path, limit)
      if (size > limit) tooLarge.set(path, size)
      else texts.set(path, bytes)
    } catch (thrown) {
      if (!isGone(thrown) && !(thrown instanceof OutsideError)) refused.set(path, unreadable(path, thrown))
    }
  }
  return { texts, tooLarge, refused }
}

function scanOrNull(root: string, filePrefix: string): Scan | null {
  try {
    const looks = scanFolder(root, filePrefix)
    for (;;) {
      const look = looks.next()
      if (look.done === true) return look.value
    }
  } catch (thrown) {
    if (isGone(thrown)) return null
    throw thrown
  }
}

/** Whether a path leads through a linked folder, out of the folder, or nowhere: of those a commit does not tell. */
function isElsewhere(realRoot: string, path: string): boolean {
  try {
    const own = join(realRoot, path.split('/').join(sep))
    return !isInside(realpathSync.native(own), realRoot) || realpathSync.native(dirname(own)) !== dirname(own)
  } catch {
    return true
  }
}
