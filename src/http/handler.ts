import type { IncomingMessage, ServerResponse } from 'node:http'
import { MENU_HOOKS } from '../service/hooks.js'
import type { Log } from '../service/log.js'
import type { MenuService } from '../service/menu-service.js'
import { malformedPercentAt } from '../web/percent.js'
import { badRequest, hasMethod, NOT_FOUND, READ_METHODS, sendProblem } from '../web/problem-json.js'
import { splitTarget } from '../web/target.js'
import { createCors } from './cors.js'
import { type FrameworkReply, type FrameworkRequest, takeOver, toNodeRequest } from './host-exchange.js'
import { createMenuEndpoint } from './menu-endpoint.js'

/**
 * A handler that any server of Node can mount; it answers what is its own and calls `next` for the rest. A request and a reply
 * of Fastify will do, too, so that `app.addHook('onRequest', handler)` mounts it there.
 */
export type Handler = (
  request: IncomingMessage | FrameworkRequest,
  response: ServerResponse | FrameworkReply,
  next?: () => void,
) => void

/** The endpoint of a service. Claims `{prefix}/{code}`; where the API is off, nothing. */
export function createApiHandler(service: MenuService, log: Log): Handler {
  const { enabled, path_prefix, cors_origins } = service.settings.api
  const cors = createCors(cors_origins, service.policies.varyOn)
  const endpoint = createMenuEndpoint(service, cors, log)
  const start = `${path_prefix}/`
  const hasHooks = MENU_HOOKS.some((name) => service.policies[name] !== undefined)
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
    const headersOf = request.method === 'OPTIONS' ? cors.preflight : cors.headers
    if (!hasMethod(request, response, READ_METHODS, () => headersOf(request))) return
    const position = malformedPercentAt(raw)
    // A hook that reads the parameters of a page finds none here, and does not fail.
    if (hasHooks && !('params' in request)) Object.assign(request, { params: {} })
    if (position === null) return endpoint(exchange, decodeURIComponent(raw), query)
    const detail = 'The path has a % that does not begin a percent-encoded UTF-8 character.'
    const problem = badRequest('malformed-percent', detail, { parameter: 'code', position })
    sendProblem(request, response, problem, cors.headers(request))
  }
}
