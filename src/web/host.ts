import type { IncomingMessage } from 'node:http'
import { splitTarget } from './target.js'

/** This machine by a name that no DNS can give to another: a page of `evil.example` that resolves to it is not asked by us. */
export const LOCAL_HOST: RegExp = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/** Whether a server that listens on a name or an address can be reached from this machine alone. */
export function isLocalAddress(host: string): boolean {
  return LOCAL_HOST.test(host.includes(':') ? `[${host}]` : host)
}

/** A request on its way through the parts of a server: Polka and Express keep its target so. */
export interface Routed extends IncomingMessage {
  originalUrl?: string
}

/** All values of a header by its name in lower case. `headersDistinct` throws for a header `__proto__` before Node.js 20.20. */
export function headerValues({ rawHeaders = [] }: IncomingMessage, name: string): readonly string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
}

/**
 * The one host that a request names; null if it names none, or several: in its Host header, and in a target in absolute form
 * (RFC 9112, section 3.2.2), which servers keep as `originalUrl`.
 */
export function hostOf(request: IncomingMessage): string | null {
  const { url = '/', originalUrl = url, headers } = request as Routed
  // HTTP/2 has another name for it.
  const authority = headers[':authority']
  const [host = '', ...others] = authority === undefined ? headerValues(request, 'host') : [authority].flat()
  const target = splitTarget(originalUrl).host
  return host === '' || others.length > 0 || (target !== null && target !== host) ? null : host
}

/**
 * Gives a request the path and the query that it was sent with, for hooks and routes. The host of a target in absolute form
 * replaces the Host header (RFC 9112, section 3.2.2).
 */
export function takeOriginForm(request: Routed): void {
  const { url = '/', originalUrl = url, headers } = request
  if (originalUrl.startsWith('/')) {
    request.url = originalUrl
    return
  }
  const { host, path, query } = splitTarget(originalUrl)
  request.url = query === '' ? path : `${path}?${query}`
  if (host !== null) headers.host = host
}
