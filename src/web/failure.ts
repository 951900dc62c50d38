import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HookError } from '../service/hooks.js'
import { type Log, toReason } from '../service/log.js'
import { type Headers, type HttpProblem, sendProblem } from './problem-json.js'

/** The id that a proxy gave a request in `X-Request-Id`; undefined for none, and for what could be more than an id. */
export function requestId({ headers }: IncomingMessage): string | undefined {
  const id = headers['x-request-id']
  return typeof id === 'string' && /^[\w.:-]{1,100}$/.test(id) ? id : undefined
}

/** Logs a failure of ours, and returns the id that leads to its line: the proxy's, else a new one. */
export function reportFailure(log: Log, request: IncomingMessage, thrown: unknown): string {
  const id = requestId(request) ?? randomUUID()
  const stack = thrown instanceof Error && !(thrown instanceof HookError) ? thrown.stack : undefined
  log.error('request_failed', { id, url: request.url, reason: toReason(thrown), stack })
  return id
}

/** Logs a failure of ours and answers 500 with its id; an answer that has begun is broken off. */
export function answerFailure(
  log: Log,
  request: IncomingMessage,
  response: ServerResponse,
  thrown: unknown,
  headers: Headers = {},
): void {
  const problem = toFailure(log, request, thrown)
  if (response.headersSent) return void response.destroy()
  sendProblem(request, response, problem, headers)
}

/** Logs a failure of ours, and returns the answer with its id. */
export function toFailure(log: Log, request: IncomingMessage, thrown: unknown): HttpProblem {
  const id = reportFailure(log, request, thrown)
  const detail = 'The service failed. Its log has the reason under this id.'
  return { status: 500, code: 'internal-error', detail, members: { id } }
}
