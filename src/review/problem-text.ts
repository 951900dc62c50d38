import { toVisible } from '../document/source.js'
import { groupBy } from '../model/group-by.js'
import { type Problem, toMeant } from '../model/problem.js'
import type { Paint } from './ink.js'

/** A problem whose files are named as `seen` names them. */
export function toSeenProblem(problem: Problem, seen: (path: string) => string): Problem {
  const { path, related } = problem
  return { ...problem, path: seen(path), related: related === null ? null : seen(related) }
}

/** Problems by their file. */
export function byFile(problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> {
  return groupBy(problems, ({ path }) => path)
}

/** `menus/main.yaml:4:5`. */
export function toPlace({ path, line, column }: Pick<Problem, 'path' | 'line' | 'column'>): string {
  return `${path}:${line}:${column}`
}

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
