import type { Stats } from 'node:fs'
import type { MenuFile } from '../model/menu-file.js'
import { type Problem, toProblem } from '../model/problem.js'
import { toReason } from '../service/log.js'

/** Deeper than any real folder of menus. */
export const MAX_DEPTH = 32
/** The names of files that are read as menus. */
export const MENU_NAME: RegExp = /\.ya?ml$/i

/** Whether a path of the menus folder is read as a menu, by its names alone. */
export function isMenuPath(path: string, prefix: string): boolean {
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  return isMenuName(name, prefix) && isUtf8(path) && folders.every(isFolderName)
}

/** Names that begin with a dot belong to editors and Kubernetes. */
export function isMenuName(name: string, prefix: string): boolean {
  return MENU_NAME.test(name) && name.startsWith(prefix) && !name.startsWith('.')
}

export function isFolderName(name: string): boolean {
  return !name.startsWith('.') && !MENU_NAME.test(name)
}

/** A name that is not UTF-8 was decoded to one that the file does not have. */
export function isUtf8(name: string): boolean {
  return !name.includes('\ufffd')
}

/** Changes whenever a file is written, replaced or moved: two equal signatures mean equal contents. */
export function toSignature({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  // Joined, it is one text in memory, where a template would be seven.
  return [size, mtimeMs, ctimeMs, ino].join(' ')
}

/** Distinguishes a folder from another one that has its path now: a recreated folder often gets the same inode. */
export function toIdentity({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev} ${ino} ${birthtimeMs}`
}

export function unreadable(path: string, thrown: unknown): Problem {
  return toUnread(path, `The file cannot be read: ${toReason(thrown)}.`)
}

export function toUnread(path: string, what: string, todo?: string): Problem {
  return toProblem({ code: 'unreadable-file', path, what, ...(todo !== undefined && { todo }) })
}

export function outside(path: string): Problem {
  return toProblem({ code: 'outside-folder', path, what: 'This link leads out of the menus folder.' })
}

/** The file of a path that is not read. */
export function toWithheld(path: string, problem: Problem): MenuFile {
  return { path, version: '', menu: null, problems: [problem] }
}

/** Whether a path leads nowhere, or through a former folder. */
export function isGone(thrown: unknown): boolean {
  const { code } = thrown as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}
