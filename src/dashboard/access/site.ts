import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import { LOCAL_HOST } from '../../web/insider.js'
import { type HttpProblem, refusal } from '../../web/problem-json.js'
import { splitTarget } from '../../web/target.js'
import type { TrustedProxies } from '../../web/trusted-proxies.js'

/** Under which name a browser reached us. */
export interface Site {
  /** As browsers write it, with a port that is not the usual one. */
  readonly host: string
  readonly isLocal: boolean
  readonly isHttps: boolean
}

/**
 * Answers the site of a request; null for a Host that is neither a name of this machine nor that of `server.public_url`. A
 * page of `evil.example` that resolves to this machine would be read as ours (DNS rebinding).
 */
export function createSiteCheck(
  publicUrl: string | null,
  proxies: TrustedProxies,
): (request: IncomingMessage) => Site | null {
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

/** Whether an Origin header, as browsers send it, is that of a site. */
export function isOriginOf(site: Site, origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  if (protocol !== 'https:' && (protocol !== 'http:' || site.isHttps)) return false
  return host === toHost(site.host, protocol) && origin.toLowerCase() === `${protocol}//${host}`
}

export const BAD_HOST: HttpProblem = refusal(
  403,
  'bad-host',
  'The dashboard answers under the names of its own machine and under server.public_url only.',
)

/** The one host that a request names; null where there is none, or several. */
function hostOf({ url = '/', headers, headersDistinct = {} }: IncomingMessage): string | null {
  // HTTP/2 has another name for it.
  const named = headersDistinct['host'] ?? [headers[':authority'] ?? []].flat()
  const [host = '', ...others] = named
  const target = splitTarget(url).host
  return host === '' || others.length > 0 || (target !== null && target !== host) ? null : host
}

/** A host as browsers write it; null for what is not a host alone. */
function toHost(name: string, protocol: string): string | null {
  const url = `${protocol}//${name}`
  if (!/^[\w.:[\]-]+$/.test(name) || !URL.canParse(url)) return null
  return new URL(url).host
}
