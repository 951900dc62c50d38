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
}

export type LintFormat = 'text' | 'json' | 'github' | 'sarif'
export const LINT_FORMATS: readonly LintFormat[] = ['text', 'json', 'github', 'sarif']
