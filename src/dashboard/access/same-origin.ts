import type { IncomingMessage } from 'node:http'
import { isSameSecret } from '../../web/insider.js'
import { METHOD_NOT_ALLOWED } from '../../web/problem-json.js'
import { Refusal } from '../refusal.js'
import { isOriginOf, type OwnHost } from './own-host.js'

/** The header, and the field of a form, in which a page of ours sends the token of its session. */
export const CSRF_HEADER = 'x-csrf-token'
export const CSRF_FIELD = 'csrf'

/** Whether a request only reads (RFC 9110, section 9.2.1). */
export function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** Whether a browser says that a page of ours sends a request: by Sec-Fetch-Site, else by Origin. */
export function isFromOwnPage({ headers }: IncomingMessage, host: OwnHost): boolean {
  const relation = headers['sec-fetch-site']
  if (relation !== undefined) return relation === 'same-origin'
  return headers.origin !== undefined && isOriginOf(host, headers.origin)
}

/**
 * Throws where a request may not write, as far as its token says. `expected` is null where no cookie speaks for anybody.
 * `field` is the token of a form; without one, the header counts.
 */
export function needToken(request: IncomingMessage, expected: string | null, field: string | null): void {
  if (isRead(request)) throw new Refusal(METHOD_NOT_ALLOWED)
  if (expected === null) return
  const token = field ?? request.headers[CSRF_HEADER]
  if (typeof token !== 'string' || !isSameSecret(token, expected)) throw new Refusal('bad-csrf-token')
}
