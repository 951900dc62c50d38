import { isScalar, parseDocument } from 'yaml'
import type { Json } from '../../model/json.js'
import type { Range } from '../source.js'
import { type Layout, type ScalarPart, slice } from './layout.js'
import { isPrintable, type Quote, toScalarText, type Where } from './scalar-text.js'

/** Where a single value is. */
export interface Spot {
  readonly place: Where
  /** The column of its entry. */
  readonly column: number
}

/**
 * The text for another single value in place of one, in the same style if that can hold it. Of a text over several lines,
 * unchanged lines stay. A text that ends with a line break is a block scalar.
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
    const isBlock = part.style === 'literal' || part.style === 'folded'
    const ways = isBlock ? blockTexts(layout, part, written, value, spot) : quotedTexts(part, written, value)
    for (const text of ways) if (readsAs(text, value, spot, layout.eol)) return text
  }
  return toScalarText(value, quoteOf(part), spot.place, fallback)
}

/** The quotes of a single value. */
export function quoteOf({ style }: ScalarPart): Quote {
  return style === 'single' || style === 'double' ? style : 'plain'
}

/** Whether a text is read as a value at such a place. */
function readsAs(text: string, value: string, { place, column }: Spot, eol: string): boolean {
  const pad = ' '.repeat(column)
  const end = text.endsWith('\n') ? '' : eol
  const around = place === 'flow' ? `${pad}k: { k: ${text} }${eol}` : `${pad}k: ${text}${end}`
  const document = parseDocument(around, { logLevel: 'silent', uniqueKeys: false })
  const node = document.getIn(place === 'flow' ? ['k', 'k'] : ['k'], true)
  return document.errors.length === 0 && isScalar(node) && node.value === value
}

/** A block scalar with the changed words in their lines, else with all its lines new. */
function* blockTexts(
  { eol }: Layout,
  { style, value: old }: ScalarPart,
  written: string,
  value: string,
  { column }: Spot,
): Generator<string, void, undefined> {
  const text = withoutBreaks(value)
  if (text === '') return
  const ends = value.length - text.length
  const [header = '', ...body] = written.split(/\r?\n/)
  const content = body.slice(0, body.findLastIndex((line) => line.trim() !== '') + 1)
  const indicator = /^[|>][-+]?(\d)/.exec(header)?.[1]
  const first = /^ */.exec(content.find((line) => line.trim() !== '') ?? '')?.[0].length
  const pad = ' '.repeat(indicator === undefined ? (first ?? column + 2) : column + Number(indicator))
  const toBlock = (lines: string): string => {
    const head = headerFor(header, ends)
    const tail = head.includes('+') ? eol.repeat(Math.max(0, ends - 1)) : ''
    return head + eol + lines + eol + tail
  }
  const breaks = style === 'literal' ? `${eol}${pad}` : `${eol}${eol}${pad}`
  const before = withoutBreaks(String(old))
  for (const lines of wordsReplaced(content.join(eol), before, text, (words) =>
    words.replaceAll('\n', breaks),
  )) {
    yield toBlock(lines)
  }
  yield toBlock(pad + text.replaceAll('\n', breaks).replaceAll(`${pad}${eol}`, eol))
}

/** The header of a block scalar that ends with this many line breaks. */
function headerFor(header: string, ends: number): string {
  const now = /^[|>]\d?([-+])?/.exec(header)?.[1]
  const fits = now === '-' ? ends === 0 : now === '+' ? ends > 0 : ends === 1
  if (fits) return header
  const wish = ends === 0 ? '-' : ends === 1 ? '' : '+'
  return header.replace(/^([|>])[-+]?(\d?)[-+]?/, `$1$2${wish}`)
}

/** A text over several lines, quoted or plain, with the changed words in their lines. */
function quotedTexts({ style, value: old }: ScalarPart, written: string, value: string): Iterable<string> {
  const toQuoted = (text: string): string => {
    if (style === 'single') return text.replaceAll("'", "''")
    return style === 'double' ? toScalarText(text, 'double', 'block').slice(1, -1) : text
  }
  return wordsReplaced(written, String(old), value, toQuoted)
}

/** A source with the words replaced that changed between two texts, at each place where they may be. */
function* wordsReplaced(
  written: string,
  before: string,
  after: string,
  toSource: (words: string) => string,
): Generator<string, void, undefined> {
  const words = [before, after].map((text) => text.split(/(\s)/)) as [string[], string[]]
  const [old, now] = words
  const most = Math.min(old.length, now.length) - 1
  let head = 0
  while (head < most && old[head] === now[head]) head++
  let foot = 0
  while (foot < most - head && old.at(-1 - foot) === now.at(-1 - foot)) foot++
  const [gone, come] = words.map((each) => each.slice(head, each.length - foot).join(''))
  for (const [start, end] of rangesOf(toSource(gone ?? ''), written)) {
    yield written.slice(0, start) + toSource(come ?? '') + written.slice(end)
  }
}

/** The ranges of a source that hold these words; a line break may replace a blank. */
function* rangesOf(words: string, source: string): Generator<Range, void, undefined> {
  const starts = [...source.matchAll(/\s+|\S/g)].map(({ index }) => index)
  const [text, sought] = [withSingleBlanks(source), withSingleBlanks(words)]
  let at = -1
  for (let count = 0; count < MANY; count++) {
    at = text.indexOf(sought, at + 1)
    if (at === -1) return
    yield [starts[at] ?? source.length, starts[at + sought.length] ?? source.length]
  }
}

function withSingleBlanks(text: string): string {
  return text.replace(/\s+/g, ' ')
}

/** The number of places where a word is searched for. */
const MANY = 20

/** A text without its trailing line breaks. */
function withoutBreaks(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end--
  return text.slice(0, end)
}
