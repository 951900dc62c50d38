import { linkSync } from 'node:fs'
import { join } from 'node:path'
import type { MenusFolder } from '../../support/menus-folder.js'

/**
 * Gives a file a second name, `elsewhere/second-name`, in a folder that nobody watches. The kernel tells of writes where
 * the name lies that was written to: a change by this name is one without an event.
 */
export function nameTwice({ dir, write }: MenusFolder, path: string): void {
  write('elsewhere/kept', '')
  linkSync(join(dir, path), join(dir, 'elsewhere/second-name'))
}
