import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendHead, toLines } from './head.js'

/** An error answer (RFC 9457), before it is written. Nothing from inside: no message of an engine, no path, no stack. */
export interface HttpProblem {
  readonly status: number
  /** A permanent name, such as `bad-context-sets`. */
  readonly code: string
  readonly title: string
  readonly detail: string
  /** More members, such as the parameter and the position in it. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** Header names and their values. */
export type Headers = Readonly<Record<string, string>>

/** The one mouth for HTTP errors. */
export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  problem: HttpProblem,
  headers: Headers = {},
): void {
  const { status, code, title, detail, members } = problem
  const body = Buffer.from(
    JSON.stringify({ type: `about:blank#${code}`, title, status, code, detail, ...members }),
  )
  sendBody(request, response, status, 'application/problem+json', body, headers)
}

/** Writes a JSON value that is made for this request. */
export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Headers = {},
): void {
  const body = Buffer.from(JSON.stringify(value))
  sendBody(request, response, status, 'application/json', body, headers)
}

/** Writes a text that is made for this request. */
export function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  type: string,
  text: string,
): void {
  sendBody(request, response, 200, type, Buffer.from(text), {})
}

/** Writes an answer that nobody keeps. */
function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  type: string,
  body: Buffer,
  headers: Headers,
): void {
  const own = {
    'content-type': type,
    'content-length': body.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  sendHead(response, status, toLines({ ...own, ...headers }))
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** The answer to what cannot be understood; `members` say where. */
export function badRequest(code: string, detail: string, members: HttpProblem['members'] = {}): HttpProblem {
  return { status: 400, code, title: 'Bad Request', detail, members }
}

export const NOT_FOUND: HttpProblem = {
  status: 404,
  code: 'not-found',
  title: 'Not Found',
  detail: 'There is nothing at this path.',
}

/** The methods that every path of ours has, for `Allow`. */
export const READ_METHODS = 'GET, HEAD, OPTIONS'

/** The answer to a method that a path does not have; goes with an `Allow` header (RFC 9110, section 15.5.6). */
export const METHOD_NOT_ALLOWED: HttpProblem = {
  status: 405,
  code: 'method-not-allowed',
  title: 'Method Not Allowed',
  detail: 'This path does not have the method.',
}

/** The answer to a request that would have to wait for too many others; goes with ASK_AGAIN. */
export const OVERLOADED: HttpProblem = {
  status: 503,
  code: 'overloaded',
  title: 'Service Unavailable',
  detail: 'The service is overloaded. Ask again in a second.',
}

export const ASK_AGAIN: Headers = { 'retry-after': '1' }

/** The answer to a failure of ours; the id leads to the line in the log that says what happened. */
export function toServerFault(id: string): HttpProblem {
  return {
    status: 500,
    code: 'internal-error',
    title: 'Internal Server Error',
    detail: 'The service failed. Its log says why, under this id.',
    members: { id },
  }
}
