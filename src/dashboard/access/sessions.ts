import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Who signed in, when, and since which epoch of the user; times are milliseconds of Unix time. */
export interface Session {
  readonly user: string
  readonly issued: number
  readonly seen: number
  readonly epoch: number
}

/** Signs sessions into cookies. Nothing is kept, so any replica with the same secret can read them. */
export interface Sessions {
  /** The session of a request's cookie; null where there is none, or one that is forged or has ended. */
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

/** Browsers take the prefix only from a secure origin, for this host alone and all its paths (RFC 6265bis). */
const NAME = '__Host-menuscript'
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'
/** Takes the cookie away. */
export const ENDED_COOKIE: string = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`

/** `lifetime` is in milliseconds, from signing in. */
export function createSessions(secret: string, lifetime: number): Sessions {
  // Each use has its own name, so that no text signed for the one counts for the other.
  const sign = (use: string, text: string): string =>
    createHmac('sha256', secret).update(`${use}\n${text}`).digest('base64url')
  return {
    read: ({ headers }, now) => {
      const session = parse(headers.cookie ?? '', (payload) => sign('session', payload))
      if (session === null) return null
      const isOver = now >= session.issued + lifetime || now >= session.seen + IDLE_MS
      return isOver ? null : session
    },
    toCookie: ({ user, issued, seen, epoch }) => {
      const payload = Buffer.from(JSON.stringify([user, issued, seen, epoch])).toString('base64url')
      return `${NAME}=${payload}.${sign('session', payload)}; ${ATTRIBUTES}`
    },
    toToken: (subject) =>
      sign(
        'csrf',
        typeof subject === 'string' ? subject : JSON.stringify([subject.user, subject.issued, subject.epoch]),
      ),
  }
}

/** A session is read only once its signature is right, so its text is ours. */
function parse(header: string, sign: (payload: string) => string): Session | null {
  const named = header.split('; ').filter((each) => each.startsWith(`${NAME}=`))
  const [payload = '', mac = '', more] = named[0]?.slice(NAME.length + 1).split('.') ?? []
  // The text is compared, not its bytes: base64 has several texts for the same bytes.
  const [given, expected] = [Buffer.from(mac), Buffer.from(sign(payload))]
  if (named.length !== 1 || more !== undefined) return null
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const [user, issued, seen, epoch] = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  return { user, issued, seen, epoch }
}
