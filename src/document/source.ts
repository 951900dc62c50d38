/** A text with the data for naming places in it. */
export interface Source {
  /** Relative to the menus folder, with `/`. */
  readonly path: string
  readonly text: string
  /** The offsets at which lines begin. */
  readonly lineStarts: readonly number[]
}

/** A 1-based place in a text; `endColumn` is the column behind the marked part of the line. */
export interface Position {
  readonly line: number
  readonly column: number
  readonly endColumn: number
}

/** The offsets of a text, from the first marked character to behind the last. */
export type Range = readonly [start: number, end: number]

/** A text with ranges replaced; a place where two begin gets both. */
export function spliced(text: string, splices: readonly (readonly [range: Range, by: string])[]): string {
  let [result, at] = ['', 0]
  for (const [[from, to], by] of splices.toSorted(([a], [b]) => a[0] - b[0])) {
    result += text.slice(at, from) + by
    at = Math.max(at, to)
  }
  return result + text.slice(at)
}

const MAX_FRAME_WIDTH = 120
const LINE_BREAK = /\r\n?|\n/g

export function toSource(path: string, text: string): Source {
  const lineStarts = [0]
  LINE_BREAK.lastIndex = 0
  while (LINE_BREAK.test(text)) lineStarts.push(LINE_BREAK.lastIndex)
  return { path, text, lineStarts }
}

/** The line and columns of a range, marked at most to the end of its first line; a line break is behind its line. */
export function toPosition(source: Source, [start, end]: Range): Position {
  const line = lineAt(source, start)
  const lineStart = source.lineStarts[line - 1] ?? 0
  const lineEnd = lineStart + lineText(source, line).length
  const column = Math.min(start, lineEnd) - lineStart + 1
  return { line, column, endColumn: Math.max(column, Math.min(end, lineEnd) - lineStart + 1) }
}

/** The 1-based line of an offset. */
export function lineAt({ lineStarts }: Source, offset: number): number {
  let low = 0
  let high = lineStarts.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle
  }
  return low + 1
}

/**
 * The line of a position between its neighbours, with a caret under what is marked:
 *
 *     3 | items:
 *     4 |   - lable: Home
 *       |     ^^^^^
 *     5 |     url: /
 */
export function toFrame(source: Source, { line, column, endColumn }: Position): string {
  const last = Math.min(line + 1, source.lineStarts.length)
  const width = String(last).length
  const rows: string[] = []
  // A long line is shown from its mark on.
  const from = column > MAX_FRAME_WIDTH - 20 ? column - 40 : 0
  for (let number = Math.max(1, line - 1); number <= last; number++) {
    const text = lineText(source, number)
    if (number > line && text === '' && number === source.lineStarts.length) break
    const shown = toVisible(text.slice(from, from + MAX_FRAME_WIDTH))
    rows.push(`${String(number).padStart(width)} | ${shown}`.trimEnd())
    if (number === line) {
      const before = toVisible(text.slice(from, column - 1).padEnd(column - 1 - from))
      const marked = toVisible(text.slice(column - 1, Math.min(endColumn - 1, from + MAX_FRAME_WIDTH)))
      const carets = '^'.repeat(Math.max(1, widthOf(marked)))
      rows.push(`${' '.repeat(width)} | ${' '.repeat(widthOf(before))}${carets}`)
    }
  }
  return rows.join('\n')
}

/** The offset at which a line begins. */
export function lineStartOf({ lineStarts }: Source, line: number): number {
  return lineStarts[line - 1] ?? 0
}

/** A line without its break. */
export function lineText({ text, lineStarts }: Source, line: number): string {
  const start = lineStarts[line - 1] ?? 0
  const end = lineStarts[line] ?? text.length
  return text.slice(start, end).replace(/[\r\n]+$/, '')
}

/** Characters two columns wide in a terminal (Unicode, UAX #11), and those of no width. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/gu
const COMBINING = /[\p{Mn}\p{Me}]/gu

/** The columns that a visible text takes in a terminal. */
export function widthOf(text: string): number {
  const letters = text.replace(COMBINING, '').replace(WIDE, '  ')
  return [...letters].length
}

/** Control and direction characters, and halves of characters, as a dot, so that a frame cannot trick a terminal. */
export function toVisible(text: string): string {
  return text.replace(/\t/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '·')
}
