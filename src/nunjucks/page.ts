import type { Page } from '../render/current.js'
import type { MenuRequest } from '../service/hooks.js'
import { splitTarget } from '../web/target.js'

/**
 * The page that a request asks for; null where it does not say which. The host of `publicUrl` is ours whatever a proxy
 * makes of the request.
 */
export function toPage(request: MenuRequest, publicUrl: string | null): Page | null {
  // Frameworks add the target before a router took its own part off, and the host, for which they consider trusted proxies.
  const { originalUrl, url, host, headers } = request
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
  try {
    return typeof host === 'string' ? new URL(`http://${host}`).host.replace(/:443$/, '') || null : null
  } catch {
    return null
  }
}
