import { applyOperations } from '../../change/operations/apply.js'
import { readOperations } from '../../change/operations/operation.js'
import { isMap } from '../../model/json.js'
import type { Context } from '../../model/menu.js'
import { done, failed } from '../../model/result.js'
import { planNewMenu } from '../../review/new-menu.js'
import { readContextSets } from '../../service/context-sets.js'
import { contentHash } from '../../store/hash.js'
import { badRequest, type HttpProblem } from '../../web/problem-json.js'
import {
  type Answered,
  type Call,
  type Endpoints,
  JSON_TYPES,
  needFile,
  needVersion,
  PATCH_TYPES,
  TEXT_TYPES,
  toTag,
} from './call.js'
import { type Editing, needDocument, publish, toPublishedReply } from './editing.js'
import { GONE, toOperationProblem, toProblemMember, unprocessable } from './faults.js'
import { stateOf, toEditors } from './file-states.js'

/** The endpoints for menus as a whole, by their paths and methods. */
export function menuEndpoints(editing: Editing): Endpoints {
  return {
    '/menus': {
      GET: { role: 'view', answer: async () => done({ value: await toList(editing) }) },
      POST: { role: 'edit', types: JSON_TYPES, answer: (call) => createMenu(editing, call) },
    },
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
  if (menu === null) return failed(BROKEN)
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
export async function createMenu(editing: Editing, { body, operator, isDry }: Call): Promise<Answered> {
  const { config, current } = editing
  if (!isMap(body) || typeof body['code'] !== 'string') return failed(NO_CODE)
  const { code, name = null, file = null, context: given = null, empty = false } = body
  const isText = (value: unknown): value is string | null => value === null || typeof value === 'string'
  if (!isText(name) || !isText(file) || typeof empty !== 'boolean') return failed(NO_CODE)
  const { fault: badContext } = readContextSets([given], config.options.limits)
  if (badContext !== null) return failed(unprocessable('bad-context', badContext.detail))
  const context = isMap(given) ? (given as Context) : {}
  const request = { code, name, context, path: file, isEmpty: empty }
  const { value: plan, fault } = planNewMenu(config, current(), request)
  if (fault?.reason === 'exists') return failed({ ...TAKEN, members: { file: fault.path } })
  if (fault?.reason === 'uncopyable')
    return failed(unprocessable('uncopyable', `${fault.path} cannot be copied. Send "empty": true.`))
  if (fault !== null)
    return failed({
      ...unprocessable('invalid-menu', fault.problem.what),
      members: { problems: [toProblemMember(fault.problem)] },
    })
  const edit = { kind: 'text', path: plan.path, version: null, text: plan.text } as const
  return toPublishedReply(await publish(editing, [edit], operator, isDry), isDry ? 200 : 201)
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
  if (contentHash(base.bytes) !== version)
    return failed({ ...STALE, members: { version: contentHash(base.bytes) } })
  if (base.value === null) return failed(BROKEN)
  const { value: change, fault: impossible } = applyOperations(base.value, operations)
  if (impossible !== null) return failed(toOperationProblem(impossible))
  const edit = { kind: 'change', path, base, change, isStrict: true } as const
  return toPublishedReply(await publish(editing, [edit], call.operator, call.isDry))
}

/** Puts a text in place of a version, or deletes it; with `If-None-Match: *` the file must not exist yet. */
async function replace(editing: Editing, call: Call, text: string | null): Promise<Answered> {
  const { value: path, fault } = needFile(call)
  if (fault !== null) return failed(fault)
  const isNew = text !== null && call.request.headers['if-none-match']?.trim() === '*'
  const { value: version, fault: noVersion } = isNew ? done(null) : needVersion(call)
  if (noVersion !== null) return failed(noVersion)
  const edit = { kind: 'text', path, version, text } as const
  return toPublishedReply(await publish(editing, [edit], call.operator, call.isDry), isNew ? 201 : 200)
}

const NO_CODE: HttpProblem = badRequest(
  'bad-menu',
  'The body needs {"code": text}, and may have "name", "context", "file" and "empty".',
)
const BROKEN: HttpProblem = unprocessable('broken-file', 'The file cannot be read as a menu. Edit its text.')
const TAKEN: HttpProblem = {
  status: 409,
  code: 'menu-exists',
  detail: 'There is a menu with this code and context.',
}
const STALE: HttpProblem = { ...GONE, status: 412, code: 'changed', detail: 'The file has another version.' }
