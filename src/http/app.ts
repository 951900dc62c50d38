import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import polka from 'polka'
import type { Snapshot } from '../model/snapshot.js'
import type { Log } from '../service/log.js'
import type { Settings } from '../service/settings.js'
import type { Counters } from '../web/counters.js'
import { answerFailure } from '../web/failure.js'
import { type Routed, takeOriginForm } from '../web/host.js'
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
import { noteRoute } from '../web/tracing.js'
import type { Handler } from './handler.js'
import { toReadiness } from './health.js'
import { createMetrics } from './metrics.js'
import { type DescribedPaths, toOpenApi } from './openapi.js'

export interface AppDeps {
  /** Answers what is under the prefix of the API. */
  readonly api: Handler
  /** Null where there is none. */
  readonly dashboard: ServedDashboard | null
  /** Answers what is no path of ours, `/` included; null where there is none. */
  readonly site: Answer | null
  readonly settings: Settings
  readonly current: () => Snapshot
  /** What the host of a remote repository calls after a push; null where there is none. */
  readonly webhook: Answer | null
  /** Rescans the menus; resolves once what is found is served. */
  readonly reload: () => Promise<void>
  readonly counters: Counters
  readonly version: string
  /** Opens `/metrics` and `/-/reload` to its bearer; where it is null they do not exist. */
  readonly adminToken: string | null
  /** Whether its configuration lets only this machine reach the service. */
  readonly isLocalOnly: boolean
  readonly log: Log
  readonly isStopping: () => boolean
}

/** The dashboard as the server knows it. */
export interface ServedDashboard {
  /** The path of its first page. */
  readonly home: string
  /** The path whose responses last as long as their clients listen. */
  readonly events: string
  /** Answers what is under its prefix, and calls `next` for all others. */
  readonly handler: Handler
  /** Its endpoints in OpenAPI. */
  readonly described: () => Promise<DescribedPaths>
}

/** Answers a request to a path. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** Everything that our own server serves: the API, the dashboard, and the pages around them, by one Polka app. */
export function createApp(deps: AppDeps): RequestListener {
  const { api, dashboard, site, settings, current, version, adminToken, log, isStopping } = deps
  const isAdmin = createAdminCheck(adminToken)
  const isInsider = createInsiderCheck(isAdmin, deps.isLocalOnly)
  const app = polka({
    onError: (thrown, request, response) => answerFailure(log, request, response, thrown),
    onNoMatch: (request, response) => sendProblem(request, response, NOT_FOUND),
  })
  app.use((request, response, next) => {
    try {
      takeOriginForm(request)
      api(request, response, next)
    } catch (thrown) {
      answerFailure(log, request, response, thrown)
    }
  })
  if (dashboard !== null) app.use(dashboard.handler)

  const page = (path: RegExp, methods: readonly string[], answer: Answer): void => {
    app.all(path, async (request, response) => {
      // Anything thrown ends here: Polka would take a rejection without a reason for a call of `next`.
      try {
        // Which files a site has is no route of ours.
        if (answer !== site) noteRoute(request, request.path)
        if (hasMethod(request, response, methods)) await answer(request, response)
      } catch (thrown) {
        answerFailure(log, request, response, thrown)
      }
    })
  }
  const adminOnly =
    (answer: Answer): Answer =>
    (request, response) =>
      isAdmin(request) ? answer(request, response) : sendProblem(request, response, UNAUTHORIZED)
  const sendReadiness = (request: IncomingMessage, response: ServerResponse, status: number): void => {
    const shown = isInsider(request) ? version : null
    const readiness = toReadiness(current(), isStopping(), shown, deps.counters)
    sendJson(request, response, readiness, status)
  }

  const openApi = once(async () =>
    JSON.stringify(
      toOpenApi(settings, version, deps.webhook !== null, (await dashboard?.described()) ?? null),
    ),
  )
  // Patterns, because Polka takes `/LIVEZ/` for the path `/livez`, too.
  const overview = {
    name: 'menuscript',
    ...(settings.api.enabled && { menus: `${settings.api.path_prefix}/{code}` }),
    description: '/openapi.json',
    health: ['/livez', '/readyz'],
  }
  const sendHome: Answer = (request, response) => {
    if (dashboard === null || !wantsHtml(request)) return sendJson(request, response, overview)
    sendSeeOther(response, dashboard.home)
  }
  page(/^\/livez$/, READ_METHODS, (request, response) => sendJson(request, response, { status: 'ok' }))
  page(/^\/readyz$/, READ_METHODS, (request, response) =>
    sendReadiness(request, response, isStopping() ? 503 : 200),
  )
  page(/^\/openapi\.json$/, READ_METHODS, async (request, response) =>
    sendText(request, response, await openApi(), { type: 'application/json' }),
  )
  if (deps.webhook !== null) page(/^\/-\/webhook$/, ['POST'], deps.webhook)
  if (adminToken !== null) {
    const metrics = createMetrics(deps.counters, current, version)
    // Nothing can be loaded any more once every descriptor is taken, when the numbers are needed most.
    metrics().catch(() => {})
    page(
      /^\/metrics$/,
      READ_METHODS,
      adminOnly(async (request, response) => {
        const { type, text } = await metrics()
        sendText(request, response, text, { type })
      }),
    )
    page(
      /^\/-\/reload$/,
      ['POST'],
      adminOnly(async (request, response) => {
        await deps.reload()
        sendReadiness(request, response, 200)
      }),
    )
  }
  page(site === null ? /^\/$/ : /^\//, READ_METHODS, site ?? sendHome)
  const route = app.handler as RequestListener
  return (request: Routed, response) => {
    // Polka would decode every query, which takes longer than a menu. It routes by the path alone.
    const { url = '/' } = request
    request.originalUrl = url
    request.url = splitTarget(url).path
    route(request, response)
  }
}

/** The response to a client without the token (RFC 6750, section 3). */
const UNAUTHORIZED: HttpProblem = {
  status: 401,
  code: 'unauthorized',
  detail: 'This path needs "Authorization: Bearer" with the admin token.',
  headers: { 'www-authenticate': 'Bearer' },
}
