import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { Counting } from '../web/counters.js'
import { requestId } from '../web/failure.js'
import {
  badRequest,
  type HttpProblem,
  hasMethod,
  OVERLOADED,
  READ_METHODS,
  sendProblem,
} from '../web/problem-json.js'
import { type AppDeps, createApp } from './app.js'
import { createConnections } from './connections.js'
import { createLoad } from './load.js'
import { keepTickShape } from './tick-shape.js'

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

/** Milliseconds. A client has this long to send its request. */
const HEADERS_TIMEOUT = 10_000
const REQUEST_TIMEOUT = 14_000
const CHECK_EVERY = 1_000
/** Longer than a minute, which is how long the usual proxies keep an idle connection: the proxy closes first. */
const KEEP_ALIVE_TIMEOUT = 65_000
/** Counts where the connection ended before the answer began: nginx's word, known to those who read such numbers. */
const GIVEN_UP = 499
/** Bytes of an unread body for which a connection is kept. */
const MAX_BODY = 1_048_576
/** For which new connections are still taken while there are any. */
const MAX_TAKING = 250
const QUIET_TURNS = 3
const DRAIN_TIMEOUT = 10_000
/** A client that is about to send a request on a kept connection gets its answer, with the instruction to close. */
const LAST_WORD = 200

export function createMenuServer(deps: MenuServerDeps): MenuServer {
  keepTickShape()
  let stopping = false
  const { log, logRequests, counting } = deps
  const app = createApp({ ...deps, counters: counting.counters, isStopping: () => stopping })
  const load = createLoad(
    (response: ServerResponse) => app(response.req, response),
    (response) => sendProblem(response.req, response, OVERLOADED),
  )
  const logAnswer = (request: IncomingMessage, response: ServerResponse): void => {
    const since = performance.now()
    response.on('close', () => {
      const { method, url } = request
      const ms = Math.round((performance.now() - since) * 10) / 10
      log.debug('request_answered', { id: requestId(request), method, url, status: toStatus(response), ms })
    })
  }
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT,
      requestTimeout: REQUEST_TIMEOUT,
      keepAliveTimeout: 0,
      connectionsCheckingInterval: CHECK_EVERY,
      // What Node answers by itself would escape the bounds on requests.
      requireHostHeader: false,
    },
    (request, response) => begin(request, response),
  )
  const unmet = new WeakSet<IncomingMessage>()
  server.on('checkExpectation', (request, response) => {
    unmet.add(request)
    begin(request, response)
  })
  // Node would silently drop those beyond 2,000, a second Host among them; their bytes are limited anyway.
  server.maxHeadersCount = 0
  const answer = (response: ServerResponse): void => {
    const request = response.req
    const hosts = countHosts(request)
    if (unmet.has(request)) sendProblem(request, response, UNKNOWN_EXPECTATION)
    else if (hosts > 1) sendProblem(request, response, TWO_HOSTS)
    else if (hosts === 0 && request.httpVersion === '1.1') sendProblem(request, response, NO_HOST)
    else if (request.url === '*' && request.method === 'OPTIONS') hasMethod(request, response, READ_METHODS)
    else if (request.url === '/livez') app(request, response)
    else load.take(response)
  }
  const takeRequest = createConnections(server, {
    max: deps.settings.limits.connections,
    keepAliveSeconds: KEEP_ALIVE_TIMEOUT / 1_000,
    answer,
    onEnd: (response) => counting.countAnswer(toStatus(response)),
    onRefused: () => log.warn('connection_refused'),
  })
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    // Node would read an unused body of any length to its end, to reach the request behind it.
    if (!server.listening || Number(request.headers['content-length'] ?? 0) > MAX_BODY)
      response.shouldKeepAlive = false
    const kept = response as ServerResponse & { _keepAliveTimeout: number }
    // Node's own word for the Keep-Alive header, which it leaves out where it does not end idle connections itself.
    kept._keepAliveTimeout = KEEP_ALIVE_TIMEOUT
    if (logRequests) logAnswer(request, response)
    takeRequest(response)
  }
  return {
    listen: (port, host) => listen(server, port, host),
    close: async () => {
      stopping = true
      // A client that gets an answer now may return at the very moment when the server stops listening.
      const release = load.hold()
      await takeWaiting(server)
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
  detail: 'The only expectation that can be met is 100-continue.',
}

/** The status of an answer that never began reached no client. */
function toStatus({ headersSent, statusCode }: ServerResponse): number {
  return headersSent ? statusCode : GIVEN_UP
}

/** Node silently keeps the first of several Host headers; a proxy in front may have used another one. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening')
  const { address, family, port: taken } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
}

/**
 * Takes the connections that the kernel holds for us: the end of listening would break them off. There are none left
 * once some turns of the event loop have brought none; the first may end before it has asked the kernel.
 */
async function takeWaiting(server: Server): Promise<void> {
  let quiet = 0
  const note = (): void => {
    quiet = 0
  }
  server.on('connection', note)
  const end = performance.now() + MAX_TAKING
  while (quiet++ < QUIET_TURNS && performance.now() < end) await setImmediate()
  server.off('connection', note)
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT)
    // On a process that was held up, timers come before the requests that wait: those are read first.
    const closeIdle = (): void => void setImmediate().then(() => server.closeIdleConnections())
    const idle = setInterval(closeIdle, LAST_WORD)
    // Not the `close` of HTTP, which ends idle connections at once, with requests in them that are not read yet.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(late)
      clearInterval(idle)
      server.close()
      resolve()
    })
  })
}
