import { FIXABLE_CODES } from '../../document/fix.js'
import { toVisible } from '../../document/source.js'
import { toAdvice } from '../../model/problem.js'
import { PROBLEM_KINDS } from '../../model/problem-codes.js'
import { count } from '../count.js'
import type { Paint } from '../ink.js'
import { toPlainJson } from '../plain-json.js'
import { toProblemText } from '../problem-text.js'
import { toGitLab } from './gitlab.js'
import type { LintedProblem, LintFormat, LintReport } from './report.js'
import { toSarif } from './sarif.js'

/** A report in one of the forms, without a line break at its end. */
export function formatReport(report: LintReport, format: LintFormat, paint: Paint, version: string): string {
  switch (format) {
    case 'text':
      return toText(report, paint)
    case 'json':
      return toPlainJson(toJson(report), 2)
    case 'github':
      return report.problems.map(toGitHub).join('\n')
    case 'gitlab':
      return toPlainJson(toGitLab(report), 2)
    case 'sarif':
      return toPlainJson(toSarif(report, version), 2)
  }
}

function toText({ problems, files, errors, warnings, omitted, fixed }: LintReport, paint: Paint): string {
  const parts = problems.map(
    ({ problem, file }) => `${toProblemText(problem, `${file}:${problem.line}:${problem.column}`, paint)}\n`,
  )
  const counts = `${count(files, 'file')}, ${count(errors, 'error')}, ${count(warnings, 'warning')}`
  const more = omitted > 0 ? ` (${omitted} more not listed)` : ''
  const colour = errors > 0 ? paint.red : warnings > 0 ? paint.yellow : paint.green
  const mendable = fixed === null ? countMendable(problems) : 0
  const hint = mendable === 0 ? [] : [paint.dim(`menuscript lint --fix mends ${mendable} of them`)]
  return [...parts, colour(`${errors + warnings === 0 ? '✓ ' : ''}${counts}${more}`), ...hint].join('\n')
}

/** How many of these problems are mended without a person; a file with an error is left to people. */
function countMendable(problems: readonly LintedProblem[]): number {
  const withheld = new Set(
    problems
      .filter(({ problem }) => PROBLEM_KINDS[problem.code].severity === 'error')
      .map(({ file }) => file),
  )
  return problems.filter(({ problem, file }) => FIXABLE_CODES.includes(problem.code) && !withheld.has(file))
    .length
}

function toJson({ problems, fixed, ...counts }: LintReport): unknown {
  return {
    version: 1,
    ...counts,
    ...(fixed !== null && { fixed }),
    problems: problems.map(({ problem, file, related }) => ({ ...problem, path: file, related })),
  }
}

/** A workflow command of GitHub Actions: it marks the line in the pull request. */
function toGitHub({ problem, file }: LintedProblem): string {
  const { severity, line, column, endColumn, code, what } = problem
  const end = endColumn > column ? `,endColumn=${endColumn - 1}` : ''
  const place = `file=${escapeProperty(toVisible(file))},line=${line},col=${column}${end},title=${escapeProperty(code)}`
  return `::${severity} ${place}::${escapeData(toVisible(`${what} ${toAdvice(problem)}`))}`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
