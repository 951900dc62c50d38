import type { Page } from '../render/current.js'
import type { MenuRequest } from '../service/hooks.js'
import { splitTarget } from '../web/target.js'

/** What frameworks add to a request of Node. */
interface HostRequest extends MenuRequest {
  /** The target before a router took its own part off. */
  readonly originalUrl?: unknown
  /** The requested host; Express and Fastify consider trusted proxies for it. */
  readonly host?: unknown
}

/**
 * The page that a request asks for; null where it does not say which. The host of `publicUrl` is ours whatever a proxy
 * makes of the request.
 */
export function toPage(request: MenuRequest, publicUrl: string | null): Page | null {
  const { originalUrl, url, host, headers } = request as HostRequest
  const target: unknown = typeof originalUrl === 'string' ? originalUrl : url
  if (typeof target !== 'string' || target === '') return null
  const { path, query, host: named } = splitTarget(target)
  // The host of a target in absolute form goes before the header (RFC 9112, section 3.2.2).
  const asked = named === null ? toAsked(host, headers['host'] ?? headers[':authority']) : [named]
  const ours = publicUrl === null ? null : new URL(publicUrl).host
  const hosts = [...asked.map(toHost), ours].filter((each) => each !== null)
  return { hosts: [...new Set(hosts)], path, query }
}

/** The framework's word goes before the header; Express 4 leaves the port off, which the header has. */
function toAsked(host: unknown, header: unknown): readonly unknown[] {
  if (typeof host !== 'string') return [header]
  return typeof header === 'string' && header.startsWith(`${host}:`) ? [host, header] : [host]
}

/** A host in lower case, without the port that goes without saying; null when it is none. */
function toHost(host: unknown): string | null {
  if (typeof host !== 'string') return null
  try {
    return new URL(`http://${host}`).host.replace(/:443$/, '') || null
  } catch {
    return null
  }
}
