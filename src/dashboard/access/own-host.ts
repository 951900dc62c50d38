import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import { hostOf, LOCAL_HOST } from '../../web/host.js'
import type { TrustedProxies } from '../../web/trusted-proxies.js'

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
