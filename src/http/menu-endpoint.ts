import { derived } from '../model/derived.js'
import type { Menu } from '../model/menu.js'
import type { Log } from '../service/log.js'
import type { MenuService } from '../service/menu-service.js'
import { createUnknownCodes } from '../service/notices.js'
import type { MenuQuery, Resolution } from '../service/resolution.js'
import { isShareable } from '../service/shareable.js'
import { matchEntityTag } from '../web/conditional.js'
import { acceptedCodings } from '../web/encoding.js'
import { answerFailure, reportFailure } from '../web/failure.js'
import { sendHead, toLines } from '../web/head.js'
import { OVERLOADED, sendProblem } from '../web/problem-json.js'
import { noteMenu } from '../web/tracing.js'
import type { Cors } from './cors.js'
import type { Exchange } from './host-exchange.js'
import { pickBody, tagsOf, toMenuAnswer } from './menu-answer.js'

/** Answers GET and HEAD for what a request asks. */
export type MenuEndpoint = (exchange: Exchange, query: MenuQuery) => void

/** Caches keep a response a little longer than its time while they fetch a new one. */
const MAX_STALE_SECONDS = 10

/**
 * The endpoint. The path of a request whose target was seen before: a memo for it, one lookup per candidate, an
 * If-None-Match, and bytes that hang on the tree; no promise, no header set one by one.
 */
export function createMenuEndpoint(service: MenuService, cors: Cors, log: Log): MenuEndpoint {
  const { policies, settings } = service
  const answerOf = service.viewAs(toMenuAnswer)
  const noteUnknown = createUnknownCodes(log)
  const sharedCache = toSharedCache(settings.ttl, Number.POSITIVE_INFINITY)
  const isShared = derived((menu: Menu) => isShareable(policies, menu))
  const isNothingShared = isShareable(policies, null)
  const cacheOf = ({ served, localeSource, until, now }: Resolution): string => {
    // What a host puts on a request is in no header that Vary could name.
    const mayShare = served === null ? isNothingShared : isShared(served.menu)
    if (localeSource === 'host' || !mayShare) return 'private, no-cache'
    if (served === null) return 'no-cache'
    return until === Number.POSITIVE_INFINITY ? sharedCache : toSharedCache(settings.ttl, until - now)
  }
  const varies = ['Accept-Encoding', ...(policies.varyOn ?? []), ...cors.vary]
  const varyNamed = varies.join(', ')
  const varyNegotiated = [...new Set([...varies, 'Accept-Language'])].join(', ')

  const answer: MenuEndpoint = ({ request, response, asked }, query) => {
    const failures = service.failures()
    const resolution = service.resolve(asked, query)
    const { served, locale } = resolution
    const { index, revision } = service.current()
    noteMenu(request, resolution.code, revision)
    if (served === null && !index.has(resolution.code)) noteUnknown(resolution.code, index.keys())
    const found = answerOf(asked, resolution)
    const cache = cacheOf(resolution)
    // An answer that is incomplete because a hook failed must be revalidated: the next one may be complete.
    const kept = cache.startsWith('public') && service.failures() > failures ? 'no-cache' : cache
    const vary = query.locale === null ? varyNegotiated : varyNamed
    // What a 304 repeats from its 200 (RFC 9110, section 15.4.5): the file may be another with equal bytes.
    const lines = ['Cache-Control', kept, 'Vary', vary, 'Content-Language', locale]
    if (served !== null) lines.push('Menu-Version', served.version)
    lines.push(...corsLines(cors.headers(request)))

    const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers
    const codings = acceptedCodings(accepted as string | undefined)
    // A client cannot use what it holds in a coding it refuses: a cache also asks for others.
    const same = known === undefined ? null : matchEntityTag(known, tagsOf(found, codings))
    if (same !== null) {
      lines.push('ETag', same)
      sendHead(response, 304, lines)
      return void response.end()
    }
    const { coding, tag, body } = pickBody(found, codings)
    lines.push('ETag', tag, 'Content-Type', 'application/json', 'Content-Length', String(body.length))
    lines.push('X-Content-Type-Options', 'nosniff')
    if (coding !== 'identity') lines.push('Content-Encoding', coding)
    sendHead(response, 200, lines)
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  const fail = ({ request, response }: Exchange, thrown: unknown): void =>
    answerFailure(log, request, response, thrown, { headers: cors.headers(request), url: request.url ?? '/' })
  const guarded: MenuEndpoint = (exchange, query) => {
    try {
      answer(exchange, query)
    } catch (thrown) {
      fail(exchange, thrown)
    }
  }
  if (policies.prepareRequest === undefined) return guarded
  // One connection may have sent many ahead.
  const maxPreparing = 2 * settings.limits.connections
  let preparing = 0
  const prepared = async (exchange: Exchange, query: MenuQuery): Promise<void> => {
    const { request, response, asked } = exchange
    if (preparing >= maxPreparing) return sendProblem(request, response, OVERLOADED, cors.headers(request))
    preparing++
    try {
      await service.prepare(asked).finally(() => preparing--)
      // A host that has a time limit of its own may have answered meanwhile: that response stays whole.
      if (!response.headersSent) guarded(exchange, query)
    } catch (thrown) {
      if (response.headersSent) reportFailure(log, request, thrown, request.url)
      else fail(exchange, thrown)
    }
  }
  // A framework would read a promise as a signal to continue.
  return (...given) => void prepared(...given)
}

/** Header lines of CORS, made once for those that every request gets. */
const corsLines = derived(toLines)

/** What shared caches may do with a response that is the same for some milliseconds: none keeps it longer than that. */
function toSharedCache(ttl: number, milliseconds: number): string {
  const left = Math.max(0, Math.floor(milliseconds / 1000))
  const fresh = Math.min(ttl, left)
  const stale = Math.min(ttl, MAX_STALE_SECONDS, left - fresh)
  return `public, max-age=0, s-maxage=${fresh}, stale-while-revalidate=${stale}`
}
