import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Limits } from '../../model/limits.js'
import { done, failed, type Result } from '../../model/result.js'
import type { Log } from '../../service/log.js'
import { readJson, readText } from '../../web/body.js'
import type { Room } from '../../web/body-budget.js'
import { sendCompressed } from '../../web/compressed.js'
import { sendHead, toLines } from '../../web/head.js'
import { malformedPercentAt } from '../../web/percent.js'
import { type HttpProblem, hasMethod, NOT_FOUND, sendProblem, sendText } from '../../web/problem-json.js'
import type { Access } from '../access/access.js'
import type { Bodies } from '../access/bodies.js'
import { isRead } from '../access/same-origin.js'
import { branchEndpoints } from './branches.js'
import { badParameter, type Call, type Endpoint, type Endpoints, type Reply, readDryRun } from './call.js'
import { draftEndpoints } from './drafts.js'
import type { Editing } from './editing.js'
import { eventEndpoints } from './events.js'
import { exchangeEndpoints } from './exchange.js'
import { problemOf } from './faults.js'
import { historyEndpoints } from './history.js'
import { listEndpoints } from './lists.js'
import { menuEndpoints } from './menus.js'
import { previewEndpoints } from './preview.js'
import { createRepeats } from './repeats.js'
import { sessionEndpoints } from './session.js'
import { toThrownProblem } from './thrown.js'

export interface ManagementDeps {
  readonly access: Access
  readonly editing: Editing
  readonly bodies: Bodies
  readonly limits: Limits
  readonly log: Log
}

/** Answers a request under the prefix of the management API; `path` is what is behind it. */
export type ManagementApi = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
) => void

/** Bytes around the text of a menu in a body: a value in JSON is longer than in YAML. */
const BODY_FACTOR = 4

/** Every endpoint of the management API. */
export function managementEndpoints(access: Access, editing: Editing): Endpoints {
  return {
    ...sessionEndpoints(access, editing),
    ...menuEndpoints(editing),
    ...draftEndpoints(editing),
    ...historyEndpoints(editing),
    ...branchEndpoints(editing),
    ...exchangeEndpoints(editing),
    ...eventEndpoints(access, editing.streams),
    ...previewEndpoints(editing),
    ...listEndpoints(editing),
  }
}

export function createManagementApi(deps: ManagementDeps): ManagementApi {
  const { access, editing, bodies, limits, log } = deps
  const endpoints = managementEndpoints(access, editing)
  const repeats = createRepeats()

  const readBodyOf = (
    endpoint: Endpoint,
    request: IncomingMessage,
    room: Room,
  ): ReturnType<typeof readJson> => {
    const { types, isText, maxBytes = limits.bytes * BODY_FACTOR } = endpoint
    if (types === undefined) return Promise.resolve(done(null))
    return (isText ? readText : readJson)(request, types, maxBytes, room)
  }
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    endpoint: Endpoint,
    { id, query }: Pick<Call, 'id' | 'query'>,
  ): Promise<Result<Reply, HttpProblem>> => {
    const { value: isDry, fault: badDry } = readDryRun(query)
    if (badDry !== null) return failed(badDry)
    if (isDry && endpoint.isNeverDry === true)
      return failed(badParameter('dry_run', 'This writes no menu, and has no dry run.'))
    if (endpoint.role === null) {
      const { value: body, fault } = await readBodyOf(endpoint, request, bodies.ofStranger(request, response))
      return fault === null ? endpoint.answer({ request, query, id, body, isDry }) : failed(fault)
    }
    const { value: operator, fault } = await access.operatorOf(request, endpoint.role)
    if (fault !== null) return failed(fault)
    const refused = isRead(request) ? null : access.judgeWrite(request, operator, null)
    if (refused !== null) return failed(refused)
    const { value: body, fault: badBody } = await readBodyOf(endpoint, request, bodies.of(operator, response))
    if (badBody !== null) return failed(badBody)
    // From here on it is not the client who is silent: git, or a long import, may take a while.
    request.socket.setTimeout(0)
    const call = { request, operator, query, id, body, isDry }
    const replied = await repeats(call, async () => endpoint.answer(call))
    if (!isRead(request)) editing.streams.noteDrafts()
    return operator.cookie === null ? replied : withHeader(replied, 'set-cookie', operator.cookie)
  }

  return (request, response, path, text) => {
    const found = findEndpoint(endpoints, path)
    if (found === null) return sendProblem(request, response, NOT_FOUND)
    const methods = Object.keys(found.methods)
    const allowed = methods.includes('GET') ? ['HEAD', ...methods] : methods
    if (!hasMethod(request, response, allowed)) return
    const endpoint = found.methods[request.method === 'HEAD' ? 'GET' : (request.method ?? '')]
    const { value: query, fault } = readQuery(text)
    if (fault !== null) return sendProblem(request, response, fault)
    if (endpoint === undefined) return sendProblem(request, response, NOT_FOUND)
    answer(request, response, endpoint, { id: found.id, query })
      .then((answered) => (response.destroyed ? undefined : send(request, response, answered)))
      .catch((thrown: unknown) => {
        const problem = toThrownProblem(log, request, thrown)
        if (response.headersSent) response.destroy()
        else sendProblem(request, response, problem)
      })
  }
}

/** What the answer itself says counts: the cookie of a session that was ended is not renewed. */
function withHeader(
  { value: reply, fault }: Result<Reply, HttpProblem>,
  name: string,
  text: string,
): Result<Reply, HttpProblem> {
  if (fault !== null) return failed({ ...fault, headers: { [name]: text, ...fault.headers } })
  return done({ ...reply, headers: { [name]: text, ...reply.headers } })
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { value: reply, fault }: Result<Reply, HttpProblem>,
): Promise<void> {
  if (fault !== null) {
    sendProblem(request, response, fault)
    return
  }
  const { status = 200, value, text, headers = {}, stream } = reply
  if (stream !== undefined) stream(response)
  else if (value !== undefined)
    await sendCompressed(request, response, JSON.stringify(value), {
      ...{ status, headers },
      type: 'application/json',
    })
  else if (status === 204 || status === 304) {
    // Without a Content-Length (RFC 9110, section 8.6).
    sendHead(response, status, toLines({ 'cache-control': 'no-store', ...headers }))
    response.end()
  } else sendText(request, response, text ?? '', { status, type: 'text/plain; charset=utf-8', headers })
}

/** The endpoint of a path, where `{id}` matches one step. */
function findEndpoint(
  endpoints: Endpoints,
  path: string,
): { readonly methods: Endpoints[string]; readonly id: string } | null {
  const steps = path.split('/')
  const [id = ''] = steps.splice(2, 1, '{id}')
  for (const [pattern, wanted] of [[path, ''] as const, [steps.join('/'), id] as const]) {
    const methods = Object.hasOwn(endpoints, pattern) ? endpoints[pattern] : undefined
    if (methods !== undefined) return { methods, id: wanted }
  }
  return null
}

/** The parameters of a query string, each at most once. */
function readQuery(text: string): Result<ReadonlyMap<string, string>, HttpProblem> {
  const query = new Map<string, string>()
  if (malformedPercentAt(text) !== null) return failed(problemOf('malformed-percent'))
  for (const [name, value] of new URLSearchParams(text)) {
    if (query.has(name)) return failed(problemOf('repeated-parameter', { parameter: name }))
    query.set(name, value)
  }
  return done(query)
}
