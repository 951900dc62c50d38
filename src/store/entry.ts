import type { Stats } from 'node:fs'
import type { MenuFile } from '../model/menu-file.js'
import { type Problem, toProblem } from '../model/problem.js'
import { toReason } from '../service/log.js'

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

const OUTSIDE = 'This link leads out of the menus folder, or into .git or state.dir.'

export function outside(path: string): Problem {
  return toProblem({ code: 'outside-folder', path, what: OUTSIDE })
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

/** Whether a call of the system failed, and not a program. */
export function isFileError(thrown: unknown): boolean {
  return typeof (thrown as NodeJS.ErrnoException).code === 'string'
}
