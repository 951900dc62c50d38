import type { Operation } from '../change/operations/operation.js'
import { ROLES } from '../service/hooks.js'
import type { Move, Place } from './deeds/branches.js'
import type { Choices } from './deeds/drafts.js'
import type { Restore } from './deeds/history.js'
import type { Copy, NewMenu } from './deeds/menus.js'
import type { PreviewQuery } from './deeds/preview.js'
import { MAX_TEXT, MAX_TITLE } from './deeds/proposal-limits.js'
import {
  about,
  anyObject,
  flag,
  integer,
  judged,
  list,
  map,
  nullable,
  object,
  oneOf,
  type Schema,
  text,
  to,
} from './schema-parts.js'

const context: Schema = nullable(map({ type: ['string', 'number', 'boolean', 'null'] }))
const menu: Schema<object> = about(anyObject, 'The value of a menu file; see menu.schema.json.')
const place: Schema<Place> = object({
  file: text,
  version: text,
  pointer: about(text, 'A JSON Pointer (RFC 6901).'),
})
const problems: Schema = list(to('FileProblem'))
const commitKind: Schema = about(
  oneOf('committed', 'unchanged', 'busy', 'uncommitted'),
  '`busy` means that git was busy: the file is written, and a later publish commits it.',
)
const operation: Schema = object(
  { op: oneOf('add', 'remove', 'replace', 'move', 'copy', 'test'), path: text },
  { from: text, value: {} },
)

/** What somebody signs in with. */
export type Login = { readonly link: string } | { readonly user: string; readonly password: string }

/** What each body of a request is read as. */
export interface BodyTypes {
  readonly SignIn: Login
  readonly NewMenu: NewMenu
  readonly Copy: Copy
  readonly Patch: readonly Operation[]
  readonly Move: Move
  readonly Choices: Choices
  readonly Restore: Restore
  readonly PreviewQuery: PreviewQuery
  readonly Proposal: NewProposal
  readonly Continued: { readonly branch: string; readonly file: string }
}

/** What a draft is proposed with. */
interface NewProposal {
  readonly title: string
  readonly text?: string | null
  readonly isNew?: boolean
}

/** The bodies of requests, by the names that they have in the description. */
export const BODIES: { readonly [Name in keyof BodyTypes]: Schema } = {
  SignIn: {
    ...object({}, { link: text, user: text, password: text }),
    anyOf: [{ required: ['link'] }, { required: ['user', 'password'] }],
  },
  NewMenu: object<{ code: string }, Omit<Required<NewMenu>, 'code'>>(
    { code: text },
    { name: nullable(text), context: judged(context), file: nullable(text), empty: flag },
  ),
  Copy: object<{ file: string }, Omit<Required<Copy>, 'file'>>(
    { file: text },
    {
      version: about(nullable(text), 'The version of the file that the client has. Default: any.'),
      code: text,
      name: nullable(text),
      context: judged(context),
      to: about(nullable(text), 'The path of the new file. Default: beside the original.'),
    },
  ),
  Patch: list(judged(operation)),
  Move: object<Pick<Move, 'from' | 'to'>, Required<Pick<Move, 'copy'>>>(
    { from: place, to: place },
    { copy: flag },
  ),
  Choices: object<Choices>({ version: text, choices: map(oneOf('mine', 'theirs')) }),
  Restore: object<Pick<Restore, 'id'>, Required<Pick<Restore, 'pointer'>>>(
    { id: about(text, 'One of those that /history lists.') },
    { pointer: about(nullable(text), 'A JSON Pointer to one item of that text.') },
  ),
  PreviewQuery: {
    ...object<object, Required<PreviewQuery>>(
      {},
      {
        ...{ draft: text, file: text, code: text, locale: nullable(text) },
        context_sets: judged({ type: ['array', 'null'], items: { type: ['object', 'array', 'null'] } }),
        viewer: nullable(object({ permissions: list(text) })),
        now: about(nullable(text), 'The time of the request, in RFC 3339. Default: the present.'),
      },
    ),
    anyOf: [{ required: ['draft'] }, { required: ['file'] }, { required: ['code'] }],
  },
  Proposal: object<{ title: string }, Omit<Required<NewProposal>, 'title'>>(
    { title: { type: 'string', minLength: 1, maxLength: MAX_TITLE } },
    {
      text: about(nullable({ type: 'string', maxLength: MAX_TEXT }), 'What reviewers should know.'),
      isNew: about(flag, 'Whether a draft that continues a proposal becomes another one. Default: false.'),
    },
  ),
  Continued: object({ branch: text, file: text }),
}

const importVersions: Schema = {
  ...nullable(map(nullable(text))),
  maxProperties: 500,
  description: 'The version of each file before the import; null for a file that does not exist.',
}
const diffOfFile =
  'The changes of a replaced file, as a unified diff; null for others, and if the diffs are too long: over 65,536 characters in one file, or 1,048,576 in all.'
const diffOfOutdated =
  'The changes since the version in the request, as a unified diff; null if the service no longer has its text, or the diff has more than 65,536 characters.'
const bundles =
  'The JSON of the Symfony bundle: one {menu, items}, {menus: [...]}, or a list of such blocks. An object may have the `versions` of a dry run, without which nothing is replaced.'

/** What requests return, and the one body that its deed reads itself, by the names that they have in the description. */
export const ANSWERS: Readonly<Record<string, Schema>> = {
  Session: object({
    ...{ user: text, name: text, role: oneOf(...ROLES), csrf: nullable(text), writable: flag },
    via: oneOf('token', 'session', 'oidc', 'proxy', 'hook'),
    reason: about(nullable(text), 'Why nothing can be written.'),
    commit: about(
      oneOf('auto', 'off', 'none'),
      'Whether a publish is a commit; none: the menus are not in a git work tree.',
    ),
    mode: about(oneOf('push', 'propose', 'both'), 'Whether changes are published, proposed, or either.'),
  }),
  SignedIn: object({ user: text }),
  MenuList: object({
    revision: text,
    menus: list(
      object({
        ...{ file: text, version: text, code: nullable(text), name: nullable(text), context, problems },
        state: oneOf('withheld', 'last-good', 'served'),
        uncommitted: about(nullable(flag), 'Null where git is not asked.'),
        drafts: list(
          object({
            ...{ user: text, changed: integer, steps: integer, changes: integer, revision: integer },
            active: about(flag, 'Whether the last change is younger than two minutes.'),
          }),
        ),
      }),
    ),
    uncommittedDeletions: list(text),
  }),
  MenuFile: object({ file: text, version: text, menu }),
  PublishedFile: object({
    file: text,
    version: about(nullable(text), 'Null for a deleted file.'),
    menu: nullable(anyObject),
    diff: about(text, 'A unified diff; empty if nothing changed.'),
  }),
  Outcome: object({
    problems,
    commit: about(nullable(object({ kind: commitKind })), 'Null if git is not involved.'),
  }),
  Outdated: object({
    file: text,
    asked: about(nullable(text), 'The version in the request; null for a file that must not exist yet.'),
    version: about(nullable(text), 'The current version; null for a deleted file.'),
    menu: about(nullable(anyObject), 'The current menu; null if the file cannot be read as one.'),
    diff: about(nullable(text), diffOfOutdated),
  }),
  Published: { allOf: [to('PublishedFile'), to('Outcome')] },
  Moved: { allOf: [to('Outcome'), object({ files: list(to('PublishedFile')) })] },
  DraftList: object({
    drafts: list(
      object({
        id: about(nullable(text), 'Null for a draft that you cannot discard.'),
        ...{ user: text, file: text, created: integer, changed: integer, steps: integer, changes: integer },
      }),
    ),
  }),
  Draft: object({
    ...{ id: text, file: text, created: integer, changed: integer, revision: integer, base: text, menu },
    ...{ canUndo: flag, canRedo: flag },
  }),
  History: object({
    file: text,
    kept: list(object({ id: text, path: text, version: text, time: integer, author: text, bytes: integer })),
    commits: list(object({ id: nullable(text), version: nullable(text) })),
    more: flag,
  }),
  Bundle: object({ menus: list(anyObject) }, { notes: list(anyObject) }),
  ImportVersions: importVersions,
  Bundles: {
    ...{ description: bundles, type: ['object', 'array'] },
    properties: { versions: to('ImportVersions') },
  },
  ImportedFile: object({
    file: text,
    what: oneOf('added', 'unchanged', 'replaced'),
    diff: about(nullable(text), diffOfFile),
  }),
  Imported: object({
    written: list(to('ImportedFile')),
    ...{ versions: to('ImportVersions'), skipped: list(text), notes: list(anyObject), problems },
    ...{ refusals: integer, omitted: integer },
  }),
  Translated: object({
    written: list(to('ImportedFile')),
    version: about(text, 'What the import after a dry run needs in If-Match.'),
    outdated: list(object({ line: integer, file: text, key: text, was: text, now: text })),
    ...{ omitted: integer, problems },
  }),
  Preview: object({
    ...{ file: nullable(text), config: anyObject, tree: list(to('TreeNode')), html: text },
    explanation: to('Explanation'),
    isBlocked: about(flag, 'Whether the draft has errors that keep it from being published.'),
  }),
  Explanation: object({
    asOf: about(nullable(text), 'The time that was given, in UTC.'),
    code: object({ asked: text, resolved: text, why: text }),
    locale: object({ asked: nullable(text), effective: text, why: text }),
    viewer: object({ id: { type: ['string', 'number', 'null'] }, permissions: list(text), why: text }),
    candidates: list(object({ context, outcome: oneOf('won', 'lost', 'not-tried'), why: text })),
    menu: { type: ['object', 'null'], required: ['path', 'line', 'name'] },
    ...{ notes: list(text), items: list(to('ExplainedItem')) },
  }),
  ExplainedItem: object({
    ...{ line: integer, id: nullable(text), itemType: oneOf('link', 'section', 'divider') },
    label: object({ text, locale: nullable(text), why: text }),
    ...{ href: nullable(anyObject), icon: nullable(anyObject), permissions: nullable(anyObject) },
    ...{ fate: text, why: text, children: list(to('ExplainedItem')) },
  }),
  FileProblem: object({
    ...{ code: text, severity: oneOf('error', 'warning'), file: text, line: integer, column: integer },
    ...{ pointer: text, what: text, why: text, todo: text, suggestion: nullable(text) },
  }),
  LintReport: object({
    ...{ version: { const: 1 }, files: integer, errors: integer, warnings: integer },
    omitted: about(integer, 'Problems that are not listed.'),
    problems: list(
      object({
        ...{ code: text, severity: oneOf('error', 'warning'), path: text, line: integer, column: integer },
        ...{ what: text, docs: text },
      }),
    ),
  }),
  Proposed: {
    allOf: [
      to('PublishedFile'),
      object({
        branch: text,
        commit: about(nullable(text), 'Null in a dry run.'),
        isUpdate: about(flag, 'Whether it is one more commit of a proposal.'),
        url: about(nullable(text), 'The page of the pull request; null where there is none yet.'),
        link: about(nullable(text), 'The page that opens one; null where the host is not known.'),
        reason: about(nullable(text), 'Why the host opened none.'),
        problems,
      }),
    ],
  },
  ProposalList: object({
    proposals: list(
      object({
        ...{ branch: text, commit: text, title: text, author: text, changed: integer, files: list(text) },
        state: about(oneOf('open', 'conflicts'), '`conflicts`: with what is live by now.'),
        comments: about({ type: ['integer', 'null'] }, 'Null where that is not known.'),
        url: about(nullable(text), 'The page of the pull request; null where there is none.'),
        link: about(nullable(text), 'The page that opens one; null where the host is not known.'),
      }),
    ),
    away: about(
      nullable(object({ what: oneOf('remote', 'host'), reason: text })),
      'What could not be reached; null for nothing.',
    ),
  }),
  Icons: object({
    ...{ total: integer, icons: list(text) },
    drawn: about(list(text), 'The names with a drawing.'),
  }),
  Routes: object({
    total: integer,
    routes: list(
      object({
        ...{ name: text, title: text, pattern: text },
        titles: about({ type: 'object', additionalProperties: text }, 'The titles by locale.'),
        labels: about(list(text), 'Some labels of items that lead there.'),
        needs: about(list(text), 'The permissions that all of these items have in common, in words.'),
        parameters: list(object({ name: text, required: flag, values: list(text) })),
      }),
    ),
  }),
}
