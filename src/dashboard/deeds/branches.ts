import { type Branch, branchAt, graft, restoreItem } from '../../change/branch.js'
import type { Change } from '../../change/change.js'
import { applyOperations } from '../../change/operations/apply.js'
import { writeChange } from '../../document/edit/write-change.js'
import { type MenuDocument, readDocument } from '../../document/menu-document.js'
import { contentHash } from '../../store/hash.js'
import type { Edit } from '../../store/publish/plan.js'
import type { Publication } from '../../store/publish/queue.js'
import type { Operator } from '../access/operator.js'
import { Refusal } from '../refusal.js'
import { needPath, toOperationProblem } from './faults.js'
import { needMenu, publish, type ReadableDocument, toReadable, type Workspace } from './workspace.js'

/** Where an item list may take an item. */
const PLACE = /^\/items(?:\/\d+\/children)*\/(?:\d+|-)$/

/** A place in a file, in the version that a client has seen. */
export interface Place {
  readonly file: string
  readonly version: string
  readonly pointer: string
}

/** A branch, the place that it goes to, and whether it stays where it is, too. */
export interface Move {
  readonly from: Place
  readonly to: Place
  readonly copy?: boolean
}

/** Moves a branch, comments too, to another menu, or copies it. Both files are written, or none. */
export function moveBranch(
  workspace: Workspace,
  operator: Operator,
  { from, to, copy = false, isDry }: Move & { readonly isDry: boolean },
): Promise<Publication> {
  const source = needMenu(workspace, needPath(from.file), from.version)
  const target = needMenu(workspace, needPath(to.file), to.version)
  if (source.path === target.path) throw new Refusal('same-file')
  const branch = branchAt(source.value, from.pointer)
  if (branch === null) throw new Refusal('no-item', { pointer: from.pointer })
  const added = toAdded(target, to.pointer, source, branch)
  const { value: left } = applyOperations(source.value, [{ op: 'remove', path: from.pointer }])
  const removed: readonly Edit[] =
    copy || left === null
      ? []
      : [{ kind: 'change', path: source.path, base: source, change: left, isStrict: true }]
  return publish(workspace, [...removed, added], { operator, isDry, action: 'move' })
}

/** What becomes of the file that gets a branch. */
function toAdded(document: ReadableDocument, pointer: string, from: MenuDocument, branch: Branch): Edit {
  if (!PLACE.test(pointer)) throw new Refusal('no-item', { pointer }, 'No list of items has this place.')
  const { value: change, fault } = graft(document.value, branch, pointer)
  if (fault !== null) throw new Refusal(toOperationProblem(fault))
  return toTextEdit(document, change, from)
}

/** The edit that puts one item of an earlier text back into a file, as far as it is there no more. */
export function toRestored(document: MenuDocument, bytes: Uint8Array, pointer: string): Edit {
  const earlier = readDocument(document.path, bytes, document.limits)
  const { value: change, fault } = restoreItem(earlier.value ?? {}, toReadable(document).value, pointer)
  if (fault !== null) throw new Refusal(fault, { pointer })
  return toTextEdit(document, change, earlier)
}

/** A change some of whose items are of another text, with which their form and their comments come. */
function toTextEdit(document: MenuDocument, change: Change, theirs: MenuDocument): Edit {
  const { value: written, fault } = writeChange(document, change, { theirs })
  if (fault !== null) throw new Refusal('uneditable', {}, fault)
  const { path, bytes } = document
  return { kind: 'text', path, version: contentHash(bytes), text: written.mark + written.text }
}
