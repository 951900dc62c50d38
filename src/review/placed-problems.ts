import type { Problem } from '../model/problem.js'

/** A problem whose files are named as `seen` names them. */
export function toSeenProblem(problem: Problem, seen: (path: string) => string): Problem {
  const { path, related } = problem
  return { ...problem, path: seen(path), related: related === null ? null : seen(related) }
}

/** Problems by their file. */
export function byFile(problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> {
  const found = new Map<string, Problem[]>()
  for (const problem of problems) {
    const own = found.get(problem.path)
    if (own === undefined) found.set(problem.path, [problem])
    else own.push(problem)
  }
  return found
}

/** `menus/main.yaml:4:5`. */
export function toPlace({ path, line, column }: Pick<Problem, 'path' | 'line' | 'column'>): string {
  return `${path}:${line}:${column}`
}
