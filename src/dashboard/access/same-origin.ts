import type { IncomingMessage } from 'node:http'
import { isSameSecret } from '../../web/insider.js'
import { type HttpProblem, METHOD_NOT_ALLOWED, refusal } from '../../web/problem-json.js'
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
 * Why a request may not write, as far as its token says; null when it may. `expected` is null where no cookie speaks for
 * anybody. `field` is the token of a form; without one, the header counts.
 */
export function judgeToken(
  request: IncomingMessage,
  expected: string | null,
  field: string | null,
): HttpProblem | null {
  if (isRead(request)) return METHOD_NOT_ALLOWED
  if (expected === null) return null
  const token = field ?? request.headers[CSRF_HEADER]
  return typeof token === 'string' && isSameSecret(token, expected) ? null : BAD_TOKEN
}

export const CROSS_SITE: HttpProblem = refusal(
  403,
  'cross-site',
  'Only a page of this dashboard, or a script with "Authorization: Bearer", may send this.',
)

const BAD_TOKEN: HttpProblem = refusal(
  403,
  'bad-csrf-token',
  `The request needs the token of its session, in the header ${CSRF_HEADER} or the field ${CSRF_FIELD}. Load the page again.`,
)
