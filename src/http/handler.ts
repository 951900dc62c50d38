import type { IncomingMessage, ServerResponse } from 'node:http'
import { MENU_HOOKS } from '../service/hooks.js'
import type { Log } from '../service/log.js'
import type { MenuService } from '../service/menu-service.js'
import { hasMethod, NOT_FOUND, READ_METHODS, sendProblem } from '../web/problem-json.js'
import { noteRoute } from '../web/tracing.js'
import { createCors } from './cors.js'
import { type FrameworkReply, type FrameworkRequest, takeOver, toNodeRequest } from './host-exchange.js'
import { createMenuEndpoint } from './menu-endpoint.js'
import { createTargetReader } from './menu-target.js'

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
  const cors = createCors(service.settings.api.cors_origins, service.policies.varyOn)
  const endpoint = createMenuEndpoint(service, cors, log)
  const readTarget = createTargetReader(service)
  const route = `${service.settings.api.path_prefix}/{code}`
  const hasHooks = MENU_HOOKS.some((name) => service.policies[name] !== undefined)
  return (given, reply, next) => {
    const target = readTarget(toNodeRequest(given).url ?? '/')
    if (target === null && next !== undefined) return next()
    const exchange = takeOver(given, reply)
    const { request, response } = exchange
    if (target === null) return sendProblem(request, response, NOT_FOUND)
    const { value: query, fault } = target
    if (fault !== NOT_FOUND) noteRoute(request, route)
    const headersOf = request.method === 'OPTIONS' ? cors.preflight : cors.headers
    if (fault !== NOT_FOUND && !hasMethod(request, response, READ_METHODS, () => headersOf(request))) return
    if (fault !== null) return sendProblem(request, response, fault, cors.headers(request))
    // A hook that reads the parameters of a page finds none here, and does not fail.
    if (hasHooks && !('params' in request)) Object.assign(request, { params: {} })
    endpoint(exchange, query)
  }
}
