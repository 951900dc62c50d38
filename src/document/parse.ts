import type { Limits } from '../model/limits.js'
import { compareProblems, isError, type Place, type Problem } from '../model/problem.js'
import type { ProblemCode } from '../model/problem-codes.js'
import type { MenuFile } from '../model/snapshot.js'
import { readDisables, withoutHidden } from './disables.js'
import { type MenuDocument, readDocument } from './menu-document.js'
import { menuFormIssues } from './read/menu-form.js'
import { type Found, foundOf, type ReadYaml } from './read/read-yaml.js'
import { deepFreeze, toMenu } from './read/to-menu.js'
import type { Vocabulary } from './rules/vocabulary.js'
import { writtenIssues } from './rules/written.js'
import { ruleIssues } from './rules.js'
import { lineAt, lineStartOf, toFrame, toPosition } from './source.js'
import { locate, type Pointer, writtenAs } from './value.js'

/** What parsing a file depends on besides its bytes. */
export interface ParseOptions {
  readonly limits: Limits
  readonly vocabulary: Vocabulary
  /** The content hash of bytes. */
  readonly hash: (bytes: Uint8Array) => string
}

/** The content of one file, and how many problems it has beyond those listed. */
export type ParsedFile = Required<MenuFile>

/** At most this many problems of a file are listed; the rest is counted. */
export const MAX_PROBLEMS = 50

/** Reads one menu file; keeps only what is served and why. */
export function parseMenuFile(path: string, bytes: Uint8Array, options: ParseOptions): ParsedFile {
  return judgeDocument(readDocument(path, bytes, options.limits), options)
}

/** Judges a document. Never returns half a menu: `menu` is null exactly when one of `problems` is an error. */
export function judgeDocument(document: MenuDocument, options: ParseOptions): ParsedFile {
  const { menu, found, wordless, contextPlace, disables } = judge(document, options)
  const sorted = found.toSorted((a, b) => Number(isError(b)) - Number(isError(a)) || a.start - b.start)
  const listed = sorted.slice(0, MAX_PROBLEMS).map(({ toProblem }) => toProblem())
  const left = sorted.slice(MAX_PROBLEMS)
  const omittedByCode: Partial<Record<ProblemCode, number>> = {}
  for (const { code } of left) omittedByCode[code] = (omittedByCode[code] ?? 0) + 1
  return Object.freeze({
    path: document.path,
    version: options.hash(document.bytes),
    menu,
    problems: Object.freeze(listed.sort(compareProblems)),
    omitted: left.length + wordless,
    omittedErrors: left.filter(isError).length + wordless,
    omittedByCode: Object.freeze(omittedByCode),
    contextPlace: deepFreeze(contextPlace),
    disables: deepFreeze(disables),
  })
}

interface Judged extends Pick<ParsedFile, 'menu' | 'contextPlace' | 'disables'> {
  readonly found: readonly Found[]
  /** How many more errors there are: words for all of them would take too long. */
  readonly wordless: number
}

function judge({ yaml, problems: faults }: MenuDocument, { limits, vocabulary }: ParseOptions): Judged {
  const none = { menu: null, wordless: 0, contextPlace: null, disables: [] }
  if (yaml === null) return { ...none, found: faults.map((fault, start) => toFound(fault, start)) }
  const { value, root, source } = yaml
  const rules = ruleIssues(value, vocabulary, limits)
  const oversized = rules.some(({ code }) => code === 'too-many-items' || code === 'too-many-levels')
  // A menu that is too large is not judged further.
  const comments = oversized ? [] : yaml.comments
  const form = oversized
    ? { issues: [], more: 0 }
    : menuFormIssues(value, (pointer) => writtenAs(root, pointer, source.text))
  const disables = readDisables({ source, comments }, vocabulary)
  const written = oversized ? [] : writtenIssues(root, source, comments)
  const judged = [...rules, ...written.filter(({ code }) => !vocabulary.off.has(code))]
  const issues = [...form.issues, ...withoutHidden(judged, disables, yaml)]
  const found = [
    ...faults.map((fault) => toFound(fault, lineStartOf(source, fault.line) + fault.column - 1)),
    ...issues.map((issue) => foundOf(issue, yaml)),
    ...(vocabulary.off.has('unused-disable') ? [] : disables.unused()),
  ]
  if (form.more > 0 || found.some(isError)) return { ...none, found, wordless: form.more }
  // Through JSON, so that the menu's texts do not keep the text of the file in memory.
  const flat: unknown = JSON.parse(JSON.stringify(value))
  return {
    menu: toMenu(flat, (pointer) => lineAt(source, locate(root, pointer)[0])),
    found,
    wordless: 0,
    contextPlace: Object.hasOwn(value, 'context') ? placeOf(['context'], yaml) : null,
    disables: disables.pending,
  }
}

function toFound(problem: Problem, start: number): Found {
  return { code: problem.code, severity: problem.severity, start, toProblem: () => problem }
}

/** Where a key is, with a picture. */
function placeOf(pointer: Pointer, { root, source }: ReadYaml): Place {
  const position = toPosition(source, locate(root, pointer, 'key'))
  return { ...position, frame: toFrame(source, position) }
}
