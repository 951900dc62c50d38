import type { IncomingMessage } from 'node:http'
import { isValidAt } from '../../store/lifetime.js'
import { createSign, createSignedCookie, toEndedCookie } from './signed-cookies.js'

/** Who signed in, when, and since which epoch of the user; times are milliseconds of Unix time. */
export interface Session {
  readonly user: string
  readonly issued: number
  readonly seen: number
  readonly epoch: number
}

/** Signs sessions into cookies. */
export interface Sessions {
  /** The session of a request's cookie; null where there is none, or one that is forged, has ended or has not begun. */
  readonly read: (request: IncomingMessage, now: number) => Session | null
  /** The Set-Cookie header for a session. */
  readonly toCookie: (session: Session) => string
  /** The token that a page of a session sends with what it writes; without a session, `subject` identifies the operator. */
  readonly toToken: (subject: Session | string) => string
}

/** A session ends when nothing has come from its browser for this long. */
export const IDLE_MS: number = 2 * 3_600_000
/** A cookie is renewed when it was last seen this long ago, and not with each request. */
export const RENEW_MS: number = 5 * 60_000

const COOKIE = { name: '', use: 'session' }
/** Takes the cookie away. */
export const ENDED_COOKIE: string = toEndedCookie(COOKIE.name)

/** `lifetime` is in milliseconds, from signing in. */
export function createSessions(secret: string, lifetime: number): Sessions {
  const sign = createSign(secret)
  const cookie = createSignedCookie(sign, COOKIE)
  return {
    read: (request, now) => {
      const [user, issued, seen, epoch] = (cookie.read(request) ?? []) as [string, number, number, number]
      const isValid = isValidAt(now, issued, lifetime) && isValidAt(now, seen, IDLE_MS)
      return isValid ? { user, issued, seen, epoch } : null
    },
    toCookie: ({ user, issued, seen, epoch }) => cookie.write([user, issued, seen, epoch]),
    toToken: (subject) =>
      sign(
        'csrf',
        typeof subject === 'string' ? subject : JSON.stringify([subject.user, subject.issued, subject.epoch]),
      ),
  }
}
