import type { MenuRequest } from './hooks.js'

/** A request as hosts have it: of Node or a framework, with plain headers, or of the Fetch API, with a `Headers`. */
export type HostRequest = MenuRequest | FetchRequest

/** What is read of a `Request` of the Fetch API. */
export interface FetchRequest {
  readonly url: string
  readonly headers: Iterable<readonly [name: string, value: string]>
}

/** Hooks may remember a request, or put something on it: they get the same object each time. */
const known = new WeakMap<object, MenuRequest>()

/** The request that hooks are given: itself where its headers are plain, else one that has them so, and all else of the host's. */
export function toMenuRequest(request: HostRequest): MenuRequest {
  const { headers } = request
  const isObject = typeof headers === 'object' && headers !== null
  if (isObject && !(Symbol.iterator in headers)) return request as MenuRequest
  const before = known.get(request)
  if (before !== undefined) return before
  const plain = isObject ? toPlain(headers as FetchRequest['headers']) : {}
  const read = withHeaders(request, plain)
  known.set(request, read)
  return read
}

function toPlain(headers: FetchRequest['headers']): MenuRequest['headers'] {
  return Object.fromEntries([...headers].map(([name, value]) => [String(name).toLowerCase(), value]))
}

/** A request with other headers. Members of a Fetch request are read on itself: they are refused to whatever inherits them. */
function withHeaders(request: object, headers: MenuRequest['headers']): MenuRequest {
  const own: object = Object.create(request, { headers: { value: headers, enumerable: true } })
  return new Proxy(own as MenuRequest, {
    get: (_, name) => {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name)
      const value: unknown = Reflect.get(request, name)
      return typeof value === 'function' ? value.bind(request) : value
    },
  })
}
