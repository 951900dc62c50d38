import type { Node } from 'yaml'
import { type Limits, toYamlLimits } from '../model/limits.js'
import { compareProblems, isError, type Problem, toProblem } from '../model/problem.js'
import { PROBLEM_KINDS } from '../model/problem-codes.js'
import type { MenuFile } from '../model/snapshot.js'
import type { Issue } from './issue.js'
import { menuFormIssues } from './menu-form.js'
import { problemOf, readYamlMap } from './read-yaml.js'
import { ruleIssues, type Vocabulary } from './rules.js'
import { lineAt } from './source.js'
import { toMenu } from './to-menu.js'
import { locate, type Pointer, writtenAs } from './value.js'

/** What parsing a file depends on besides its bytes. */
export interface ParseOptions {
  readonly limits: Limits
  readonly vocabulary: Vocabulary
  /** The content hash of bytes. */
  readonly hash: (bytes: Uint8Array) => string
}

/** A parsed file tells how many problems it has beyond those that are listed. */
export type ParsedFile = Required<MenuFile>

/** A file has at most this many problems listed; the rest is counted. */
export const MAX_PROBLEMS = 50

/**
 * Reads one menu file. Never throws and never gives half a menu: `menu` is null exactly when one of `problems` is an
 * error.
 */
export function parseMenuFile(path: string, bytes: Uint8Array, options: ParseOptions): ParsedFile {
  const { menu, problems, more = NONE } = parseBytes(path, bytes, options)
  const sorted = [...problems].sort(
    (a, b) => Number(isError(b)) - Number(isError(a)) || compareProblems(a, b),
  )
  const listed = sorted.slice(0, MAX_PROBLEMS).sort(compareProblems)
  const left = sorted.slice(MAX_PROBLEMS)
  return Object.freeze({
    path,
    version: options.hash(bytes),
    menu,
    problems: Object.freeze(listed),
    omitted: left.length + more.all,
    omittedErrors: left.filter(isError).length + more.errors,
  })
}

/** Problems that were found and not made into texts. */
interface Surplus {
  readonly all: number
  readonly errors: number
}

const NONE: Surplus = { all: 0, errors: 0 }

interface Parsed {
  readonly menu: MenuFile['menu']
  readonly problems: readonly Problem[]
  /** What was found beyond those. */
  readonly more?: Surplus
}

function parseBytes(path: string, bytes: Uint8Array, { limits, vocabulary }: ParseOptions): Parsed {
  if (bytes.length > limits.bytes) return { menu: null, problems: [tooLarge(path, bytes.length, limits)] }
  const read = readYamlMap(path, bytes, toYamlLimits(limits))
  if (read.value === null) return { menu: null, problems: read.problems }
  const { value, root, source } = read
  const rules = ruleIssues(value, vocabulary, limits)
  const oversized = rules.some(({ code }) => code === 'too-many-items' || code === 'too-many-levels')
  const written = (pointer: Pointer) => writtenAs(root, pointer, source.text)
  const form = oversized ? { issues: [], more: 0 } : menuFormIssues(value, written)
  const issues = [...form.issues, ...rules]
  const first = firstIssues(issues, root)
  const problems = [...read.problems, ...first.map((issue) => problemOf(issue, root, source))]
  // The form has errors only.
  const more = {
    all: issues.length - first.length + form.more,
    errors: countErrors(issues) - countErrors(first) + form.more,
  }
  if (problems.some(isError)) return { menu: null, problems, more }
  // Through JSON, so that the menu's texts do not keep the text of the file in memory.
  const flat: unknown = JSON.parse(JSON.stringify(value))
  const lineOf = (pointer: Pointer) => lineAt(source, locate(root, pointer)[0])
  return { menu: toMenu(flat, lineOf), problems, more }
}

/** As many issues as can be listed, errors first, then by place: a picture of each of a hundred thousand takes a second. */
function firstIssues(issues: readonly Issue[], root: Node): readonly Issue[] {
  if (issues.length <= MAX_PROBLEMS) return issues
  const placed = issues.map((issue) => ({
    issue,
    rank: isErrorIssue(issue) ? 0 : 1,
    start: locate(root, issue.pointer, issue.part)[0],
  }))
  placed.sort((a, b) => a.rank - b.rank || a.start - b.start)
  return placed.slice(0, MAX_PROBLEMS).map(({ issue }) => issue)
}

function countErrors(issues: readonly Issue[]): number {
  return issues.filter(isErrorIssue).length
}

function isErrorIssue({ code }: Issue): boolean {
  return PROBLEM_KINDS[code].severity === 'error'
}

/** The problem of a file with more bytes than are allowed; it is found before the file is read. */
export function tooLarge(path: string, size: number, { bytes }: Limits): Problem {
  return toProblem({
    code: 'file-too-large',
    path,
    what: `The file has ${size} bytes, and ${bytes} are allowed.`,
  })
}
