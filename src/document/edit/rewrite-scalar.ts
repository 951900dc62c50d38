import { isScalar, parseDocument } from 'yaml'
import type { Json } from '../../change/json.js'
import { type Layout, type ScalarPart, slice } from './layout.js'
import { isPrintable, type Place, type Quote, toScalarText } from './scalar-text.js'

/** Where a single value stands. */
export interface Spot {
  readonly place: Place
  /** The column of its entry. */
  readonly column: number
}

/**
 * The text for another single value in the place of one, in the same style as far as that can hold it. Of a text over
 * several lines those that say the same stay. One that ends with a line break is a text over lines of its own.
 */
export function rewriteScalar(
  layout: Layout,
  part: ScalarPart,
  value: Json,
  spot: Spot,
  fallback: Quote,
): string {
  const written = slice(layout, part.start, part.end)
  if (typeof value === 'string' && written.includes('\n') && isPrintable(value.replaceAll('\n', ''))) {
    for (const text of severalLines(layout, part, written, value, spot)) {
      if (readsAs(text, value, spot, layout.eol)) return text
    }
  }
  return toScalarText(value, quoteOf(part), spot.place, fallback)
}

/** The quotes of a single value. */
export function quoteOf({ style }: ScalarPart): Quote {
  return style === 'single' || style === 'double' ? style : 'plain'
}

/** Whether a text is read as a value at a place like that. */
function readsAs(text: string, value: string, { place, column }: Spot, eol: string): boolean {
  const pad = ' '.repeat(column)
  const end = text.endsWith('\n') ? '' : eol
  const around = place === 'flow' ? `${pad}k: { k: ${text} }${eol}` : `${pad}k: ${text}${end}`
  const document = parseDocument(around, { logLevel: 'silent', uniqueKeys: false })
  const node = document.getIn(place === 'flow' ? ['k', 'k'] : ['k'], true)
  return document.errors.length === 0 && isScalar(node) && node.value === value
}

function* severalLines(
  { eol }: Layout,
  { style }: ScalarPart,
  written: string,
  value: string,
  { column }: Spot,
): Generator<string, void, undefined> {
  const lines = written.split(/\r?\n/)
  if (style === 'literal' || style === 'folded') {
    const [header = '', ...body] = lines.slice(0, -1)
    const indent = indentOf(header, body, column)
    const text = value.replace(/\n+$/, '')
    const ends = value.length - text.length
    const content = body.slice(0, body.findLastIndex((line) => line.trim() !== '') + 1)
    const kept = content.length === 0 ? null : content.map((line) => line.slice(indent))
    if (kept === null || text === '') return
    const tail = chomping(header) === '+' ? Array.from({ length: Math.max(0, ends - 1) }, () => '') : []
    const next = style === 'literal' ? text.split('\n') : fold(kept, text)
    if (next === null) return
    // A line that says the same keeps its bytes, blanks at its end included.
    const merged = keepSame(content, kept, next, ' '.repeat(indent))
    yield [headerFor(header, ends), ...merged, ...tail, ''].join(eol)
    return
  }
  const isQuoted = style !== 'plain'
  const inner = isQuoted ? written.slice(1, -1).split(/\r?\n/) : lines
  const escaped = toQuotedLines(value, style)
  const folded = foldQuoted(inner, escaped, style)
  if (folded === null) return
  const quote = style === 'single' ? "'" : style === 'double' ? '"' : ''
  yield `${quote}${folded.join(eol)}${quote}`
}

function chomping(header: string): string {
  return /^[|>]\d?([-+])?/.exec(header)?.[1] ?? ''
}

/** The header of a text over lines of its own that ends with so many line breaks. */
function headerFor(header: string, ends: number): string {
  const now = chomping(header)
  const fits = now === '-' ? ends === 0 : now === '+' ? ends > 0 : ends === 1
  if (fits) return header
  const wish = ends === 0 ? '-' : ends === 1 ? '' : '+'
  return header.replace(/^([|>])([-+]?)(\d?)([-+]?)/, `$1$3${wish}`)
}

/** The columns by which the lines of such a text are indented. */
function indentOf(header: string, body: readonly string[], column: number): number {
  const told = /^[|>][-+]?(\d)/.exec(header)?.[1]
  if (told !== undefined) return column + Number(told)
  return /^ */.exec(body.find((line) => line.trim() !== '') ?? '')?.[0].length ?? column + 2
}

/** The lines for a text, those at its begin and its end that stay as they are taken from the old ones. */
function keepSame(
  lines: readonly string[],
  kept: readonly string[],
  next: readonly string[],
  pad: string,
): readonly string[] {
  const most = Math.min(kept.length, next.length)
  let head = 0
  while (head < most && kept[head] === next[head]) head++
  let foot = 0
  while (foot < most - head && kept.at(-1 - foot) === next.at(-1 - foot)) foot++
  const middle = next.slice(head, next.length - foot).map((line) => (line === '' ? '' : pad + line))
  return [...lines.slice(0, head), ...middle, ...lines.slice(lines.length - foot)]
}

/** A line of folded text, with what its end is read as. */
interface Folded {
  /** The lines of the source, blank ones below included. */
  readonly lines: readonly string[]
  readonly text: string
  readonly joint: string
  /** Whether a backslash at its end takes the line break away. */
  readonly isContinued: boolean
}

/** The lines of a folded text for another text; null when it cannot be one. */
function fold(lines: readonly string[], text: string): readonly string[] | null {
  if (lines.some((line) => /^[ \t]+\S/.test(line)) || /(?:^|\n)[ \t]|[ \t](?:\n|$)/.test(text)) return null
  return refold(
    toFolded(lines, false, (line) => line),
    text,
    (middle) =>
      middle.split(/(\n+)/).flatMap((each) => (each.startsWith('\n') ? blanks(each.length) : [each])),
  )
}

function foldQuoted(
  lines: readonly string[],
  text: string,
  style: ScalarPart['style'],
): readonly string[] | null {
  const folded = toFolded(lines, style === 'double', (line, place) => {
    const start = place === 0 && style !== 'plain' ? line : line.trimStart()
    return place === lines.length - 1 ? start : start.trimEnd()
  })
  const indent = /^[ \t]*/.exec(lines.at(-1) ?? '')?.[0] ?? ''
  const parts = refold(folded, text, (middle) => [
    style === 'double' ? middle.replaceAll('\n', '\\n') : middle,
  ])
  if (parts === null || (style !== 'double' && parts.some((line) => line.includes('\n')))) return null
  // A new line takes the indentation of the last one; the first has none.
  return parts.map((line, place) =>
    place === 0 ? line : lines.includes(line) || line === '' ? line : indent + line,
  )
}

function blanks(count: number): readonly string[] {
  return Array.from({ length: count }, () => '')
}

function toFolded(
  lines: readonly string[],
  hasEscapes: boolean,
  clean: (line: string, place: number) => string,
): Folded[] {
  const found: Folded[] = []
  for (let place = 0; place < lines.length; ) {
    let next = place + 1
    while (next < lines.length - 1 && (lines[next] ?? '').trim() === '') next++
    const text = clean(lines[place] ?? '', place)
    const isContinued = hasEscapes && endsInBackslash(text)
    const blank = next - place - 1
    found.push({
      lines: lines.slice(place, next),
      text: isContinued ? text.slice(0, -1) : text,
      joint: next >= lines.length ? '' : blank > 0 ? '\n'.repeat(blank) : isContinued ? '' : ' ',
      isContinued,
    })
    place = next
  }
  return found
}

/** Whether the line break behind a line is escaped: an odd number of backslashes stands before it. */
function endsInBackslash(line: string): boolean {
  let count = 0
  while (line.charAt(line.length - 1 - count) === '\\') count++
  return count % 2 === 1
}

/** Keeps the lines at the begin and the end that say the same; what is between them becomes what `toLines` makes of it. */
function refold(
  old: readonly Folded[],
  text: string,
  toLines: (middle: string) => readonly string[],
): readonly string[] | null {
  let head = 0
  let rest = text
  for (; head < old.length - 1; head++) {
    const { text: line, joint } = old[head] as Folded
    if (!rest.startsWith(line + joint)) break
    rest = rest.slice(line.length + joint.length)
  }
  let foot = old.length
  for (; foot > head + 1; foot--) {
    const { text: line } = old[foot - 1] as Folded
    const joint = old[foot - 2]?.joint ?? ''
    if (!rest.endsWith(joint + line)) break
    rest = rest.slice(0, rest.length - line.length - joint.length)
  }
  const before = old.slice(0, head).flatMap(({ lines }) => lines)
  const after = old.slice(foot).flatMap(({ lines }) => lines)
  // Blank lines between what changed and what did not stay in their place.
  const between = foot < old.length ? (old[foot - 1]?.lines.slice(1) ?? []) : []
  const mark = foot < old.length && old[foot - 1]?.isContinued === true ? '\\' : ''
  const middle = toLines(rest).map((line, place, all) => (place === all.length - 1 ? line + mark : line))
  return [...before, ...middle, ...between, ...after]
}

/** A text as it stands between quotes; line breaks stay. */
function toQuotedLines(value: string, style: ScalarPart['style']): string {
  if (style === 'single') return value.replaceAll("'", "''")
  if (style !== 'double') return value
  return value
    .split('\n')
    .map((line) => toScalarText(line, 'double', 'block').slice(1, -1))
    .join('\n')
}
