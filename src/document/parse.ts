import { deepFreeze } from '../model/freeze.js'
import type { Limits } from '../model/limits.js'
import type { MenuFile } from '../model/menu-file.js'
import { compareProblems, type Place } from '../model/problem.js'
import { PROBLEM_KINDS, type ProblemCode } from '../model/problem-codes.js'
import { withoutHidden } from './disables.js'
import type { Found } from './issue.js'
import { type MenuDocument, readDocument } from './menu-document.js'
import { locate, writtenAs } from './node.js'
import { menuFormIssues } from './read/menu-form.js'
import { foundOf, problemAt, type ReadYaml } from './read/read-yaml.js'
import { toMenu } from './read/to-menu.js'
import type { Vocabulary } from './rules/vocabulary.js'
import { writtenIssues } from './rules/written.js'
import { ruleIssues } from './rules.js'
import { toFrame, toPosition } from './source.js'

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

/** Judges a document; deeply frozen. Never returns half a menu: `menu` is null exactly when one of `problems` is an error. */
export function judgeDocument(document: MenuDocument, options: ParseOptions): ParsedFile {
  const { path, bytes, yaml } = document
  const { found, more, ...judged } = yaml === null ? UNREADABLE : judge(yaml, options)
  const sorted = found.toSorted((a, b) => Number(isFatal(b)) - Number(isFatal(a)) || a.range[0] - b.range[0])
  const left = sorted.slice(MAX_PROBLEMS)
  const listed =
    yaml === null ? [] : sorted.slice(0, MAX_PROBLEMS).map((each) => problemAt(yaml.source, each))
  const problems = (yaml === null ? [...document.problems] : listed).sort(compareProblems)
  const omittedByCode: Partial<Record<ProblemCode, number>> = {}
  for (const { code } of left) omittedByCode[code] = (omittedByCode[code] ?? 0) + 1
  const [omitted, omittedErrors] = [left.length + more, left.filter(isFatal).length + more]
  const version = options.hash(bytes)
  return deepFreeze({ path, version, ...judged, problems, omitted, omittedErrors, omittedByCode })
}

interface Judged extends Pick<ParsedFile, 'menu' | 'contextPlace' | 'disables'> {
  readonly found: readonly Found[]
  /** How many more errors there are: words for all of them would take too long. */
  readonly more: number
}

const UNREADABLE: Judged = { menu: null, found: [], more: 0, contextPlace: null, disables: [] }

function judge(yaml: ReadYaml, { limits, vocabulary }: ParseOptions): Judged {
  const { value, source, faults } = yaml
  const rules = ruleIssues(value, vocabulary, limits)
  const oversized = rules.some(({ code }) => code === 'too-many-items' || code === 'too-many-levels')
  // A menu that is too large is not judged further.
  const comments = oversized ? [] : yaml.comments
  const form = oversized
    ? { issues: [], more: 0 }
    : menuFormIssues(value, (pointer) => writtenAs(yaml.root, pointer, source.text))
  const written = oversized ? [] : [...writtenIssues(yaml.root, source, comments)]
  const judged = [...rules, ...written.filter(({ code }) => !vocabulary.off.has(code))]
  const { shown, unused, pending } = withoutHidden(judged, yaml, vocabulary, comments)
  const found = [
    ...faults,
    ...[...form.issues, ...shown].map((issue) => foundOf(issue, yaml)),
    ...(vocabulary.off.has('unused-disable') ? [] : unused),
  ]
  if (form.more > 0 || found.some(isFatal)) return { ...UNREADABLE, found, more: form.more }
  return {
    menu: toMenu(value, yaml),
    found,
    more: 0,
    contextPlace: Object.hasOwn(value, 'context') ? placeOf('context', yaml) : null,
    disables: pending,
  }
}

function isFatal({ code }: Found): boolean {
  return PROBLEM_KINDS[code].severity === 'error'
}

/** Where a key of the menu is, with a picture. */
function placeOf(key: string, yaml: ReadYaml): Place {
  const position = toPosition(yaml.source, locate(yaml.root, [key], 'key'))
  return { ...position, frame: toFrame(yaml.source, position) }
}
