import type { IncomingMessage, ServerResponse } from 'node:http'
import { done, failed, type Result } from '../../model/result.js'
import type { Role } from '../../service/hooks.js'
import { judgeNames } from '../../store/publish/new-file.js'
import type { Headers, HttpProblem } from '../../web/problem-json.js'
import type { Operator } from '../access/operator.js'
import { problemOf, toBadPath } from './faults.js'

/** A request of an operator who may make it. */
export interface Call {
  readonly request: IncomingMessage
  readonly operator: Operator
  readonly query: ReadonlyMap<string, string>
  /** The part of the path that the endpoint leaves open, such as the id of a draft. */
  readonly id: string
  /** What was sent: a value of JSON, or a text; null where nothing is. */
  readonly body: unknown
  /** Whether nothing is to be written (`?dry_run=true`). */
  readonly isDry: boolean
}

export interface Reply {
  /** Default: 200. */
  readonly status?: number
  /** Sent as JSON. */
  readonly value?: unknown
  /** Sent as it is, instead. */
  readonly text?: string
  readonly headers?: Headers
  /** Writes the whole answer, over time, instead. */
  readonly stream?: (response: ServerResponse) => void
}

export type Answered = Result<Reply, HttpProblem>

/** One method of one path. Where the role is null, anybody may call it. */
export type Endpoint =
  | (Sent & { readonly role: Role; readonly answer: (call: Call) => Answered | Promise<Answered> })
  | (Sent & { readonly role: null; readonly answer: (call: OpenCall) => Answered | Promise<Answered> })

interface Sent {
  /** The media types of its body. Default: it has none. */
  readonly types?: readonly string[]
  /** Whether the body is taken as a text. Default: it is read as JSON. */
  readonly isText?: boolean
  /** How many bytes the body may have. Default: enough for one menu. */
  readonly maxBytes?: number
  /** Whether it has no dry run, because it writes no menu: asked for one, it does nothing. */
  readonly isNeverDry?: boolean
}

export type OpenCall = Omit<Call, 'operator'>

/** Endpoints by path, where `{id}` matches one step, and by method. */
export type Endpoints = Readonly<Record<string, Readonly<Record<string, Endpoint>>>>

export const JSON_TYPES: readonly string[] = ['application/json']
export const PATCH_TYPES: readonly string[] = ['application/json-patch+json', 'application/json']
export const TEXT_TYPES: readonly string[] = ['application/yaml', 'text/yaml', 'text/plain']

/** Whether nothing is to be written; a value that is misspelt must not publish. */
export function readDryRun(query: Call['query']): Result<boolean, HttpProblem> {
  const given = query.get('dry_run') ?? 'false'
  if (given === 'true' || given === 'false') return done(given === 'true')
  return failed(badParameter('dry_run', 'dry_run is true or false.'))
}

/** How many entries an answer may have: `?limit=`, a whole number from 1 on. */
export function readLimit({ query }: Pick<Call, 'query'>, usual: number): Result<number, HttpProblem> {
  const given = query.get('limit') ?? String(usual)
  const limit = /^\d{1,6}$/.test(given) ? Number(given) : 0
  if (limit >= 1 && limit <= MAX_LIMIT) return done(limit)
  return failed(badParameter('limit', `limit is a whole number from 1 to ${MAX_LIMIT}.`))
}

const MAX_LIMIT = 1_000

/** The file that a request is about. */
export function needFile({ query }: Call): Result<string, HttpProblem> {
  const file = query.get('file')
  if (file !== undefined) return judgeFile(file)
  const detail = 'The request needs ?file=, the path of a menu file.'
  return failed(problemOf('missing-parameter', { parameter: 'file' }, detail))
}

/** The path of a menu file, as a client names it. */
export function judgeFile(file: string): Result<string, HttpProblem> {
  const what = judgeNames(file)
  return what === null ? done(file) : failed(toBadPath(what))
}

/** The version in an If-Match header, a strong tag (RFC 9110, section 13.1.1); required by RFC 6585, section 3. */
export function needVersion({ request }: Call): Result<string, HttpProblem> {
  const given = request.headers['if-match']
  if (given === undefined) return failed(problemOf('version-required'))
  const [, version] = /^"([\w-]+)"$/.exec(given.trim()) ?? []
  return version === undefined ? failed(problemOf('bad-version')) : done(version)
}

/** The Idempotency-Key of a request; null without one. */
export function readKey({ headers }: IncomingMessage): Result<string | null, HttpProblem> {
  const { 'idempotency-key': key = null } = headers
  if (key === null || (typeof key === 'string' && /^[\x21-\x7e]{1,100}$/.test(key))) return done(key)
  return failed(problemOf('bad-key'))
}

export function toTag(version: string): string {
  return `"${version}"`
}

export function badParameter(parameter: string, detail: string): HttpProblem {
  return problemOf('bad-parameter', { parameter }, detail)
}

/** A body that is not what the endpoint takes; `detail` says what that is. */
export function badBody(detail: string): HttpProblem {
  return problemOf('bad-body', {}, detail)
}
