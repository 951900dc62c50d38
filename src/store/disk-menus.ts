import { realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { parseMenuFile, tooLarge } from '../document/parse.js'
import type { Problem } from '../model/problem.js'
import { buildSnapshot, type MenuFile } from '../model/snapshot.js'
import type { MenuState } from './git-menus.js'
import { contentHash } from './hash.js'
import type { ReadOptions } from './open-store.js'
import { readMenuBytes } from './read-file.js'
import { isGone, type Scan, scanFolder, unreadable } from './scan.js'

/** The state of a folder that is not there. */
export const NO_MENUS: MenuState = {
  snapshot: buildSnapshot({ files: [], previous: null, folderProblems: [], hash: contentHash }),
  texts: new Map(),
}

/**
 * Reads the menus that a folder has on the disk now, as `readMenusAt` reads those of a commit: of symbolic links, those
 * that lead to a file of the folder count. Null when there is no such folder. Throws what the file system says of a folder that cannot be listed.
 */
export function readMenusOnDisk(
  root: string,
  options: { readonly reading: ReadOptions; readonly filePrefix: string },
): MenuState | null {
  const { reading, filePrefix } = options
  const scan = scanOrNull(root, filePrefix)
  if (scan === null) return null
  const realRoot = realpathSync(root)
  const texts = new Map<string, Uint8Array>()
  const files: MenuFile[] = []
  for (const [path, problem] of scan.refused) {
    if (!isElsewhere(realRoot, path)) files.push(withheld(path, problem))
  }
  for (const path of scan.signatures.keys()) {
    if (isElsewhere(realRoot, path)) continue
    try {
      const { bytes, size } = readMenuBytes(join(root, path), reading.limits.bytes)
      if (size > reading.limits.bytes) {
        files.push(withheld(path, tooLarge(path, size, reading.limits)))
        continue
      }
      texts.set(path, bytes)
      files.push(parseMenuFile(path, bytes, { ...reading, hash: contentHash }))
    } catch (thrown) {
      if (!isGone(thrown)) files.push(withheld(path, unreadable(path, thrown)))
    }
  }
  const { off } = reading.vocabulary
  const snapshot = buildSnapshot({ files, previous: null, folderProblems: [], off, hash: contentHash })
  return { snapshot, texts }
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
    const isInFolder = realpathSync(own).startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)
    return !isInFolder || realpathSync(dirname(own)) !== dirname(own)
  } catch {
    return true
  }
}

function withheld(path: string, problem: Problem): MenuFile {
  return { path, version: '', menu: null, problems: [problem] }
}
