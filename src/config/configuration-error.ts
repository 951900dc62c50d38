import { type Problem, toAdvice, toProblem } from '../model/problem.js'
import { type InputKind, inputFaults } from '../service/inputs.js'

/** Thrown to a program whose configuration, options or hooks cannot be used; its message lists all problems, a line each. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  declare readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(toLine).join('\n'))
    // Not enumerable: Node would print them once more, behind the message.
    Object.defineProperty(this, 'problems', { value: problems })
  }
}

function toLine(problem: Problem): string {
  const { path, line, column, frame, what } = problem
  const place = frame === '' ? path : `${path}:${line}:${column}`
  return `${place}: ${what} ${toAdvice(problem)}`
}

/** Throws ConfigurationError where a program gives a function of the library an option that it does not have or cannot use. */
export function refuseInputs(path: string, given: unknown, kinds: Readonly<Record<string, InputKind>>): void {
  const faults = inputFaults(given, kinds)
  if (faults.length === 0) return
  const todo = 'Correct the option, or leave it out.'
  throw new ConfigurationError(faults.map((fault) => toProblem({ ...fault, path, todo })))
}
