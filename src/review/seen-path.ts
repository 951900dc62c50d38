import { relative, resolve, sep } from 'node:path'

/** A file of the menus folder, or the folder itself, as seen from the folder in which the command runs, with `/`. */
export function toSeen(folder: string, menusFolder: string, path: string): string {
  return toSlashes(relative(folder, resolve(menusFolder, path))) || '.'
}

/** A path of this machine with `/`, as reports name paths everywhere. */
export function toSlashes(path: string): string {
  return path.split(sep).join('/')
}
