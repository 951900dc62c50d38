import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { isGone } from '../entry.js'

/** Whether files can be made in a folder, which a publish would create, as far as that can be known without making one. */
export function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK | constants.X_OK)
    return true
  } catch (thrown) {
    return isGone(thrown) && dirname(dir) !== dir && isWritable(dirname(dir))
  }
}
