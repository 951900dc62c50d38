import type { Problem, ProblemCounts } from '../../model/problem.js'
import type { Snapshot } from '../../model/snapshot.js'
import { countByRules, judgeByRules } from '../../service/project-rules.js'
import { toSeenProblem } from '../problem-text.js'
import { type Site, toSeen } from '../site.js'
import type { Scope } from './scope.js'

/** The findings of a lint, for all formats. */
export interface LintReport extends ProblemCounts {
  readonly files: number
  /** Files are named as seen from the folder that the report is for. */
  readonly problems: readonly Problem[]
  /** What was fixed first; null without --fix. */
  readonly fixed: readonly FixedProblem[] | null
}

/** A problem that was fixed; its file is as seen from the folder in which the command runs. */
export type FixedProblem = Pick<Problem, 'path' | 'code' | 'line' | 'column' | 'what'>

/** The problems of the files in a scope, with the project's severities. */
export function toReport({ files, problems }: Snapshot, site: Site, scope: Scope): LintReport {
  const { rules } = site.options.lint
  const asked = files.filter(({ path }) => scope.hasFile(path))
  const judged = judgeByRules(problems.filter(scope.hasProblem), rules)
  return {
    files: asked.length,
    ...countByRules(judged, asked, rules),
    problems: judged.map((problem) => toSeenProblem(problem, (path) => toSeen(site, path))),
    fixed: null,
  }
}
