import type { Limits } from '../../model/limits.js'
import { readContent } from '../disk-tree.js'
import { contentHash } from '../hash.js'
import type { Loaded } from '../load.js'
import type { MenusFolder } from '../menu-paths.js'
import { createPause } from '../pause.js'

/**
 * Makes a function that finds loaded files with another content, though the system says nothing of a change: each call reads
 * the next ones, and `turns` calls read all.
 */
export function createContentCheck(
  folder: MenusFolder,
  limits: Limits,
  turns: number,
): (files: Loaded['files']) => Promise<readonly string[]> {
  let left: string[] = []
  let turn = 0
  return async (files) => {
    if (left.length === 0) left = [...files.keys()]
    const share = Math.ceil(left.length / (turns - turn))
    turn = (turn + 1) % turns
    const pause = createPause()
    const found: string[] = []
    for (const path of left.splice(0, share)) {
      const known = files.get(path)
      const text = known && readContent(folder, path, limits)?.text
      // One that cannot be read, or is gone, is left to the next scan.
      if (text instanceof Uint8Array && known?.file.version !== contentHash(text)) found.push(path)
      await pause()
    }
    return found
  }
}
