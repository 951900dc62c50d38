import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { HttpProblem } from './problem-json.js'

/** Whether a request carries the admin token; never where there is none. */
export type AdminCheck = (request: IncomingMessage) => boolean

export function createAdminCheck(adminToken: string | null): AdminCheck {
  if (adminToken === null) return () => false
  const expected = digest(adminToken)
  return ({ headers }) => {
    const [, token] = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '') ?? []
    return token !== undefined && timingSafeEqual(digest(token), expected)
  }
}

/** Digests are of one length, which `timingSafeEqual` needs and which tells nothing of the token's. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** The answer to who lacks the token; goes with `WWW-Authenticate: Bearer` (RFC 6750, section 3). */
export const UNAUTHORIZED: HttpProblem = {
  status: 401,
  code: 'unauthorized',
  title: 'Unauthorized',
  detail: 'This path needs "Authorization: Bearer" with the admin token.',
}
