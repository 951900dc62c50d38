const BLANKS_OR_COMMENT = /[\s\ufeff]+|#[^\n]*/y
const COMMENT_BEHIND = /[ \t\ufeff]*#[^\r\n]*/y

/** The offset of the first character in a range without values that is neither blank nor in a comment; else its end. */
export function findSign(text: string, from: number, to: number): number {
  let at = from
  while (at < to) {
    BLANKS_OR_COMMENT.lastIndex = at
    const skipped = BLANKS_OR_COMMENT.exec(text)?.[0].length ?? 0
    if (skipped === 0) return at
    at += skipped
  }
  return to
}

/** Behind a comment that follows in the same line; the offset itself when there is none. */
export function behindComment(text: string, from: number, to: number): number {
  COMMENT_BEHIND.lastIndex = from
  return COMMENT_BEHIND.test(text) ? Math.min(to, COMMENT_BEHIND.lastIndex) : from
}

/** The offsets of the `#` of each comment in a range without values. */
export function commentPlaces(text: string, from: number, to: number): readonly number[] {
  const places: number[] = []
  for (let at = from; at < to; at++) {
    if (text[at] !== '#') continue
    places.push(at)
    at = lineEndOf(text, at) - 1
  }
  return places
}

/** A comment from its `#` to the end of its line. */
export function commentAt(text: string, start: number): string {
  return text.slice(start, lineEndOf(text, start)).trimEnd()
}

/** The comments of a range without values. */
export function commentsIn(text: string, from: number, to: number): readonly string[] {
  return commentPlaces(text, from, to).map((start) => commentAt(text, start))
}

/** The start of the line of an offset. */
export function lineStartOf(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

/** The offset behind the line break of an offset's line. */
export function lineEndOf(text: string, offset: number): number {
  const found = text.indexOf('\n', offset)
  return found === -1 ? text.length : found + 1
}

/** A whole line without values. */
export interface Line {
  readonly start: number
  readonly end: number
  /** The column of its comment; null when it is blank. */
  readonly column: number | null
}

/** The lines of a range of whole lines without values. */
export function linesIn(text: string, from: number, to: number): readonly Line[] {
  const lines: Line[] = []
  for (let start = from; start < to; ) {
    const end = Math.min(to, lineEndOf(text, start))
    const comment = text.slice(start, end).search(/\S/)
    lines.push({ start, end, column: comment === -1 ? null : comment })
    start = end
  }
  return lines
}

/** The lines above a value, up to where it begins: what stays where it is, blank lines, and the comments directly above. */
export function partAbove(text: string, from: number, to: number): { gap: number; lead: number } {
  const lines = linesIn(text, from, to)
  let place = lines.length
  while (place > 0 && lines[place - 1]?.column != null) place--
  const lead = lines[place]?.start ?? to
  while (place > 0 && lines[place - 1]?.column == null) place--
  return { gap: lines[place]?.start ?? to, lead }
}

/** Moves all lines but the first to the right, or to the left as far as there are blanks. Empty lines stay empty. */
export function shift(text: string, by: number): string {
  if (by === 0) return text
  return by > 0
    ? text.replace(/\n(?=[^\r\n])/g, `\n${' '.repeat(by)}`)
    : text.replace(/\n +/g, (blanks) => `\n${blanks.slice(1 - by)}`)
}

/** Moves all lines. */
export function shiftLines(text: string, by: number): string {
  return text === '' ? '' : shift(`\n${text}`, by).slice(1)
}
