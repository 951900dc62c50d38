import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HookError } from '../service/hooks.js'
import { type Log, toReason } from '../service/log.js'
import { type Headers, type HttpProblem, sendProblem } from './problem-json.js'
import { splitTarget } from './target.js'

/** The id that a proxy gave a request in `X-Request-Id`; undefined for none, and for what could be more than an id. */
export function requestId({ headers }: IncomingMessage): string | undefined {
  const id = headers['x-request-id']
  return typeof id === 'string' && /^[\w.:-]{1,100}$/.test(id) ? id : undefined
}

/**
 * Logs a failure of ours, and returns the id that leads to its line: the proxy's, else a new one. `url` is what the line has of
 * the target: without its query, which may hold a one-time token, unless a caller knows better.
 */
export function reportFailure(
  log: Log,
  request: IncomingMessage,
  thrown: unknown,
  url: string = pathOf(request),
): string {
  const id = requestId(request) ?? randomUUID()
  const stack = thrown instanceof Error && !(thrown instanceof HookError) ? thrown.stack : undefined
  log.error('request_failed', { id, url, reason: toReason(thrown), stack })
  return id
}

/** Logs a failure of ours and answers 500 with its id; a response that has begun is broken off. */
export function answerFailure(
  log: Log,
  request: IncomingMessage,
  response: ServerResponse,
  thrown: unknown,
  { headers = {}, url = pathOf(request) }: { readonly headers?: Headers; readonly url?: string } = {},
): void {
  const problem = toFailure(log, request, thrown, url)
  if (response.headersSent) return void response.destroy()
  sendProblem(request, response, problem, headers)
}

/** Logs a failure of ours, and returns the response with its id. */
export function toFailure(
  log: Log,
  request: IncomingMessage,
  thrown: unknown,
  url: string = pathOf(request),
): HttpProblem {
  const id = reportFailure(log, request, thrown, url)
  const detail = 'The service failed. Its log has the reason under this id.'
  return { status: 500, code: 'internal-error', detail, members: { id } }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return splitTarget(url).path
}
