import type { OperationFault } from '../../change/operations/operation.js'
import type { Problem } from '../../model/problem.js'
import type { DraftFault } from '../../store/drafts/open-drafts.js'
import { judgeNames } from '../../store/menu-paths.js'
import type { PublishFault } from '../../store/publish/plan.js'
import { type HttpProblem, OVERLOADED } from '../../web/problem-json.js'
import { problemOf, Refusal } from '../refusal.js'
import { describeConflicts } from './conflicts.js'

/** Why nothing was published, as a problem. */
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
      return problemOf(
        'uneditable',
        { file: fault.path },
        `This change cannot be written into the file: ${fault.what}`,
      )
    case 'denied':
      return problemOf('remote-denied', {}, `The host of the repository refused the push: ${fault.what}.`)
    case 'overloaded':
      return OVERLOADED
    default:
      return problemOf(CODES[fault.reason])
  }
}

/** Why a draft was left as it was, as a problem. */
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
  unreachable: 'remote-unreachable',
  gone: 'no-draft',
  'nothing-to-undo': 'nothing-to-undo',
  'nothing-to-redo': 'nothing-to-redo',
  'too-large': 'draft-too-large',
  'too-many': 'too-many-drafts',
  unreadable: 'draft-unreadable',
  'read-only': 'read-only',
} as const

/** Operations that do not apply; a failed `test` is a conflict (RFC 5789, section 2.2). */
export function toOperationProblem({ position, reason, isTest }: OperationFault): HttpProblem {
  const detail = `Operation ${position}: ${reason}.`
  return problemOf(isTest ? 'test-failed' : 'bad-operation', { operation: position }, detail)
}

/** A path that was sent, if it is one of a menu file. */
export function needPath(file: string): string {
  const what = judgeNames(file)
  if (what !== null) throw new Refusal(toBadPath(what))
  return file
}

/** A path that is not read as a menu; `what` says why. */
export function toBadPath(what: string): HttpProblem {
  return problemOf('bad-path', {}, `This path cannot be a menu file: ${what}.`)
}

/** What a client needs to show a problem at its place. */
export function toProblemMember(problem: Problem): object {
  const { code, severity, path, line, column, pointer, what, why, todo, suggestion } = problem
  return { code, severity, file: path, line, column, pointer, what, why, todo, suggestion }
}
