import { type Found, quote } from '../issue.js'
import { MENU_KEYS } from '../menu-keys.js'
import { lineStartOf, lineText, type Range, type Source } from '../source.js'

/** A typo in a line of a menu: its place, and what to write instead. */
export type LineTypo = Pick<Found, 'range' | 'what'> & { readonly todo: string }

const DASH = /^( *(?:- +)*)(-)([A-Za-z][\w-]*:(?: .*)?)$/
/** A colon without a space is a typo only after the keys of a menu: `https:` is fine. */
const COLON = /^( *(?:- +)*)([A-Za-z]+)(:)(\S.*)$/
const QUOTE = /[:,[{-] {1,8}'|[,[{]'/
const KEY = /^ *(?:- +)*[\w-]+: +/
/** A text that begins with one of these is not plain. */
const INDICATORS = '\'"[{|>&*!%@`#'
/** Longer lines are not searched. */
const MAX_LINE = 300

/** The typo in a line that YAML cannot read, or misreads; null where none is known. */
export function typoIn(source: Source, line: number): LineTypo | null {
  const text = lineText(source, line)
  if (text.length > MAX_LINE) return null
  const at = (start: number, length: number): Range => {
    const offset = lineStartOf(source, line) + start
    return [offset, offset + length]
  }
  const [, beforeDash = '', dash, item = ''] = DASH.exec(text) ?? []
  if (dash !== undefined) {
    const todo = `Put a space after the dash: ${quote(`- ${item}`)}.`
    return { range: at(beforeDash.length, 1), what: 'There is no space after the dash.', todo }
  }
  const [, beforeKey = '', key = '', colon = '', value = ''] = COLON.exec(text) ?? []
  if (MENU_KEYS.includes(key)) {
    const todo = `Put a space after the colon: ${quote(`${key}${colon} ${value}`)}.`
    return {
      range: at(beforeKey.length, key.length + colon.length),
      what: 'There is no space after the colon.',
      todo,
    }
  }
  const [from, to] = brokenQuote(text) ?? [-1, -1]
  if (from >= 0) {
    const todo = `Use double quotes: ${inDouble(text.slice(from + 1, to - 1))}.`
    return { range: at(from, to - from), what: 'The apostrophe ends the text in single quotes.', todo }
  }
  const [before = ''] = KEY.exec(text) ?? []
  const [plain = ''] = text.slice(before.length).split(' #')
  if (before === '' || INDICATORS.includes(plain.charAt(0)) || !plain.includes(': ')) return null
  const meant = plain.trimEnd()
  const what = 'A colon followed by a space begins another value, and this text is not quoted.'
  return { range: at(before.length, meant.length), what, todo: `Quote the text: ${inDouble(meant)}.` }
}

/** Where a text in single quotes with an apostrophe in it begins and ends; null where there is none. */
function brokenQuote(text: string): readonly [from: number, to: number] | null {
  const [opening = ''] = QUOTE.exec(text) ?? []
  const from = opening === '' ? -1 : text.indexOf(opening) + opening.length - 1
  if (from < 0) return null
  let isBroken = false
  for (let place = text.indexOf("'", from + 1); place !== -1; place = text.indexOf("'", place + 1)) {
    if (/^ *(?:[,}\]]|#|$)/.test(text.slice(place + 1))) return isBroken ? [from, place + 1] : null
    if (/^\p{L}'\p{L}/u.test(text.slice(place - 1))) isBroken = true
  }
  return null
}

/** A text as YAML has it in double quotes. */
function inDouble(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
