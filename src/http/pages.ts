import type { IncomingMessage, ServerResponse } from 'node:http'
import polka, { type Polka } from 'polka'
import type { Snapshot } from '../model/snapshot.js'
import { type Log, toReason } from '../service/log.js'
import {
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  READ_METHODS,
  sendJson,
  sendProblem,
  toServerFault,
} from '../web/problem-json.js'
import { splitTarget } from '../web/target.js'
import { toReadiness } from './health.js'

export interface PagesDeps {
  readonly current: () => Snapshot
  readonly isInsider: (request: IncomingMessage) => boolean
  readonly openApi: unknown
  /** What `/` tells of the doors there are. */
  readonly overview: unknown
  readonly log: Log
  readonly createId: () => string
  readonly isStopping: () => boolean
}

/** The pages around the endpoint, by Polka. */
export function createPages(deps: PagesDeps): (request: IncomingMessage, response: ServerResponse) => void {
  const { current, isInsider, openApi, overview, log, createId, isStopping } = deps
  const app: Polka = polka({
    onError: (thrown, request, response) => {
      const id = createId()
      const reason = toReason(thrown)
      log.error('request_failed', { id, url: request.url, reason })
      if (response.headersSent) response.destroy()
      else sendProblem(request, response, toServerFault(id))
    },
    onNoMatch: (request, response) => sendProblem(request, response, NOT_FOUND),
  })
  const page = (path: string, answer: (request: IncomingMessage, response: ServerResponse) => void): void => {
    app.all(path, (request, response) => {
      // Polka takes `/LIVEZ/` for `/livez`, too.
      if (splitTarget(request.originalUrl).path !== path) sendProblem(request, response, NOT_FOUND)
      else if (request.method === 'GET' || request.method === 'HEAD') answer(request, response)
      else if (request.method === 'OPTIONS') sendOptions(response)
      else sendProblem(request, response, METHOD_NOT_ALLOWED, { Allow: READ_METHODS })
    })
  }
  page('/', (request, response) => sendJson(request, response, 200, overview))
  page('/livez', (request, response) => sendJson(request, response, 200, { status: 'ok' }))
  page('/readyz', (request, response) => {
    const readiness = toReadiness(current(), isStopping(), isInsider(request))
    sendJson(request, response, isStopping() ? 503 : 200, readiness)
  })
  page('/openapi.json', (request, response) => sendJson(request, response, 200, openApi))
  return (request, response) => {
    // Polka looks for the path in the target as it is written, and does not know the absolute form.
    const { path, query } = splitTarget(request.url ?? '/')
    request.url = query === '' ? path : `${path}?${query}`
    // Polka never routes when it is given a `next`.
    app.handler(request as never, response, undefined as never)
  }
}

/** The answer to OPTIONS where there is nothing to negotiate. */
export function sendOptions(response: ServerResponse): void {
  response.writeHead(204, { Allow: READ_METHODS })
  response.end()
}
