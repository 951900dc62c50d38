import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Signs a text for one use. Each use has its own name, so that no text signed for the one counts for the other. */
export type Sign = (use: string, text: string) => string

/** Values that browsers keep for us. Nothing is kept here, so any replica with the same secret can read them. */
export interface SignedCookie {
  /** The values that a request brings; null where it has no such cookie, several, or a forged one. */
  readonly read: (request: IncomingMessage) => readonly unknown[] | null
  /** The Set-Cookie header for values. */
  readonly write: (values: readonly unknown[]) => string
}

/** Browsers take the prefix only from a secure origin, for this host alone and all its paths (RFC 6265bis). */
const PREFIX = '__Host-menuscript'
const ATTRIBUTES = 'Path=/; Secure; HttpOnly'

export function createSign(secret: string): Sign {
  return (use, text) => createHmac('sha256', secret).update(`${use}\n${text}`).digest('base64url')
}

/** What a cookie is for. */
export interface CookieUse {
  readonly name: string
  readonly use: string
  /** How long a browser keeps it. Default: until it is closed. */
  readonly seconds?: number
  /** Lax: it also comes with links on other sites. Default: Strict. */
  readonly sameSite?: 'Lax' | 'Strict'
}

export function createSignedCookie(
  sign: Sign,
  { name, use, seconds, sameSite = 'Strict' }: CookieUse,
): SignedCookie {
  const start = `${PREFIX}${name}=`
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`
  return {
    read: ({ headers }) => {
      const named = (headers.cookie ?? '').split('; ').filter((each) => each.startsWith(start))
      const [payload = '', mac = '', more] = named[0]?.slice(start.length).split('.') ?? []
      // The text is compared, not its bytes: base64 has several texts for the same bytes.
      const [actual, expected] = [Buffer.from(mac), Buffer.from(sign(use, payload))]
      if (named.length !== 1 || more !== undefined) return null
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null
      // It is read only once its signature is right, so its text is ours.
      return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    },
    write: (values) => {
      const payload = Buffer.from(JSON.stringify(values)).toString('base64url')
      return `${start}${payload}.${sign(use, payload)}; ${ATTRIBUTES}; SameSite=${sameSite}${age}`
    },
  }
}

/** The Set-Cookie header that takes a cookie away. */
export function toEndedCookie({ name, sameSite = 'Strict' }: CookieUse): string {
  return `${PREFIX}${name}=; ${ATTRIBUTES}; SameSite=${sameSite}; Max-Age=0`
}
