import type { Side } from '../../change/change.js'
import type { Conflict } from '../../change/merge/conflict.js'
import { readOperations } from '../../change/operations/operation.js'
import { writeChange } from '../../document/edit/write-change.js'
import type { MenuDocument } from '../../document/menu-document.js'
import { mergeInto } from '../../document/merge/merge-into.js'
import { isMap } from '../../model/json.js'
import { done, failed, type Result } from '../../model/result.js'
import type { Draft, DraftFault, DraftRef } from '../../store/drafts/open-drafts.js'
import { contentHash } from '../../store/hash.js'
import type { Edit } from '../../store/publish/plan.js'
import type { HttpProblem } from '../../web/problem-json.js'
import type { Operator } from '../access/operator.js'
import {
  type Answered,
  badBody,
  type Call,
  type Endpoints,
  JSON_TYPES,
  judgeFile,
  needFile,
  PATCH_TYPES,
  readKey,
  toTag,
} from './call.js'
import { byChoices, conflictKey } from './conflicts.js'
import { type Editing, findVersion, needDocument, publish, toOutdated, toPublishedReply } from './editing.js'
import { problemOf, toDraftProblem, toOperationProblem } from './faults.js'

/** The endpoints for drafts, by their paths and methods; `{id}` is the id of a draft. */
export function draftEndpoints(editing: Editing): Endpoints {
  const { drafts } = editing
  const post = (answer: (call: Call) => Answered | Promise<Answered>) =>
    ({ POST: { role: 'edit', answer } }) as const
  return {
    '/drafts': {
      GET: {
        role: 'view',
        answer: ({ operator }) => done({ value: { drafts: drafts.list().map(summaryFor(operator)) } }),
      },
      POST: { role: 'edit', answer: (call) => open(editing, call) },
    },
    '/drafts/{id}': {
      GET: { role: 'edit', answer: (call) => toReply(find(editing, call)) },
      PATCH: { role: 'edit', types: PATCH_TYPES, answer: (call) => edit(editing, call) },
      DELETE: { role: 'edit', answer: (call) => discardDraft(editing, call) },
    },
    '/drafts/{id}/undo': post((call) => step(call, drafts.undo)),
    '/drafts/{id}/redo': post((call) => step(call, drafts.redo)),
    '/drafts/{id}/publish': { POST: { role: 'edit', answer: (call) => publishDraft(editing, call) } },
    '/drafts/{id}/resolve': {
      POST: {
        role: 'edit',

        types: JSON_TYPES,
        answer: (call) => resolveDraft(editing, call),
      },
    },
  }
}

/** Drafts that one user may have, so that all others have room. */
const MAX_OF_USER = 100

/** Whether an operator may discard a draft: it is their own, or of somebody who may be gone, with the admin token. */
function isDiscardable({ user }: Draft, { id, via }: Operator): boolean {
  return user === id || via === 'token'
}

/** What an operator sees of any draft; its id where they may discard it. */
function summaryFor(operator: Operator): (draft: Draft) => object {
  return (draft) => {
    const { user, path, created, changed, steps } = draft
    const id = isDiscardable(draft, operator) ? draft.id : null
    return { id, user, file: path, created, changed, steps: steps.position }
  }
}

function toReply({ value: draft, fault }: Result<Draft, DraftFault>, status: number = 200): Answered {
  if (fault !== null) return failed(toDraftProblem(fault))
  const { id, path, created, changed, revision, base, change, steps } = draft
  const value = {
    ...{ id, file: path, created, changed, revision },
    base: contentHash(base.bytes),
    menu: change.value,
    canUndo: steps.position > 0,
    canRedo: steps.position < steps.all.length,
  }
  return done({ status, value, headers: { etag: toTag(String(revision)) } })
}

function find(
  { drafts }: Editing,
  { id, operator }: Pick<Call, 'id' | 'operator'>,
): Result<Draft, DraftFault> {
  const draft = drafts.read(id, operator.id)
  return draft === null ? failed({ reason: 'gone' }) : done(draft)
}

function open(editing: Editing, call: Call): Answered {
  const { value: file, fault } = needFile(call)
  if (fault !== null) return failed(fault)
  const version = call.query.get('version')
  const shown = version === undefined ? null : findVersion(editing, file, version)
  const { value: document, fault: noFile } = shown === null ? needDocument(editing, file) : done(shown)
  if (noFile !== null) return failed(noFile)
  if (version !== undefined && contentHash(document.bytes) !== version)
    return failed(toOutdated(editing, file, version))
  if (document.value === null) return failed(problemOf('broken-file'))
  const opened = startDraft(editing, call.operator.id, document, call.isDry)
  return toReply(opened, call.isDry ? 200 : 201)
}

/** Starts the draft of a user on a document, or resumes it. One without changes, on another text, makes way. */
export function startDraft(
  { drafts, log }: Editing,
  user: string,
  { path: file, bytes }: MenuDocument,
  isDry: boolean = false,
): Result<Draft, DraftFault> {
  const own = drafts.list().filter((draft) => draft.user === user)
  if (own.length >= MAX_OF_USER && !own.some(({ path }) => path === file))
    return failed({ reason: 'too-many' })
  const since = Date.now()
  const old = own.find(({ path, steps }) => path === file && steps.position === 0)
  if (old !== undefined && !isDry && contentHash(old.base.bytes) !== contentHash(bytes))
    drafts.discard(old.id, user)
  const opened = drafts.open(user, file, bytes, isDry)
  if (!isDry && opened.value !== null && opened.value.created >= since)
    log.info('draft_started', { user, file })
  return opened
}

/** Discards a draft of the operator; with the admin token that of anybody. */
export function discardDraft(
  { drafts, log, audit }: Editing,
  { id, operator, isDry = false }: Pick<Call, 'id' | 'operator'> & Partial<Pick<Call, 'isDry'>>,
): Answered {
  const draft = drafts.list().find((each) => each.id === id && isDiscardable(each, operator))
  if (draft !== undefined && !isDry) {
    const { user, path: file, steps } = draft
    drafts.discard(id, user)
    const { via, address } = operator
    log.info('draft_discarded', { user, file, steps: steps.position })
    const by = { user: operator.id, via, address }
    audit.record({ ...by, action: 'draft-discarded', of: user, file, steps: steps.position })
  }
  return done({ status: 204 })
}

/** Which draft is meant, in which revision; without If-Match in any. */
function toRef({ id, operator, request, isDry }: Call): Result<DraftRef, HttpProblem> {
  const { 'if-match': tag } = request.headers
  const [, revision = null] = /^"(\d{1,9})"$/.exec(tag?.trim() ?? '') ?? []
  if (tag !== undefined && revision === null) return failed(problemOf('bad-version'))
  const { value: key, fault } = readKey(request)
  if (fault !== null) return failed(fault)
  return done({
    ...{ id, user: operator.id },
    revision: revision === null ? null : Number(revision),
    ...(key !== null && { key }),
    isDry,
  })
}

function edit({ drafts }: Editing, call: Call): Answered {
  const { value: ref, fault } = toRef(call)
  if (fault !== null) return failed(fault)
  const { value: operations, fault: badPatch } = readOperations(call.body)
  if (badPatch !== null) return failed(toOperationProblem(badPatch))
  return toReply(drafts.edit(ref, operations))
}

function step(call: Call, move: (ref: DraftRef) => Result<Draft, DraftFault>): Answered {
  const { value: ref, fault } = toRef(call)
  return fault === null ? toReply(move(ref)) : failed(fault)
}

/** What a draft makes of its file. */
export function toEdit({ path, base, change }: Draft): Edit {
  return { kind: 'change', path, base, change }
}

/** Publishes a draft, with `?file=` as a new file; the draft goes, unless it was changed meanwhile. */
export async function publishDraft(editing: Editing, call: Call): Promise<Answered> {
  const { drafts } = editing
  const { value: ref, fault: badRef } = toRef(call)
  if (badRef !== null) return failed(badRef)
  const { value: draft, fault } = find(editing, call)
  if (fault !== null) return failed(toDraftProblem(fault))
  const { base, change, revision, id, user } = draft
  if (ref.revision !== null && ref.revision !== revision)
    return failed(toDraftProblem({ reason: 'changed', draft }))
  const named = call.query.get('file')
  const { value: other, fault: badFile } = named === undefined ? done(null) : judgeFile(named)
  if (badFile !== null) return failed(badFile)
  const { value: copy, fault: what } = other === null ? done(null) : writeChange(base, change)
  if (what !== null) return failed(problemOf('uneditable', {}, what))
  const wanted =
    other === null || copy === null
      ? toEdit(draft)
      : ({ kind: 'text', path: other, version: null, text: copy.mark + copy.text } as const)
  const published = await publish(editing, [wanted], { ...call, action: 'publish' })
  if (published.fault === null && !call.isDry && drafts.read(id, user)?.revision === revision)
    drafts.discard(id, user)
  return toPublishedReply(published)
}

/** Puts a draft on the file as it is now; `choices` decide each conflict: `{version, choices: {ID: "mine" | "theirs"}}`. */
export function resolveDraft(editing: Editing, call: Call): Answered {
  const { value: ref, fault } = toRef(call)
  if (fault !== null) return failed(fault)
  const { value: draft, fault: gone } = find(editing, call)
  if (gone !== null) return failed(toDraftProblem(gone))
  const { value: theirs, fault: noFile } = needDocument(editing, draft.path)
  if (noFile !== null) return failed(noFile)
  const choices = readChoices(call.body)
  if (choices === null) return failed(BAD_CHOICES)
  if (choices.version !== contentHash(theirs.bytes))
    return failed(toOutdated(editing, draft.path, choices.version))
  const missed: Conflict[] = []
  const { merged } = mergeInto(theirs, draft, byChoices(choices.sides, missed))
  if (missed.length > 0)
    return failed(problemOf('undecided', { conflicts: [...new Set(missed.map(conflictKey))] }))
  const origins = [...merged.origins].flatMap(([pointer, origin]) =>
    origin.theirs === null ? [] : [[pointer, { side: 'base', pointer: origin.theirs }] as const],
  )
  const change = { value: merged.value, origins: new Map(origins) }
  const rebased = editing.drafts.rebase(ref, theirs.bytes, change)
  if (rebased.fault === null && !call.isDry)
    editing.log.info('draft_resolved', { user: draft.user, file: draft.path })
  return toReply(rebased)
}

interface Choices {
  readonly version: string
  readonly sides: ReadonlyMap<string, Side>
}

function readChoices(body: unknown): Choices | null {
  if (!isMap(body) || typeof body['version'] !== 'string' || !isMap(body['choices'])) return null
  const sides = Object.entries(body['choices'])
  if (!sides.every(([, side]) => side === 'mine' || side === 'theirs')) return null
  return { version: body['version'], sides: new Map(sides as [string, Side][]) }
}

const BAD_CHOICES = badBody('The body needs {"version": text, "choices": {ID: "mine" or "theirs"}}.')
