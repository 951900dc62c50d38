import type { Config } from '../../config/load-config.js'
import type { Problem, ProblemCounts } from '../../model/problem.js'
import type { Snapshot } from '../../model/snapshot.js'
import { countByRules, judgeByRules } from '../../service/project-rules.js'
import { toSeen } from '../command.js'
import type { Scope } from './scope.js'

/** What a lint found, for all its forms. */
export interface LintReport extends ProblemCounts {
  readonly files: number
  readonly problems: readonly LintedProblem[]
  /** What was mended before; null where nobody asked for it. */
  readonly fixed: readonly FixedProblem[] | null
}

export interface LintedProblem {
  readonly problem: Problem
  /** The file as seen from the folder that the command runs in. */
  readonly file: string
  /** The other file of a problem between two, seen from there; null where there is none. */
  readonly related: string | null
}

/** A problem that is there no more. */
export interface FixedProblem extends Pick<Problem, 'code' | 'line' | 'column' | 'what'> {
  /** The file as seen from the folder that the command runs in. */
  readonly path: string
}

export type LintFormat = 'text' | 'json' | 'github' | 'gitlab' | 'sarif'
export const LINT_FORMATS: readonly LintFormat[] = ['text', 'json', 'github', 'gitlab', 'sarif']

/** What is wrong with the files of a scope, with the severities of the project. */
export function toReport(
  { files, problems }: Snapshot,
  { menusFolder, options }: Config,
  folder: string,
  { hasFile, hasProblem }: Scope,
): LintReport {
  const { rules } = options.lint
  const asked = files.filter(({ path }) => hasFile(path))
  const judged = judgeByRules(problems.filter(hasProblem), rules)
  const seen = (path: string): string => toSeen(folder, menusFolder, path) || '.'
  return {
    files: asked.length,
    ...countByRules(judged, asked, rules),
    problems: judged.map((problem) => ({
      problem,
      file: seen(problem.path),
      related: problem.related === null ? null : seen(problem.related),
    })),
    fixed: null,
  }
}
