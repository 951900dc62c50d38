import { accessSync, constants } from 'node:fs'

/** Whether files can be made in a folder, as far as that can be known without making one. */
export function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
