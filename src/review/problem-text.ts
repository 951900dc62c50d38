import { toVisible } from '../document/source.js'
import { type Problem, toMeant } from '../model/problem.js'
import type { Paint } from './ink.js'
import { toPlace } from './placed-problems.js'

/** A problem for people: what and where, a picture of the place, why, and the fix. */
export function toProblemText(problem: Problem, paint: Paint, place: string = toPlace(problem)): string {
  const { severity, code, what, why, todo, frame } = problem
  const colour = severity === 'error' ? paint.red : paint.yellow
  const rows = frame.split('\n').filter((row) => row !== '')
  return [
    `${paint.bold(toVisible(place))} ${colour(severity)} ${paint.dim(code)}`,
    `  ${toVisible(`${what}${toMeant(problem)}`)}`,
    ...rows.map((row) => `    ${paint.dim(row)}`),
    `  ${paint.dim('why')} ${why}`,
    `  ${paint.dim('do ')} ${toVisible(todo)}`,
  ].join('\n')
}
