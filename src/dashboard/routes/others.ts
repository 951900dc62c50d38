import { contentHash } from '../../store/hash.js'
import { matchEntityTag } from '../../web/conditional.js'
import { GLYPH_HEADERS, readGlyph } from '../deeds/glyph.js'
import { findIcons, findRoutes, listProblems } from '../deeds/lists.js'
import { explain, preview } from '../deeds/preview.js'
import { storageOf } from '../deeds/workspace.js'
import { toTag } from './call.js'
import { MERGING } from './problems.js'
import { bare, json, type Route } from './route.js'

/** Bytes of a login that anyone may send: a thousand at once must not fill the memory. */
const MAX_LOGIN = 16_384
/** Bytes of a preview: context sets as long as those of a menu request, and some thousand permissions. */
const MAX_PREVIEW = 65_536

/** Who is signed in, and what can be looked up without changing anything. */
export const OTHER_ROUTES: Readonly<Record<string, Route>> = {
  'GET /session': bare('view', {
    says: 'Who is signed in, and whether menus can be written',
    gives: { 200: 'Session' },
    run: ({ workspace }, { operator: { id: user, name, role, via, csrf } }) => ({
      value: { user, name, role, via, csrf, ...storageOf(workspace) },
    }),
  }),
  'POST /session': json(null, 'SignIn', {
    says: 'Sign in by a one-time link or a password; repeated failures get 429 with Retry-After',
    maxBytes: () => MAX_LOGIN,
    isNeverDry: true,
    gives: { 201: 'SignedIn' },
    problems: [
      ...(['wrong-link', 'wrong-password', 'not-secure', 'sign-in-busy'] as const),
      ...(['too-many-attempts', 'users-unusable'] as const),
    ],
    run: async ({ access: { signIn } }, { request, body }) => {
      const { user, cookies } = await ('link' in body
        ? signIn.byLink(request, body.link)
        : signIn.byPassword(request, body.user, body.password))
      return { status: 201, value: { user }, headers: { 'set-cookie': cookies } }
    },
  }),
  'DELETE /session': bare('view', {
    says: 'Sign out everywhere',
    isNeverDry: true,
    gives: { 204: null },
    problems: ['not-signed-out'],
    run: async ({ access }, { request, operator }) => {
      const cookie = await access.signIn.out(request, operator, null)
      return { status: 204, headers: { 'set-cookie': cookie } }
    },
  }),
  'GET /events': bare('view', {
    says: 'Server-sent events `revision` and `drafts`',
    gives: { 200: null },
    problems: ['too-many-streams'],
    run: ({ access, workspace }, { request, operator: { id: user } }) => {
      const mayStay = async (): Promise<boolean> => (await access.operatorOf(request, 'view')).id === user
      return { stream: (response) => workspace.streams.open({ request, user, mayStay }, response) }
    },
  }),
  'POST /preview': json('view', 'PreviewQuery', {
    says: 'What visitors get from a draft or a menu, and why',
    maxBytes: () => MAX_PREVIEW,
    isRead: true,
    gives: { 200: 'Preview' },
    problems: [
      ...MERGING,
      ...(['bad-path', 'invalid-menu', 'broken-file', 'bad-context-sets', 'hook-failed'] as const),
      ...(['busy', 'read-only', 'not-written'] as const),
    ],
    run: async ({ workspace }, { request, operator, body }) => ({
      value: await preview(workspace, operator, request.headers, body),
    }),
  }),
  'GET /explain': bare('view', {
    says: 'Why a request gets its menu and its items',
    query: ['code', 'locale', 'context_sets', 'permissions', 'now'],
    gives: { 200: 'Explanation' },
    problems: ['missing-parameter', 'bad-context-sets', 'hook-failed'],
    run: async ({ workspace }, { request, query }) => ({
      value: await explain(workspace, request.headers, query),
    }),
  }),
  'GET /problems': bare('view', {
    says: 'All problems, as `menuscript lint --json` prints them',
    query: ['limit'],
    gives: { 200: 'LintReport' },
    run: ({ workspace }, { query }) => ({ value: listProblems(workspace, query) }),
  }),
  'GET /icons': bare('view', {
    says: 'The names of icons',
    query: ['q', 'limit'],
    gives: { 200: 'Icons' },
    run: async ({ workspace }, { query }) => ({ value: await findIcons(workspace, query) }),
  }),
  'GET /icon': bare('view', {
    says: 'The SVG of an icon; `ETag` and `If-None-Match` spare it',
    query: ['name'],
    headers: ['If-None-Match'],
    gives: { 200: null, 304: null },
    problems: ['missing-parameter', 'no-icon'],
    run: ({ workspace }, { request, query }) => {
      const text = readGlyph(workspace, query.get('name') ?? '')
      const etag = toTag(contentHash(text))
      const headers = { ...GLYPH_HEADERS, etag }
      const isKnown = matchEntityTag(request.headers['if-none-match'] ?? '', [etag]) !== null
      return isKnown ? { status: 304, headers } : { text, headers }
    },
  }),
  'GET /routes': bare('view', {
    says: 'The routes',
    query: ['q', 'limit', 'guarded_last'],
    gives: { 200: 'Routes' },
    run: async ({ workspace }, { request, query }) => ({
      value: await findRoutes(workspace, query, request.headers['accept-language']),
    }),
  }),
}
