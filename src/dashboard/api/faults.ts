import type { OperationFault } from '../../change/operations/operation.js'
import type { Problem } from '../../model/problem.js'
import type { DraftFault } from '../../store/drafts/open-drafts.js'
import type { PublishFault } from '../../store/publish/plan.js'
import type { HttpProblem } from '../../web/problem-json.js'
import { describeConflicts } from './conflicts.js'

/** Why nothing was published, as an answer. */
export function toPublishProblem(fault: PublishFault): HttpProblem {
  switch (fault.reason) {
    case 'changed':
      return fault.version === null ? GONE : { ...CHANGED, members: { version: fault.version } }
    case 'conflict':
      return {
        status: 409,
        code: 'conflict',
        detail: 'Somebody else changed the same. Choose for each conflict, or keep the draft.',
        members: describeConflicts(fault),
      }
    case 'invalid':
      return {
        status: 422,
        code: 'invalid-menu',
        detail: 'The menu would have errors. Nothing was written.',
        members: { problems: fault.problems.map(toProblemMember) },
      }
    case 'bad-path':
      return unprocessable('bad-path', `No menu is read from this path: ${fault.what}.`)
    case 'uneditable':
      return unprocessable('uneditable', `The text cannot take this change: ${fault.what}`)
    default:
      return WRITING[fault.reason]
  }
}

/** Why a draft was left as it was, as an answer. */
export function toDraftProblem(fault: DraftFault): HttpProblem {
  switch (fault.reason) {
    case 'gone':
      return { status: 404, code: 'no-draft', detail: 'There is no such draft of yours.' }
    case 'changed':
      return {
        status: 412,
        code: 'draft-changed',
        detail: 'The draft has another revision: another tab changed it.',
        members: { revision: fault.draft.revision },
      }
    case 'impossible':
      return toOperationProblem(fault.fault)
    case 'nothing-to-undo':
    case 'nothing-to-redo':
      return { status: 409, code: fault.reason, detail: 'There is no such step.' }
    case 'too-large':
      return { status: 413, code: 'draft-too-large', detail: 'The draft would be larger than a menu may be.' }
    case 'too-many':
      return {
        status: 507,
        code: 'too-many-drafts',
        detail: 'There are too many drafts. Discard some that are not needed.',
      }
    case 'unreadable':
      return { status: 503, code: 'draft-unreadable', detail: 'The draft cannot be read from the disk.' }
  }
}

/** Operations that do not apply; a failed `test` is a conflict (RFC 5789, section 2.2). */
export function toOperationProblem({ position, reason, isTest }: OperationFault): HttpProblem {
  return {
    status: isTest ? 409 : 422,
    code: isTest ? 'test-failed' : 'bad-operation',
    detail: `Operation ${position}: ${reason}.`,
    members: { operation: position },
  }
}

/** What a client needs to show a problem at its place. */
export function toProblemMember(problem: Problem): object {
  const { code, severity, path, line, column, pointer, what, why, todo, suggestion } = problem
  return { code, severity, file: path, line, column, pointer, what, why, todo, suggestion }
}

export function unprocessable(code: string, detail: string): HttpProblem {
  return { status: 422, code, detail }
}

export const GONE: HttpProblem = { status: 404, code: 'no-file', detail: 'There is no such menu file.' }

const CHANGED: HttpProblem = {
  status: 412,
  code: 'changed',
  detail: 'The file has another version. Read it again, and make the change to that.',
}

const WRITING = {
  busy: {
    status: 423,
    code: 'busy',
    detail: 'Something else is writing the file: git, or another process. Try again.',
    headers: { 'retry-after': '2' },
  },
  'read-only': { status: 503, code: 'read_only', detail: 'The menus folder cannot be written.' },
  'no-space': { status: 507, code: 'no-space', detail: 'The disk is full. Nothing was changed.' },
  failed: { status: 503, code: 'not-written', detail: 'The disk failed. The log has the reason.' },
} satisfies Readonly<Record<string, HttpProblem>>
