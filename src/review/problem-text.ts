import { toVisible } from '../document/source.js'
import { type Problem, toMeant } from '../model/problem.js'
import type { Paint } from './ink.js'

/** A problem for people: what and where, a picture of the place, why, and what to do. */
export function toProblemText(problem: Problem, at: string, paint: Paint): string {
  const { severity, code, what, why, todo, frame } = problem
  const colour = severity === 'error' ? paint.red : paint.yellow
  return [
    `${paint.bold(toVisible(at))} ${colour(severity)} ${paint.dim(code)}`,
    `  ${toVisible(`${what}${toMeant(problem)}`)}`,
    ...frame
      .split('\n')
      .filter((row) => row !== '')
      .map((row) => `    ${paint.dim(row)}`),
    `  ${paint.dim('why')} ${why}`,
    `  ${paint.dim('do ')} ${toVisible(todo)}`,
  ].join('\n')
}
