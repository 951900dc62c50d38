import { relative, resolve } from 'node:path'
import { type Problem, toAdvice } from '../model/problem.js'

/**
 * Thrown to a program that asked for faultless menus; its message lists all errors, one a line, each with the file as seen
 * from the current folder, line, column and code.
 */
export class MenusError extends Error {
  override readonly name = 'MenusError'
  /** For programs to recognize it. */
  readonly code = 'ERR_MENUS_INVALID'
  /** The absolute folder of the menus. */
  readonly menusFolder: string
  /** With their paths from the menus folder. */
  declare readonly problems: readonly Problem[]

  constructor(menusFolder: string, problems: readonly Problem[]) {
    super(problems.map((problem) => toLine(menusFolder, problem)).join('\n'))
    this.menusFolder = menusFolder
    // Not enumerable: Node would print them once more, behind the message.
    Object.defineProperty(this, 'problems', { value: problems })
  }
}

function toLine(menusFolder: string, problem: Problem): string {
  const { path, line, column, code, what } = problem
  const file = relative(process.cwd(), resolve(menusFolder, path)) || '.'
  const place = path === '' ? file : `${file}:${line}:${column}`
  return `${place}: ${code}: ${what} ${toAdvice(problem)}`
}
