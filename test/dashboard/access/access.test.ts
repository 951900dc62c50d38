import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { Operator } from '../../../src/dashboard/access/operator.js'
import { createSessions, IDLE_MS, RENEW_MS } from '../../../src/dashboard/access/sessions.js'
import type { Policies } from '../../../src/service/hooks.js'
import { test } from '../../support/test.js'
import {
  type Dashboard,
  openDashboard,
  openForTest,
  PASSWORD,
  PREFIX,
  TOKEN,
  userLine,
} from './dashboards.js'

const HOUR = 3_600_000
const BEARER = { authorization: `Bearer ${TOKEN}` }

const dashboard = await openDashboard()
const { ask, post, signIn } = dashboard
test.after(() => dashboard.close())

const PROXIED = { dashboard: { proxy_user_header: 'X-Forwarded-User' } }

interface Shown {
  readonly id: string
  readonly role: string
  readonly via: string
  readonly csrf: string
}

/** Who a request is from, as `via id role`, else the status and the code of the refusal. */
async function whoIs(headers: Readonly<Record<string, string>>, { ask }: Pick<Dashboard, 'ask'> = dashboard) {
  const { status, json } = await ask(PREFIX, { headers })
  const { via, id, role, code } = json() as Shown & { readonly code: string }
  return status === 200 ? `${via} ${id} ${role}` : `${status} ${code}`
}

async function tokenOf(cookie: string, { ask }: Pick<Dashboard, 'ask'> = dashboard): Promise<string> {
  return ((await ask(PREFIX, { headers: { cookie } })).json() as Shown).csrf
}

async function codeOf(answer: ReturnType<Dashboard['ask']>): Promise<string> {
  const { status, text } = await answer
  return `${status} ${text === '' ? '' : (JSON.parse(text).code ?? '')}`.trim()
}

test('E1: without a cookie, token, proxy or hook, no one gets in, and no default password works', async () => {
  assert.is(await whoIs({}), '401 unauthorized')
  const tries = [
    ...['', 'admin', 'password', 'ana'].map((password) => ({ name: 'ana', password })),
    ...['admin', 'local', 'token', '', '__proto__', 'an\u0430'].map((name) => ({ name, password: PASSWORD })),
  ]
  const own = await openForTest()
  for (const fields of tries)
    assert.is(await codeOf(own.post(`${PREFIX}/sign-in`, fields)), '401 wrong-password', fields.name)
})

test('E5: a password that is too long to be hashed is wrong, even for a user whose password is empty', async () => {
  const own = await openForTest({ users: userLine('ana', 'edit', 1, '') })
  const fields = { name: 'ana', password: 'x'.repeat(1_025) }
  assert.is(await codeOf(own.post(`${PREFIX}/sign-in`, fields)), '401 wrong-password')
})

test('E4: the right password gives a cookie, and the cookie is its user with their role', async () => {
  const own = await openForTest()
  assert.is(await whoIs({ cookie: await own.signIn() }, own), 'session ana edit')
  assert.is(await whoIs({ cookie: await own.signIn('vic') }, own), 'session vic view')
  assert.equal(
    own.events.filter(({ event }) => event === 'signed_in').map(({ fields }) => fields['user']),
    ['ana', 'vic'],
  )
})

test('E4: a session that is used is renewed, one that is not ends, and none is older than twelve hours', async () => {
  const own = await openForTest()
  let cookie = await own.signIn()
  assert.not.ok((await own.ask(PREFIX, { headers: { cookie } })).headers['set-cookie'])
  for (let at = RENEW_MS; at < 12 * HOUR; at += HOUR) {
    own.wait(at === RENEW_MS ? RENEW_MS : HOUR)
    const { status, headers } = await own.ask(PREFIX, { headers: { cookie } })
    assert.is(status, 200)
    cookie = (headers['set-cookie'] ?? '').split(';')[0] ?? ''
  }
  own.wait(HOUR)
  assert.is(await whoIs({ cookie }, own), '401 unauthorized')
  const idle = await own.signIn()
  own.wait(IDLE_MS)
  assert.is(await whoIs({ cookie: idle }, own), '401 unauthorized')
})

test('E4: signing out ends all sessions of the user, and takes the cookie away', async () => {
  const own = await openForTest()
  const [one, other, vic] = [await own.signIn(), await own.signIn(), await own.signIn('vic')]
  const answer = await own.post(`${PREFIX}/sign-out`, { csrf: await tokenOf(one, own) }, { cookie: one })
  assert.is(answer.status, 303)
  assert.match(answer.headers['set-cookie'] ?? '', /^__Host-menuscript=; .*Max-Age=0$/)
  for (const cookie of [one, other]) assert.is(await whoIs({ cookie }, own), '401 unauthorized')
  assert.is(await whoIs({ cookie: vic }, own), 'session vic view')
  assert.is(await whoIs({ cookie: await own.signIn() }, own), 'session ana edit')
})

test('E4: another epoch or role in the file, or no line, counts with the next request', async () => {
  const own = await openForTest()
  const cookie = await own.signIn()
  own.folder.write('.menuscript/users', userLine('ana', 'view'))
  assert.is(await whoIs({ cookie }, own), 'session ana view')
  own.folder.write('.menuscript/users', userLine('ana', 'edit', 2))
  assert.is(await whoIs({ cookie }, own), '401 unauthorized')
  own.folder.write('.menuscript/users', userLine('ana', 'edit', 1))
  assert.is(await whoIs({ cookie }, own), 'session ana edit')
  own.folder.remove('.menuscript/users')
  assert.is(await whoIs({ cookie }, own), '401 unauthorized')
})

test('A users file with a broken line closes every door that needs it, names the line in the log, and heals', async () => {
  const own = await openForTest()
  const cookie = await own.signIn()
  own.folder.write('.menuscript/users', `${userLine('ana')}bob edit secret-of-bob\n`)
  assert.is(await whoIs({ cookie }, own), '503 users-unusable')
  assert.is(
    await codeOf(own.post(`${PREFIX}/sign-in`, { name: 'ana', password: PASSWORD })),
    '503 users-unusable',
  )
  assert.is(await whoIs(BEARER, own), 'token token edit')
  const lines = own.events.filter(({ event }) => event === 'users_unusable')
  assert.is(lines.length, 1)
  assert.match(String(lines[0]?.fields['reason']), /^line 2 of \S+users /)
  assert.not.match(JSON.stringify(own.events), /secret-of-bob/)
  own.folder.write('.menuscript/users', userLine('ana'))
  assert.is(await whoIs({ cookie }, own), 'session ana edit')
})

test('E3: a form of ours writes, with the token of its session', async () => {
  const cookie = await signIn()
  const csrf = await tokenOf(cookie)
  const before = dashboard.written.length
  assert.is(await codeOf(post(`${PREFIX}/write`, { csrf }, { cookie })), '200')
  const origin = `http://${dashboard.host}`
  const plain = { method: 'POST', headers: { cookie, origin }, body: `csrf=${csrf}` }
  assert.is(await codeOf(ask(`${PREFIX}/write`, plain)), '200', 'a browser without Sec-Fetch-Site')
  assert.is(await codeOf(post(`${PREFIX}/write`, {}, { cookie, 'x-csrf-token': csrf })), '200', 'a script')
  assert.is(dashboard.written.length, before + 3)
})

test('E3: a cross-site form or fetch, another origin and none are refused, whatever the token', async () => {
  const cookie = await signIn()
  const csrf = await tokenOf(cookie)
  const before = dashboard.written.length
  const foreign: Readonly<Record<string, string>>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': '' },
    { 'sec-fetch-site': 'Same-Origin' },
    { 'sec-fetch-site': 'cross-site', origin: `http://${dashboard.host}` },
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: `http://${dashboard.host}.evil.example` },
    { origin: 'http://localhost' },
    {},
  ]
  for (const headers of foreign) {
    for (const path of ['write', 'sign-in', 'sign-out']) {
      const fields = `csrf=${csrf}&name=ana&password=${encodeURIComponent(PASSWORD)}`
      const answer = ask(`${PREFIX}/${path}`, {
        method: 'POST',
        headers: { cookie, ...headers },
        body: fields,
      })
      assert.is(await codeOf(answer), '403 cross-site', JSON.stringify(headers))
    }
  }
  assert.is(dashboard.written.length, before)
})

test('E3: without the token of this very session nothing is written', async () => {
  const [cookie, vic] = [await signIn(), await signIn('vic')]
  const csrf = await tokenOf(cookie)
  for (const wrong of ['', 'x', `${csrf}x`, csrf.slice(1), csrf.toUpperCase(), await tokenOf(vic)]) {
    assert.is(await codeOf(post(`${PREFIX}/write`, { csrf: wrong }, { cookie })), '403 bad-csrf-token')
  }
  assert.is(await codeOf(post(`${PREFIX}/write`, {}, { cookie })), '403 bad-csrf-token')
})

test('E3: nothing is written by GET, HEAD or OPTIONS, not even with the admin token', async () => {
  const cookie = await signIn()
  const csrf = await tokenOf(cookie)
  const before = dashboard.written.length
  for (const method of ['GET', 'HEAD', 'OPTIONS'])
    for (const who of [{ cookie }, BEARER] as Readonly<Record<string, string>>[])
      for (const path of ['write', 'sign-out']) {
        const headers = { ...who, 'x-csrf-token': csrf, 'sec-fetch-site': 'same-origin' }
        assert.is((await ask(`${PREFIX}/${path}`, { method, headers })).status, 405, method)
      }
  const path = `${PREFIX}/sign-in?name=ana&password=${encodeURIComponent(PASSWORD)}`
  assert.not((await ask(path, { headers: { 'sec-fetch-site': 'same-origin' } })).headers['set-cookie'])
  assert.is(dashboard.written.length, before)
})

test('E3: a request with a bearer token needs no page of ours and is judged by the token alone', async () => {
  const cookie = await signIn()
  assert.is(await whoIs(BEARER), 'token token edit')
  assert.is(await whoIs({ ...BEARER, cookie }), 'token token edit')
  assert.is(await codeOf(ask(`${PREFIX}/write`, { method: 'POST', headers: BEARER })), '200')
  const evil = { ...BEARER, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  assert.is(await codeOf(ask(`${PREFIX}/write`, { method: 'POST', headers: evil })), '200')
  for (const authorization of [
    'Bearer',
    'Bearer ',
    `Bearer ${TOKEN}x`,
    'bearer x',
    `Bearer ${TOKEN} ${TOKEN}`,
  ])
    assert.is(await whoIs({ authorization, cookie }), '401 unauthorized', authorization)
  assert.is(await whoIs({ authorization: 'Basic YW5hOng=', cookie }), 'session ana edit')
  const csrf = await tokenOf(cookie)
  const wrong = post(`${PREFIX}/write`, { csrf }, { cookie, authorization: 'Bearer wrong' })
  assert.is(await codeOf(wrong), '401 unauthorized')
})

test('A bearer token signs no one in from a foreign page', async () => {
  const body = `name=ana&password=${encodeURIComponent(PASSWORD)}`
  for (const headers of [BEARER, { authorization: 'Bearer x' }]) {
    const answer = await ask(`${PREFIX}/sign-in`, { method: 'POST', headers, body })
    assert.equal([answer.status, answer.headers['set-cookie']], [403, undefined])
  }
})

test('The role view reads and does not write', async () => {
  const cookie = await signIn('vic')
  const csrf = await tokenOf(cookie)
  assert.is(await codeOf(post(`${PREFIX}/write`, { csrf }, { cookie })), '403 role-view')
})

test('E2: under a name that is not ours nothing is answered, not even with the right cookie or token', async () => {
  const cookie = await signIn()
  for (const host of ['evil.example', 'evil.example:4400', 'localhost.evil.example', '10.0.0.1']) {
    assert.is(await whoIs({ host, cookie }), '403 bad-host', host)
    assert.is(await whoIs({ host, ...BEARER }), '403 bad-host', host)
    const signing = post(`${PREFIX}/sign-in`, { name: 'ana', password: PASSWORD }, { host })
    assert.is(await codeOf(signing), '403 bad-host', host)
  }
  const twice = ask(PREFIX, { headers: ['Host', 'localhost', 'Host', 'evil.example', 'Cookie', cookie] })
  assert.is(await codeOf(twice), '403 bad-host')
  assert.is(await codeOf(ask('http://evil.example/admin/menus', { headers: { cookie } })), '403 bad-host')
  assert.is(await whoIs({ host: 'localhost:9999', cookie }), 'session ana edit')
})

test('E4: over plain HTTP from another machine, sign-in is refused with the reason', async () => {
  const openAt = (public_url: string) => openForTest({ config: { server: { public_url } } })
  const [plain, secure] = [await openAt('http://menus.example'), await openAt('https://menus.example')]
  const fields = { name: 'ana', password: PASSWORD }
  const host = { host: 'menus.example' }
  assert.is(await codeOf(plain.post(`${PREFIX}/sign-in`, fields, host)), '403 not-secure')
  assert.is((await plain.post(`${PREFIX}/sign-in`, fields)).status, 303)
  assert.is((await secure.post(`${PREFIX}/sign-in`, fields, host)).status, 303)
})

test('E11: X-Forwarded-Proto counts from a trusted proxy alone', async () => {
  for (const [trusted, expected] of [
    [['127.0.0.1'], 303],
    [['10.0.0.0/8'], 403],
  ] as const) {
    const config = { server: { public_url: 'http://menus.example', trusted_proxies: trusted } }
    const own = await openForTest({ config })
    const headers = { host: 'menus.example', 'x-forwarded-proto': 'https' }
    const { status } = await own.post(`${PREFIX}/sign-in`, { name: 'ana', password: PASSWORD }, headers)
    assert.is(status, expected)
  }
})

test('E11: the user header of a proxy counts from a trusted proxy alone, once, and with a name that is one', async () => {
  const config = { ...PROXIED, server: { trusted_proxies: ['127.0.0.1'] } }
  const own = await openForTest({ config })
  const as = (name: string) => whoIs({ 'x-forwarded-user': name }, own)
  assert.is(await as('eve@example.org'), 'proxy eve@example.org view')
  assert.is(await as('vic'), 'proxy vic view', 'a user who is in the file has the role of the file')
  assert.is(await whoIs({}, own), '401 unauthorized')
  for (const name of ['', 'a'.repeat(201), 'a\tb']) assert.is(await as(name), '403 bad-proxy-user', name)
  const twice = ['Host', own.host, 'X-Forwarded-User', 'eve', 'x-forwarded-user', 'ana']
  assert.is(await codeOf(own.ask(PREFIX, { headers: twice })), '403 bad-proxy-user')
  const headers = { 'x-forwarded-user': 'ana' }
  assert.is(await codeOf(own.post(`${PREFIX}/write`, {}, headers)), '403 bad-csrf-token')
  const { csrf } = (await own.ask(PREFIX, { headers })).json() as Shown
  assert.is(await codeOf(own.post(`${PREFIX}/write`, { csrf }, headers)), '200')
  const foreign = {
    method: 'POST',
    headers: { ...headers, origin: 'https://evil.example', 'x-csrf-token': csrf },
  }
  assert.is(await codeOf(own.ask(`${PREFIX}/write`, foreign)), '403 cross-site')
  const cookie = await own.signIn()
  assert.is(await whoIs({ ...headers, cookie }, own), 'session ana edit', 'who signed in goes over the proxy')
  const elsewhere = { ...PROXIED, server: { trusted_proxies: ['10.0.0.0/8'] } }
  const other = await openForTest({ config: elsewhere })
  assert.is(await whoIs({ 'x-forwarded-user': 'eve' }, other), '401 unauthorized')
})

test('Somebody whom only the proxy knows can view, and edit where dashboard.proxy_default_role says so', async () => {
  const server = { trusted_proxies: ['127.0.0.1'] }
  const headers = { 'x-forwarded-user': 'eve' }
  const dashboard = { ...PROXIED.dashboard, proxy_default_role: 'edit' }
  const viewing = await openForTest({ config: { ...PROXIED, server } })
  const editing = await openForTest({ config: { dashboard, server } })
  for (const [own, code] of [
    [viewing, '403 role-view'],
    [editing, '200'],
  ] as const) {
    const { csrf } = (await own.ask(PREFIX, { headers })).json() as Shown
    assert.is(await codeOf(own.post(`${PREFIX}/write`, { csrf }, headers)), code)
  }
  assert.is(await whoIs({ 'x-forwarded-user': 'VIC' }, editing), 'proxy vic view')
})

/** The header, as the bytes that a proxy sends. */
const inUtf8 = (name: string) => ({ 'x-forwarded-user': Buffer.from(name).toString('latin1') })

test('E21: a user of a proxy has one identity, and the role of the users file, in whatever case the name comes', async () => {
  const server = { trusted_proxies: ['127.0.0.1'] }
  const dashboard = { ...PROXIED.dashboard, proxy_default_role: 'edit' }
  const users = userLine('Ana', 'view') + userLine('vic', 'view')
  const own = await openForTest({ config: { dashboard, server }, users })
  for (const [name, id, role, author] of [
    ['Ana', 'ana', 'view', 'Ana'],
    ['ANA', 'ana', 'view', 'Ana'],
    ['ana', 'ana', 'view', 'Ana'],
    ['Vic', 'vic', 'view', 'vic'],
    ['\u212Aim', 'kim', 'edit', '\u212Aim'],
    ['JOS\u00C9', 'jos\u00e9', 'edit', 'JOS\u00C9'],
    ['jose\u0301', 'jos\u00e9', 'edit', 'jose\u0301'],
  ] as const) {
    const shown = (await own.ask(PREFIX, { headers: inUtf8(name) })).json() as Operator
    assert.equal([shown.id, shown.role, shown.author], [id, role, author], name)
  }
})

test('E21: a proxy that names a user of ours, 5,000 characters or control characters is refused', async () => {
  const server = { trusted_proxies: ['127.0.0.1'] }
  const dashboard = { ...PROXIED.dashboard, proxy_default_role: 'edit' }
  const own = await openForTest({ config: { dashboard, server } })
  for (const name of ['local', 'Local', 'LOCAL', 'token', 'TOKEN', 'to\u212Aen'])
    assert.is(await whoIs(inUtf8(name), own), '403 reserved-user', name)
  for (const name of ['a'.repeat(5_000), 'a\tb', 'a\u0085b', 'a\u202Eb', 'a\u00ADb', 'a\u200Bb'])
    assert.is(await whoIs(inUtf8(name), own), '403 bad-proxy-user', JSON.stringify(name))
  assert.equal(
    own.events.filter(({ event }) => /failed/.test(event)),
    [],
  )
})

test('E21: a hook that names a user of ours is refused, and one user in two cases is one operator', async () => {
  const policies: Policies = {
    resolveOperator: ({ headers }) => ({ id: String(headers['x-user']), role: 'edit' }),
  }
  const own = await openForTest({ policies, isMounted: true, users: null })
  for (const name of ['local', 'TOKEN', 'Token'])
    assert.is(await whoIs({ 'x-user': name }, own), '403 reserved-user', name)
  const [one, other] = await Promise.all(
    ['Host:Eve', 'host:EVE'].map(async (name) => {
      const { id, author, csrf } = (await own.ask(PREFIX, { headers: { 'x-user': name } })).json() as Operator
      return { id, author, csrf }
    }),
  )
  assert.equal([one?.id, one?.author], ['host:eve', 'Host:Eve'])
  assert.equal([other?.id, other?.csrf], [one?.id, one?.csrf])
})

test('E21: a name signs in in any case, as the one user that it is, and a session from before has that user, too', async () => {
  const own = await openForTest({ users: userLine('Ana') })
  for (const name of ['Ana', 'ana', 'ANA'])
    assert.is(await whoIs({ cookie: await own.signIn(name) }, own), 'session ana edit', name)
  const secret = readFileSync(join(own.folder.dir, '.menuscript/session-secret'), 'utf8')
  const before = { user: 'Ana', issued: Date.now(), seen: Date.now(), epoch: 1, given: null }
  const [cookie = ''] = createSessions(secret, HOUR).toCookie(before).split(';')
  assert.is(await whoIs({ cookie }, own), 'session ana edit')
  const csrf = await tokenOf(cookie, own)
  assert.is((await own.post(`${PREFIX}/sign-out`, { csrf }, { cookie })).status, 303)
  assert.is(await whoIs({ cookie }, own), '401 unauthorized')
  assert.match(readFileSync(join(own.folder.dir, '.menuscript/users'), 'utf8'), /^Ana edit \d{13} /m)
})

test('The hook resolveOperator says who the host knows, after prepareRequest', async () => {
  const policies: Policies = {
    prepareRequest: async (request) => {
      Object.assign(request, { user: request.headers['x-user'] })
    },
    resolveOperator: ({ user }) => (user === undefined ? null : { id: `host:${user}`, role: 'edit' }),
  }
  const own = await openForTest({ policies, isMounted: true, users: null })
  assert.is(own.access.availability.kind, 'open')
  assert.is(await whoIs({}, own), '401 unauthorized')
  assert.is(await whoIs({ 'x-user': 'eve' }, own), 'hook host:eve edit')
  const headers = { 'x-user': 'eve' }
  assert.is(await codeOf(own.post(`${PREFIX}/write`, {}, headers)), '403 bad-csrf-token')
  const { csrf } = (await own.ask(PREFIX, { headers })).json() as Shown
  assert.is(await codeOf(own.post(`${PREFIX}/write`, { csrf }, headers)), '200')
})

test('A hook that throws or returns anything else lets no one in, and reveals no reason', async () => {
  const fail = () => {
    throw new Error('secret')
  }
  const answers: (() => unknown)[] = [
    fail,
    () => undefined,
    () => true,
    () => 'ana',
    () => ({}),
    () => ({ id: 'ana' }),
    () => ({ id: 'ana', role: 'admin' }),
    () => ({ id: '', role: 'edit' }),
    () => ({ id: 7, role: 'edit' }),
    () => ({ id: 'a\nb', role: 'edit' }),
    () => ({ id: 'ana', role: 'edit', name: ' ' }),
    () => Promise.resolve({ id: 'ana', role: 'edit' }),
    () => Promise.reject(new Error('secret')),
    () => new Proxy({}, { get: fail }),
  ]
  let answer = answers[0]
  const policies = { resolveOperator: () => answer?.() as never }
  const own = await openForTest({ policies })
  for (answer of answers) {
    const { status, text } = await own.ask(PREFIX)
    assert.is(status, 500, String(answer))
    assert.not.match(text, /secret/)
  }
  answer = () => null
  assert.is(await whoIs({}, own), '401 unauthorized')
})

test.run()
