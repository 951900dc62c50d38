import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HostRequest } from '../service/menu-request.js'

/** A request of a framework that keeps Node's own in it: Fastify. */
export interface FrameworkRequest {
  readonly raw: IncomingMessage
}

/** The response of such a framework, with the headers that the site has set. */
export interface FrameworkReply {
  readonly raw: ServerResponse
  /** Informs the framework that it must not answer. */
  hijack?(): unknown
  getHeaders?(): Readonly<Record<string, number | string | readonly string[] | undefined>>
}

/** A request and its answer as Node has them, and the request as the hooks of the site know it. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly asked: HostRequest
}

/** Node's own request from any object that a host passes. */
export function toNodeRequest(request: IncomingMessage | FrameworkRequest): IncomingMessage {
  return isWrapped(request) ? request.raw : request
}

/** Takes a response over from the framework; what the site has set of it stays. */
export function takeOver(
  request: IncomingMessage | FrameworkRequest,
  response: ServerResponse | FrameworkReply,
): Exchange {
  const asked = request as HostRequest
  if (!isWrapped(response)) return { request: toNodeRequest(request), response, asked }
  const { raw } = response
  for (const [name, value] of Object.entries(response.getHeaders?.() ?? {}))
    if (value !== undefined) raw.setHeader(name, value)
  response.hijack?.()
  return { request: toNodeRequest(request), response: raw, asked }
}

/** A site may put a `raw` of its own on a request of Node, such as the bytes of a body. */
function isWrapped<Raw extends object>(given: Raw | { readonly raw: Raw }): given is { readonly raw: Raw } {
  const { raw } = given as { readonly raw?: unknown }
  return typeof raw === 'object' && raw !== null && ('url' in raw || 'writeHead' in raw)
}
