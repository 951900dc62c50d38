import { PROBLEMS } from './refusal.js'
import { isNeeded, PARAMETERS } from './routes/parameters.js'
import type { Route } from './routes/route.js'
import { ROUTES } from './routes.js'
import { ANSWERS, BODIES } from './schemas.js'

/** A part of an OpenAPI 3.1 document. */
export interface Described {
  readonly paths: Readonly<Record<string, object>>
  readonly components: Readonly<Record<'schemas' | 'securitySchemes', object>>
}

/** The statuses of every problem of the management API, by its code. */
export const STATUSES: Readonly<Record<string, number | readonly number[]>> = {
  ...Object.fromEntries(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status])),
  'too-many-streams': [429, 503],
  // Problems from below: of bodies, and of what failed.
  ...{ 'body-cut-off': 400, 'not-json': 400, 'not-utf8': 400, 'too-deep': 400 },
  ...{ 'body-too-slow': 408, 'body-too-large': 413, 'body-encoded': 415, 'wrong-content-type': 415 },
  ...{ 'body-taken': 500, 'internal-error': 500, overloaded: 503 },
}
/** What may go wrong with every request, with one that writes, and with a body. */
const ANY = [
  'repeated-parameter',
  'malformed-percent',
  'bad-parameter',
  'bad-host',
  'internal-error',
  'overloaded',
]
const OPERATED = ['unauthorized', 'bad-proxy-user', 'reserved-user', 'users-unusable']
const WRITTEN = ['cross-site']
/** With a request that writes for an operator. */
const KEYED = ['bad-key', 'key-reused']
const SENT = [
  'body-too-large',
  'wrong-content-type',
  'body-encoded',
  'body-cut-off',
  'body-too-slow',
  'body-taken',
  'not-utf8',
]
const SENT_JSON = ['not-json', 'too-deep', 'bad-body']
const SECURITY = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The admin token.' },
  session: { type: 'apiKey', in: 'cookie', name: '__Host-menuscript' },
  csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: 'The `csrf` of `GET /session`.' },
}

/** Describes the management API, whose paths begin with a prefix. */
export function describeManagement(prefix: string): Described {
  const paths: Record<string, Record<string, object>> = {}
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
  for (const [name, route] of Object.entries(ROUTES)) {
    const [method = '', path = ''] = name.split(' ')
    const item = paths[prefix + path] ?? { ...(path.includes('{id}') && { parameters: [id] }) }
    paths[prefix + path] = { ...item, [method.toLowerCase()]: toOperation(method, path, route) }
  }
  return { paths, components: { schemas: { ...BODIES, ...ANSWERS }, securitySchemes: SECURITY } }
}

function toOperation(method: string, path: string, route: Route): object {
  const { says, role, query = [], headers = [], body, gives } = route
  const words = `${method.toLowerCase()}${path}`.split(/\W+/).filter((word) => word !== '')
  const [first = '', ...rest] = words
  const parameters = [
    ...query.map((name) => ({
      ...{ name: name.replace('?', ''), in: 'query', required: isNeeded(name) },
      schema: PARAMETERS[name],
    })),
    ...headers.map((name) => ({ name, in: 'header', schema: { type: 'string' } })),
    ...(isKeyed(method, route) ? [IDEMPOTENCY_KEY] : []),
  ]
  const schema = body?.schema == null ? { type: 'string' } : toReference(body.schema)
  const requestBody = body && {
    required: true,
    content: Object.fromEntries(body.types.map((type) => [type, { schema }])),
  }
  const isRead = method === 'GET'
  return {
    operationId: first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
    summary: says,
    tags: ['management'],
    security: role === null ? [] : [{ bearer: [] }, { session: [], ...(!isRead && { csrf: [] }) }],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      ...Object.fromEntries(Object.entries(gives).map(([status, name]) => [status, toResponse(name)])),
      ...toProblems(codesOf(method, route)),
    },
  }
}

/** Whether a request with an Idempotency-Key is done once: each that writes, but for those who sign in. */
function isKeyed(method: string, { role, isRead = false }: Route): boolean {
  return method !== 'GET' && role !== null && !isRead
}

const IDEMPOTENCY_KEY = {
  ...{ name: 'Idempotency-Key', in: 'header' },
  description:
    'A request that is repeated with the same key runs once and gets the same response. A dry run ignores it.',
  schema: { type: 'string', pattern: '^[!-~]{1,100}$' },
}

function toReference(name: string): object {
  return { $ref: `#/components/schemas/${name}` }
}

function toResponse(name: string | null): object {
  const content = { 'application/json': { schema: name && toReference(name) } }
  return { description: 'It is done.', ...(name !== null && { content }) }
}

/** The codes of all problems that a route may have. */
function codesOf(method: string, route: Route): readonly string[] {
  const { role, body, query = [], problems = [] } = route
  return [
    ...ANY,
    ...(role === null ? [] : OPERATED),
    ...(role === 'edit' ? ['role-view'] : []),
    ...(method === 'GET' ? [] : WRITTEN),
    ...(method === 'GET' || role === null ? [] : ['bad-csrf-token']),
    ...(isKeyed(method, route) ? KEYED : []),
    ...(body === null ? [] : SENT),
    ...(body === null || body.validate === null ? [] : SENT_JSON),
    ...(query.includes('file') ? ['missing-parameter', 'bad-path', 'no-file'] : []),
    ...problems,
  ]
}

/** What the problem of an outdated version has besides. */
const OUTDATED = {
  if: { properties: { code: { const: 'changed' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: toReference('Outdated'),
}

/** The responses with a problem, by their status, with the codes that each may have. */
function toProblems(codes: readonly string[]): object {
  const byStatus = new Map<number, Set<string>>()
  for (const code of codes)
    for (const status of [STATUSES[code] ?? []].flat())
      byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
  const entries = [...byStatus].map(([status, some]) => {
    const known = { properties: { code: { enum: [...some].sort() } } }
    const own = some.has('changed') ? [OUTDATED] : []
    const schema = { allOf: [toReference('Problem'), known, ...own] }
    const content = { 'application/problem+json': { schema } }
    return [status, { description: [...some].sort().join(', '), content }] as const
  })
  return Object.fromEntries(entries)
}
