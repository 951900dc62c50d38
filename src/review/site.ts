import { relative, resolve, sep } from 'node:path'
import type { Config } from '../config/load-config.js'

/** A configuration, and the folder in which the command runs: reports name files as seen from there. */
export interface Site extends Config {
  readonly folder: string
}

/** A file of the menus folder, or the folder itself, as seen from where the command runs, with `/`. */
export function toSeen({ folder, menusFolder }: Pick<Site, 'folder' | 'menusFolder'>, path: string): string {
  return toSlashes(relative(folder, resolve(menusFolder, path))) || '.'
}

/** A path of this machine with `/`, as reports name paths everywhere. */
export function toSlashes(path: string): string {
  return path.split(sep).join('/')
}
