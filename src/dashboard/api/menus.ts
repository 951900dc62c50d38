import { applyOperations } from '../../change/operations/apply.js'
import { readOperations } from '../../change/operations/operation.js'
import { isMap } from '../../model/json.js'
import { toYamlLimits } from '../../model/limits.js'
import type { Context } from '../../model/menu.js'
import { done, failed, type Result } from '../../model/result.js'
import { type NewMenuRequest, planNewMenu } from '../../review/new-menu.js'
import { readContextSets } from '../../service/context-sets.js'
import { contentHash } from '../../store/hash.js'
import type { HttpProblem } from '../../web/problem-json.js'
import {
  type Answered,
  badBody,
  type Call,
  type Endpoints,
  JSON_TYPES,
  judgeFile,
  needFile,
  needVersion,
  PATCH_TYPES,
  TEXT_TYPES,
  toTag,
} from './call.js'
import { type Editing, needDocument, publish, toOutdated, toPublishedReply } from './editing.js'
import { problemOf, toOperationProblem, toProblemMember } from './faults.js'
import { stateOf, toEditors } from './file-states.js'

/** The endpoints for menus as a whole, by their paths and methods. */
export function menuEndpoints(editing: Editing): Endpoints {
  return {
    '/menus': {
      GET: { role: 'view', answer: async () => done({ value: await toList(editing) }) },
      POST: { role: 'edit', types: JSON_TYPES, answer: (call) => createMenu(editing, call) },
    },
    '/copy': { POST: { role: 'edit', types: JSON_TYPES, answer: (call) => copyMenu(editing, call) } },
    '/menu': {
      GET: { role: 'view', answer: (call) => read(editing, call) },
      PATCH: { role: 'edit', types: PATCH_TYPES, answer: (call) => patch(editing, call) },
      DELETE: { role: 'edit', answer: (call) => replace(editing, call, null) },
    },
    '/source': {
      GET: { role: 'view', answer: (call) => readSource(editing, call) },
      PUT: {
        role: 'edit',
        types: TEXT_TYPES,
        isText: true,
        answer: (call) => replace(editing, call, String(call.body)),
      },
    },
  }
}

/** All menu files as they are served, with what is wrong with them and who is editing them. */
async function toList({ current, drafts, uncommitted }: Editing): Promise<object> {
  const snapshot = current()
  const { revision, files, served } = snapshot
  const paths = files.map(({ path }) => path)
  const changed = await uncommitted(paths)
  const all = toEditors(drafts.list())
  const menus = files.map(({ path, version, menu, problems }) => {
    const seen = menu ?? served.get(path)?.menu ?? null
    return {
      file: path,
      version,
      code: seen?.code ?? null,
      name: seen?.name ?? null,
      context: seen?.context ?? null,
      state: stateOf(snapshot, path),
      uncommitted: changed?.has(path) ?? null,
      problems: problems.map(toProblemMember),
      drafts: all.filter(({ file }) => file === path).map(({ file: _, ...editor }) => editor),
    }
  })
  // Deletions have no row of their own, and keep git from pulling all the same.
  const gone = [...(changed ?? [])].filter((path) => !paths.includes(path))
  return { revision, menus, uncommittedDeletions: gone }
}

function read(editing: Editing, call: Call): Answered {
  const { value: file, fault } = needFile(call)
  if (fault !== null) return failed(fault)
  const found = needDocument(editing, file)
  if (found.fault !== null) return failed(found.fault)
  const { bytes, value: menu } = found.value
  if (menu === null) return failed(problemOf('broken-file'))
  const version = contentHash(bytes)
  return done({ value: { file, version, menu }, headers: { etag: toTag(version) } })
}

function readSource(editing: Editing, call: Call): Answered {
  const { value: file, fault } = needFile(call)
  if (fault !== null) return failed(fault)
  const found = needDocument(editing, file)
  if (found.fault !== null) return failed(found.fault)
  const { bytes, mark, text } = found.value
  const etag = toTag(contentHash(bytes))
  return done({ text: mark + text, headers: { etag, 'content-type': 'text/plain; charset=utf-8' } })
}

/** Writes the file of a new menu, which `body` describes: `{code, name?, context?, file?, empty?}`. */
export async function createMenu(editing: Editing, call: Call): Promise<Answered> {
  const { code, name = null, context, file = null, empty = false } = isMap(call.body) ? call.body : {}
  if (typeof code !== 'string' || !isName(name) || !isName(file) || typeof empty !== 'boolean')
    return failed(NO_CODE)
  const { value: judged, fault } = readContext(editing, context)
  if (fault !== null) return failed(fault)
  return publishNew(editing, call, { code, name, context: judged, path: file, isEmpty: empty })
}

/** Makes a complete copy of a menu, comments and ids too: `{file, code?, name?, context?, to?}`. */
export async function copyMenu(editing: Editing, call: Call): Promise<Answered> {
  const { file, name = null, to = null, ...wanted } = isMap(call.body) ? call.body : {}
  if (typeof file !== 'string' || !isName(name) || !isName(to)) return failed(NO_SOURCE)
  const { value: path, fault: badFile } = judgeFile(file)
  if (badFile !== null) return failed(badFile)
  const { value: source, fault: noFile } = needDocument(editing, path)
  if (noFile !== null) return failed(noFile)
  const { code, context } = { ...source.value, ...wanted }
  if (source.value === null || typeof code !== 'string')
    return failed(source.value === null ? problemOf('broken-file') : NO_SOURCE)
  const { value: judged, fault } = readContext(editing, context)
  if (fault !== null) return failed(fault)
  return publishNew(editing, call, { code, name, context: judged, path: to, isEmpty: false, source })
}

function isName(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

function readContext({ config }: Editing, given: unknown = null): Result<Context, HttpProblem> {
  const { fault } = readContextSets([given], config.options.limits)
  if (fault !== null) return failed(problemOf('bad-context', {}, fault.detail))
  return done(isMap(given) ? (given as Context) : {})
}

async function publishNew(
  editing: Editing,
  { operator, isDry }: Call,
  wanted: Omit<NewMenuRequest, 'copiesSchema'>,
): Promise<Answered> {
  const { fault: badFile } = wanted.path === null ? done(null) : judgeFile(wanted.path)
  if (badFile !== null) return failed(badFile)
  const request = { ...wanted, copiesSchema: false }
  const { value: plan, fault } = planNewMenu(editing.config, editing.current(), request)
  if (fault?.reason === 'exists') return failed(problemOf('menu-exists', { file: fault.path }))
  if (fault?.reason === 'uncopyable')
    return failed(problemOf('uncopyable', { file: fault.path }, `${fault.path} cannot be copied.`))
  if (fault !== null)
    return failed(
      problemOf('invalid-menu', { problems: [toProblemMember(fault.problem)] }, fault.problem.what),
    )
  const edit = { kind: 'text', path: plan.path, version: null, text: plan.text } as const
  const action = wanted.source === undefined ? 'create' : 'copy'
  return toPublishedReply(await publish(editing, [edit], { operator, isDry, action }), isDry ? 200 : 201)
}

async function patch(editing: Editing, call: Call): Promise<Answered> {
  const { value: path, fault } = needFile(call)
  if (fault !== null) return failed(fault)
  const { value: version, fault: noVersion } = needVersion(call)
  if (noVersion !== null) return failed(noVersion)
  const { value: operations, fault: badPatch } = readOperations(call.body)
  if (badPatch !== null) return failed(toOperationProblem(badPatch))
  const found = needDocument(editing, path)
  if (found.fault !== null) return failed(found.fault)
  const base = found.value
  if (contentHash(base.bytes) !== version) return failed(toOutdated(editing, path, version))
  if (base.value === null) return failed(problemOf('broken-file'))
  const { value: change, fault: impossible } = applyOperations(
    base.value,
    operations,
    toYamlLimits(editing.config.options.limits),
  )
  if (impossible !== null) return failed(toOperationProblem(impossible))
  const edit = { kind: 'change', path, base, change, isStrict: true } as const
  return toPublishedReply(await publish(editing, [edit], { ...call, action: 'change' }))
}

/** Puts a text in place of a version, or deletes it; with `If-None-Match: *` the file must not exist yet. */
async function replace(editing: Editing, call: Call, text: string | null): Promise<Answered> {
  const { value: path, fault } = needFile(call)
  if (fault !== null) return failed(fault)
  const isNew = text !== null && call.request.headers['if-none-match']?.trim() === '*'
  const { value: version, fault: noVersion } = isNew ? done(null) : needVersion(call)
  if (noVersion !== null) return failed(noVersion)
  const edit = { kind: 'text', path, version, text } as const
  const action = isNew ? 'create' : text === null ? 'delete' : 'replace'
  return toPublishedReply(await publish(editing, [edit], { ...call, action }), isNew ? 201 : 200)
}

const NO_CODE = badBody('The body needs {"code": text}, and may have "name", "context", "file" and "empty".')
const NO_SOURCE = badBody('The body needs {"file": text}, and may have "code", "name", "context" and "to".')
