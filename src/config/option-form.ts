import { schemaIssues } from '../document/read/schema.js'
import { validateConfig } from '../document/read/validators.js'
import { type Problem, toProblem } from '../model/problem.js'

/** What is wrong with the form of values, and where their source has them. `todo` replaces the advice for files. */
export function formProblems(
  values: unknown,
  whereOf: (name: string) => string,
  todo: string | null,
): Problem[] {
  return schemaIssues(validateConfig, values, () => null).map(({ pointer, ...issue }) => {
    const { code, what, suggestion = null } = issue
    const advice = todo ?? issue.todo
    const path = whereOf(pointer.join('.'))
    return toProblem({ code, path, what, suggestion, ...(advice !== undefined && { todo: advice }) })
  })
}
