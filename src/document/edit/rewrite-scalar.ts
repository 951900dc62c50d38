import type { Json } from '../../model/json.js'
import type { Editing } from './editing.js'
import type { ScalarPart } from './layout.js'
import { isPrintable, type Quote, toScalarText } from './scalar-text.js'

/**
 * The text for another single value in place of one, at a place whose entry has a column, in the same style if that can hold
 * it. Of a text over several lines, those without a changed word stay.
 */
export function rewriteScalar(
  source: string,
  part: ScalarPart,
  value: Json,
  { place, column }: { readonly place: 'block' | 'flow'; readonly column: number },
  { eol, styles }: Editing,
): string {
  const [written, quote] = [source.slice(part.start, part.end), quoteOf(part)]
  if (typeof value === 'string' && written.includes('\n') && isPrintable(value.replaceAll('\n', ''))) {
    if (part.style !== 'literal' && part.style !== 'folded')
      return wordsReplaced(written, quote === 'plain' ? value : toScalarText(value, quote, place))
    const text = blockText(part, written, value, column, eol)
    if (text !== null) return text
  }
  return toScalarText(value, quote, place, styles.quote)
}

/** The quotes of a single value. */
export function quoteOf({ style }: ScalarPart): Quote {
  return style === 'single' || style === 'double' ? style : 'plain'
}

/** A block scalar with another text, in its style; null for a text that cannot be one. */
function blockText(
  { style }: ScalarPart,
  written: string,
  value: string,
  column: number,
  eol: string,
): string | null {
  let ends = 0
  while (value.at(-1 - ends) === '\n') ends++
  const text = value.slice(0, value.length - ends)
  if (/^(?:\s|$)|\n[ \t]/.test(text)) return null
  const [header = '', ...body] = written.trimEnd().split(/\r?\n/)
  const indicator = /^[|>][-+]?(\d)/.exec(header)?.[1]
  const indent = /^ */.exec(body.find((line) => line.trim() !== '') ?? '')?.[0].length ?? 0
  const pad = ' '.repeat(indicator === undefined ? indent : column + Number(indicator))
  const breaks = style === 'literal' ? `${eol}${pad}` : `${eol}${eol}${pad}`
  const lines = (pad + text.replaceAll('\n', breaks)).replaceAll(`${pad}${eol}`, eol)
  const head = headerFor(header, ends)
  return (
    head +
    eol +
    wordsReplaced(body.join(eol), lines) +
    (head.includes('+') ? eol.repeat(Math.max(1, ends)) : eol)
  )
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
