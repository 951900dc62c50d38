import { toVisible } from '../../document/source.js'

/** Longer data is cut: one text must not take the room of all others. */
const MAX_LENGTH = 160

/**
 * Data as a code span (CommonMark 0.31, section 6.1): nothing in it is Markdown or HTML, and GitHub makes no mention,
 * reference or link of it. Not for tables, where a `|` would still end the cell.
 */
export function code(text: string): string {
  const shown = cut(toVisible(text))
  if (shown.trim() === '') return `"${shown}"`
  const fence = '`'.repeat(longestRun(shown) + 1)
  const pad = shown.startsWith('`') || shown.endsWith('`') || /^ .* $/.test(shown) ? ' ' : ''
  return `${fence}${pad}${shown}${pad}${fence}`
}

/** Lines of data as a fenced block (section 4.5) whose fence is longer than any run of backticks in them. */
export function fenced(lines: readonly string[], language: string): string {
  const body = lines.map((line) => cut(toVisible(line)).trimEnd())
  const fence = '`'.repeat(Math.max(3, ...body.map((line) => longestRun(line) + 1)))
  return [fence + language, ...body, fence].join('\n')
}

/** As many lines as fit; the last one counts the others. */
export function fitted(lines: readonly string[], room: number, noun: string): string {
  const fitting = countFitting(lines, room, 1)
  const rest = lines.length - fitting
  return [...lines.slice(0, fitting), ...(rest > 0 ? [`- … ${rest} more ${noun}`] : [])].join('\n')
}

/** A list of names in one line, as many as fit, and the number of the others. */
export function fittedNames(names: readonly string[], room: number): string {
  const fitting = countFitting(names, room, 2)
  const rest = names.length - fitting
  return `${names.slice(0, fitting).join(', ')}${rest > 0 ? ` … ${rest} more` : ''}`
}

function countFitting(texts: readonly string[], room: number, joint: number): number {
  let left = room
  const over = texts.findIndex(({ length }) => {
    left -= length + joint
    return left < 0
  })
  return over === -1 ? texts.length : over
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${[...text].slice(0, MAX_LENGTH - 1).join('')}…` : text
}
