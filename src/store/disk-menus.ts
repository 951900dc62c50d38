import { parseMenuFile, tooLarge } from '../document/parse.js'
import type { Problem } from '../model/problem.js'
import { buildSnapshot, type MenuFile } from '../model/snapshot.js'
import type { MenuState } from './git/menus.js'
import { contentHash } from './hash.js'
import type { ReadOptions } from './open-store.js'
import { readTextsIn } from './work-texts.js'

/** The state of a folder that is not there. */
export const NO_MENUS: MenuState = {
  snapshot: buildSnapshot({ files: [], previous: null, folderProblems: [], hash: contentHash }),
  texts: new Map(),
}

/**
 * Reads the menus that a folder has on the disk now, as `readMenusAt` reads those of a commit. Null when there is no such
 * folder. Throws what the file system says of a folder that cannot be listed.
 */
export function readMenusOnDisk(
  root: string,
  options: { readonly reading: ReadOptions; readonly filePrefix: string },
): MenuState | null {
  const { reading, filePrefix } = options
  const { limits, vocabulary } = reading
  const found = readTextsIn(root, { filePrefix, limit: limits.bytes })
  if (found === null) return null
  const files: MenuFile[] = []
  for (const [path, problem] of found.refused) files.push(withheld(path, problem))
  for (const [path, size] of found.tooLarge) files.push(withheld(path, tooLarge(path, size, limits)))
  for (const [path, bytes] of found.texts)
    files.push(parseMenuFile(path, bytes, { ...reading, hash: contentHash }))
  const { off } = vocabulary
  const snapshot = buildSnapshot({ files, previous: null, folderProblems: [], off, hash: contentHash })
  return { snapshot, texts: found.texts }
}

function withheld(path: string, problem: Problem): MenuFile {
  return { path, version: '', menu: null, problems: [problem] }
}
