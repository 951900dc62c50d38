import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inFolder } from '../inside.js'
import { isOwnerDead } from './owner.js'
import { ASIDE_NAME, STALE_MS } from './put-file.js'

/**
 * Deletes what saves that were cut off have left in a folder and below it: files of ours beside others, of processes that
 * have ended, or older than any save takes.
 * Answers their paths. What cannot be listed or deleted stays.
 */
export function removeStrays(root: string): readonly string[] {
  const removed: string[] = []
  for (const path of listed(root).filter((each) => ASIDE_NAME.test(each))) {
    try {
      inFolder(root, dirname(path), (at) => {
        const place = at(path.slice(path.lastIndexOf('/') + 1))
        const mark = place.replace(/tmp$/, 'own')
        if (Date.now() - lstatSync(place).mtimeMs < STALE_MS && !isOwnerDead(mark, place)) return
        rmSync(place)
        rmSync(mark, { force: true })
        removed.push(path)
      })
    } catch {
      // It is in nobody's way.
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
