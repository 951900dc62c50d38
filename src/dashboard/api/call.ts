import type { IncomingMessage, ServerResponse } from 'node:http'
import { done, failed, type Result } from '../../model/result.js'
import type { Role } from '../../service/hooks.js'
import { badRequest, type Headers, type HttpProblem } from '../../web/problem-json.js'
import type { Operator } from '../access/operator.js'

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
}

export type OpenCall = Omit<Call, 'operator'>

/** Endpoints by path, in which `{id}` stands for one step, and by method. */
export type Endpoints = Readonly<Record<string, Readonly<Record<string, Endpoint>>>>

export const JSON_TYPES: readonly string[] = ['application/json']
export const PATCH_TYPES: readonly string[] = ['application/json-patch+json', 'application/json']
export const TEXT_TYPES: readonly string[] = ['application/yaml', 'text/yaml', 'text/plain']

/** The file that a request is about. */
export function needFile({ query }: Call): Result<string, HttpProblem> {
  const file = query.get('file') ?? ''
  if (file !== '') return done(file)
  return failed(
    badRequest('no-file', 'The request needs ?file=, the path of a menu file.', { parameter: 'file' }),
  )
}

/** The version in an If-Match header, a strong tag (RFC 9110, section 13.1.1). */
export function needVersion({ request }: Call): Result<string, HttpProblem> {
  const given = request.headers['if-match']
  if (given === undefined) return failed(NO_VERSION)
  const [, version] = /^"([\w-]+)"$/.exec(given.trim()) ?? []
  return version === undefined ? failed(BAD_VERSION) : done(version)
}

export function toTag(version: string): string {
  return `"${version}"`
}

/** RFC 6585, section 3. */
const NO_VERSION: HttpProblem = {
  status: 428,
  code: 'no-version',
  detail: 'The request needs If-Match with the ETag of what it changes.',
}
const BAD_VERSION: HttpProblem = badRequest('bad-version', 'If-Match needs one entity tag in quotes.')
