import type { IncomingHttpHeaders } from 'node:http'

/** The id that a proxy gave a request in `X-Request-Id`; undefined for none, and for what could be more than an id. */
export function requestId(headers: IncomingHttpHeaders): string | undefined {
  const id = headers['x-request-id']
  return typeof id === 'string' && /^[\w.:-]{1,100}$/.test(id) ? id : undefined
}
