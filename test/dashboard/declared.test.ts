import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { ROUTES } from '../../src/dashboard/routes.js'
import { createJudge, descriptionOf, type JsonObject } from '../http/description.js'
import { importFaulty } from '../support/faulty-files.js'
import type { HttpAnswer } from '../support/http.js'
import { closing, test } from '../support/test.js'
import { userLine } from './access/dashboards.js'
import { previewOf, SPECIFIC, SPOILT, withFile, withHeaders, withQuery } from './declared-refusals.js'
import {
  type Caller,
  drafted,
  GOOD,
  type Headers,
  type Request,
  type Send,
  type World,
} from './declared-requests.js'
import { listenTo } from './listening.js'
import { ADMIN, API, MENU, NESTED } from './managing.js'

const { openSite } = await importFaulty<typeof import('../http/sites.js')>(
  new URL('../http/sites.ts', import.meta.url).href,
)

interface Declared {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}
interface Schema {
  readonly allOf?: readonly {
    readonly properties?: { readonly code: { readonly enum: readonly string[] } }
  }[]
}

/** Faults of the disk and of git: a file that cannot be written has each. */
const DISK: Readonly<Record<string, string>> = {
  'read-only': 'EACCES',
  'no-space': 'ENOSPC',
  'not-written': 'EIO',
}

const CONFIG = {
  routes: { home: '/' },
  icons: ['dot.json'],
  lint: { rules: { 'unknown-route': 'error' } },
  server: { trusted_proxies: ['127.0.0.1'] },
  dashboard: { enabled: true, users_file: 'users.txt', proxy_user_header: 'x-user' },
}
const POLICIES = `
  export function resolveOperator({ headers }) {
    if (headers['x-throw'] !== undefined) throw new Error('hook')
    return null
  }
  export function resolveMenuCode({ headers }, hint) {
    if (headers['x-fail'] !== undefined) throw new Error('hook')
    return hint
  }
`

async function openWorld(): Promise<World> {
  const prepare = (dir: string): void => {
    writeFileSync(
      join(dir, 'users.txt'),
      userLine('ana') + userLine('vic', 'view') + userLine('mia', 'manage'),
    )
    writeFileSync(join(dir, 'dot.json'), '{"prefix": "own", "icons": {"dot": {"body": "<path/>"}}}')
  }
  const menus = {
    'main.yaml': MENU,
    'nested.yaml': NESTED.replace('main', 'nested'),
    'broken.yaml': 'code: [',
  }
  const options = { adminToken: ADMIN, hasDashboard: true, config: CONFIG, policies: POLICIES, prepare }
  const site = closing(await openSite(menus, options))
  const tokens = new Map<string, string>()
  const csrfOf = async (user: string): Promise<string> => {
    const { csrf } = (await site.ask(`${API}/session`, { headers: { 'x-user': user } })).json() as {
      csrf: string
    }
    tokens.set(user, csrf)
    return csrf
  }
  const headersOf = async (caller: Caller): Promise<Headers> => {
    if (caller === 'none') return { origin: site.url }
    if (caller === 'token') return { authorization: `Bearer ${ADMIN}`, origin: site.url }
    const user = caller === 'view' ? 'vic' : caller === 'manage' ? 'mia' : 'ana'
    return { 'x-user': user, origin: site.url, 'x-csrf-token': tokens.get(user) ?? (await csrfOf(user)) }
  }
  const as =
    (caller: Caller): Send =>
    async (operation, { path, body, headers = {} }) => {
      const [method = ''] = operation.split(' ')
      const type = operation === 'PUT /source' ? 'text/yaml' : 'application/json'
      const own = {
        ...(await headersOf(caller)),
        ...(body !== undefined && { 'content-type': type }),
        ...headers,
      }
      if (operation === 'GET /events') {
        const stream = await listenTo(`${site.url}${API}${path}`, own)
        if (stream.status !== 200) await stream.ended
        const text = stream.status === 200 ? '' : stream.text()
        stream.leave()
        const answer = { status: stream.status, text, json: () => JSON.parse(text) }
        return { ...answer, headers: stream.headers, rawHeaders: [], body: Buffer.from(text) } as HttpAnswer
      }
      return site.ask(API + path, { method, headers: own, ...(body !== undefined && { body }) })
    }
  return { site, as }
}

/** What the description declares: of each operation its statuses of success, and its codes with their statuses. */
function declaredBy(description: JsonObject): ReadonlyMap<string, ReadonlySet<string>> {
  const paths = description['paths'] as Record<string, Record<string, Declared>>
  const found = new Map<string, ReadonlySet<string>>()
  for (const [path, item] of Object.entries(paths)) {
    if (!path.startsWith(API)) continue
    for (const [method, { responses }] of Object.entries(item)) {
      if (method === 'parameters') continue
      const outcomes = Object.entries(responses).flatMap(([status, { content = {} }]) => {
        const { allOf = [] } = content['application/problem+json']?.schema ?? {}
        const codes = allOf.flatMap(({ properties }) => properties?.code.enum ?? [])
        return codes.length === 0 ? [status] : codes.map((code) => `${status} ${code}`)
      })
      found.set(`${method.toUpperCase()} ${path.slice(API.length)}`, new Set(outcomes))
    }
  }
  return found
}

function outcomeOf({ status, text }: HttpAnswer): string {
  if (status < 400) return String(status)
  return `${status} ${(JSON.parse(text) as { code: string }).code}`
}

/** Codes that other tests reach, as they need a site of another kind, thousands of requests or a moment. */
const ELSEWHERE: readonly string[] = [
  // What another process writes at that moment: store/publish/two-processes, dashboard/saving.
  ...[
    ...['DELETE /menu', 'PUT /source', 'POST /restore', 'POST /menus', 'POST /import'],
    ...['POST /translations', 'POST /preview'],
  ].map((operation) => `${operation} 423 busy`),
  ...['', '/undo', '/redo', '/publish', '/resolve'].flatMap((step) => [
    `POST /drafts/{id}${step} 423 busy`,
    // After five thousand steps: store/drafts/.
    `POST /drafts/{id}${step} 413 draft-too-large`,
  ]),
  ...['PATCH', 'DELETE'].map((method) => `${method} /drafts/{id} 423 busy`),
  // No request of a stranger calls a hook.
  'POST /session 500 internal-error',
  // The limits of a whole service, and of what one of many may do: hostile/http/, dashboard/bodies, dashboard/access/.
  ...['overloaded', 'too-many-streams', 'sign-in-busy', 'too-many-attempts'],
  // Bodies that end too early, come too slowly, or that a host has read: dashboard/bodies, dashboard/mounted.
  ...['body-cut-off', 'body-too-slow', 'body-taken'],
  // A folder that is swapped in the middle of a save: store/publish/faults.
  'folder-swapped',
  // Drafts without number, or that were spoilt on the disk: dashboard/many-drafts, store/drafts/.
  ...['too-many-drafts', 'draft-unreadable'],
  // Menus from a remote repository: dashboard/remote.
  ...['remote-denied', 'remote-unreachable'],
  // And proposals of changes to it: dashboard/proposals.
  ...['propose-only', 'no-proposal', 'proposal-changed', 'nothing-to-propose', 'own-draft'],
  // Another address, a users file that cannot be written: dashboard/access/.
  ...['not-secure', 'not-signed-out'],
]

/** What requests get only where menus come from a remote repository, whose changes are proposed: dashboard/proposals. */
function isOfRemote(operation: string, outcome: string): boolean {
  const { problems = [] } = ROUTES[operation] ?? {}
  if (!problems.includes(NO_PROPOSALS)) return false
  const [, code] = outcome.split(' ')
  // A refusal is not remembered for its key.
  if (code === undefined || code === 'key-reused') return true
  return code !== NO_PROPOSALS && problems.some((each) => each === code)
}
const NO_PROPOSALS = 'no-proposals'

/** Calls that reach the description in every way, and notes what comes of it. */
interface Walk extends World {
  readonly declared: ReadonlyMap<string, ReadonlySet<string>>
  readonly seen: Map<string, Set<string>>
  /** What came and is not declared. */
  readonly undeclared: Set<string>
  readonly good: (operation: string, caller?: Caller) => Promise<Request>
}

async function openWalk(): Promise<Walk> {
  const world = await openWorld()
  const description = await descriptionOf(world.site)
  const judge = createJudge(description)
  const declared = declaredBy(description)
  const undeclared = new Set<string>()
  const seen = new Map([...declared.keys()].map((operation) => [operation, new Set<string>()]))
  const as: World['as'] = (caller) => async (operation, request) => {
    const answer = await world.as(caller)(operation, request)
    const outcome = outcomeOf(answer)
    // A stream has no end that could be judged.
    if (operation !== 'GET /events' || answer.status >= 400) judge(operation.replace(' ', ` ${API}`), answer)
    if (!declared.get(operation)?.has(outcome)) undeclared.add(`${operation} ${outcome}`)
    seen.get(operation)?.add(outcome)
    return answer
  }
  const walk = { ...world, as }
  const good = async (operation: string, caller: Caller = 'edit') =>
    GOOD[operation]?.(as(caller), walk) ?? { path: '' }
  return { ...walk, declared, seen, undeclared, good }
}

test('Each operation has a request that is done, and each caller gets what the description says', async () => {
  const { declared, undeclared, as, good } = await openWalk()
  assert.equal([...declared.keys()].sort(), Object.keys(GOOD).sort())
  for (const [operation, outcomes] of declared) {
    const isOpen = !outcomes.has('401 unauthorized')
    const isForEditors = outcomes.has('403 role-view')
    for (const caller of ['none', 'view', 'edit', 'manage', 'token'] as const) {
      // The draft of a caller is their own.
      const owner = caller === 'token' || caller === 'manage' ? caller : 'edit'
      const request = await good(operation, owner)
      const outcome = outcomeOf(await as(caller)(operation, request))
      const expected =
        caller === 'none' && !isOpen
          ? '401 unauthorized'
          : caller === 'view' && isForEditors
            ? '403 role-view'
            : outcomes.has(`404 ${NO_PROPOSALS}`)
              ? `404 ${NO_PROPOSALS}`
              : null
      if (expected === null) assert.match(outcome, /^2\d\d$/, `${operation} by ${caller}`)
      else assert.is(outcome, expected, `${operation} by ${caller}`)
    }
  }
  assert.equal([...undeclared], [])
})

test('Every code that the description declares occurs, and no other one', async () => {
  const { site, declared, seen, undeclared, as, good } = await openWalk()
  const editor = as('edit')
  const world = { site, as }
  for (const [operation, outcomes] of declared) {
    const codes = [...outcomes].flatMap((outcome) => outcome.split(' ')[1] ?? [])
    for (const code of codes) {
      const [spoil, caller = 'edit'] = SPOILT[code] ?? []
      const specific = SPECIFIC[`${operation} ${code}`]
      if (specific !== undefined) await editor(operation, await specific(editor, world))
      else if (spoil !== undefined) await as(caller)(operation, spoil(await good(operation)))
      else if (code === 'key-reused')
        for (const query of ['dry_run=false', ''])
          await editor(
            operation,
            withHeaders(withQuery(await good(operation), query), {
              'idempotency-key': operation.replace(' ', ''),
            }),
          )
      else if (code in DISK) {
        const isPreview = operation === 'POST /preview'
        const request = isPreview ? previewOf((await drafted(editor)).path) : await good(operation)
        const failing = isPreview ? /^(?:open|read)/ : /^(?:write|link|rename|fsync)/
        globalThis.injectFileFault = (call) => (failing.test(call) ? { code: DISK[code] ?? '' } : null)
        await editor(operation, request).finally(() => {
          globalThis.injectFileFault = null
        })
      }
    }
    // A user has at most a hundred.
    const { drafts } = (await editor('GET /drafts', { path: '/drafts' })).json() as {
      drafts: { id: string | null }[]
    }
    for (const { id } of drafts)
      if (id !== null) await editor('DELETE /drafts/{id}', { path: `/drafts/${id}` })
    if (outcomes.has('200') && outcomes.has('201'))
      await editor(operation, withQuery(await good(operation), 'dry_run=true'))
    if (outcomes.has('304')) {
      const { headers } = await editor(operation, await good(operation))
      await editor(operation, withHeaders(await good(operation), { 'if-none-match': headers['etag'] ?? '' }))
    }
    await editor(operation, await good(operation))
  }
  const { folder } = site
  const busy = [...declared].filter(
    ([operation, outcomes]) => outcomes.has('423 busy') && !ELSEWHERE.includes(`${operation} 423 busy`),
  )
  for (const [operation] of busy) {
    const request = withFile(await good(operation), 'none.yaml')
    // Git's lock counts for two seconds, from when it was seen first.
    await editor('GET /menu', { path: '/menu?file=none.yaml' })
    folder.write('.git/index.lock', '')
    await editor(operation, request)
    rmSync(join(folder.dir, '.git'), { recursive: true })
  }
  const ready = new Map<string, Request>()
  for (const operation of declared.keys()) ready.set(operation, await good(operation))
  folder.write('users.txt', 'nonsense')
  for (const [operation, outcomes] of declared)
    if (outcomes.has('503 users-unusable')) await editor(operation, ready.get(operation) ?? { path: '' })
  const left = [...declared].flatMap(([operation, outcomes]) =>
    [...outcomes]
      .filter(
        (each) =>
          !seen.get(operation)?.has(each) &&
          !isOfRemote(operation, each) &&
          ![each.split(' ')[1] ?? '', `${operation} ${each}`].some((one) => ELSEWHERE.includes(one)),
      )
      .map((each) => `${operation} ${each}`),
  )
  assert.equal({ left, undeclared: [...undeclared] }, { left: [], undeclared: [] })
})

test.run()
