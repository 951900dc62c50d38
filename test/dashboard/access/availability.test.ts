import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../../src/config/load-config.js'
import { type AccessInputs, openAccess } from '../../../src/dashboard/access/access.js'
import { Refusal } from '../../../src/dashboard/refusal.js'
import { SILENT_LOG } from '../../../src/service/log.js'
import { createEventLog } from '../../service/services.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { test } from '../../support/test.js'
import { openForTest, PREFIX, TOKEN, userLine } from './dashboards.js'

/** What a service on a folder with these files decides at its start. */
async function doorOf(files: Readonly<Record<string, string>>, more: Partial<AccessInputs> = {}) {
  const folder = createMenusFolder(files)
  const config = await loadConfig({ folder: folder.dir, file: null, environment: {}, flags: {} })
  assert.equal(config.problems, [])
  const inputs = { policies: {}, adminToken: null, isMounted: false, log: SILENT_LOG, ...more }
  const { value, fault } = openAccess(config, inputs)
  folder.close()
  return { door: value?.availability ?? null, fault }
}

const CONFIG = 'menuscript.config.yaml'
const ELSEWHERE = { [CONFIG]: 'server: { host: 0.0.0.0 }' }
const USERS = { '.menuscript/users': userLine('ana') }

test('E1: on this machine without a login, the door opens by a link; with one, by that', async () => {
  assert.is((await doorOf({})).door?.kind, 'link')
  for (const host of ['localhost', '::1', '127.0.0.9'])
    assert.is((await doorOf({ [CONFIG]: `server: { host: "${host}" }` })).door?.kind, 'link', host)
  assert.is((await doorOf(USERS)).door?.kind, 'open')
})

/** A configuration with an OpenID Connect provider, on any address. */
function withProvider(more: object): string {
  const oidc = { issuer: 'https://login.example.org', client_id: 'menus', default_role: 'view', ...more }
  const server = { host: '0.0.0.0', public_url: 'https://menus.example.org' }
  return JSON.stringify({ server, dashboard: { oidc } })
}

test('A client secret that cannot be read, or is empty, stops the start, at the line of its option', async () => {
  for (const [files, what] of [
    [{}, /cannot be read: .*ENOENT/],
    [{ secret: ' \n' }, /is empty/],
  ] as const) {
    const config = { [CONFIG]: withProvider({ client_secret_file: 'secret' }) }
    const { door, fault } = await doorOf({ ...files, ...config })
    assert.equal([door, fault?.code, fault?.path], [null, 'bad-option', CONFIG])
    assert.match(fault?.what ?? '', what)
  }
})

test('E1: on any other address a login is needed, and the line says what to set', async () => {
  for (const host of [
    '0.0.0.0',
    '::',
    '192.0.2.1',
    '127.0.0.1.evil.example',
    'localhost.example',
    '1127.0.0.1',
  ]) {
    const { door, fault } = await doorOf({ [CONFIG]: `server: { host: "${host}" }` })
    assert.is(fault, null)
    assert.is(door?.kind, 'closed', host)
    assert.match(
      door?.kind === 'closed' ? door.what : '',
      /menuscript user add.*proxy_user_header.*resolveOperator/,
    )
  }
  const proxy =
    'dashboard: { proxy_user_header: X-User }\nserver: { host: 0.0.0.0, trusted_proxies: [10.0.0.1] }'
  assert.is((await doorOf({ [CONFIG]: proxy })).door?.kind, 'open')
  assert.is((await doorOf({ ...ELSEWHERE, ...USERS })).door?.kind, 'open')
  assert.is((await doorOf(ELSEWHERE, { policies: { resolveOperator: () => null } })).door?.kind, 'open')
  assert.is((await doorOf({ [CONFIG]: withProvider({}) })).door?.kind, 'open')
  const passwordless = { ...ELSEWHERE, '.menuscript/users': 'ana edit 1 -\nlocal edit 7 -\n' }
  assert.is((await doorOf(passwordless)).door?.kind, 'closed')
})

test('E1: the admin token is for scripts: it opens no dashboard', async () => {
  assert.is((await doorOf(ELSEWHERE, { adminToken: TOKEN })).door?.kind, 'closed')
  assert.is((await doorOf({}, { adminToken: TOKEN, isMounted: true })).door?.kind, 'closed')
})

test('E1: dashboard.enabled: true stops the start at its line if no one could sign in', async () => {
  const { fault } = await doorOf({ [CONFIG]: 'server: { host: 0.0.0.0 }\ndashboard:\n  enabled: true\n' })
  assert.equal([fault?.path, fault?.line, fault?.code], [CONFIG, 3, 'bad-option'])
  assert.is((await doorOf({ [CONFIG]: 'dashboard: { enabled: true }' })).door?.kind, 'link')
  assert.is(
    (await doorOf({ [CONFIG]: 'server: { host: 0.0.0.0 }\ndashboard: { enabled: false }' })).door?.kind,
    'off',
  )
})

test('E1: a mounted handler has a dashboard only where there is a login', async () => {
  assert.is((await doorOf({}, { isMounted: true })).door?.kind, 'closed')
  assert.is((await doorOf(USERS, { isMounted: true })).door?.kind, 'open')
})

test('A broken users file closes the dashboard, even on this machine; the message names only its line', async () => {
  const broken = [
    `${userLine('ana')}hunter2hunter2\n`,
    `${userLine('ana')}bob edit 1 hunter2hunter2\n`,
    `${userLine('ana')}bob admin 1 -\n`,
    `${userLine('ana')}Ana view 1 -\n`,
    `${userLine('ana')}<script> view 1 -\n`,
    `${userLine('ana')}${userLine('bob').slice(0, -20)}`,
  ]
  for (const users of broken) {
    for (const files of [{}, ELSEWHERE]) {
      const { door } = await doorOf({ ...files, '.menuscript/users': users })
      assert.is(door?.kind, 'closed', users)
      assert.match(door?.kind === 'closed' ? door.what : '', /^line 2 of \S+\/\.menuscript\/users /)
      assert.not.match(JSON.stringify(door), /hunter2/)
    }
  }
})

test('A closed dashboard is 404 for everyone, and accepts no link', async () => {
  const options = { config: { server: { host: '0.0.0.0' } }, users: null }
  const { ask, post, access, folder } = await openForTest(options)
  const headers = { authorization: `Bearer ${TOKEN}` }
  assert.is((await ask(PREFIX, { headers })).status, 404)
  assert.is((await post(`${PREFIX}/sign-in`, { link: 'x'.repeat(43) })).status, 404)
  assert.match(access.linkAt('http://localhost').fault ?? '', /^there is no dashboard: 0\.0\.0\.0 is not/)
  assert.equal(readdirSync(folder.dir), ['menuscript.config.json'], 'nothing is written')
})

test('E1: a link signs in once, within fifteen minutes, as local, until that one signs out', async () => {
  const { access, post, ask, wait, url } = await openForTest({ users: null })
  const tokenAt = () => new URL(access.linkAt(url).value ?? '').searchParams.get('link') ?? ''
  const open = (link: string) => post(`${PREFIX}/sign-in`, { link })
  const token = tokenAt()
  const { status, headers } = await open(token)
  assert.is(status, 303)
  assert.is((await open(token)).status, 401, 'once')
  const cookie = (headers['set-cookie'] ?? '').split(';')[0] ?? ''
  const { id, role, via, csrf } = (await ask(PREFIX, { headers: { cookie } })).json() as Record<
    string,
    string
  >
  assert.equal([id, role, via], ['local', 'edit', 'session'])
  for (const wrong of ['', '../../users', `${token}x`, 'x'.repeat(43)])
    assert.is((await open(wrong)).status, 401)
  const [early, late] = [tokenAt(), tokenAt()]
  wait(14 * 60_000)
  assert.is((await open(early)).status, 303)
  wait(60_000)
  assert.is((await open(late)).status, 401, 'in time')
  assert.is((await post(`${PREFIX}/sign-out`, { csrf: csrf ?? '' }, { cookie })).status, 303)
  assert.is((await ask(PREFIX, { headers: { cookie } })).status, 401)
  const again = await open(tokenAt())
  const next = (again.headers['set-cookie'] ?? '').split(';')[0] ?? ''
  assert.is((await ask(PREFIX, { headers: { cookie: next } })).status, 200)
})

test('E5: an address can guess at most ten links, and a valid link is not a guess', async () => {
  const { access, post, url, events } = await openForTest({ users: null })
  const open = async (link: string) => (await post(`${PREFIX}/sign-in`, { link })).status
  for (let at = 0; at < 20; at++) {
    const token = new URL(access.linkAt(url).value ?? '').searchParams.get('link') ?? ''
    assert.is(await open(token), 303)
  }
  const answers: number[] = []
  for (let at = 0; at < 20; at++) answers.push(await open('x'.repeat(43)))
  assert.equal(answers, [...Array(10).fill(401), ...Array(10).fill(429)])
  assert.is(events.filter(({ event }) => event === 'sign_in_failed').length, 10)
})

test('A GET uses no link up: programs that preview links open them', async () => {
  const { access, ask, post, url } = await openForTest({ users: null })
  const link = access.linkAt(url).value ?? ''
  const token = new URL(link).searchParams.get('link') ?? ''
  const headers = { 'sec-fetch-site': 'same-origin' }
  assert.is((await ask(link.slice(url.length), { headers })).status, 401)
  assert.is((await post(`${PREFIX}/sign-in`, { link: token })).status, 303)
})

test('E4: the secret is made once and for its owner alone; sessions outlive a restart, and a broken secret is not used', async () => {
  const folder = createMenusFolder(USERS)
  const config = await loadConfig({ folder: folder.dir, file: null, environment: {}, flags: {} })
  const secret = join(folder.dir, '.menuscript/session-secret')
  const { log, events } = createEventLog()
  const open = () => openAccess(config, { policies: {}, adminToken: null, isMounted: false, log }).value
  const cookieOf = async (access: ReturnType<typeof open>) => {
    const socket = { remoteAddress: '127.0.0.1' }
    const headers = { host: 'localhost', 'sec-fetch-site': 'same-origin' }
    const request = {
      method: 'POST',
      url: PREFIX,
      headers,
      rawHeaders: ['Host', 'localhost'],
      socket,
    } as never
    const begun = await access?.signIn.byPassword(request, 'ana', 'correct horse battery')
    return begun?.cookies[0]?.split(';')[0] ?? ''
  }
  const toCode = (thrown: unknown) => (thrown instanceof Refusal ? thrown.problem.code : thrown)
  const idOf = async (access: ReturnType<typeof open>, cookie: string) => {
    const headers = { host: 'localhost', cookie }
    const request = { method: 'GET', url: PREFIX, headers, rawHeaders: ['Host', 'localhost'] }
    return access?.operatorOf({ ...request, socket: {} } as never, 'view').then(({ id }) => id, toCode)
  }
  const cookie = await cookieOf(open())
  assert.is(statSync(secret).mode & 0o777, 0o600)
  assert.is(await idOf(open(), cookie), 'ana')
  writeFileSync(secret, 'short')
  assert.is(await idOf(open(), cookie), 'unauthorized')
  assert.ok(events.some(({ event }) => event === 'session_secret_not_kept'))
  folder.close()
})

test('Where the state folder cannot be used, users still sign in, and a link does not', async () => {
  const config = { dashboard: { users_file: 'users' }, state: { dir: 'file/state' } }
  const files = { [CONFIG]: JSON.stringify(config), file: '' }
  assert.is((await doorOf({ ...files, users: userLine('ana') })).door?.kind, 'open')
  const { door } = await doorOf(files)
  assert.match(door?.kind === 'closed' ? door.what : '', /state\.dir\) cannot be written/)
})

test('E20: a state folder in the menus folder, or around it, stops the start where there is a dashboard', async () => {
  const inside = `storage: { connections: { default: . } }\n`
  const { fault } = await doorOf({ [CONFIG]: inside })
  assert.equal([fault?.code, fault?.path], ['bad-option', 'state.dir'])
  assert.match(fault?.what ?? '', /\.menuscript \(state\.dir\) is in the menus folder/)
  const set = await doorOf({ [CONFIG]: 'state:\n  dir: menus/.state\n', ...USERS })
  assert.equal([set.fault?.path, set.fault?.line], [CONFIG, 2])
  assert.match(
    (await doorOf({ [CONFIG]: 'state: { dir: . }', users: userLine('ana') })).fault?.what ?? '',
    /holds/,
  )
  for (const config of ['dashboard: { enabled: false }', 'server: { host: 0.0.0.0 }'])
    assert.is((await doorOf({ [CONFIG]: `${inside}${config}\n` })).fault, null, config)
})

test('When signing out cannot be written, that is said, and the cookie goes all the same', async () => {
  const config = { dashboard: { users_file: 'no-folder/users' } }
  const { access, ask, post, url, events } = await openForTest({ users: null, config })
  const link = new URL(access.linkAt(url).value ?? '').searchParams.get('link') ?? ''
  const { headers } = await post(`${PREFIX}/sign-in`, { link })
  const cookie = (headers['set-cookie'] ?? '').split(';')[0] ?? ''
  const { csrf } = (await ask(PREFIX, { headers: { cookie } })).json() as { csrf: string }
  const answer = await post(`${PREFIX}/sign-out`, { csrf }, { cookie })
  assert.equal([answer.status, (answer.json() as { code: string }).code], [503, 'not-signed-out'])
  assert.match(answer.headers['set-cookie'] ?? '', /Max-Age=0/)
  assert.ok(events.some(({ event }) => event === 'sign_out_failed'))
})

test.run()
