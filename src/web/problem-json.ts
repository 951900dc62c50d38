import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { sendHead, toLines } from './head.js'

/** An error answer (RFC 9457), before it is written. Nothing from inside: no message of an engine, no path, no stack. */
export interface HttpProblem {
  readonly status: number
  /** A permanent name, such as `bad-context-sets`. */
  readonly code: string
  readonly detail: string
  /** More members, such as the parameter and the position in it. */
  readonly members?: Readonly<Record<string, unknown>>
  /** What such a response always has. */
  readonly headers?: Headers
}

/** Header names and their values; of a header that is sent several times, a list. */
export type Headers = Readonly<Record<string, string | readonly string[]>>

/** The one mouth for HTTP errors. */
export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  problem: HttpProblem,
  headers: Headers = {},
): void {
  const { status, code, detail, members, headers: own } = problem
  const title = STATUS_CODES[status]
  const text = JSON.stringify({ type: `about:blank#${code}`, title, status, code, detail, ...members })
  const type = 'application/problem+json'
  sendText(request, response, text, { status, type, headers: { ...own, ...headers } })
}

/** Writes a JSON value that is made for this request. */
export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  value: unknown,
  status: number = 200,
  headers: Headers = {},
): void {
  sendText(request, response, JSON.stringify(value), { status, type: 'application/json', headers })
}

/** Writes a text made for this request, which must not be cached; it may be compressed. */
export function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  text: string | Buffer,
  { status = 200, type, headers = {} }: { status?: number; type: string; headers?: Headers },
): void {
  const body = typeof text === 'string' ? Buffer.from(text) : text
  const own = {
    'content-type': type,
    'content-length': body.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  sendHead(response, status, toLines({ ...own, ...headers }))
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Leads a browser on to a path, by GET (RFC 9110, section 15.4.4). */
export function sendSeeOther(response: ServerResponse, location: string, headers: Headers = {}): void {
  const own = { location, 'content-length': 0, 'cache-control': 'no-store' }
  sendHead(response, 303, toLines({ ...own, ...headers }))
  response.end()
}

/** Whether a client reads HTML. */
export function wantsHtml({ headers }: IncomingMessage): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '')
}

/** The methods of a path that is only read. */
export const READ_METHODS: readonly string[] = ['GET', 'HEAD']

/** The `Allow` header for the methods of a path. */
export function toAllow(methods: readonly string[]): string {
  return [...methods, 'OPTIONS'].join(', ')
}

/**
 * Whether a path has the method of a request. Where not, it is answered here: OPTIONS, and what is not allowed (RFC 9110, sections
 * 9.3.7 and 15.5.6). `headersOf` gives what such a response has besides `Allow`.
 */
export function hasMethod(
  request: IncomingMessage,
  response: ServerResponse,
  methods: readonly string[],
  headersOf: () => Headers = () => ({}),
): boolean {
  const { method = '' } = request
  if (methods.includes(method)) return true
  const headers = { Allow: toAllow(methods), ...headersOf() }
  if (method === 'OPTIONS') {
    sendHead(response, 204, toLines(headers))
    response.end()
  } else sendProblem(request, response, METHOD_NOT_ALLOWED, headers)
  return false
}

/** The response to a request that cannot be understood; `members` name the place. */
export function badRequest(code: string, detail: string, members: HttpProblem['members'] = {}): HttpProblem {
  return { status: 400, code, detail, members }
}

export const NOT_FOUND: HttpProblem = {
  status: 404,
  code: 'not-found',
  detail: 'There is nothing at this path.',
}

export const METHOD_NOT_ALLOWED: HttpProblem = {
  status: 405,
  code: 'method-not-allowed',
  detail: 'This path does not allow the method.',
}

/** The response to a request that would have to wait for too many others. */
export const OVERLOADED: HttpProblem = {
  status: 503,
  code: 'overloaded',
  detail: 'The service is overloaded. Try again in a second.',
  headers: { 'retry-after': '1' },
}
