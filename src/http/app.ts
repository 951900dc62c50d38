import type { IncomingMessage, ServerResponse } from 'node:http'
import polka, { type Polka } from 'polka'
import type { Snapshot } from '../model/snapshot.js'
import type { Log } from '../service/log.js'
import type { Settings } from '../service/settings.js'
import type { Counters } from '../web/counters.js'
import { answerFailure } from '../web/failure.js'
import { createAdminCheck, createInsiderCheck } from '../web/insider.js'
import { once } from '../web/once.js'
import {
  type HttpProblem,
  hasMethod,
  NOT_FOUND,
  READ_METHODS,
  sendJson,
  sendProblem,
  sendSeeOther,
  sendText,
  wantsHtml,
} from '../web/problem-json.js'
import { splitTarget } from '../web/target.js'
import type { Handler } from './handler.js'
import { toReadiness } from './health.js'
import { createMetrics } from './metrics.js'
import { type DescribedPaths, toOpenApi } from './openapi.js'

export interface AppDeps {
  /** Answers what is under the prefix of the API. */
  readonly api: Handler
  /** Null where there is none. */
  readonly dashboard: ServedDashboard | null
  readonly settings: Settings
  readonly current: () => Snapshot
  /** Rescans the menus; resolves once what is found is served. */
  readonly reload: () => Promise<void>
  readonly counters: Counters
  readonly version: string
  /** Opens `/metrics` and `/-/reload` to its bearer; where it is null they do not exist. */
  readonly adminToken: string | null
  readonly log: Log
  readonly isStopping: () => boolean
}

/** The dashboard as the server knows it. */
export interface ServedDashboard {
  /** The path of its first page. */
  readonly home: string
  /** Answers what is under its prefix, and calls `next` for all others. */
  readonly handler: Handler
  /** Its endpoints in OpenAPI. */
  readonly described: () => Promise<DescribedPaths>
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** Everything that our own server answers: the API, then the pages around it, by one Polka app. */
export function createApp(deps: AppDeps): (request: IncomingMessage, response: ServerResponse) => void {
  const { api, dashboard, settings, current, version, adminToken, log, isStopping } = deps
  const isAdmin = createAdminCheck(adminToken)
  const isInsider = createInsiderCheck(isAdmin)
  const app: Polka = polka({
    onError: (thrown, request, response) => answerFailure(log, request, response, thrown),
    onNoMatch: (request, response) => sendProblem(request, response, NOT_FOUND),
  })
  app.parse = parseTarget
  if (dashboard !== null) app.use(dashboard.handler as never)

  const page = (path: string, methods: readonly string[], answer: Answer): void => {
    app.all(path, (request, response) => {
      if (hasTwoHosts.has(request)) delete request.headers.host
      // Polka takes `/LIVEZ/` for `/livez`, too.
      if (request.path !== path) sendProblem(request, response, NOT_FOUND)
      else if (hasMethod(request, response, methods)) {
        // Anything thrown ends here: passed to Polka, a rejection without a reason would look like an answer.
        const answered = (async () => answer(request, response))()
        answered.catch((thrown: unknown) => answerFailure(log, request, response, thrown))
      }
    })
  }
  const adminPage = (path: string, methods: readonly string[], answer: Answer): void => {
    page(path, methods, (request, response) => {
      if (isAdmin(request)) return answer(request, response)
      sendProblem(request, response, UNAUTHORIZED)
    })
  }
  const sendReadiness = (request: IncomingMessage, response: ServerResponse, status: number): void => {
    const readiness = toReadiness(current(), isStopping(), isInsider(request) ? version : null)
    sendJson(request, response, readiness, status)
  }

  const openApi = once(async () => toOpenApi(settings, version, (await dashboard?.described()) ?? null))
  const overview = {
    name: 'menuscript',
    ...(settings.api.enabled && { menus: `${settings.api.path_prefix}/{code}` }),
    description: '/openapi.json',
    health: ['/livez', '/readyz'],
  }
  page('/', READ_METHODS, (request, response) => {
    if (dashboard === null || !wantsHtml(request)) return sendJson(request, response, overview)
    sendSeeOther(response, dashboard.home)
  })
  page('/livez', READ_METHODS, (request, response) => sendJson(request, response, { status: 'ok' }))
  page('/readyz', READ_METHODS, (request, response) =>
    sendReadiness(request, response, isStopping() ? 503 : 200),
  )
  page('/openapi.json', READ_METHODS, async (request, response) =>
    sendJson(request, response, await openApi()),
  )
  if (adminToken !== null) {
    const metrics = createMetrics(deps.counters, current, version)
    // Nothing can be loaded any more once every descriptor is taken, when the numbers are needed most.
    metrics().catch(() => {})
    adminPage('/metrics', READ_METHODS, async (request, response) => {
      const { type, text } = await metrics()
      sendText(request, response, text, { type })
    })
    adminPage('/-/reload', ['POST'], async (request, response) => {
      await deps.reload()
      sendReadiness(request, response, 200)
    })
  }
  return (request, response) => {
    try {
      takeOriginForm(request)
      // Before Polka, which compares a path with those of all pages and makes promises on its way.
      // Polka never routes when it is given a `next`.
      api(request, response, () => void app.handler(request as never, response, undefined as never))
    } catch (thrown) {
      answerFailure(log, request, response, thrown)
    }
  }
}

/** The answer to a client without the token (RFC 6750, section 3). */
const UNAUTHORIZED: HttpProblem = {
  status: 401,
  code: 'unauthorized',
  detail: 'This path needs "Authorization: Bearer" with the admin token.',
  headers: { 'www-authenticate': 'Bearer' },
}

/** Requests whose absolute target and Host header differ: their client is no insider, whichever host it meant. */
const hasTwoHosts = new WeakSet<IncomingMessage>()

/** Takes the host from a target in absolute form: hooks and routes get the rest. */
function takeOriginForm(request: IncomingMessage): void {
  const { url = '/', headers } = request
  if (url.startsWith('/')) return
  const { host, path, query } = splitTarget(url)
  if (host !== null && host !== headers.host) hasTwoHosts.add(request)
  request.url = query === '' ? path : `${path}?${query}`
}

/** What Polka routes by. By itself it would decode every query. */
function parseTarget({ url: raw = '/' }: IncomingMessage): ReturnType<Polka['parse']> {
  const { path, query } = splitTarget(raw)
  return { pathname: path, search: query === '' ? '' : `?${query}`, query: {}, hash: undefined, raw }
}
