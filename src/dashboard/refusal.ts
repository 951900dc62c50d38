import { done, failed, type Result } from '../model/result.js'
import type { Headers, HttpProblem } from '../web/problem-json.js'

/** A problem by its permanent code: the HTTP status, and what it says where nothing more is known. */
interface Row {
  readonly status: number
  readonly detail: string
  readonly headers?: Headers
  /** What it has besides; `alias` is the code that it had before. */
  readonly members?: Readonly<Record<string, unknown>>
}

const TABLE = {
  'bad-body': { status: 400, detail: 'A member of the body is missing or wrong.' },
  'bad-context-sets': { status: 400, detail: 'The context sets cannot be understood.' },
  'bad-key': { status: 400, detail: 'Idempotency-Key needs 1 to 100 visible ASCII characters.' },
  'bad-parameter': { status: 400, detail: 'A parameter has an invalid value.' },
  'bad-version': { status: 400, detail: 'If-Match needs one strong entity tag, in quotes.' },
  'malformed-percent': {
    status: 400,
    detail: 'The query has a % that does not begin a percent-encoded UTF-8 character.',
  },
  'missing-parameter': { status: 400, detail: 'A parameter is missing.' },
  'repeated-parameter': { status: 400, detail: 'A parameter is given twice.' },
  'no-draft': { status: 404, detail: 'You have no such draft.' },
  'no-file': { status: 404, detail: 'There is no such menu file.' },
  'no-icon': { status: 404, detail: 'The icon of this name has no drawing.' },
  'no-version': { status: 404, detail: 'There is no such version, or it is no longer kept.' },
  conflict: {
    status: 409,
    detail: 'Someone else changed the same thing. Choose a side for each conflict, or keep the draft.',
  },
  'folder-swapped': {
    status: 409,
    detail: 'The menus folder was replaced during the save. Read the file again.',
  },
  'menu-exists': { status: 409, detail: 'A menu with this code and context already exists.' },
  'nothing-to-redo': { status: 409, detail: 'There is no such step.' },
  'nothing-to-undo': { status: 409, detail: 'There is no such step.' },
  'parent-gone': { status: 409, detail: 'The item above it is gone. Restore that one first.' },
  'test-failed': { status: 409, detail: 'A `test` operation found another value.' },
  changed: {
    status: 412,
    detail: 'The file has changed. Read it again, and apply your change to the new version.',
  },
  'draft-changed': {
    status: 412,
    detail: 'The draft has changed, for example in another tab.',
  },
  'draft-too-large': { status: 413, detail: 'The draft would exceed the size limit of a menu.' },
  'bad-context': {
    status: 422,
    detail: 'The context is not a flat object of strings, numbers and booleans.',
  },
  'bad-operation': { status: 422, detail: 'An operation does not apply.' },
  'bad-path': { status: 422, detail: 'This path cannot be a menu file.' },
  'broken-file': { status: 422, detail: 'The file cannot be read as a menu. Edit its text.' },
  'hook-failed': { status: 422, detail: 'Visitors get an error: a hook of the deployment failed.' },
  'import-refused': { status: 422, detail: 'Nothing was imported, because parts of it were refused.' },
  'invalid-menu': { status: 422, detail: 'The menu would have errors. Nothing was written.' },
  'key-reused': { status: 422, detail: 'Another request used this Idempotency-Key. Send a new key.' },
  'no-item': { status: 422, detail: 'There is no item at this pointer.' },
  'same-file': { status: 422, detail: 'Both places are in one file. Patch it with a `move`.' },
  uncopyable: { status: 422, detail: 'The text of this menu cannot be copied.' },
  undecided: { status: 422, detail: 'Some conflicts have no choice, or one that does not fit the others.' },
  uneditable: { status: 422, detail: 'This change cannot be written into the file.' },
  busy: {
    status: 423,
    detail: 'Something else is writing the file: git, or another process. Try again.',
    headers: { 'retry-after': '2' },
  },
  'version-required': { status: 428, detail: 'The request needs If-Match with the ETag of what it changes.' },
  'draft-unreadable': { status: 503, detail: 'The draft cannot be read from the disk.' },
  'not-written': { status: 503, detail: 'The disk failed. The log has the reason.' },
  'read-only': {
    status: 503,
    detail: 'Nothing can be written. GET /session says why.',
    members: { alias: 'read_only' },
  },
  'no-space': { status: 507, detail: 'The disk is full. Nothing was changed.' },
  'too-many-drafts': {
    status: 507,
    detail: 'There are too many drafts, or their changes are too large. Publish or discard some of them.',
  },
}

export type ProblemCode = keyof typeof TABLE

/** Every problem that a deed can have, by its permanent code. */
export const PROBLEMS: Readonly<Record<ProblemCode, Row>> = TABLE

/** Thrown for what cannot be done; the door answers with its problem. */
export class Refusal extends Error {
  readonly problem: HttpProblem

  /** `members` are added to a problem of the table; `detail` says more than the table. */
  constructor(problem: ProblemCode | HttpProblem, members: object = {}, detail?: string) {
    const full = typeof problem === 'string' ? problemOf(problem, members, detail) : problem
    super(full.detail)
    this.problem = full
  }
}

/** A value, where there is one; else throws its problem. */
export function must<Value>({ value, fault }: Result<Value, HttpProblem>): Value {
  if (fault !== null) throw new Refusal(fault)
  return value
}

/** What comes of some work, or why it was refused. Throws everything else. */
export async function attempt<Value>(
  work: () => Value | Promise<Value>,
): Promise<Result<Value, HttpProblem>> {
  try {
    return done(await work())
  } catch (thrown) {
    if (thrown instanceof Refusal) return failed(thrown.problem)
    throw thrown
  }
}

/** A problem of the table. `members` are added to it; `detail` says more than the table. */
export function problemOf(code: ProblemCode, members: object = {}, detail?: string): HttpProblem {
  const row = PROBLEMS[code]
  return {
    ...row,
    code,
    members: { ...row.members, ...members },
    ...(detail !== undefined && { detail }),
  }
}
