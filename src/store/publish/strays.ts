import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inFolder } from '../inside.js'
import { ASIDE_NAME, isFresh } from './put-file.js'

/**
 * Deletes what saves that were cut off have left in a folder and below it, once it is older than any save takes. Returns the
 * paths. What cannot be listed or deleted stays.
 */
export function removeStrays(root: string): readonly string[] {
  const removed: string[] = []
  for (const path of listed(root).filter((each) => ASIDE_NAME.test(each))) {
    try {
      inFolder(root, dirname(path), (at) => {
        const place = at(path.slice(path.lastIndexOf('/') + 1))
        if (isFresh(lstatSync(place))) return
        rmSync(place)
        removed.push(path)
      })
    } catch {
      // No save is delayed by it.
    }
  }
  return removed
}

function listed(root: string): readonly string[] {
  try {
    const entries = readdirSync(root, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
  } catch {
    return []
  }
}
