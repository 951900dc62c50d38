import { join } from 'node:path'
import { isMap } from '../../model/json.js'
import { done, failed, type Result } from '../../model/result.js'
import { type TextVersion, versionsOf } from '../../review/history/versions.js'
import { GitError } from '../../store/git/git-error.js'
import { blobsAt, readBlobs } from '../../store/git/objects.js'
import { toTreePath } from '../../store/git/repository.js'
import { contentHash } from '../../store/hash.js'
import type { KeptVersion } from '../../store/publish/versions.js'
import type { HttpProblem } from '../../web/problem-json.js'
import { toRestored } from './branches.js'
import {
  type Answered,
  badBody,
  type Call,
  type Endpoints,
  JSON_TYPES,
  needFile,
  needVersion,
} from './call.js'
import { type Editing, needDocument, publish, toOutdated, toPublishedReply } from './editing.js'
import { problemOf } from './faults.js'

/** At most this many commits are listed. */
const MAX_COMMITS = 100
const NO_COMMITS = { versions: [], more: false }

/** The endpoints for earlier versions of a menu file. */
export function historyEndpoints(editing: Editing): Endpoints {
  return {
    '/history': { GET: { role: 'view', answer: (call) => list(editing, call) } },
    '/history/{id}': { GET: { role: 'view', answer: ({ id }) => read(editing, id) } },
    '/restore': { POST: { role: 'edit', types: JSON_TYPES, answer: (call) => restore(editing, call) } },
  }
}

async function list(editing: Editing, call: Call): Promise<Answered> {
  const { value: file, fault } = needFile(call)
  return fault === null ? done({ value: { file, ...(await historyOf(editing, file)) } }) : failed(fault)
}

/** The earlier versions of a menu file. */
export interface FileHistory {
  /** The texts that publishes replaced, the newest first. */
  readonly kept: readonly KeptVersion[]
  /** The commits, the newest first, each with the `id` of its text; null for a deletion. */
  readonly commits: readonly (Omit<TextVersion, 'blob'> & { readonly id: string | null })[]
  /** Whether there are older commits. */
  readonly more: boolean
}

/** The texts that publishes replaced, and the commits where there is git; both have an `id` for `/restore`. */
export async function historyOf(
  { config, versions, repository, locales, log }: Editing,
  file: string,
): Promise<FileHistory> {
  const kept = versions.list(file)
  const path = repository && toTreePath(repository, join(config.menusFolder, file))
  const options = { limits: config.options.limits, locales, limit: MAX_COMMITS }
  const found =
    repository === null || path === null
      ? NO_COMMITS
      : await versionsOf(repository, 'HEAD', path, options).catch((thrown: unknown) => {
          if (!(thrown instanceof GitError)) throw thrown
          // There is no commit yet, or git cannot read them: what is kept is listed all the same.
          log.warn('history_unreadable', { file, reason: thrown.message })
          return NO_COMMITS
        })
  const commits = found.versions.map(({ blob, ...version }) => ({ id: blob, ...version }))
  return { kept, commits, more: found.more }
}

async function read(editing: Editing, id: string): Promise<Answered> {
  const { value: bytes, fault } = await textOf(editing, id)
  return fault === null ? done({ text: new TextDecoder().decode(bytes) }) : failed(fault)
}

/**
 * Puts an earlier text in place of the present one: `{"id": text}`; a file that is gone needs `If-None-Match: *`. With a
 * `pointer` into that text, only the item there is put back.
 */
async function restore(editing: Editing, call: Call): Promise<Answered> {
  const { value: path, fault } = needFile(call)
  if (fault !== null) return failed(fault)
  const isGone = call.request.headers['if-none-match']?.trim() === '*'
  const { value: version, fault: noVersion } = isGone ? done(null) : needVersion(call)
  if (noVersion !== null) return failed(noVersion)
  const { id, pointer = null } = isMap(call.body) ? call.body : {}
  if (typeof id !== 'string' || !(pointer === null || typeof pointer === 'string')) return failed(NO_ID)
  const { value: bytes, fault: noText } = await textOf(editing, id)
  if (noText !== null) return failed(noText)
  if (pointer !== null) return restoreItem(editing, call, { path, version, bytes, pointer })
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const edit = { kind: 'text', path, version, text } as const
  return toPublishedReply(await publish(editing, [edit], { ...call, action: 'restore' }))
}

/** What is to be put back, and into which version of which file. */
interface Restoring {
  readonly path: string
  readonly version: string | null
  readonly bytes: Uint8Array
  readonly pointer: string
}

async function restoreItem(
  editing: Editing,
  { operator, isDry }: Call,
  { path, version, bytes, pointer }: Restoring,
): Promise<Answered> {
  const { value: document, fault: noFile } = needDocument(editing, path)
  if (noFile !== null) return failed(noFile)
  if (contentHash(document.bytes) !== version) return failed(toOutdated(editing, path, version))
  const { value: edit, fault } = toRestored(document, bytes, pointer)
  if (fault !== null) return failed(fault)
  return toPublishedReply(await publish(editing, [edit], { operator, isDry, action: 'restore' }))
}

/** The text of a kept version, or of a commit by the hash that git has for it. */
export async function textOf(
  { config, versions, repository }: Editing,
  id: string,
): Promise<Result<Uint8Array, HttpProblem>> {
  const kept = versions.read(id)
  if (kept !== null) return done(kept)
  const isBlob = /^(?:[\da-f]{40}|[\da-f]{64})$/.test(id)
  if (repository === null || !isBlob) return failed(problemOf('no-version'))
  const [blob] = await blobsAt(repository, [id]).catch(() => [])
  if (!blob || blob.bytes > config.options.limits.bytes) return failed(problemOf('no-version'))
  const bytes = (await readBlobs(repository, [id])).get(id)
  return bytes === undefined ? failed(problemOf('no-version')) : done(bytes)
}

const NO_ID = badBody(
  'The body needs {"id": text}, one of those that /history lists, and may have "pointer".',
)
