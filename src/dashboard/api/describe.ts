import type { Endpoint, Endpoints } from './call.js'
import { FAULTS } from './faults.js'
import { OPERATIONS, type Operation, PARAMETERS } from './operations.js'
import schemas from './schemas.json' with { type: 'json' }

/** A part of an OpenAPI 3.1 document. */
export interface Described {
  readonly paths: Readonly<Record<string, object>>
  readonly components: Readonly<Record<'schemas' | 'securitySchemes', object>>
}

/** Problems from below: of access, of bodies, and of what failed. */
const BELOW: Readonly<Record<string, number | readonly number[]>> = {
  ...{ 'body-cut-off': 400, 'not-json': 400, 'not-utf8': 400, 'too-deep': 400 },
  ...{ unauthorized: 401, 'wrong-link': 401, 'wrong-password': 401 },
  ...{ 'bad-csrf-token': 403, 'bad-host': 403, 'bad-proxy-user': 403, 'cross-site': 403 },
  ...{ 'not-secure': 403, 'role-view': 403 },
  ...{ 'body-too-large': 413, 'body-encoded': 415, 'wrong-content-type': 415 },
  ...{ 'sign-in-busy': 429, 'too-many-attempts': 429, 'too-many-streams': [429, 503] },
  ...{
    'body-taken': 500,
    'internal-error': 500,
    'not-signed-out': 503,
    overloaded: 503,
    'users-unusable': 503,
  },
}
/** The statuses of every problem of the management API, by its code. */
export const STATUSES: Readonly<Record<string, number | readonly number[]>> = {
  ...BELOW,
  ...Object.fromEntries(Object.entries(FAULTS).map(([code, { status }]) => [code, status])),
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
const OPERATED = ['unauthorized', 'bad-proxy-user', 'users-unusable']
const WRITTEN = ['cross-site', 'bad-csrf-token']
const KEYED = ['bad-key']
const SENT = [
  'body-too-large',
  'wrong-content-type',
  'body-encoded',
  'body-cut-off',
  'body-taken',
  'not-utf8',
]
const SENT_JSON = ['not-json', 'too-deep', 'bad-body']
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'sign-in': [
    'wrong-link',
    'wrong-password',
    'not-secure',
    'sign-in-busy',
    'too-many-attempts',
    'users-unusable',
  ],
  'sign-out': ['not-signed-out'],
  events: ['too-many-streams'],
}

const SECURITY = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The admin token.' },
  session: { type: 'apiKey', in: 'cookie', name: '__Host-menuscript' },
  csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: 'The `csrf` of `GET /session`.' },
}

/** Describes the management API, whose paths begin with a prefix. */
export function describeManagement(prefix: string, endpoints: Endpoints): Described {
  const paths = Object.entries(endpoints).map(([path, methods]) => {
    const operations = Object.entries(methods).map(([method, endpoint]) => [
      method.toLowerCase(),
      toOperation(method, path, endpoint),
    ])
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
    return [
      prefix + path,
      { ...(path.includes('{id}') && { parameters: [id] }), ...Object.fromEntries(operations) },
    ]
  })
  return { paths: Object.fromEntries(paths), components: { schemas, securitySchemes: SECURITY } }
}

function toOperation(method: string, path: string, endpoint: Endpoint): object {
  const operation = OPERATIONS[`${method} ${path}`] ?? { says: '', gives: {} }
  const { says, query = [], headers = [], body, gives } = operation
  const { role, types } = endpoint
  const isRead = method === 'GET'
  const words = `${method.toLowerCase()}${path}`.split(/\W+/).filter((word) => word !== '')
  const [first = '', ...rest] = words
  const parameters = [
    ...query.map((name) => ({
      ...{ name: name.replace('?', ''), in: 'query', required: ['file', 'code', 'name'].includes(name) },
      schema: PARAMETERS[name],
    })),
    ...headers.map((name) => ({ name, in: 'header', schema: { type: 'string' } })),
    ...(isKeyed(method, role) ? [IDEMPOTENCY_KEY] : []),
  ]
  const schema = body === undefined ? { type: 'string' } : toReference(body)
  const requestBody = types && {
    required: true,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  }
  return {
    operationId: first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
    summary: says,
    tags: ['management'],
    security: role === null ? [] : [{ bearer: [] }, { session: [], ...(!isRead && { csrf: [] }) }],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      ...Object.fromEntries(Object.entries(gives).map(([status, name]) => [status, toResponse(name)])),
      ...toProblems(faultsOf(method, endpoint, operation)),
    },
  }
}

/** Whether a request with an Idempotency-Key is done once: each that writes, but for those who sign in. */
function isKeyed(method: string, role: Endpoint['role']): boolean {
  return method !== 'GET' && role !== null
}

const IDEMPOTENCY_KEY = {
  ...{ name: 'Idempotency-Key', in: 'header' },
  description: 'The same request with the same key is done once, and answered alike. A dry run ignores it.',
  schema: { type: 'string', pattern: '^[!-~]{1,100}$' },
}

function toReference(name: string): object {
  return { $ref: `#/components/schemas/${name}` }
}

function toResponse(name: string | null): object {
  const content = { 'application/json': { schema: name && toReference(name) } }
  return { description: 'It is done.', ...(name !== null && { content }) }
}

/** The codes of all problems that an operation may have. */
function faultsOf(
  method: string,
  { role, types, isText }: Endpoint,
  operation: Operation,
): readonly string[] {
  const { query = [], faults = [] } = operation
  return [
    ...ANY,
    ...(role === null ? [] : OPERATED),
    ...(role === 'edit' ? ['role-view'] : []),
    ...(method === 'GET' ? [] : WRITTEN),
    ...(isKeyed(method, role) ? KEYED : []),
    ...(types === undefined ? [] : SENT),
    ...(types === undefined || isText ? [] : SENT_JSON),
    ...(query.includes('file') ? ['missing-parameter', 'bad-path', 'no-file'] : []),
    ...faults.flatMap((fault) => GROUPS[fault] ?? [fault]),
  ]
}

/** What the problem of an outdated version has besides. */
const OUTDATED = {
  if: { properties: { code: { const: 'changed' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: toReference('Outdated'),
}

/** The answers with a problem, by their status, with the codes that each may have. */
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
