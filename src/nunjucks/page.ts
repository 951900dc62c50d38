import type { Page } from '../render/current.js'
import type { MenuRequest } from '../service/hooks.js'
import { splitTarget } from '../web/target.js'

/** What frameworks add to a request of Node. */
interface HostRequest extends MenuRequest {
  /** The target before a router took its own part off. */
  readonly originalUrl?: unknown
  /** Host and port; Express and Fastify look at trusted proxies for it. */
  readonly host?: unknown
}

/** The page that a request asks for; `publicHost` is ours whatever a proxy makes of the request. */
export function toPage(request: MenuRequest, publicHost: string | null): Page {
  const { originalUrl, url, host, headers } = request as HostRequest
  const target = typeof originalUrl === 'string' ? originalUrl : (url ?? '/')
  const named = typeof host === 'string' ? host : (headers['host'] ?? headers[':authority'])
  const asked = typeof named === 'string' ? toHost(named) : null
  return { hosts: [asked, publicHost].filter((each) => each !== null), ...splitTarget(target) }
}

/** A host in lower case, without the port that goes without saying; null when it is none. */
function toHost(host: string): string | null {
  try {
    return new URL(`http://${host}`).host.replace(/:443$/, '')
  } catch {
    return null
  }
}
