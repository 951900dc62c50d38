import { done, failed, type Result } from '../model/result.js'
import type { Headers, HttpProblem } from '../web/problem-json.js'

/** What each problem says where nothing more is known, by its HTTP status and its permanent code. */
const DETAILS = {
  400: {
    'bad-body': 'A member of the body is missing or wrong.',
    'bad-context-sets': 'The context sets cannot be understood.',
    'bad-key': 'Idempotency-Key needs 1 to 100 visible ASCII characters.',
    'bad-parameter': 'A parameter has an invalid value.',
    'bad-version': 'If-Match needs one strong entity tag, in quotes.',
    'malformed-percent': 'The query has a % that does not begin a percent-encoded UTF-8 character.',
    'missing-parameter': 'A parameter is missing.',
    'repeated-parameter': 'A parameter is given twice.',
  },
  401: {
    unauthorized: 'This needs an operator: sign in, or send "Authorization: Bearer" with the admin token.',
    'wrong-link': 'The link was used, or is too old. "menuscript link" prints a new one.',
    'wrong-password': 'The name or the password is wrong.',
  },
  403: {
    'bad-csrf-token':
      'The request needs the token of its session, in the header x-csrf-token or the field csrf. Load the page again.',
    'bad-host':
      'The dashboard is available only under the names of its own machine and under server.public_url.',
    'bad-proxy-user':
      'The proxy must name one user in its header, in up to 200 characters without control characters.',
    'cross-site': 'Only a page of this dashboard, or a script with "Authorization: Bearer", may send this.',
    'not-secure':
      'Nobody can sign in over plain HTTP from another machine. Put a proxy with TLS in front, and set server.public_url to its https address.',
    'reserved-user': 'This name is reserved. Sign in under another one.',
    'propose-only': 'Changes are not published here. Propose the draft instead.',
    'remote-denied': 'The host of the repository refused the push.',
    'role-view': 'Your role is "view". This needs the role "edit".',
  },
  404: {
    'no-draft': 'You have no such draft.',
    'no-file': 'There is no such menu file.',
    'no-proposal': 'There is no such open proposal. It may have been merged or closed.',
    'no-proposals': 'This service has no proposals. They need git.mode "propose" or "both".',
    'no-icon': 'The icon of this name has no drawing.',
    'no-version': 'There is no such version, or it is no longer kept.',
  },
  409: {
    conflict: 'Someone else changed the same thing. Choose a side for each conflict, or keep the draft.',
    'folder-swapped': 'The menus folder was replaced during the save. Read the file again.',
    'menu-exists': 'A menu with this code and context already exists.',
    'nothing-to-propose': 'The draft changes nothing.',
    'nothing-to-redo': 'There is no such step.',
    'nothing-to-undo': 'There is no such step.',
    'own-draft': 'You have a draft of this menu yourself. Publish, propose or discard it first.',
    'parent-gone': 'The item above it is gone. Restore that one first.',
    'proposal-changed':
      'Someone has changed this menu in the proposal in the meantime. Propose the draft as a new one.',
    'test-failed': 'A `test` operation found another value.',
  },
  412: {
    changed: 'The file has changed. Read it again, and apply your change to the new version.',
    'draft-changed': 'The draft has changed, for example in another tab.',
    'plan-changed': 'The file or the menus have changed since the dry run. Repeat it.',
  },
  413: { 'draft-too-large': 'The draft would exceed the size limit of a menu.' },
  422: {
    'bad-context': 'The context is not a flat object of strings, numbers and booleans.',
    'bad-operation': 'An operation does not apply.',
    'bad-path': 'This path cannot be a menu file.',
    'broken-file': 'The file cannot be read as a menu. Edit its text.',
    'hook-failed': 'Visitors get an error: a hook of the deployment failed.',
    'import-refused': 'Nothing was imported, because parts of it were refused.',
    'invalid-menu': 'The menu would have errors. Nothing was written.',
    'key-reused': 'Another request used this Idempotency-Key. Send a new key.',
    'no-item': 'There is no item at this pointer.',
    'same-file': 'Both places are in one file. Patch it with a `move`.',
    uncopyable: 'The text of this menu cannot be copied.',
    undecided: 'Some conflicts have no choice, or one that does not fit the others.',
    uneditable: 'This change cannot be written into the file.',
  },
  423: { busy: 'Something else is writing the file: git, or another process. Try again.' },
  428: { 'version-required': 'The request needs If-Match with the ETag of what it changes.' },
  429: {
    'sign-in-busy': 'Too many users are signing in. Try again in a few seconds.',
    'too-many-attempts': 'Too many attempts to sign in from here.',
    'too-many-streams': 'This user has too many event streams. Close a tab.',
  },
  503: {
    'draft-unreadable': 'The draft cannot be read from the disk.',
    'not-signed-out':
      'This browser is signed out. Other sessions continue, because the users file cannot be written.',
    'not-written': 'The disk failed. The log has the reason.',
    'read-only': 'Nothing can be written. GET /session says why.',
    'remote-unreachable':
      'The repository of the menus cannot be reached. Nothing was changed. Try again later.',
    'users-unusable': 'The users file cannot be used. The log says which line is wrong.',
  },
  507: {
    'no-space': 'The disk is full. Nothing was changed.',
    'too-many-drafts':
      'There are too many drafts, or their changes are too large. Publish or discard some of them.',
  },
} as const

type Details = typeof DETAILS
export type ProblemCode = { [Status in keyof Details]: keyof Details[Status] }[keyof Details]

/** What some problems have besides; `alias` is the code that one had before. */
const MORE: Partial<Record<ProblemCode, Pick<HttpProblem, 'headers' | 'members'>>> = {
  busy: { headers: { 'retry-after': '2' } },
  'read-only': { members: { alias: 'read_only' } },
  'remote-unreachable': { headers: { 'retry-after': '10' } },
  'sign-in-busy': { headers: { 'retry-after': '3' } },
  'too-many-streams': { headers: { 'retry-after': '10' } },
  unauthorized: { headers: { 'www-authenticate': 'Bearer' } },
}

/** Every problem of a deed, or that prevents one, by its permanent code. */
export const PROBLEMS: Readonly<Record<string, HttpProblem>> = Object.fromEntries(
  Object.entries(DETAILS).flatMap(([status, details]) =>
    Object.entries(details).map(([code, detail]) => [
      code,
      { status: Number(status), code, detail, ...MORE[code as ProblemCode] },
    ]),
  ),
)

/** Thrown for what cannot be done; the door answers with its problem. */
export class Refusal extends Error {
  readonly problem: HttpProblem

  /** `members` and `headers` are added to a problem of the table; `detail` says more than the table. */
  constructor(
    problem: ProblemCode | HttpProblem,
    members: object = {},
    detail?: string,
    headers: Headers = {},
  ) {
    const full = typeof problem === 'string' ? problemOf(problem, members, detail, headers) : problem
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

/** A problem of the table. `members` and `headers` are added to it; `detail` says more than the table. */
export function problemOf(
  code: ProblemCode,
  members: object = {},
  detail?: string,
  headers: Headers = {},
): HttpProblem {
  const known = PROBLEMS[code] as HttpProblem
  const more = { members: { ...known.members, ...members }, headers: { ...known.headers, ...headers } }
  return { ...known, ...more, ...(detail !== undefined && { detail }) }
}
