import { toVisible } from '../../document/source.js'
import { toAdvice } from '../../model/problem.js'
import { contentHash } from '../../store/hash.js'
import type { LintReport } from './report.js'

/**
 * A report of GitLab's Code Quality. A fingerprint is made of file, code and message, not of the line: by it, GitLab knows
 * which findings a merge request adds, and a moved item is not a new finding. Equal ones are numbered.
 */
export function toGitLab({ problems }: LintReport): unknown {
  const seen = new Map<string, number>()
  return problems.map((problem) => {
    const { path, code, severity, line, what } = problem
    const key = JSON.stringify([path, code, what])
    const number = (seen.get(key) ?? 0) + 1
    seen.set(key, number)
    return {
      description: toVisible(`${what} ${toAdvice(problem)}`),
      check_name: code,
      fingerprint: contentHash(`${key} ${number}`),
      severity: severity === 'error' ? 'critical' : 'minor',
      location: { path, lines: { begin: line } },
    }
  })
}
