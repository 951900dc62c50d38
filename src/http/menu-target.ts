import { visit } from 'jsonc-parser'
import { LRUCache } from 'lru-cache'
import type { ContextKey } from '../model/context.js'
import { findSurplus, repeatedKeyAt } from '../model/json-text.js'
import type { Limits } from '../model/limits.js'
import { done, failed, type Result } from '../model/result.js'
import { readContextSets } from '../service/context-sets.js'
import type { MenuService } from '../service/menu-service.js'
import type { MenuQuery } from '../service/resolution.js'
import { malformedPercentAt } from '../web/percent.js'
import { badRequest, type HttpProblem, NOT_FOUND } from '../web/problem-json.js'
import { splitTarget } from '../web/target.js'
import { readPlainSets } from './plain-context-sets.js'

/** What a request target asks the endpoint for; else why it cannot be understood. Null where it is not the endpoint's. */
export type MenuTarget = Result<MenuQuery, HttpProblem> | null

/** Visitors choose the target: at most this many are remembered, of this many characters all together. */
const MAX_KEPT = 10_000
const MAX_KEPT_LENGTH = 4_000_000
/** Of how many targets, at most, it is known that they came. */
const MAX_RECENT = 1_000

/** Reads targets below the prefix of the API. What comes again is remembered, where `keeps` is set. */
export function createTargetReader({
  settings: { api, limits, keeps },
  toEffectiveLocale,
}: Pick<MenuService, 'settings' | 'toEffectiveLocale'>): (target: string) => MenuTarget {
  const start = `${api.path_prefix}/`
  const read = (target: string): MenuTarget => {
    const { path, query } = splitTarget(target)
    if (!path.startsWith(start)) return null
    const raw = path.slice(start.length)
    if (raw === '' || raw.includes('/')) return failed(NOT_FOUND)
    const position = malformedPercentAt(raw)
    if (position !== null) {
      const detail = 'The path has a % that does not begin a percent-encoded UTF-8 character.'
      return failed(badRequest('malformed-percent', detail, { parameter: 'code', position }))
    }
    const { value, fault } = parseQuery(query, limits, toEffectiveLocale)
    return fault === null ? done({ code: decodeURIComponent(raw), ...value }) : failed(fault)
  }
  if (!api.enabled) return () => null
  if (!keeps) return read
  const kept = new LRUCache<string, NonNullable<MenuTarget>>({ max: MAX_KEPT, maxSize: MAX_KEPT_LENGTH })
  const isSeen = createSeen()
  return (target) => {
    const known = kept.get(target)
    if (known !== undefined) return known
    const asked = read(target)
    if (asked === null || asked.fault !== null || !isSeen(target)) return asked
    // A copy, because Node's text may be a part of a longer one, which it would keep in memory.
    const copy = copyText(target)
    if (copy === target) kept.set(copy, asked, { size: target.length })
    return asked
  }
}

/** Whether a target came not long ago. To remember one costs more than to read it, and many come only once. */
function createSeen(): (target: string) => boolean {
  const recent = new Set<string>()
  return (target) => {
    if (recent.has(target)) return true
    if (recent.size === MAX_RECENT) recent.clear()
    recent.add(target)
    return false
  }
}

/** The same text with memory of its own; another one where it is not Latin-1, as Node reads it: a host may have decoded it. */
function copyText(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

/** What a query string asks for; else why it cannot be understood. */
export type ParsedQuery = Result<Pick<MenuQuery, 'locale' | 'candidates'>, HttpProblem>

/** Deeper than any list of contexts. */
const MAX_DEPTH = 100

/** Reads `_locale` and `_context_sets`; other parameters are ignored. */
export function parseQuery(
  query: string,
  limits: Limits,
  toEffectiveLocale: MenuService['toEffectiveLocale'],
): ParsedQuery {
  if (query.length > limits.query_bytes)
    return refused('query-too-long', `The query string has more than ${limits.query_bytes} bytes.`)
  const { value: values, fault } = readParameters(query)
  if (fault !== null) return failed(fault)
  const { value: candidates, fault: badSets } = parseContextSets(values._context_sets ?? '', limits)
  if (badSets !== null) return failed(badSets)
  const tag = values._locale ?? ''
  return done({ locale: tag === '' ? null : toEffectiveLocale(tag), candidates })
}

/** The values of our parameters in a query string (WHATWG URL, section 5.1: `+` is a space); other parameters are not decoded. */
function readParameters(query: string): Result<Given, HttpProblem> {
  const values: Record<Parameter, string | null> = { _locale: null, _context_sets: null }
  for (let at = 0; at < query.length; ) {
    const next = query.indexOf('&', at)
    const end = next === -1 ? query.length : next
    const sign = query.indexOf('=', at)
    const endOfName = sign === -1 || sign > end ? end : sign
    const parameter = toParameter(query.slice(at, endOfName))
    at = end + 1
    if (parameter === null) continue
    if (values[parameter] !== null)
      return refused('repeated-parameter', `${parameter} is given twice.`, { parameter })
    const value = query.slice(endOfName + 1, end)
    try {
      values[parameter] = decodeURIComponent(value.replaceAll('+', ' '))
    } catch {
      const detail = `${parameter} has a % that does not begin a percent-encoded UTF-8 character.`
      return refused('malformed-percent', detail, { parameter, position: malformedPercentAt(value) })
    }
  }
  return done(values)
}

type Parameter = '_locale' | '_context_sets'
type Given = Readonly<Record<Parameter, string | null>>

/** The parameter of ours that a name means, percent-encoded or not. */
function toParameter(written: string): Parameter | null {
  // Length alone excludes most that are encoded.
  const { length } = written
  const isNear = length >= '_locale'.length && length <= '_context_sets'.length * '%41'.length
  const name = isNear && written.includes('%') ? written.replace(ESCAPED, fromEscape) : written
  return name === '_locale' || name === '_context_sets' ? name : null
}

const ESCAPED = /%([0-9a-f]{2})/gi

function fromEscape(_: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16))
}

function parseContextSets(text: string, limits: Limits): Result<readonly ContextKey[], HttpProblem> {
  const wrong = (detail: string, place: object): Result<never, HttpProblem> =>
    refused('bad-context-sets', detail, { parameter: '_context_sets', ...place })
  const plain = readPlainSets(text, limits)
  if (plain !== null) return done(plain)
  let value: unknown = null
  try {
    if (text !== '') value = JSON.parse(text)
  } catch {
    return wrong('It is not JSON.', { position: jsonErrorAt(text) })
  }
  const { value: candidates, fault } = readContextSets(value, limits)
  if (fault !== null) return wrong(fault.detail, { pointer: fault.pointer })
  const position = repeatedKeyAt(text)
  return position === null ? done(candidates) : wrong('A context has a key twice.', { position })
}

function refused(...fault: Parameters<typeof badRequest>): Result<never, HttpProblem> {
  return failed(badRequest(...fault))
}

/** Where a text stops being JSON; the engine's own message names no place for short texts. */
function jsonErrorAt(text: string): number {
  const surplus = findSurplus(text, { levels: MAX_DEPTH })
  if (surplus !== null) return surplus.at
  let first: number | null = null
  const onError = (_: unknown, offset: number): void => {
    first ??= offset
  }
  visit(text, { onError }, { disallowComments: true, allowTrailingComma: false })
  return first ?? text.length
}
