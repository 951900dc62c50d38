import { type ParseError, parse as parseJson } from 'jsonc-parser'
import { LRUCache } from 'lru-cache'
import type { ContextKey } from '../model/context.js'
import type { Limits } from '../model/limits.js'
import type { Locale } from '../model/locale.js'
import { readContextSets } from '../service/context-sets.js'
import { repeatedKeyAt } from '../service/repeated-key.js'
import type { HttpProblem } from '../web/problem-json.js'

/** What a query string asks for; else why it cannot be understood. */
export type ParsedQuery =
  | { readonly locale: Locale | null; readonly candidates: readonly ContextKey[]; readonly problem: null }
  | { readonly problem: HttpProblem }

export type QueryParser = (query: string) => ParsedQuery

/** Visitors choose the query: so many are remembered, of so many characters all together. */
const MAX_KEPT = 10_000
const MAX_KEPT_LENGTH = 4_000_000
const MAX_DEPTH = 100

export interface QueryParserOptions {
  readonly limits: Limits
  readonly toEffectiveLocale: (tag: string) => Locale
  /** Whether parsed queries are remembered. */
  readonly keeps: boolean
}

/** Reads `_locale` and `_context_sets`; other parameters are ignored. */
export function createQueryParser({ limits, toEffectiveLocale, keeps }: QueryParserOptions): QueryParser {
  const parse = (query: string): ParsedQuery => {
    if (query.length > limits.query_bytes) return fault('query-too-long', tooLong(limits.query_bytes), {})
    const locale = readParameter(query, '_locale')
    if (locale.problem !== null) return locale
    const sets = readParameter(query, '_context_sets')
    if (sets.problem !== null) return sets
    const parsed = parseContextSets(sets.text ?? '', limits)
    if ('problem' in parsed) return parsed
    const tag = locale.text ?? ''
    return {
      locale: tag === '' ? null : toEffectiveLocale(tag),
      candidates: parsed.candidates,
      problem: null,
    }
  }
  if (!keeps) return parse
  const kept = new LRUCache<string, ParsedQuery>({ max: MAX_KEPT, maxSize: MAX_KEPT_LENGTH })
  return (query) => {
    const known = kept.get(query)
    if (known !== undefined) return known
    const parsed = parse(query)
    // A copy, because a part of a text keeps the whole of it in memory, and visitors choose the path before it.
    if (parsed.problem === null) kept.set(copyText(query), parsed, { size: query.length + 1 })
    return parsed
  }
}

/** The same text with memory of its own. Request targets are Latin-1 (Node reads them so). */
function copyText(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

type Parameter = { readonly text: string | null; readonly problem: null } | { readonly problem: HttpProblem }

/** The one value of a parameter in a query string (WHATWG URL, section 5.1: `+` is a space). */
function readParameter(query: string, name: string): Parameter {
  let text: string | null = null
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const key = equals === -1 ? pair : pair.slice(0, equals)
    const value = equals === -1 ? '' : pair.slice(equals + 1)
    if (key !== name && decode(key) !== name) continue
    if (text !== null) return fault('repeated-parameter', `${name} is given twice.`, { parameter: name })
    text = decode(value)
    if (text === null) {
      const detail = `${name} has a % that does not begin a percent-encoded UTF-8 character.`
      return fault('malformed-percent', detail, { parameter: name, position: malformedPercentAt(value) })
    }
  }
  return { text, problem: null }
}

function decode(text: string): string | null {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/** The offset of the first `%` that does not begin a percent-encoded character. */
export function malformedPercentAt(text: string): number {
  let offset = text.indexOf('%')
  while (offset !== -1) {
    // The first byte of a character says how many it has (RFC 3629, section 3).
    const lead = Number.parseInt(text.slice(offset + 1, offset + 3), 16)
    const bytes = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    const end = offset + bytes * '%00'.length
    if (decode(text.slice(offset, end)) === null) return offset
    offset = text.indexOf('%', end)
  }
  return 0
}

type ParsedSets = { readonly candidates: readonly ContextKey[] } | { readonly problem: HttpProblem }

function parseContextSets(text: string, limits: Limits): ParsedSets {
  let value: unknown = null
  try {
    if (text !== '') value = JSON.parse(text)
  } catch {
    return badSets('It is not JSON.', { position: jsonErrorAt(text) })
  }
  const read = readContextSets(value, limits)
  if (read.fault !== null) return badSets(read.fault.detail, { pointer: read.fault.pointer })
  const repeated = repeatedKeyAt(text)
  return repeated === null ? read : badSets('A context has a key twice.', { position: repeated })
}

/** Where a text stops being JSON; the engine's own message names no place for short texts. */
function jsonErrorAt(text: string): number {
  const deep = tooDeepAt(text)
  if (deep !== null) return deep
  const errors: ParseError[] = []
  parseJson(text, errors, { disallowComments: true, allowTrailingComma: false })
  return errors[0]?.offset ?? text.length
}

/** Where a text nests so deeply that no list of contexts does; the parser that finds places would run out of stack. */
function tooDeepAt(text: string): number | null {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/g)) {
    if (token === '[' || token === '{') depth++
    if (token === ']' || token === '}') depth--
    if (depth > MAX_DEPTH) return index
  }
  return null
}

function badSets(detail: string, place: Readonly<Record<string, unknown>>): { problem: HttpProblem } {
  return fault('bad-context-sets', detail, { parameter: '_context_sets', ...place })
}

function tooLong(limit: number): string {
  return `The query string has more than ${limit} bytes.`
}

function fault(
  code: string,
  detail: string,
  members: Readonly<Record<string, unknown>>,
): { problem: HttpProblem } {
  return { problem: { status: 400, code, title: 'Bad Request', detail, members } }
}
