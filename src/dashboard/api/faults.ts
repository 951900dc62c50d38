import type { OperationFault } from '../../change/operations/operation.js'
import type { Problem } from '../../model/problem.js'
import type { DraftFault } from '../../store/drafts/open-drafts.js'
import type { PublishFault } from '../../store/publish/plan.js'
import { type Headers, type HttpProblem, OVERLOADED } from '../../web/problem-json.js'
import { describeConflicts } from './conflicts.js'

/** A problem of the management API: its HTTP status, and what it says where nothing more is known. */
export interface Fault {
  readonly status: number
  readonly detail: string
  readonly headers?: Headers
}

const TABLE = {
  'bad-body': { status: 400, detail: 'A member of the body is missing or wrong.' },
  'bad-context-sets': { status: 400, detail: 'The context sets cannot be understood.' },
  'bad-key': { status: 400, detail: 'Idempotency-Key needs 1 to 100 visible ASCII characters.' },
  'bad-parameter': { status: 400, detail: 'A parameter has a value that it cannot have.' },
  'bad-version': { status: 400, detail: 'If-Match needs one strong entity tag, in quotes.' },
  'malformed-percent': { status: 400, detail: 'The query has a % that does not begin a character of UTF-8.' },
  'missing-parameter': { status: 400, detail: 'A parameter is missing.' },
  'repeated-parameter': { status: 400, detail: 'A parameter is given twice.' },
  'no-draft': { status: 404, detail: 'There is no such draft of yours.' },
  'no-file': { status: 404, detail: 'There is no such menu file.' },
  'no-icon': { status: 404, detail: 'There is no drawing for an icon of this name.' },
  'no-version': { status: 404, detail: 'There is no such version, or it is no longer kept.' },
  conflict: {
    status: 409,
    detail: 'Somebody else changed the same thing. Choose a side for each conflict, or keep the draft.',
  },
  'folder-swapped': {
    status: 409,
    detail: 'Another folder took the place of the menus folder during the save. Read the file again.',
  },
  'menu-exists': { status: 409, detail: 'There is a menu with this code and context.' },
  'nothing-to-redo': { status: 409, detail: 'There is no such step.' },
  'nothing-to-undo': { status: 409, detail: 'There is no such step.' },
  'parent-gone': { status: 409, detail: 'The item above it is gone. Restore that one first.' },
  'test-failed': { status: 409, detail: 'A `test` found another value.' },
  changed: {
    status: 412,
    detail: 'The file has another version. Read it again, and make the change to that.',
  },
  'draft-changed': {
    status: 412,
    detail: 'The draft has another revision: another tab changed it.',
  },
  'draft-too-large': { status: 413, detail: 'The draft would be larger than a menu may be.' },
  'bad-context': { status: 422, detail: 'The context is not a flat object of texts, numbers and booleans.' },
  'bad-operation': { status: 422, detail: 'An operation does not apply.' },
  'bad-path': { status: 422, detail: 'No menu is read from this path.' },
  'broken-file': { status: 422, detail: 'The file cannot be read as a menu. Edit its text.' },
  'hook-failed': { status: 422, detail: 'Visitors get an error: a hook of the deployment failed.' },
  'import-refused': { status: 422, detail: 'Nothing was imported: some of it is refused.' },
  'invalid-menu': { status: 422, detail: 'The menu would have errors. Nothing was written.' },
  'no-item': { status: 422, detail: 'There is no item at this pointer.' },
  'same-file': { status: 422, detail: 'Both places are in one file. Patch it with a `move`.' },
  uncopyable: { status: 422, detail: 'The text of this menu cannot be copied.' },
  undecided: { status: 422, detail: 'Some conflicts have no choice.' },
  uneditable: { status: 422, detail: 'The text cannot take this change.' },
  busy: {
    status: 423,
    detail: 'Something else is writing the file: git, or another process. Try again.',
    headers: { 'retry-after': '2' },
  },
  'version-required': { status: 428, detail: 'The request needs If-Match with the ETag of what it changes.' },
  'draft-unreadable': { status: 503, detail: 'The draft cannot be read from the disk.' },
  'not-written': { status: 503, detail: 'The disk failed. The log has the reason.' },
  read_only: { status: 503, detail: 'Nothing can be written. GET /session says why.' },
  'no-space': { status: 507, detail: 'The disk is full. Nothing was changed.' },
  'too-many-drafts': {
    status: 507,
    detail: 'There are too many drafts. Discard some that are not needed.',
  },
}

export type FaultCode = keyof typeof TABLE

/** Every problem that the management API finds itself, by its permanent code. */
export const FAULTS: Readonly<Record<FaultCode, Fault>> = TABLE

/** A problem of the table as an answer. `members` are added to it; `detail` says more than the table. */
export function problemOf(code: FaultCode, members: object = {}, detail?: string): HttpProblem {
  return { ...FAULTS[code], code, members: { ...members }, ...(detail !== undefined && { detail }) }
}

/** Why nothing was published, as an answer. */
export function toPublishProblem(fault: PublishFault): HttpProblem {
  switch (fault.reason) {
    case 'changed':
      return problemOf(fault.version === null ? 'no-file' : 'changed')
    case 'conflict':
      return problemOf('conflict', describeConflicts(fault))
    case 'invalid':
      return problemOf('invalid-menu', { problems: fault.problems.map(toProblemMember) })
    case 'bad-path':
      return toBadPath(fault.what)
    case 'uneditable':
      return problemOf('uneditable', { file: fault.path }, `The text cannot take this change: ${fault.what}`)
    case 'overloaded':
      return OVERLOADED
    default:
      return problemOf(CODES[fault.reason])
  }
}

/** Why a draft was left as it was, as an answer. */
export function toDraftProblem(fault: DraftFault): HttpProblem {
  switch (fault.reason) {
    case 'changed':
      return problemOf('draft-changed', { revision: fault.draft.revision })
    case 'impossible':
      return toOperationProblem(fault.fault)
    default:
      return problemOf(CODES[fault.reason])
  }
}

/** The problem for each reason why nothing was written. */
const CODES = {
  busy: 'busy',
  swapped: 'folder-swapped',
  'no-space': 'no-space',
  failed: 'not-written',
  gone: 'no-draft',
  'nothing-to-undo': 'nothing-to-undo',
  'nothing-to-redo': 'nothing-to-redo',
  'too-large': 'draft-too-large',
  'too-many': 'too-many-drafts',
  unreadable: 'draft-unreadable',
  'read-only': 'read_only',
} as const

/** Operations that do not apply; a failed `test` is a conflict (RFC 5789, section 2.2). */
export function toOperationProblem({ position, reason, isTest }: OperationFault): HttpProblem {
  const detail = `Operation ${position}: ${reason}.`
  return problemOf(isTest ? 'test-failed' : 'bad-operation', { operation: position }, detail)
}

/** A path that is not read as a menu; `what` says why. */
export function toBadPath(what: string): HttpProblem {
  return problemOf('bad-path', {}, `No menu is read from this path: ${what}.`)
}

/** What a client needs to show a problem at its place. */
export function toProblemMember(problem: Problem): object {
  const { code, severity, path, line, column, pointer, what, why, todo, suggestion } = problem
  return { code, severity, file: path, line, column, pointer, what, why, todo, suggestion }
}
