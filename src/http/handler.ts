import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendHead, toLines } from '../web/head.js'
import { malformedPercentAt } from '../web/percent.js'
import {
  badRequest,
  type HttpProblem,
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  READ_METHODS,
  sendProblem,
} from '../web/problem-json.js'
import { splitTarget } from '../web/target.js'
import type { Cors } from './cors.js'
import { type FrameworkReply, type FrameworkRequest, takeOver, toNodeRequest } from './host-exchange.js'
import type { MenuEndpoint } from './menu-endpoint.js'

/**
 * A handler that any server of Node can mount; it answers what is its own and calls `next` for the rest. A request and a reply
 * of Fastify will do, too, so that `app.addHook('onRequest', handler)` mounts it there.
 */
export type Handler = (
  request: IncomingMessage | FrameworkRequest,
  response: ServerResponse | FrameworkReply,
  next?: () => void,
) => void

export interface ApiHandlerOptions {
  readonly enabled: boolean
  /** Such as `/api/menu`. */
  readonly pathPrefix: string
  readonly endpoint: MenuEndpoint
  readonly cors: Cors
}

/** Claims `{prefix}/{code}`; switched off, it claims nothing. */
export function createApiHandler({ enabled, pathPrefix, endpoint, cors }: ApiHandlerOptions): Handler {
  const start = `${pathPrefix}/`
  return (given, reply, next) => {
    const { path, query } = splitTarget(toNodeRequest(given).url ?? '/')
    const isOurs = enabled && path.startsWith(start)
    if (!isOurs && next !== undefined) return next()
    const exchange = takeOver(given, reply)
    const { request, response } = exchange
    if (!isOurs) return sendProblem(request, response, NOT_FOUND)
    const raw = path.slice(start.length)
    if (raw === '' || raw.includes('/'))
      return sendProblem(request, response, NOT_FOUND, cors.headers(request))
    if (request.method === 'GET' || request.method === 'HEAD') {
      const position = malformedPercentAt(raw)
      if (position === null) return endpoint(exchange, decodeURIComponent(raw), query)
      return sendProblem(request, response, malformedCode(position), cors.headers(request))
    }
    if (request.method === 'OPTIONS') {
      sendHead(response, 204, toLines({ Allow: READ_METHODS, ...cors.preflight(request) }))
      response.end()
      return
    }
    sendProblem(request, response, METHOD_NOT_ALLOWED, { Allow: READ_METHODS, ...cors.headers(request) })
  }
}

function malformedCode(position: number): HttpProblem {
  const detail = 'The path has a % that does not begin a percent-encoded UTF-8 character.'
  return badRequest('malformed-percent', detail, { parameter: 'code', position })
}
