import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Result } from '../model/result.js'
import type { Role } from '../service/hooks.js'
import type { Log } from '../service/log.js'
import { nextTurn } from '../store/pause.js'
import { FileBusyError } from '../store/publish/atomic-file.js'
import { toFault } from '../store/publish/plan.js'
import type { Room } from '../web/body-budget.js'
import { sendCompressed } from '../web/compressed.js'
import { answerFailure, reportFailure, toFailure } from '../web/failure.js'
import { sendHead, toLines } from '../web/head.js'
import {
  type HttpProblem,
  hasMethod,
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  sendProblem,
  sendSeeOther,
  sendText,
  toAllow,
} from '../web/problem-json.js'
import type { Bodies } from './access/bodies.js'
import { needRole, type Operator } from './access/operator.js'
import { createOperatorTurns } from './access/operator-turns.js'
import { isRead, needToken } from './access/same-origin.js'
import { noteName } from './deeds/author-names.js'
import { toPublishProblem } from './deeds/faults.js'
import { attempt, must, Refusal } from './refusal.js'
import type { Reply } from './routes/call.js'
import type { Deps } from './routes/route.js'

/** A request and its sender; null if the sender is not signed in. */
export interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** What is behind the prefix. */
  readonly path: string
  readonly query: string
  readonly operator: Operator | null
}

/** What a request leads to. */
export interface Target<Body> {
  /** Who may send it; null for anyone, signed in or not. */
  readonly role: Role | null
  /** Whether the sender is never looked up. */
  readonly isAnonymous?: boolean
  /** Null where there is none. */
  readonly readBody: ((room: Room) => Promise<Result<Body, HttpProblem>>) | null
  /** The token of a form; null where the header counts. */
  readonly tokenIn: (body: Body | null) => string | null
  readonly run: (visit: Visit, body: Body | null) => Reply | Promise<Reply>
}

/** One way in: scripts come by one, people by the other. */
export interface Entrance<Body> {
  /** The methods of a path; empty where there is nothing. */
  readonly methodsOf: (path: string) => readonly string[]
  /** What a request with one of these methods leads to; throws for a query that makes no sense. */
  readonly find: (visit: Visit) => Target<Body>
  /**
   * The response to a refused request; a problem is sent as JSON. `body` is null if none was read, such as that of
   * someone who may not send it.
   */
  readonly refuse: (
    visit: Visit,
    problem: HttpProblem,
    body: Body | null,
  ) => HttpProblem | Promise<Reply | HttpProblem>
}

export interface DoorDeps extends Deps {
  readonly bodies: Bodies
}

/** Lets a request in, or says why not: operator, role, body, token, deed and answer, in this order. */
export function createDoor({
  access,
  workspace,
  bodies,
}: DoorDeps): <Body>(entrance: Entrance<Body>, request: Omit<Visit, 'operator'>) => void {
  const { log } = workspace
  const turns = createOperatorTurns()
  const serve = async <Body>(entrance: Entrance<Body>, came: Omit<Visit, 'operator'>): Promise<void> => {
    const { request, response } = came
    let visit: Visit = { ...came, operator: null }
    let body: Body | null = null
    const guard = async (work: () => Promise<void>): Promise<void> => {
      try {
        await work()
      } catch (thrown) {
        const problem = toThrownProblem(log, request, thrown)
        if (response.headersSent) response.destroy()
        else await send(visit, await entrance.refuse(visit, problem, body))
      }
    }
    await guard(async () => {
      const methods = entrance.methodsOf(came.path)
      if (methods.length === 0) throw new Refusal(NOT_FOUND)
      if (request.method === 'OPTIONS') return void hasMethod(request, response, methods)
      if (!methods.includes(request.method ?? ''))
        throw new Refusal({ ...METHOD_NOT_ALLOWED, headers: { allow: toAllow(methods) } })
      const { role, isAnonymous = false, readBody, tokenIn, run } = entrance.find(visit)
      const operator = isAnonymous ? null : await findOperator(role, request)
      visit = { ...came, operator }
      if (role === null || operator === null) {
        const read = await readBody?.(bodies.ofStranger(request, response))
        return send(visit, await run(visit, read ? must(read) : null))
      }
      needRole(operator, role)
      noteName(workspace, operator)
      const read = await readBody?.(bodies.of(operator, response))
      body = read ? must(read) : null
      if (!isRead(request)) needToken(request, operator.csrf, tokenIn(body))
      await workspace.pullDrafts(operator.id)
      await turns(operator, response, () =>
        guard(async () => {
          let reply: Reply
          try {
            reply = await run(visit, body)
          } finally {
            if (!isRead(request)) workspace.streams.noteDrafts()
          }
          await send(visit, reply)
        }),
      )
    })
  }
  /** Null for strangers, if anyone may come. */
  const findOperator = async (role: Role | null, request: IncomingMessage): Promise<Operator | null> => {
    const { value, fault } = await attempt(() => access.operatorOf(request, 'view'))
    if (fault !== null && !(role === null && fault.code === 'unauthorized')) throw new Refusal(fault)
    return value
  }
  return (entrance, came) => {
    const { request, response } = came
    serve(entrance, came).catch((thrown: unknown) => answerFailure(log, request, response, thrown))
  }
}

/** Sends a response, which renews the session of its operator unless it says otherwise: one that ends is not renewed. */
async function send({ request, response, operator }: Visit, reply: Reply | HttpProblem): Promise<void> {
  if (response.destroyed) return
  const renewed = operator?.cookie ? { 'set-cookie': operator.cookie } : {}
  const headers = { ...renewed, ...reply.headers }
  if ('code' in reply) return sendProblem(request, response, { ...reply, headers })
  const { status = 200, value, text, html, location, stream } = reply
  await nextTurn()
  const json = reply.json ?? (value === undefined ? null : JSON.stringify(value))
  if (location !== undefined) sendSeeOther(response, location, headers)
  else if (stream !== undefined) await stream(response, headers)
  else if (html !== undefined)
    await sendCompressed(request, response, html, { status, headers, type: 'text/html; charset=utf-8' })
  else if (json !== null)
    await sendCompressed(request, response, json, { status, headers, type: 'application/json' })
  else if (status === 204 || status === 304) {
    // Without a Content-Length (RFC 9110, section 8.6).
    sendHead(response, status, toLines({ 'cache-control': 'no-store', ...headers }))
    response.end()
  } else sendText(request, response, text ?? '', { status, type: 'text/plain; charset=utf-8', headers })
}

/** What was thrown, as a problem: that of a refusal; anything else is logged, and is 503 where the disk failed or was busy, which is expected, else 500. */
function toThrownProblem(log: Log, request: IncomingMessage, thrown: unknown): HttpProblem {
  if (thrown instanceof Refusal) return thrown.problem
  if (!isOfDisk(thrown)) return toFailure(log, request, thrown)
  reportFailure(log, request, thrown)
  return toPublishProblem(toFault('', thrown))
}

function isOfDisk(thrown: unknown): boolean {
  const isCoded = typeof (thrown as NodeJS.ErrnoException | null)?.syscall === 'string'
  return isCoded || thrown instanceof FileBusyError
}
