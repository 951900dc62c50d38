import type { Problem } from '../model/problem.js'

/** What a lint found, for all its forms. */
export interface LintReport {
  readonly files: number
  readonly errors: number
  readonly warnings: number
  /** How many more problems there are than are listed. */
  readonly omitted: number
  readonly problems: readonly LintedProblem[]
}

export interface LintedProblem {
  readonly problem: Problem
  /** The file as seen from the folder that the command runs in. */
  readonly file: string
}

export type LintFormat = 'text' | 'json' | 'github' | 'sarif'
export const LINT_FORMATS: readonly LintFormat[] = ['text', 'json', 'github', 'sarif']
