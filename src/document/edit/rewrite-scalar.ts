import { isScalar, parseDocument } from 'yaml'
import type { Json } from '../../model/json.js'
import type { Editing } from './editing.js'
import type { ScalarPart } from './layout.js'
import { isPrintable, type Quote, toScalarText } from './scalar-text.js'

/** Where a single value is. */
export interface ScalarSpot {
  readonly place: 'block' | 'flow'
  /** The column of its entry. */
  readonly column: number
}

/**
 * The text for another single value in place of one, in the same style if that can hold it. Of a text over several lines,
 * unchanged lines stay where possible. A text that ends with a line break is a block scalar.
 */
export function rewriteScalar(
  source: string,
  part: ScalarPart,
  value: Json,
  spot: ScalarSpot,
  { eol, styles }: Editing,
): string {
  const written = source.slice(part.start, part.end)
  const quote = quoteOf(part)
  if (typeof value === 'string' && written.includes('\n') && isPrintable(value.replaceAll('\n', ''))) {
    const isBlock = part.style === 'literal' || part.style === 'folded'
    const ways = isBlock
      ? blockTexts(part, written, value, spot.column, eol)
      : [wordsReplaced(written, quote === 'plain' ? value : toScalarText(value, quote, 'block'))]
    for (const text of ways) if (readsAs(text, value, spot, eol)) return text
  }
  return toScalarText(value, quote, spot.place, styles.quote)
}

/** The quotes of a single value. */
export function quoteOf({ style }: ScalarPart): Quote {
  return style === 'single' || style === 'double' ? style : 'plain'
}

/** Whether a text is read as a value at such a place. */
function readsAs(text: string, value: string, { place, column }: ScalarSpot, eol: string): boolean {
  const pad = ' '.repeat(column)
  const end = text.endsWith('\n') ? '' : eol
  const around = place === 'flow' ? `${pad}k: { k: ${text} }${eol}` : `${pad}k: ${text}${end}`
  const document = parseDocument(around, { logLevel: 'silent' })
  const node = document.getIn(place === 'flow' ? ['k', 'k'] : ['k'], true)
  return document.errors.length === 0 && isScalar(node) && node.value === value
}

/** A block scalar with the changed words in their lines, and with all its lines new. */
function blockTexts(
  { style }: ScalarPart,
  written: string,
  value: string,
  column: number,
  eol: string,
): readonly string[] {
  let ends = 0
  while (value.at(-1 - ends) === '\n') ends++
  const text = value.slice(0, value.length - ends)
  if (text === '') return []
  const [header = '', ...body] = written.trimEnd().split(/\r?\n/)
  const indicator = /^[|>][-+]?(\d)/.exec(header)?.[1]
  const indent = /^ */.exec(body.find((line) => line.trim() !== '') ?? '')?.[0].length ?? 0
  const pad = ' '.repeat(indicator === undefined ? indent : column + Number(indicator))
  const breaks = style === 'literal' ? `${eol}${pad}` : `${eol}${eol}${pad}`
  const lines = (pad + text.replaceAll('\n', breaks)).replaceAll(`${pad}${eol}`, eol)
  const head = headerFor(header, ends)
  const tail = head.includes('+') ? eol.repeat(Math.max(1, ends)) : eol
  return [wordsReplaced(body.join(eol), lines), lines].map((all) => head + eol + all + tail)
}

/** The header of a block scalar that ends with this many line breaks. */
function headerFor(header: string, ends: number): string {
  const now = /^[|>]\d?([-+])?/.exec(header)?.[1]
  const fits = now === '-' ? ends === 0 : now === '+' ? ends > 0 : ends === 1
  if (fits) return header
  const wish = ends === 0 ? '-' : ends === 1 ? '' : '+'
  return header.replace(/^([|>])[-+]?(\d?)[-+]?/, `$1$2${wish}`)
}

/** A source with the words between the first and the last that changed replaced by those of another. */
function wordsReplaced(source: string, other: string): string {
  const [old, now] = [source, other].map((text) => text.split(WORD_BREAK)) as [string[], string[]]
  // One word at least is replaced, so that the blanks around it are those of the source.
  const most = Math.min(old.length, now.length) - 2
  let head = 0
  while (head < most && old[head] === now[head]) head += 2
  let foot = 0
  while (foot < most - head && old.at(-1 - foot) === now.at(-1 - foot)) foot += 2
  const changed = now.slice(head, now.length - foot)
  return [...old.slice(0, head), ...changed, ...old.slice(old.length - foot)].join('')
}

/** What is between two words, with an escaped line break. */
const WORD_BREAK = /((?:\\?\r?\n|[ \t])+)/
