import { PROBLEM_KINDS, type ProblemCode, type Severity } from './problem-codes.js'

/** A finding about a file: what, where, why, and what to do. Lines and columns are 1-based; 1:1 when the file as a whole is meant. */
export interface Problem {
  /** A permanent name, such as `unknown-key`; each has an entry in docs/problems.md. */
  readonly code: ProblemCode
  readonly severity: Severity
  /** Relative to the menus folder, with `/`. */
  readonly path: string
  readonly line: number
  readonly column: number
  /** The column behind the last marked character of the line. */
  readonly endColumn: number
  /** JSON Pointer (RFC 6901) to the value in the file; `''` for the whole. */
  readonly pointer: string
  readonly what: string
  readonly why: string
  readonly todo: string
  /** The word that was probably meant. */
  readonly suggestion: string | null
  /** The marked line with its neighbours and a caret, ready to print; `''` when there is no text to show. */
  readonly frame: string
  /** The other file of a problem between two; null where there is none. */
  readonly related: string | null
}

/** A place in a text, with its picture. */
export type Place = Pick<Problem, 'line' | 'column' | 'endColumn' | 'frame'>

/** What the finder of a problem supplies; the rest follows from the code. */
export type Finding = Pick<Problem, 'code' | 'path' | 'what'> &
  Partial<Omit<Problem, 'code' | 'path' | 'what' | 'severity' | 'why'>>

/** A problem from what was found; without a place it concerns the file as a whole. */
export function toProblem(finding: Finding): Problem {
  const { code, path, what, line = 1, column = 1, endColumn = column, pointer = '' } = finding
  const { suggestion = null, frame = '', related = null } = finding
  const { severity, why, todo: usual } = PROBLEM_KINDS[code]
  const { todo = usual } = finding
  const place = { path, line, column, endColumn, pointer }
  return Object.freeze({ code, severity, ...place, what, why, todo, suggestion, frame, related })
}

/** How many problems of each severity there are; of a file, those that are not listed included. */
export interface ProblemCounts {
  readonly errors: number
  readonly warnings: number
  /** How many of them are not listed. */
  readonly omitted: number
}

/** What to do about a problem, the word that was probably meant included. */
export function toAdvice(problem: Problem): string {
  return `${problem.todo}${toMeant(problem)}`
}

/** The question for the word that was probably meant, to append to a sentence; empty where the finding names that word. */
export function toMeant({ what, suggestion }: Pick<Problem, 'what' | 'suggestion'>): string {
  if (suggestion === null) return ''
  // With its quotes: `"labels"` does not name `label`.
  const word = JSON.stringify(suggestion)
  return what.includes(word) ? '' : ` Did you mean ${word}?`
}

/** Whether a problem withholds its file. */
export function isError(problem: Pick<Problem, 'severity'>): boolean {
  return problem.severity === 'error'
}

/** The order in which people read problems: by file in byte order, then by place, then errors first. */
export function compareProblems(a: Problem, b: Problem): number {
  return (
    compareText(a.path, b.path) ||
    a.line - b.line ||
    a.column - b.column ||
    compareText(a.severity, b.severity)
  )
}

/** Whether two lists report the same of the same files, one by one; their places may differ. */
export function areAlike(a: readonly Problem[], b: readonly Problem[]): boolean {
  const toKey = ({ code, path, what, severity }: Problem): string =>
    JSON.stringify([code, path, what, severity])
  return (
    a.length === b.length &&
    a.every((one, place) => one === b[place] || toKey(one) === toKey(b[place] ?? one))
  )
}

/** Compares by UTF-8 bytes (which order as code points do), so that every machine sorts alike. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  let place = 0
  while (place < a.length && a.charCodeAt(place) === b.charCodeAt(place)) place++
  return (a.codePointAt(place) ?? -1) - (b.codePointAt(place) ?? -1)
}
