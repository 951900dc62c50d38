import type { IncomingMessage } from 'node:http'
import type { Role } from '../../service/hooks.js'
import { isValidAt } from '../../store/lifetime.js'
import { createSign, createSignedCookie, toEndedCookie } from './signed-cookies.js'

/** Who signed in, when, and since which epoch of the user; times are milliseconds of Unix time. */
export interface Session {
  readonly user: string
  readonly issued: number
  readonly seen: number
  readonly epoch: number
  /** Of a user who is not in the users file: what the provider said when they signed in there; else null. */
  readonly given: { readonly name: string; readonly role: Role } | null
  /** The name that the one-time link gave; null where there was none. */
  readonly person?: string | null
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
export const ENDED_COOKIE: string = toEndedCookie(COOKIE)

type Kept = [
  user: string,
  issued: number,
  seen: number,
  epoch: number,
  given?: Session['given'],
  person?: string,
]

/** `lifetime` is in milliseconds, from signing in. */
export function createSessions(secret: string, lifetime: number): Sessions {
  const sign = createSign(secret)
  const cookie = createSignedCookie(sign, COOKIE)
  return {
    read: (request, now) => {
      const [user, issued, seen, epoch, given = null, person] = (cookie.read(request) ?? []) as Kept
      const isValid = isValidAt(now, issued, lifetime) && isValidAt(now, seen, IDLE_MS)
      return isValid ? { user, issued, seen, epoch, given, ...(person !== undefined && { person }) } : null
    },
    toCookie: ({ user, issued, seen, epoch, given, person = null }) => {
      const rest = person === null ? (given === null ? [] : [given]) : [given, person]
      return cookie.write([user, issued, seen, epoch, ...rest])
    },
    toToken: (subject) =>
      sign(
        'csrf',
        typeof subject === 'string'
          ? subject
          : JSON.stringify([
              subject.user,
              subject.issued,
              subject.epoch,
              ...(subject.person ? [subject.person] : []),
            ]),
      ),
  }
}
