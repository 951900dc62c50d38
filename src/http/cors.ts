import type { IncomingMessage } from 'node:http'
import { READ_METHODS } from '../web/problem-json.js'

/** Whose pages may read the endpoint (Fetch, section 3.3). */
export interface Cors {
  /** Header lines for an answer to a request, flat. */
  readonly lines: (request: IncomingMessage) => readonly string[]
  /** The same as a record. */
  readonly headers: (request: IncomingMessage) => Readonly<Record<string, string>>
  /** What a preflight is answered. */
  readonly preflight: (request: IncomingMessage) => Readonly<Record<string, string>>
  /** The request headers that the lines depend on. */
  readonly vary: readonly string[]
}

const EXPOSED = 'ETag, Menu-Version, Content-Language'
const ALLOWED_HEADERS = ['Accept-Language', 'If-None-Match', 'Authorization']
const PREFLIGHT_SECONDS = '86400'

/** `requestHeaders` are those of the deployment's hooks, which pages of other origins may send, too. */
export function createCors(origins: '*' | readonly string[], requestHeaders: readonly string[] = []): Cors {
  const headers = (request: IncomingMessage): Readonly<Record<string, string>> => {
    const allowed = origins === '*' ? '*' : allowedOrigin(request.headers.origin, origins)
    if (allowed === null) return {}
    return { 'Access-Control-Allow-Origin': allowed, 'Access-Control-Expose-Headers': EXPOSED }
  }
  const everybody = Object.entries(headers({ headers: {} } as IncomingMessage)).flat()
  const preflight = {
    'Access-Control-Allow-Methods': READ_METHODS,
    'Access-Control-Allow-Headers': [...ALLOWED_HEADERS, ...requestHeaders].join(', '),
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    ...(origins !== '*' && { Vary: 'Origin' }),
  }
  return {
    headers,
    preflight: (request) => ({ ...preflight, ...headers(request) }),
    lines: origins === '*' ? () => everybody : (request) => Object.entries(headers(request)).flat(),
    vary: origins === '*' ? [] : ['Origin'],
  }
}

function allowedOrigin(origin: string | undefined, origins: readonly string[]): string | null {
  if (origin === undefined) return null
  return origins.some((each) => each.toLowerCase() === origin.toLowerCase()) ? origin : null
}
