import { type Branch, branchAt, graft, restoreItem } from '../../change/branch.js'
import type { Change } from '../../change/change.js'
import { applyOperations } from '../../change/operations/apply.js'
import { writeChange } from '../../document/edit/write-change.js'
import { type MenuDocument, readDocument } from '../../document/menu-document.js'
import { isMap, type JsonMap } from '../../model/json.js'
import { done, failed, type Result } from '../../model/result.js'
import { contentHash } from '../../store/hash.js'
import type { Edit } from '../../store/publish/plan.js'
import type { HttpProblem } from '../../web/problem-json.js'
import { type Answered, badBody, type Call, type Endpoints, JSON_TYPES, judgeFile } from './call.js'
import { type Editing, needDocument, publish, toFileValue, toOutdated } from './editing.js'
import { problemOf, toOperationProblem, toProblemMember } from './faults.js'

/** The endpoint for moving a branch from one menu to another. */
export function branchEndpoints(editing: Editing): Endpoints {
  return {
    '/move': { POST: { role: 'edit', types: JSON_TYPES, answer: (call) => move(editing, call) } },
  }
}

/** Where an item list may take an item. */
const PLACE = /^\/items(?:\/\d+\/children)*\/(?:\d+|-)$/

/** A file in the version that a client has seen, and a place in it. */
interface Place {
  readonly document: MenuDocument & { readonly value: JsonMap }
  readonly pointer: string
}

/**
 * Moves a branch, comments too, to another menu, or copies it: `{from, to, copy?}`, each `{file, version, pointer}`. Both files
 * are written, or none.
 */
async function move(editing: Editing, { body, operator, isDry }: Call): Promise<Answered> {
  const { from, to, copy = false } = isMap(body) ? body : {}
  if (typeof copy !== 'boolean') return failed(NO_PLACES)
  const { value: source, fault: badSource } = readPlace(editing, from)
  if (badSource !== null) return failed(badSource)
  const { value: target, fault: badTarget } = readPlace(editing, to)
  if (badTarget !== null) return failed(badTarget)
  if (source.document.path === target.document.path) return failed(problemOf('same-file'))
  const branch = branchAt(source.document.value, source.pointer)
  if (branch === null) return failed(problemOf('no-item', { pointer: source.pointer }))
  const { value: taken, fault } = toTaken(target, source.document, branch)
  if (fault !== null) return failed(fault)
  const { value: left } = applyOperations(source.document.value, [{ op: 'remove', path: source.pointer }])
  const given: readonly Edit[] =
    copy || left === null
      ? []
      : [{ kind: 'change', path: source.document.path, base: source.document, change: left, isStrict: true }]
  const { value, fault: unpublished } = await publish(editing, [...given, taken], {
    operator,
    isDry,
    action: 'move',
  })
  if (unpublished !== null) return failed(unpublished)
  const { files, problems, commit } = value
  return done({ value: { files: files.map(toFileValue), problems: problems.map(toProblemMember), commit } })
}

function readPlace(editing: Editing, given: unknown): Result<Place, HttpProblem> {
  const { file, version, pointer } = isMap(given) ? given : {}
  if (typeof file !== 'string' || typeof version !== 'string' || typeof pointer !== 'string')
    return failed(NO_PLACES)
  const { value: path, fault } = judgeFile(file)
  if (fault !== null) return failed(fault)
  const { value: document, fault: noFile } = needDocument(editing, path)
  if (noFile !== null) return failed(noFile)
  if (contentHash(document.bytes) !== version) return failed(toOutdated(editing, file, version))
  return document.value === null
    ? failed(problemOf('broken-file', { file }))
    : done({ document: document as Place['document'], pointer })
}

/** What becomes of the file that takes a branch. */
function toTaken(
  { document, pointer }: Place,
  from: MenuDocument,
  branch: Branch,
): Result<Edit, HttpProblem> {
  if (!PLACE.test(pointer))
    return failed(problemOf('no-item', { pointer }, 'No list of items has this place.'))
  const { value: change, fault } = graft(document.value, branch, pointer)
  return fault === null ? toTextEdit(document, change, from) : failed(toOperationProblem(fault))
}

/** The edit that puts one item of an earlier text back into a file, as far as it is there no more. */
export function toRestored(
  document: MenuDocument,
  bytes: Uint8Array,
  pointer: string,
): Result<Edit, HttpProblem> {
  const earlier = readDocument(document.path, bytes, document.limits)
  if (document.value === null) return failed(problemOf('broken-file'))
  const { value: change, fault } = restoreItem(earlier.value ?? {}, document.value, pointer)
  return fault === null ? toTextEdit(document, change, earlier) : failed(problemOf(fault, { pointer }))
}

/** A change some of whose items are of another text, with which their form and their comments come. */
function toTextEdit(document: MenuDocument, change: Change, theirs: MenuDocument): Result<Edit, HttpProblem> {
  const { value: written, fault } = writeChange(document, change, { theirs })
  if (fault !== null) return failed(problemOf('uneditable', {}, fault))
  const { path, bytes } = document
  return done({ kind: 'text', path, version: contentHash(bytes), text: written.mark + written.text })
}

const NO_PLACES = badBody(
  'The body needs "from" and "to", each {"file": text, "version": text, "pointer": text}, and may have "copy".',
)
