import { derived } from '../model/derived.js'
import type { MenuRequest } from './hooks.js'

/** A request as hosts have it: of Node or a framework, with plain headers, or of the Fetch API, with a `Headers`. */
export type HostRequest = MenuRequest | FetchRequest

/** What is read of a `Request` of the Fetch API. */
export interface FetchRequest {
  readonly url: string
  readonly headers: Iterable<readonly [name: string, value: string]>
}

/** The request that hooks are given: itself where its headers are plain, else one that has them so, and all else of the host's. */
export function toMenuRequest(request: HostRequest): MenuRequest {
  const { headers } = request
  const isPlain = typeof headers === 'object' && headers !== null && !(Symbol.iterator in headers)
  return isPlain ? (request as MenuRequest) : withPlainHeaders(request)
}

/**
 * The same request with plain headers. Hooks may remember a request, or put something on it: they get the same object each
 * time. Members of a Fetch request are read on itself: they are refused to whatever inherits them.
 */
const withPlainHeaders = derived((request: HostRequest): MenuRequest => {
  const { headers } = request
  const pairs =
    typeof headers === 'object' && headers !== null ? [...(headers as FetchRequest['headers'])] : []
  const plain = Object.fromEntries(pairs.map(([name, value]) => [String(name).toLowerCase(), value]))
  const own: object = Object.create(request, { headers: { value: plain, enumerable: true } })
  return new Proxy(own as MenuRequest, {
    get: (_, name) => {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name)
      const value: unknown = Reflect.get(request, name)
      return typeof value === 'function' ? value.bind(request) : value
    },
  })
})
