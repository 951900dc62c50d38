import type { Problem, ProblemCounts } from '../model/problem.js'

/** What a lint found, for all its forms. */
export interface LintReport extends ProblemCounts {
  readonly files: number
  readonly problems: readonly LintedProblem[]
}

export interface LintedProblem {
  readonly problem: Problem
  /** The file as seen from the folder that the command runs in. */
  readonly file: string
  /** The other file of a problem between two, seen from there; null where there is none. */
  readonly related: string | null
}

export type LintFormat = 'text' | 'json' | 'github' | 'gitlab' | 'sarif'
export const LINT_FORMATS: readonly LintFormat[] = ['text', 'json', 'github', 'gitlab', 'sarif']
