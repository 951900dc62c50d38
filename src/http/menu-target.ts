import { LRUCache } from 'lru-cache'
import { done, failed, type Result } from '../model/result.js'
import type { MenuService } from '../service/menu-service.js'
import type { MenuQuery } from '../service/resolution.js'
import { malformedPercentAt } from '../web/percent.js'
import { badRequest, type HttpProblem, NOT_FOUND } from '../web/problem-json.js'
import { splitTarget } from '../web/target.js'
import { parseQuery } from './query.js'

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
