import type { IncomingMessage } from 'node:http'
import { type Headers, READ_METHODS, toAllow } from '../web/problem-json.js'

/** Whose pages may read the endpoint (Fetch, section 3.3). */
export interface Cors {
  /** Headers for a response to a request. */
  readonly headers: (request: IncomingMessage) => Headers
  /** What a preflight is answered. */
  readonly preflight: (request: IncomingMessage) => Headers
  /** The request headers that the response depends on. */
  readonly vary: readonly string[]
}

const EXPOSED = 'ETag, Menu-Version, Content-Language'
const ALLOWED_HEADERS = ['Accept-Language', 'If-None-Match', 'Authorization']
const PREFLIGHT_SECONDS = '86400'

/** `requestHeaders` are those of the deployment's hooks, which pages of other origins may send, too. */
export function createCors(origins: '*' | readonly string[], requestHeaders: readonly string[] = []): Cors {
  const headersFor = (origin: string): Headers => ({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': EXPOSED,
  })
  const everybody = headersFor('*')
  const nobody: Headers = {}
  // Made once: the lines of a response hang on them. Browsers write an origin in lower case (HTML, "Origin").
  const listed = new Map(
    (origins === '*' ? [] : origins).map((each) => [each.toLowerCase(), headersFor(each.toLowerCase())]),
  )
  const headers = ({ headers: { origin = '' } }: IncomingMessage): Headers =>
    origins === '*' ? everybody : (listed.get(origin.toLowerCase()) ?? nobody)
  const vary = origins === '*' ? [] : ['Origin']
  const preflight = {
    'Access-Control-Allow-Methods': toAllow(READ_METHODS),
    'Access-Control-Allow-Headers': [...ALLOWED_HEADERS, ...requestHeaders].join(', '),
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    ...(origins !== '*' && { Vary: 'Origin' }),
  }
  return { headers, preflight: (request) => ({ ...preflight, ...headers(request) }), vary }
}
