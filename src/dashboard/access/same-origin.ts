import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import { hostOf, LOCAL_HOST } from '../../web/host.js'
import { isSameSecret } from '../../web/insider.js'
import { METHOD_NOT_ALLOWED } from '../../web/problem-json.js'
import type { TrustedProxies } from '../../web/trusted-proxies.js'
import { Refusal } from '../refusal.js'

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
 * Throws where a request may not write, as far as its token says. `expected` is null if no cookie identifies a user.
 * `field` is the token of a form; without one, the header counts.
 */
export function needToken(request: IncomingMessage, expected: string | null, field: string | null): void {
  if (isRead(request)) throw new Refusal(METHOD_NOT_ALLOWED)
  if (expected === null) return
  const token = field ?? request.headers[CSRF_HEADER]
  if (typeof token !== 'string' || !isSameSecret(token, expected)) throw new Refusal('bad-csrf-token')
}

/** Under which name a browser reached us. */
export interface OwnHost {
  /** As browsers write it, with a port that is not the usual one. */
  readonly host: string
  readonly isLocal: boolean
  readonly isHttps: boolean
}

/**
 * Returns the host of a request; null for a Host that is neither a name of this machine nor that of `server.public_url`. A
 * page of `evil.example` that resolves to this machine would be read as ours (DNS rebinding).
 */
export function createHostCheck(
  publicUrl: string | null,
  proxies: TrustedProxies,
): (request: IncomingMessage) => OwnHost | null {
  const own = publicUrl === null ? null : new URL(publicUrl)
  return (request) => {
    const name = hostOf(request)
    if (name === null) return null
    const isTls = request.socket instanceof TLSSocket || proxies.saysHttps(request)
    if (own !== null && toHost(name, own.protocol) === own.host)
      return {
        host: own.host,
        isLocal: LOCAL_HOST.test(own.host),
        isHttps: isTls || own.protocol === 'https:',
      }
    const host = LOCAL_HOST.test(name) ? toHost(name, isTls ? 'https:' : 'http:') : null
    return host === null ? null : { host, isLocal: true, isHttps: isTls }
  }
}

/** Whether an Origin header, as browsers send it, is that of a host. */
export function isOriginOf(own: OwnHost, origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  if (protocol !== 'https:' && (protocol !== 'http:' || own.isHttps)) return false
  return host === toHost(own.host, protocol) && origin.toLowerCase() === `${protocol}//${host}`
}

/** A host as browsers write it; null for what is not a host alone. */
function toHost(name: string, protocol: string): string | null {
  const url = `${protocol}//${name}`
  if (!/^[\w.:[\]-]+$/.test(name) || !URL.canParse(url)) return null
  return new URL(url).host
}
