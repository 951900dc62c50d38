import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Counting } from '../web/counters.js'
import type { RequestKind } from '../web/durations.js'
import { requestId } from '../web/failure.js'
import {
  badRequest,
  type HttpProblem,
  hasMethod,
  OVERLOADED,
  READ_METHODS,
  sendProblem,
} from '../web/problem-json.js'
import { splitTarget } from '../web/target.js'
import { beginSpan, traced } from '../web/tracing.js'
import { type AppDeps, createApp } from './app.js'
import { limitConnections } from './connections.js'
import { createLoad } from './load.js'

export interface MenuServerDeps extends Omit<AppDeps, 'isStopping' | 'counters'> {
  readonly counting: Counting
  /** Whether each request gets a line in the log. */
  readonly logRequests: boolean
}

/** Our own server: the doors, and what keeps it alive among bad clients. */
export interface MenuServer {
  /** Answers the address it listens on, such as `http://127.0.0.1:4400`. Throws when it cannot listen. */
  readonly listen: (port: number, host: string) => Promise<string>
  /** Stops taking requests, ends those under way, at most for 10 seconds. */
  readonly close: () => Promise<void>
}

/** Milliseconds. A client has this long to send its headers. */
const HEADERS_TIMEOUT = 10_000
/** For a request with its body, of any size; readBody ends one that is slow. */
const REQUEST_TIMEOUT = 600_000
const CHECK_EVERY = 1_000
/** Longer than a minute, which is how long the usual proxies keep an idle connection: the proxy closes first. */
const KEEP_ALIVE_TIMEOUT = 65_000
/** Counts where the connection ended before the response began: nginx's word, known to those who read such numbers. */
const GIVEN_UP = 499
/** Bytes of an unread body for which a connection is kept. */
const MAX_BODY = 1_048_576
/** Milliseconds for which connections are still accepted while there are any. */
const MAX_ACCEPTING = 250
const QUIET_TURNS = 3
/** For the requests on connections that were accepted just before. */
const MIN_ACCEPTING = 20
const DRAIN_TIMEOUT = 10_000
/** A client that is about to send a request on a kept connection gets its response, with the instruction to close. */
const LAST_WORD = 200

export function createMenuServer(deps: MenuServerDeps): MenuServer {
  let stopping = false
  const { log, logRequests, counting } = deps
  const app = traced(createApp({ ...deps, counters: counting.counters, isStopping: () => stopping }))
  const kindOf = createKindOf(deps)
  const logAnswer = (request: IncomingMessage, response: ServerResponse): void => {
    const since = performance.now()
    response.once('close', () => {
      const { method, url: target = '/' } = request
      // In other queries, such as that of a page where people sign in, there may be a secret.
      const { path } = splitTarget(target)
      const url = path.startsWith(`${deps.settings.api.path_prefix}/`) ? target : path
      const ms = Math.round((performance.now() - since) * 10) / 10
      log.debug('request_answered', { id: requestId(request), method, url, status: toStatus(response), ms })
    })
  }
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    connectionsCheckingInterval: CHECK_EVERY,
    // It is refused here, with a problem.
    requireHostHeader: false,
  })
  // Node would silently drop those beyond 2,000, a second Host among them; their bytes are limited anyway.
  server.maxHeadersCount = 0
  const connections = limitConnections(server, {
    max: deps.settings.limits.connections,
    onRefused: () => log.warn('connection_refused'),
    onFlooded: () => log.warn('connection_flooded'),
    onEnd: (response, milliseconds) =>
      counting.countAnswer(toStatus(response), kindOf(response.req.url ?? '/'), milliseconds / 1000),
  })
  const answer = (response: ServerResponse): void => {
    if (!connections.mayAnswer(response)) return
    const { req: request } = response
    const refusal = toRefusal(request)
    if (refusal !== null) sendProblem(request, response, refusal)
    else if (request.url === '*' && request.method === 'OPTIONS') hasMethod(request, response, READ_METHODS)
    else app(request, response)
  }
  const load = createLoad(answer, (response) => sendProblem(response.req, response, OVERLOADED))
  const begin = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!connections.admit(response)) return false
    // Node would read an unused body of any length to its end, to reach the request behind it.
    if (stopping || Number(request.headers['content-length'] ?? 0) > MAX_BODY)
      response.shouldKeepAlive = false
    if (logRequests) logAnswer(request, response)
    beginSpan(request, response)
    return true
  }
  server.on('checkExpectation', (request, response) => {
    if (begin(request, response)) sendProblem(request, response, UNKNOWN_EXPECTATION)
  })
  server.on('request', (request, response) => {
    if (!begin(request, response)) return
    if (request.url === '/livez') answer(response)
    else load.take(response)
  })
  return {
    listen: (port, host) => listen(server, port, host),
    close: async () => {
      stopping = true
      // Kept connections are closed by their next response; then those that are idle are ended.
      await sleep(LAST_WORD)
      // A client that gets a response now may return at the very moment when the server stops listening.
      const release = load.hold()
      await acceptWaiting(server)
      const drained = drain(server)
      release()
      return drained
    },
  }
}

const TWO_HOSTS = badRequest('two-hosts', 'The request has more than one Host header.')
/** RFC 9112, section 3.2. */
const NO_HOST: HttpProblem = {
  ...badRequest('no-host', 'The request has no Host header.'),
  headers: { connection: 'close' },
}
const UNKNOWN_EXPECTATION: HttpProblem = {
  status: 417,
  code: 'unknown-expectation',
  detail: 'The only supported expectation is 100-continue.',
}

/** The status of a response that never began reached no client. */
function toStatus({ headersSent, statusCode }: ServerResponse): number {
  return headersSent ? statusCode : GIVEN_UP
}

/** What the target of a request is for; null for a path whose responses last as long as their clients listen. */
function createKindOf({ settings, dashboard }: MenuServerDeps): (target: string) => RequestKind | null {
  const menus = `${settings.api.path_prefix}/`
  return (target) => {
    if (target.startsWith(menus)) return 'menu'
    const { path } = splitTarget(target)
    if (dashboard === null || !`${path}/`.startsWith(`${dashboard.home}/`)) return 'other'
    return path === dashboard.events ? null : 'dashboard'
  }
}

/** Node silently keeps the first of several Host headers; a proxy in front may have used another one. */
function toRefusal({ rawHeaders, httpVersion }: IncomingMessage): HttpProblem | null {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1) return TWO_HOSTS
  return hosts === 0 && httpVersion === '1.1' ? NO_HOST : null
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening')
  const { address, family, port: taken } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
}

/**
 * Accepts the connections that the kernel holds, one in each turn of the event loop, and reads their requests: the end of
 * listening would break them off. There are none left once some turns have brought none, and all that came have sent something.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let quiet = 0
  const silent = new Set<Socket>()
  const note = (socket: Socket): void => {
    quiet = 0
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  }
  server.on('connection', note)
  const begun = performance.now()
  while (performance.now() < begun + MAX_ACCEPTING) {
    for (const socket of silent) if (socket.bytesRead > 0) silent.delete(socket)
    const isLong = performance.now() > begun + MIN_ACCEPTING
    if (isLong && quiet++ >= QUIET_TURNS && silent.size === 0) break
    await setImmediate()
  }
  server.off('connection', note)
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT)
    const idle = setInterval(() => server.closeIdleConnections(), LAST_WORD)
    server.close(() => {
      clearTimeout(late)
      clearInterval(idle)
      resolve()
    })
  })
}
