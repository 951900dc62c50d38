import { FIXABLE_CODES } from '../../document/fix-problems.js'
import { toVisible } from '../../document/source.js'
import { toPlainJson } from '../../model/plain-json.js'
import { type Problem, type ProblemCounts, toAdvice } from '../../model/problem.js'
import { PROBLEM_KINDS, type ProblemCode } from '../../model/problem-codes.js'
import type { Snapshot } from '../../model/snapshot.js'
import { countByRules, judgeByRules } from '../../service/project-rules.js'
import { contentHash } from '../../store/hash.js'
import { count } from '../count.js'
import type { Paint } from '../ink.js'
import { toProblemText, toSeenProblem } from '../problem-text.js'
import { type Site, toSeen } from '../site.js'
import type { Scope } from './scope.js'
import type { LintFormat } from './top-folder.js'

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

type Writer = (report: LintReport, paint: Paint, version: string) => string

/** Writes a report in one of the forms, without a line break at its end. */
export const LINT_WRITERS: Readonly<Record<LintFormat, Writer>> = {
  text: toText,
  json: (report) => toPlainJson(toLintJson(report), 2),
  github: ({ problems }) => problems.map(toGitHub).join('\n'),
  gitlab: (report) => toPlainJson(toGitLab(report), 2),
  sarif: (report, _, version) => toPlainJson(toSarif(report, version), 2),
}

function toText({ problems, files, errors, warnings, omitted, fixed }: LintReport, paint: Paint): string {
  const parts = problems.map((problem) => `${toProblemText(problem, paint)}\n`)
  const counts = `${count(files, 'file')}, ${count(errors, 'error')}, ${count(warnings, 'warning')}`
  const more = omitted > 0 ? ` (${omitted} more not listed)` : ''
  const colour = errors > 0 ? paint.red : warnings > 0 ? paint.yellow : paint.green
  const fixable = fixed === null ? countFixable(problems) : 0
  const hint = fixable === 0 ? [] : [paint.dim(`menuscript lint --fix fixes ${fixable} of them`)]
  return [...parts, colour(`${errors + warnings === 0 ? '✓ ' : ''}${counts}${more}`), ...hint].join('\n')
}

/** How many of these problems --fix can fix; a file with an error needs a manual fix. */
function countFixable(problems: readonly Problem[]): number {
  const errors = problems.filter(({ code }) => PROBLEM_KINDS[code].severity === 'error')
  const withheld = new Set(errors.map(({ path }) => path))
  return problems.filter(({ code, path }) => FIXABLE_CODES.includes(code) && !withheld.has(path)).length
}

/** A report for programs; `docs` of a problem is its entry in the pages of the package. */
export function toLintJson({ fixed, problems, ...report }: LintReport): object {
  const documented = problems.map((problem) => ({ ...problem, docs: `docs/problems.md#${problem.code}` }))
  return { version: 1, ...report, problems: documented, ...(fixed !== null && { fixed }) }
}

/** A problem in one sentence or more. */
function toSentence(problem: Problem): string {
  return `${problem.what} ${toAdvice(problem)}`
}

/** A workflow command of GitHub Actions: it marks the line in the pull request. */
function toGitHub(problem: Problem): string {
  const { path, severity, line, column, endColumn, code } = problem
  const end = endColumn > column ? `,endColumn=${endColumn - 1}` : ''
  const place = `file=${escapeProperty(toVisible(path))},line=${line},col=${column}${end},title=${escapeProperty(code)}`
  return `::${severity} ${place}::${escapeData(toVisible(toSentence(problem)))}`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/**
 * A report of GitLab's Code Quality. A fingerprint is made of file, code and message, not of the line: by it, GitLab knows
 * which findings a merge request adds, and a moved item is not a new finding. Equal ones are numbered.
 */
function toGitLab({ problems }: LintReport): unknown {
  const seen = new Map<string, number>()
  return problems.map((problem) => {
    const { path, code, severity, line, what } = problem
    const key = JSON.stringify([path, code, what])
    const number = (seen.get(key) ?? 0) + 1
    seen.set(key, number)
    return {
      description: toVisible(toSentence(problem)),
      check_name: code,
      fingerprint: contentHash(`${key} ${number}`),
      severity: severity === 'error' ? 'critical' : 'minor',
      location: { path, lines: { begin: line } },
    }
  })
}

/** SARIF 2.1.0 (OASIS), with a rule for each code that occurs. */
function toSarif({ problems }: LintReport, version: string): unknown {
  const rules = [...new Set(problems.map(({ code }) => code))].sort().map(toSarifRule)
  const tool = { driver: { name: 'menuscript', version, rules } }
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool, columnKind: 'utf16CodeUnits', results: problems.map(toSarifResult) }],
  }
}

function toSarifRule(code: ProblemCode): unknown {
  const { severity, why, todo } = PROBLEM_KINDS[code]
  const shortDescription = { text: why }
  return { id: code, shortDescription, help: { text: todo }, defaultConfiguration: { level: severity } }
}

function toSarifResult(problem: Problem): unknown {
  const { path, related, code, severity, line, column, endColumn } = problem
  const toLocation = (file: string, region?: object): object => {
    const uri = file.split('/').map(encodeURIComponent).join('/')
    return { physicalLocation: { artifactLocation: { uri }, ...(region && { region }) } }
  }
  const region = { startLine: line, startColumn: column, ...(endColumn > column && { endColumn }) }
  return {
    ruleId: code,
    level: severity,
    message: { text: toSentence(problem) },
    locations: [toLocation(path, region)],
    ...(related !== null && { relatedLocations: [toLocation(related)] }),
  }
}
