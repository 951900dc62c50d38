import type { Node } from 'yaml'
import type { Limits } from '../model/limits.js'
import { compareProblems, isError, type Place } from '../model/problem.js'
import { PROBLEM_KINDS, type ProblemCode } from '../model/problem-codes.js'
import type { MenuFile } from '../model/snapshot.js'
import { readDisables, withoutHidden } from './disables.js'
import type { Issue } from './issue.js'
import { type MenuDocument, readDocument } from './menu-document.js'
import { menuFormIssues } from './read/menu-form.js'
import { problemOf } from './read/read-yaml.js'
import { deepFreeze, toMenu } from './read/to-menu.js'
import type { Vocabulary } from './rules/vocabulary.js'
import { writtenIssues } from './rules/written.js'
import { ruleIssues } from './rules.js'
import { lineAt, type Source, toFrame, toPosition } from './source.js'
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

/** Reads one menu file, of which nothing but what is served and why is kept. */
export function parseMenuFile(path: string, bytes: Uint8Array, options: ParseOptions): ParsedFile {
  return judgeDocument(readDocument(path, bytes, options.limits), options)
}

/** Judges a document. Never gives half a menu: `menu` is null exactly when one of `problems` is an error. */
export function judgeDocument(document: MenuDocument, options: ParseOptions): ParsedFile {
  const { menu, problems, more = NONE, contextPlace = null, disables = [] } = judge(document, options)
  const sorted = [...problems].sort(
    (a, b) => Number(isError(b)) - Number(isError(a)) || compareProblems(a, b),
  )
  const listed = sorted.slice(0, MAX_PROBLEMS).sort(compareProblems)
  const left = sorted.slice(MAX_PROBLEMS)
  return Object.freeze({
    path: document.path,
    version: options.hash(document.bytes),
    menu,
    problems: Object.freeze(listed),
    omitted: left.length + more.all,
    omittedErrors: left.filter(isError).length + more.errors,
    omittedByCode: countByCode([...more.codes, ...left.map(({ code }) => code)]),
    contextPlace: deepFreeze(contextPlace),
    disables: deepFreeze(disables),
  })
}

function countByCode(codes: readonly ProblemCode[]): ParsedFile['omittedByCode'] {
  const counts: Partial<Record<ProblemCode, number>> = {}
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1
  return Object.freeze(counts)
}

/** Problems that were found and not made into texts. */
interface Surplus {
  readonly all: number
  readonly errors: number
  readonly codes: readonly ProblemCode[]
}

const NONE: Surplus = { all: 0, errors: 0, codes: [] }
const NONE_UNUSED = { problems: [], more: 0 }

interface Parsed extends Pick<MenuFile, 'menu' | 'problems' | 'contextPlace' | 'disables'> {
  /** What was found beyond the problems. */
  readonly more?: Surplus
}

function judge({ yaml, problems: faults }: MenuDocument, { limits, vocabulary }: ParseOptions): Parsed {
  if (yaml === null) return { menu: null, problems: faults }
  const { value, root, source, comments } = yaml
  const rules = ruleIssues(value, vocabulary, limits)
  const oversized = rules.some(({ code }) => code === 'too-many-items' || code === 'too-many-levels')
  const written = (pointer: Pointer) => writtenAs(root, pointer, source.text)
  const form = oversized ? { issues: [], more: 0 } : menuFormIssues(value, written)
  const disables = readDisables(source, oversized ? [] : comments, vocabulary)
  const readings = oversized ? [] : writtenIssues(root, source, comments)
  const judged = [...rules, ...readings.filter(({ code }) => !vocabulary.off.has(code))]
  const issues = [...form.issues, ...withoutHidden(judged, disables, yaml)]
  const first = firstIssues(issues, root)
  const unused = vocabulary.off.has('unused-disable') ? NONE_UNUSED : disables.unused(MAX_PROBLEMS)
  const problems = [...faults, ...first.map((issue) => problemOf(issue, yaml)), ...unused.problems]
  // The form has errors only.
  const more = {
    all: issues.length - first.length + form.more + unused.more,
    errors: countErrors(issues) - countErrors(first) + form.more,
    codes: [...withoutAll(issues, first), ...Array<ProblemCode>(unused.more).fill('unused-disable')],
  }
  if (problems.some(isError)) return { menu: null, problems, more }
  // Through JSON, so that the menu's texts do not keep the text of the file in memory.
  const flat: unknown = JSON.parse(JSON.stringify(value))
  const lineOf = (pointer: Pointer) => lineAt(source, locate(root, pointer)[0])
  const contextPlace = Object.hasOwn(value, 'context') ? placeOf(['context'], root, source) : null
  return { menu: toMenu(flat, lineOf), problems, more, contextPlace, disables: disables.pending }
}

/** Where a key stands, with a picture. */
function placeOf(pointer: Pointer, root: Node, source: Source): Place {
  const position = toPosition(source, locate(root, pointer, 'key'))
  return { ...position, frame: toFrame(source, position) }
}

/** The codes of those issues that are not among some. */
function withoutAll(issues: readonly Issue[], some: readonly Issue[]): readonly ProblemCode[] {
  const gone = new Set(some)
  return issues.filter((issue) => !gone.has(issue)).map(({ code }) => code)
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
