import { type Problem, toAdvice } from '../model/problem.js'

/** Thrown to a program whose configuration, options or hooks cannot be used; its message lists all problems, a line each. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(toLine).join('\n'))
    this.problems = problems
  }
}

function toLine(problem: Problem): string {
  const { path, line, column, frame, what } = problem
  const place = frame === '' ? path : `${path}:${line}:${column}`
  return `${place}: ${what} ${toAdvice(problem)}`
}
