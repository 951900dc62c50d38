import type { IncomingMessage, ServerResponse } from 'node:http'
import polka, { type Polka } from 'polka'
import type { Snapshot } from '../model/snapshot.js'
import { type Log, toReason } from '../service/log.js'
import { type AdminCheck, UNAUTHORIZED } from '../web/admin.js'
import type { InsiderCheck } from '../web/insider.js'
import {
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  READ_METHODS,
  sendJson,
  sendProblem,
  sendText,
  toServerFault,
} from '../web/problem-json.js'
import { splitTarget } from '../web/target.js'
import { toReadiness } from './health.js'
import type { MetricsText } from './metrics.js'

export interface PagesDeps {
  readonly current: () => Snapshot
  readonly version: string
  readonly isInsider: InsiderCheck
  /** Null where there is no admin token: what it opens is not there then. */
  readonly isAdmin: AdminCheck | null
  readonly metrics: () => Promise<MetricsText>
  /** Looks at the menus now; resolves once what is found is served. */
  readonly reload: () => Promise<void>
  readonly openApi: unknown
  /** What `/` tells of the doors there are. */
  readonly overview: unknown
  readonly log: Log
  /** The id under which a failure is told to the client and to the log. */
  readonly idOf: (request: IncomingMessage) => string
  readonly isStopping: () => boolean
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** The pages around the endpoint, by Polka. */
export function createPages(deps: PagesDeps): (request: IncomingMessage, response: ServerResponse) => void {
  const { current, version, isInsider, isAdmin, openApi, overview, log, idOf, isStopping } = deps
  const fail = (thrown: unknown, request: IncomingMessage, response: ServerResponse): void => {
    const id = idOf(request)
    log.error('request_failed', { id, url: request.url, reason: toReason(thrown) })
    if (response.headersSent) response.destroy()
    else sendProblem(request, response, toServerFault(id))
  }
  const app: Polka = polka({
    onError: (thrown, request, response) => fail(thrown, request, response),
    onNoMatch: (request, response) => sendProblem(request, response, NOT_FOUND),
  })
  const page = (path: string, methods: readonly string[], answer: Answer): void => {
    const allow = [...methods, 'OPTIONS'].join(', ')
    app.all(path, (request, response) => {
      // Polka takes `/LIVEZ/` for `/livez`, too.
      if (splitTarget(request.originalUrl).path !== path) sendProblem(request, response, NOT_FOUND)
      else if (request.method === 'OPTIONS') sendOptions(response, allow)
      else if (!methods.includes(request.method ?? '')) {
        sendProblem(request, response, METHOD_NOT_ALLOWED, { Allow: allow })
      } else {
        // Whatever is thrown ends here: handed to Polka, a rejection without a reason would pass for an answer.
        const answered = (async () => answer(request, response))()
        answered.catch((thrown: unknown) => fail(thrown, request, response))
      }
    })
  }
  const read = ['GET', 'HEAD']
  page('/', read, (request, response) => sendJson(request, response, 200, overview))
  page('/livez', read, (request, response) => sendJson(request, response, 200, { status: 'ok' }))
  page('/readyz', read, (request, response) => {
    const readiness = toReadiness(current(), isStopping(), isInsider(request) ? version : null)
    sendJson(request, response, isStopping() ? 503 : 200, readiness)
  })
  page('/openapi.json', read, (request, response) => sendJson(request, response, 200, openApi))
  if (isAdmin !== null) {
    const adminPage = (path: string, methods: readonly string[], answer: Answer): void =>
      page(path, methods, (request, response) => {
        if (isAdmin(request)) return answer(request, response)
        sendProblem(request, response, UNAUTHORIZED, { 'www-authenticate': 'Bearer' })
      })
    adminPage('/metrics', read, async (request, response) => {
      const { type, text } = await deps.metrics()
      sendText(request, response, type, text)
    })
    adminPage('/-/reload', ['POST'], async (request, response) => {
      await deps.reload()
      sendJson(request, response, 200, toReadiness(current(), isStopping(), version))
    })
  }
  return (request, response) => {
    // Polka looks for the path in the target as it is written, and does not know the absolute form.
    const { host, path, query } = splitTarget(request.url ?? '/')
    // Where an absolute target and the Host header differ, nobody knows which host the client meant.
    if (host !== null && host !== request.headers.host) delete request.headers.host
    request.url = query === '' ? path : `${path}?${query}`
    // Polka never routes when it is given a `next`.
    app.handler(request as never, response, undefined as never)
  }
}

/** The answer to OPTIONS where there is nothing to negotiate. */
export function sendOptions(response: ServerResponse, allow: string = READ_METHODS): void {
  response.writeHead(204, { Allow: allow })
  response.end()
}
