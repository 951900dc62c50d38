import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Operation, readOperations } from '../../change/operations/operation.js'
import type { DraftRef } from '../../store/drafts/open-drafts.js'
import type { Draft } from '../../store/drafts/read-draft.js'
import { contentHash } from '../../store/hash.js'
import type { Publication } from '../../store/publish/queue.js'
import type { Headers } from '../../web/problem-json.js'
import type { Operator } from '../access/operator.js'
import { toOperationProblem, toProblemMember } from '../deeds/faults.js'
import { toFileValue } from '../deeds/workspace.js'
import { Refusal } from '../refusal.js'

/** A request of the management API by an operator who may make it. Its parameters and its body have the form that its route says. */
export interface Call<Body = unknown> {
  readonly request: IncomingMessage
  readonly operator: Operator
  readonly query: ReadonlyMap<string, string>
  /** `?file=`, a path that can be one of a menu file; empty where the route has none. */
  readonly file: string
  /** The part of the path that the route leaves open, such as the id of a draft. */
  readonly id: string
  /** A value of JSON, or a text; null where nothing is sent. */
  readonly body: Body
  /** Whether nothing is to be written (`?dry_run=true`). */
  readonly isDry: boolean
}

/** What is sent. */
export interface Reply {
  /** Default: 200. */
  readonly status?: number
  /** Sent as JSON. */
  readonly value?: unknown
  /** A text of JSON, which is sent as it is, instead. */
  readonly json?: string
  /** Sent as it is, instead. */
  readonly text?: string
  /** A page, instead. */
  readonly html?: string
  /** Where a browser goes on by GET (303), instead. */
  readonly location?: string
  /** Writes the whole answer, over time, instead. */
  readonly stream?: (response: ServerResponse, headers: Headers) => void | Promise<void>
  readonly headers?: Headers
}

/** The version in an If-Match header, a strong tag (RFC 9110, section 13.1.1); required by RFC 6585, section 3. */
export function needVersion({ request }: Pick<Call, 'request'>): string {
  const header = request.headers['if-match']
  if (header === undefined) throw new Refusal('version-required')
  const [, version] = /^"([\w-]+)"$/.exec(header.trim()) ?? []
  if (version === undefined) throw new Refusal('bad-version')
  return version
}

/** The same; null with `If-None-Match: *`, for a file that must not exist yet. */
export function versionOrNew(call: Pick<Call, 'request'>): string | null {
  return call.request.headers['if-none-match']?.trim() === '*' ? null : needVersion(call)
}

/** The Idempotency-Key of a request; null without one. */
export function readKey({ headers }: IncomingMessage): string | null {
  const { 'idempotency-key': key = null } = headers
  if (key === null || (typeof key === 'string' && /^[\x21-\x7e]{1,100}$/.test(key))) return key
  throw new Refusal('bad-key')
}

/** Which draft is meant, in which revision; without If-Match in any. */
export function toRef({ id, operator, request, body, isDry }: Call): DraftRef & { readonly isDry: boolean } {
  const { 'if-match': tag } = request.headers
  const [, revision = null] = /^"(\d{1,9})"$/.exec(tag?.trim() ?? '') ?? []
  if (tag !== undefined && revision === null) throw new Refusal('bad-version')
  const key = readKey(request)
  const own = { id, user: operator.id, revision: revision === null ? null : Number(revision), isDry }
  if (key === null) return own
  // After a restart, another request with the same key is another step.
  return { ...own, key: contentHash(JSON.stringify([key, request.method, request.url, body])) }
}

/** The operations of a JSON Patch. */
export function readPatch(body: readonly unknown[]): readonly Operation[] {
  const { value, fault } = readOperations(body)
  if (fault !== null) throw new Refusal(toOperationProblem(fault))
  return value
}

export function toTag(version: string): string {
  return `"${version}"`
}

/** The response about one published file. */
export function toPublished({ files, problems, commit }: Publication, status: number = 200): Reply {
  const [file] = files
  if (file === undefined) return { status: 204 }
  const published = toFileValue(file)
  const { version } = published
  return {
    status,
    value: { ...published, problems: problems.map(toProblemMember), commit },
    headers: version === null ? {} : { etag: toTag(version) },
  }
}

/** The response about several files that were published at once. */
export function toMoved({ files, problems, commit }: Publication): Reply {
  return { value: { files: files.map(toFileValue), problems: problems.map(toProblemMember), commit } }
}

export function toDrafted(
  { id, path, created, changed, revision, base, change, steps }: Draft,
  status: number = 200,
): Reply {
  const value = {
    ...{ id, file: path, created, changed, revision },
    base: contentHash(base.bytes),
    menu: change.value,
    canUndo: steps.position > 0,
    canRedo: steps.position < steps.all.length,
  }
  return { status, value, headers: { etag: toTag(String(revision)) } }
}
