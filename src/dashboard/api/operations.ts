import type { FaultCode } from './faults.js'

/** What a client has to know of one endpoint; its role and the media types of its body are in the table of endpoints. */
export interface Operation {
  readonly says: string
  /** Parameters of the query. */
  readonly query?: readonly string[]
  /** Request headers. `Idempotency-Key` is one of every operation that writes for an operator. */
  readonly headers?: readonly ('If-Match' | 'If-None-Match')[]
  /** The schema of its body, where that is JSON. */
  readonly body?: string
  /** Each status of success with the schema of its JSON; null for another form, or none. */
  readonly gives: Readonly<Record<number, string | null>>
  readonly faults?: readonly (FaultCode | 'sign-in' | 'sign-out' | 'events')[]
}

const FILE = { type: 'string', description: 'The path of a menu file from the menus folder, with `/`.' }
const LIMIT = { type: 'integer', minimum: 1, maximum: 1_000, description: 'At most this many entries.' }
const CONTEXT_SETS = 'The context sets in JSON, in the order of preference.'

/** The schema of each parameter of a query; `file?` is a file that need not be named. */
export const PARAMETERS: Readonly<Record<string, object>> = {
  file: FILE,
  'file?': FILE,
  version: {
    type: 'string',
    description: 'The version of the file that was shown. Default: the present one.',
  },
  dry_run: { enum: ['true', 'false'], description: 'Whether nothing is written, only judged.' },
  q: { type: 'string', description: 'Words that an entry has to contain.' },
  limit: LIMIT,
  mode: { enum: ['skip', 'replace'], description: 'What becomes of menus that exist. Default: skip.' },
  notes: { enum: ['true', 'false'], description: 'Whether what each menu loses is listed, too.' },
  code: { type: 'string', description: 'The code of a menu.' },
  name: { type: 'string', description: 'The name of an icon, as `GET /icons` lists it in `drawn`.' },
  locale: { type: 'string', description: 'A BCP 47 tag. Without it: Accept-Language.' },
  context_sets: { type: 'string', contentMediaType: 'application/json', description: CONTEXT_SETS },
  permissions: { type: 'string', description: 'What the viewer may do, separated by commas.' },
}

/** Why edits are not published. */
const PUBLISHING: readonly FaultCode[] = [
  ...(['bad-path', 'no-file', 'changed', 'conflict', 'invalid-menu', 'uneditable', 'busy'] as const),
  ...(['folder-swapped', 'read_only', 'no-space', 'not-written'] as const),
]
/** Why a step of a draft is not made. */
const STEPPING: readonly FaultCode[] = [
  ...(['no-draft', 'draft-changed', 'bad-version', 'draft-too-large', 'draft-unreadable'] as const),
  ...(['busy', 'read_only', 'no-space', 'not-written'] as const),
]
const VERSIONED: readonly FaultCode[] = ['version-required', 'bad-version', 'changed']
const PATCHING: readonly FaultCode[] = ['bad-operation', 'test-failed']

/** Every endpoint by its method and path. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /session': { says: 'Who is signed in, and whether menus can be written', gives: { 200: 'Session' } },
  'POST /session': {
    says: 'Sign in by a one-time link or a password',
    body: 'SignIn',
    gives: { 201: 'SignedIn' },
    faults: ['sign-in'],
  },
  'DELETE /session': { says: 'Sign out everywhere', gives: { 204: null }, faults: ['sign-out'] },
  'GET /menus': { says: 'All menu files, with their problems and drafts', gives: { 200: 'MenuList' } },
  'POST /menus': {
    says: 'Make a menu',
    query: ['dry_run'],
    body: 'NewMenu',
    gives: { 200: 'Published', 201: 'Published' },
    faults: [...PUBLISHING, 'menu-exists', 'bad-context', 'uncopyable'],
  },
  'POST /copy': {
    says: 'Copy a menu to another code or context, with its comments and ids',
    query: ['dry_run'],
    body: 'Copy',
    gives: { 200: 'Published', 201: 'Published' },
    faults: [...PUBLISHING, 'menu-exists', 'bad-context', 'uncopyable', 'broken-file'],
  },
  'GET /menu': {
    says: 'The value of a menu file',
    query: ['file'],
    gives: { 200: 'MenuFile' },
    faults: ['broken-file'],
  },
  'PATCH /menu': {
    says: 'Change a menu and publish it, by a JSON Patch (RFC 6902)',
    query: ['file', 'dry_run'],
    headers: ['If-Match'],
    body: 'Patch',
    gives: { 200: 'Published' },
    faults: [...PUBLISHING, ...VERSIONED, ...PATCHING, 'broken-file'],
  },
  'DELETE /menu': {
    says: 'Delete a menu file; its text is kept for `/restore`',
    query: ['file', 'dry_run'],
    headers: ['If-Match'],
    gives: { 200: 'Published' },
    faults: [...PUBLISHING, ...VERSIONED],
  },
  'GET /source': { says: 'The text of a menu file', query: ['file'], gives: { 200: null } },
  'PUT /source': {
    says: 'Put a text in place of a version; with `If-None-Match: *` in a new file',
    query: ['file', 'dry_run'],
    headers: ['If-Match', 'If-None-Match'],
    gives: { 200: 'Published', 201: 'Published' },
    faults: [...PUBLISHING, ...VERSIONED],
  },
  'GET /drafts': { says: 'Who is editing which file', gives: { 200: 'DraftList' } },
  'POST /drafts': {
    says: 'Start the own draft of a file, or of the `version` of it that was shown, or resume it',
    query: ['file', 'version', 'dry_run'],
    gives: { 200: 'Draft', 201: 'Draft' },
    faults: [...STEPPING, 'changed', 'broken-file', 'too-many-drafts'],
  },
  'GET /drafts/{id}': {
    says: 'An own draft',
    gives: { 200: 'Draft' },
    faults: ['no-draft', 'draft-unreadable'],
  },
  'PATCH /drafts/{id}': {
    says: 'Add a step to a draft, by a JSON Patch (RFC 6902)',
    query: ['dry_run'],
    headers: ['If-Match'],
    body: 'Patch',
    gives: { 200: 'Draft' },
    faults: [...STEPPING, ...PATCHING],
  },
  'DELETE /drafts/{id}': {
    says: 'Discard a draft',
    query: ['dry_run'],
    gives: { 204: null },
    faults: ['busy', 'not-written', 'read_only'],
  },
  'POST /drafts/{id}/undo': {
    says: 'Undo the last step',
    query: ['dry_run'],
    headers: ['If-Match'],
    gives: { 200: 'Draft' },
    faults: [...STEPPING, 'nothing-to-undo'],
  },
  'POST /drafts/{id}/redo': {
    says: 'Redo the step that was undone last',
    query: ['dry_run'],
    headers: ['If-Match'],
    gives: { 200: 'Draft' },
    faults: [...STEPPING, 'nothing-to-redo'],
  },
  'POST /drafts/{id}/publish': {
    says: 'Publish a draft; with `file` as a new file',
    query: ['file?', 'dry_run'],
    headers: ['If-Match'],
    gives: { 200: 'Published' },
    faults: [...PUBLISHING, 'no-draft', 'draft-changed', 'draft-unreadable', 'bad-version'],
  },
  'POST /drafts/{id}/resolve': {
    says: 'Put a draft on the file as it is now, and decide each conflict',
    query: ['dry_run'],
    headers: ['If-Match'],
    body: 'Choices',
    gives: { 200: 'Draft' },
    faults: [...STEPPING, 'changed', 'undecided', 'no-file'],
  },
  'GET /history': {
    says: 'The earlier texts of a file that are kept, and its commits',
    query: ['file'],
    gives: { 200: 'History' },
  },
  'GET /history/{id}': { says: 'An earlier text', gives: { 200: null }, faults: ['no-version'] },
  'POST /restore': {
    says: 'Put an earlier text back, or one item of it; with `If-None-Match: *` a file that is gone',
    query: ['file', 'dry_run'],
    headers: ['If-Match', 'If-None-Match'],
    body: 'Restore',
    gives: { 200: 'Published' },
    faults: [...PUBLISHING, ...VERSIONED, 'no-version', 'no-item', 'parent-gone', 'broken-file'],
  },
  'POST /move': {
    says: 'Move a branch to another menu, or copy it: both files are written, or none',
    query: ['dry_run'],
    body: 'Move',
    gives: { 200: 'Moved' },
    faults: [...PUBLISHING, 'no-item', 'same-file', 'broken-file', 'bad-operation'],
  },
  'GET /export': {
    says: 'Menus as the JSON of the Symfony bundle',
    query: ['file?', 'notes'],
    gives: { 200: 'Bundle' },
    faults: ['bad-path'],
  },
  'POST /import': {
    says: 'Write all menus of such JSON, or none',
    query: ['mode', 'dry_run'],
    body: 'Anything',
    gives: { 200: 'Imported' },
    faults: [...PUBLISHING, 'import-refused'],
  },
  'GET /events': {
    says: 'Server-sent events `revision` and `drafts`',
    gives: { 200: null },
    faults: ['events'],
  },
  'POST /preview': {
    says: 'What visitors would get of a draft, or get of a menu, and why',
    body: 'PreviewQuery',
    gives: { 200: 'Preview' },
    faults: [...PUBLISHING, 'no-draft', 'draft-unreadable', 'broken-file', 'bad-context-sets', 'hook-failed'],
  },
  'GET /explain': {
    says: 'Why a request gets its menu and its items',
    query: ['code', 'locale', 'context_sets', 'permissions'],
    gives: { 200: 'Explanation' },
    faults: ['missing-parameter', 'bad-context-sets', 'hook-failed'],
  },
  'GET /problems': {
    says: 'All problems, as `menuscript lint --json` prints them',
    query: ['limit'],
    gives: { 200: 'LintReport' },
  },
  'GET /icons': { says: 'The names of icons', query: ['q', 'limit'], gives: { 200: 'Icons' } },
  'GET /icon': {
    says: 'The SVG of an icon; `ETag` and `If-None-Match` spare it',
    query: ['name'],
    headers: ['If-None-Match'],
    gives: { 200: null, 304: null },
    faults: ['missing-parameter', 'no-icon'],
  },
  'GET /routes': { says: 'The routes', query: ['q', 'limit'], gives: { 200: 'Routes' } },
}
