import { type Problem, toAdvice } from '../../model/problem.js'
import { PROBLEM_KINDS, type ProblemCode } from '../../model/problem-codes.js'
import type { LintReport } from './report.js'

/** SARIF 2.1.0 (OASIS), with a rule for each code that occurs. */
export function toSarif({ problems }: LintReport, version: string): unknown {
  const codes = [...new Set(problems.map(({ code }) => code))].sort()
  const driver = {
    name: 'menuscript',
    version,
    rules: codes.map(toSarifRule),
  }
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results: problems.map(toSarifResult) }],
  }
}

function toSarifRule(code: ProblemCode): unknown {
  const { severity, why, todo } = PROBLEM_KINDS[code]
  const shortDescription = { text: why }
  return { id: code, shortDescription, help: { text: todo }, defaultConfiguration: { level: severity } }
}

function toSarifResult(problem: Problem): unknown {
  const { path, related, code, severity, line, column, endColumn, what } = problem
  const region = { startLine: line, startColumn: column, ...(endColumn > column && { endColumn }) }
  const location = { physicalLocation: { artifactLocation: { uri: toUri(path) }, region } }
  const other = related === null ? null : { physicalLocation: { artifactLocation: { uri: toUri(related) } } }
  return {
    ruleId: code,
    level: severity,
    message: { text: `${what} ${toAdvice(problem)}` },
    locations: [location],
    ...(other !== null && { relatedLocations: [other] }),
  }
}

function toUri(file: string): string {
  return file.split('/').map(encodeURIComponent).join('/')
}
