import { relative, resolve } from 'node:path'
import { type Problem, toAdvice, toProblem } from '../model/problem.js'
import { type InputKind, inputFaults } from '../service/inputs.js'

/** An error about problems, which its message lists, one a line. */
class ProblemsError extends Error {
  declare readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[], toPlace: (problem: Problem) => string) {
    super(problems.map((each) => `${toPlace(each)}: ${each.what} ${toAdvice(each)}`).join('\n'))
    // Not enumerable: Node would print them again, after the message.
    Object.defineProperty(this, 'problems', { value: problems })
  }
}

/** Thrown to a program whose configuration, options or hooks cannot be used; its message lists all problems, a line each. */
export class ConfigurationError extends ProblemsError {
  override readonly name = 'ConfigurationError'
  /** For programs to recognize it. */
  readonly code = 'ERR_MENUS_CONFIGURATION'

  constructor(problems: readonly Problem[]) {
    super(problems, ({ path, line, column, frame }) => (frame === '' ? path : `${path}:${line}:${column}`))
  }
}

/**
 * Thrown to a program that asked for faultless menus; its message lists all errors, one a line, each with the file as seen
 * from the current folder, line, column and code.
 */
export class MenusError extends ProblemsError {
  override readonly name = 'MenusError'
  /** For programs to recognize it. */
  readonly code = 'ERR_MENUS_INVALID'
  /** The absolute folder of the menus. The problems have their paths from there. */
  readonly menusFolder: string

  constructor(menusFolder: string, problems: readonly Problem[]) {
    super(problems, ({ path, line, column, code }) => {
      const file = relative(process.cwd(), resolve(menusFolder, path)) || '.'
      return `${path === '' ? file : `${file}:${line}:${column}`}: ${code}`
    })
    this.menusFolder = menusFolder
  }
}

/** Throws ConfigurationError where a program gives a function of the library an option that it does not have or cannot use. */
export function refuseInputs(path: string, given: unknown, kinds: Readonly<Record<string, InputKind>>): void {
  const faults = inputFaults(given, kinds)
  if (faults.length === 0) return
  const todo = 'Correct the option, or leave it out.'
  throw new ConfigurationError(faults.map((fault) => toProblem({ ...fault, path, todo })))
}
