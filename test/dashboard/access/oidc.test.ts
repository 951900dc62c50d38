import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { type OpenSite, openSite, type SiteOptions } from '../../http/sites.js'
import type { HttpAnswer } from '../../support/http.js'
import { closing, test } from '../../support/test.js'
import { MENU } from '../managing.js'
import { HOME, textOfPage } from '../visiting.js'
import { userLine } from './dashboards.js'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  openProvider,
  type ProviderOptions,
  type TestProvider,
} from './providers.js'

const PUBLIC = 'https://menus.example.test'
const HOST = new URL(PUBLIC).host
const START = `${HOME}/sign-in/oidc`
const CALLBACK = `${START}/callback`
const SECRET = 'a session secret of more than thirty-two characters'

const PEOPLE = {
  'sub-1': { preferred_username: 'ana', email: 'ana@example.org', groups: ['menus-editors', 'staff'] },
  'sub-2': { preferred_username: 'vic', groups: ['staff'] },
  'sub-3': { preferred_username: 'max', groups: ['menus-editors', 'admins'] },
  'sub-4': { preferred_username: 'bob', groups: ['other'] },
  'sub-5': { preferred_username: 'ana', groups: 'staff' },
  'sub-6': { groups: ['staff'] },
}

interface Opened {
  readonly provider: TestProvider
  readonly open: (more?: object, options?: SiteOptions) => Promise<OpenSite>
}

async function openWithProvider(options: Partial<ProviderOptions> = {}): Promise<Opened> {
  const redirectUri = `${PUBLIC}${CALLBACK}`
  const provider = closing(await openProvider({ redirectUri, people: PEOPLE, ...options }))
  const oidc = {
    ...{ issuer: provider.issuer, client_id: CLIENT_ID, client_secret_file: 'client-secret', label: 'Acme' },
    scopes: ['openid', 'profile', 'email', 'groups'],
    roles: { view: ['staff'], edit: ['menus-editors'], manage: ['admins'] },
  }
  const open = async (more: object = {}, site: SiteOptions = {}) => {
    const dashboard = { session_secret: SECRET, oidc: { ...oidc, ...more } }
    const config = { server: { public_url: PUBLIC }, dashboard }
    const prepare: SiteOptions['prepare'] = (dir) => {
      writeFileSync(`${dir}/client-secret`, `${CLIENT_SECRET}\n`)
      site.prepare?.(dir)
    }
    return closing(await openSite({ 'main.yaml': MENU }, { ...site, config, prepare, hasDashboard: true }))
  }
  return { provider, open }
}

/** Somebody at a browser without JavaScript, who comes by the public name of the service. */
function look(site: OpenSite, path: string, cookie = '', headers: Readonly<Record<string, string>> = {}) {
  return site.ask(path, { headers: { host: HOST, accept: 'text/html', cookie, ...headers } })
}

/** Sends a form of a page. */
function send(site: OpenSite, path: string, cookie: string, fields: Readonly<Record<string, string>>) {
  const type = 'application/x-www-form-urlencoded'
  return site.ask(path, {
    method: 'POST',
    headers: {
      ...{ host: HOST, cookie, accept: 'text/html', 'content-type': type },
      'sec-fetch-site': 'same-origin',
    },
    body: new URLSearchParams(fields).toString(),
  })
}

/** What a browser sends back of the cookies that a response sets, without those that it ends. */
function cookiesOf({ rawHeaders }: HttpAnswer): string {
  return rawHeaders
    .filter((_, place) => rawHeaders[place - 1]?.toLowerCase() === 'set-cookie')
    .filter((line) => !line.includes('Max-Age=0'))
    .map((line) => line.split(';')[0])
    .join('; ')
}

/** Begins at a site, and goes through the provider; gives what leads back. */
async function throughProvider(
  { visit }: TestProvider,
  site: OpenSite,
  next = HOME,
): Promise<{ readonly flow: string; readonly back: string }> {
  const begun = await look(site, `${START}?${new URLSearchParams({ next })}`)
  assert.is(begun.status, 303, begun.text)
  const { pathname, search } = await visit(begun.headers['location'] ?? '')
  return { flow: cookiesOf(begun), back: `${pathname}${search}` }
}

/** Who the session of a cookie is, as `via role name id`; else the status. */
async function whoIs(site: OpenSite, cookie: string): Promise<string> {
  const { status, json } = await site.ask(`${HOME}/api/session`, { headers: { host: HOST, cookie } })
  const { via, role, name, user } = json() as Readonly<Record<string, string>>
  return status === 200 ? `${via} ${role} ${name} ${user?.replace(/#[0-9a-f]{8}$/, '#')}` : String(status)
}

async function signIn(provider: TestProvider, site: OpenSite, user: string): Promise<string> {
  provider.user = user
  const { flow, back } = await throughProvider(provider, site)
  const came = await look(site, back, flow)
  assert.equal([came.status, came.headers['location']], [303, HOME], textOfPage(came))
  return cookiesOf(came)
}

const failures = (site: OpenSite) =>
  site.events.filter(({ event }) => event === 'sign_in_failed').map(({ fields }) => fields)

test('Without users, the page to sign in shows the button alone; with some, both ways', async () => {
  const { open } = await openWithProvider()
  const alone = await look(await open(), `${HOME}/sign-in?next=${HOME}/new`)
  assert.match(textOfPage(alone), 'Sign in with Acme')
  assert.match(alone.text, `href="${START}?next=${encodeURIComponent(`${HOME}/new`)}"`)
  assert.not.match(alone.text, 'type="password"')
  const prepare = (dir: string) => {
    mkdirSync(`${dir}/.menuscript`, { recursive: true })
    writeFileSync(`${dir}/.menuscript/users`, userLine('ana'))
  }
  const both = await look(await open({}, { prepare }), `${HOME}/sign-in`)
  assert.match(both.text, 'type="password"')
  assert.match(textOfPage(both), 'Sign in with Acme')
})

test('The way to the provider has state, nonce and a PKCE challenge, and a cookie that is signed, short-lived and lax', async () => {
  const { open, provider } = await openWithProvider()
  const begun = await look(await open(), START)
  const address = new URL(begun.headers['location'] ?? '')
  const query = Object.fromEntries(address.searchParams)
  assert.is(address.origin, provider.issuer)
  assert.equal(
    [query['response_type'], query['client_id'], query['redirect_uri'], query['code_challenge_method']],
    ['code', CLIENT_ID, `${PUBLIC}${CALLBACK}`, 'S256'],
  )
  for (const name of ['state', 'nonce', 'code_challenge'])
    assert.match(query[name] ?? '', /^[\w-]{43}$/, name)
  assert.match(
    begun.headers['set-cookie'] ?? '',
    /^__Host-menuscript-oidc=[\w-]+\.[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=900$/,
  )
})

test('A sign-in that begins at one service is completed by another with the same secret, and both know the session', async () => {
  const { open, provider } = await openWithProvider()
  const [one, other] = [await open(), await open()]
  provider.user = 'sub-1'
  const { flow, back } = await throughProvider(provider, one, `${HOME}/new?code=a%26b`)
  const came = await look(other, back, flow)
  assert.equal([came.status, came.headers['location']], [303, `${HOME}/new?code=a%26b`])
  const cookie = cookiesOf(came)
  assert.match(cookie, /^__Host-menuscript=[^;]+$/)
  for (const site of [one, other]) assert.is(await whoIs(site, cookie), 'oidc edit ana ana#')
})

test('Groups give roles, the highest one, from userinfo or the ID token, in a list or as one string', async () => {
  for (const more of [{}, { conformIdTokenClaims: false }]) {
    const { open, provider } = await openWithProvider({ more })
    const site = await open()
    const found: string[] = []
    for (const sub of ['sub-1', 'sub-2', 'sub-3', 'sub-5'])
      found.push(await whoIs(site, await signIn(provider, site, sub)))
    assert.equal(found, [
      ...['oidc edit ana ana#', 'oidc view vic vic#', 'oidc manage max max#', 'oidc view ana ana#'],
    ])
    assert.is(provider.asked.includes('/me'), !('conformIdTokenClaims' in more))
  }
})

test('Users with the same name at the provider, or in the users file, are different users', async () => {
  const { open, provider } = await openWithProvider()
  const prepare = (dir: string) => {
    mkdirSync(`${dir}/.menuscript`, { recursive: true })
    writeFileSync(`${dir}/.menuscript/users`, userLine('ana', 'manage'))
  }
  const site = await open({}, { prepare })
  const users: string[] = []
  for (const sub of ['sub-1', 'sub-5', 'sub-1']) {
    const cookie = await signIn(provider, site, sub)
    const answer = await site.ask(`${HOME}/api/session`, { headers: { host: HOST, cookie } })
    users.push((answer.json() as { readonly user: string }).user)
  }
  assert.match(users.join(' '), /^ana#([0-9a-f]{8}) ana#(?!\1)[0-9a-f]{8} ana#\1$/)
})

test('A user without the claim has the name of the next one, and one of a name that nobody can have is refused', async () => {
  const people = { ...PEOPLE, 'sub-7': { preferred_username: 'e\u0007ve\n', groups: ['staff'] } }
  const { open, provider } = await openWithProvider({ people })
  const site = await open()
  assert.is(await whoIs(site, await signIn(provider, site, 'sub-6')), 'oidc view sub-6 sub-6#')
  assert.is(await whoIs(site, await signIn(provider, site, 'sub-7')), 'oidc view sub-7 sub-7#')
  const named = await open({ user_claim: 'email' })
  assert.is(
    await whoIs(named, await signIn(provider, named, 'sub-1')),
    'oidc edit ana@example.org ana@example.org#',
  )
})

test('A user in no listed group is refused with 403, unless there is a default role', async () => {
  const { open, provider } = await openWithProvider()
  provider.user = 'sub-4'
  const site = await open()
  const { flow, back } = await throughProvider(provider, site)
  const came = await look(site, back, flow)
  assert.is(came.status, 403)
  assert.match(textOfPage(came), 'none of your groups')
  assert.match(textOfPage(came), 'Sign in with Acme')
  assert.is(cookiesOf(came), '')
  assert.match(String(failures(site)[0]?.['user']), /^bob#/)
  const lenient = await open({ default_role: 'view' })
  assert.is(await whoIs(lenient, await signIn(provider, lenient, 'sub-4')), 'oidc view bob bob#')
})

test('A response with another state, without the cookie, with a forged or an old one, or used before, is refused', async () => {
  const { open, provider } = await openWithProvider()
  provider.user = 'sub-1'
  const site = await open()
  const other = await open({}, {})
  const [first, second] = [await throughProvider(provider, site), await throughProvider(provider, site)]
  const refusals: [name: string, back: string, cookie: string][] = [
    ['state', first.back.replace(/state=[^&]+/, 'state=other'), first.flow],
    ['no state', first.back.replace(/&state=[^&]+/, ''), first.flow],
    ['the cookie of another attempt', first.back, second.flow],
    ['no cookie', first.back, ''],
    ['a forged cookie', first.back, `${first.flow.slice(0, -2)}xx`],
    ['a session as a cookie', first.back, first.flow.replace('-oidc=', '=')],
    ['no code', CALLBACK, first.flow],
    ['another code', first.back.replace(/code=[^&]+/, 'code=other'), first.flow],
    ['another issuer', first.back.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example'), first.flow],
  ]
  for (const [name, back, cookie] of refusals) {
    const { status, rawHeaders } = await look(site, back, cookie)
    assert.is(status, 401, name)
    assert.not.match(rawHeaders.join('\n'), /__Host-menuscript=(?!;)/, name)
  }
  assert.is((await look(other, second.back, second.flow)).status, 303)
  const replayed = await look(site, second.back, second.flow)
  assert.is(replayed.status, 401)
  assert.match(textOfPage(replayed), 'did not succeed')
  const said = JSON.stringify(site.events)
  for (const { back, flow } of [first, second]) {
    const { code = '', state = '' } = Object.fromEntries(new URLSearchParams(back.split('?')[1]))
    for (const secret of [code, state, flow, CLIENT_SECRET]) assert.not.ok(said.includes(secret), said)
  }
  assert.ok(failures(site).every(({ reason }) => typeof reason === 'string'))
})

test('An ID token that was made for another request is refused: its nonce differs', async () => {
  const { open, provider } = await openWithProvider()
  provider.user = 'sub-1'
  const site = await open()
  const begun = await look(site, START)
  const address = new URL(begun.headers['location'] ?? '')
  address.searchParams.set('nonce', 'another')
  const { pathname, search } = await provider.visit(address.href)
  assert.is((await look(site, `${pathname}${search}`, cookiesOf(begun))).status, 401)
  assert.match(String(failures(site)[0]?.['reason']), 'nonce')
})

test('A user who refuses at the provider comes back to a page that says so, with 403', async () => {
  const { open, provider } = await openWithProvider()
  const site = await open()
  const { flow, back } = await throughProvider(provider, site)
  assert.match(back, 'error=access_denied')
  const came = await look(site, `${back}&name=eve&link=eve&signed-out=`, flow)
  assert.is(came.status, 403)
  assert.match(textOfPage(came), 'Acme did not sign you in')
  assert.not.match(came.text, 'eve')
})

test('While the provider is away, the page says so with 503 and shows the other ways; once it is back, it works', async () => {
  const { open, provider } = await openWithProvider()
  await provider.stop()
  const prepare = (dir: string) => {
    mkdirSync(`${dir}/.menuscript`, { recursive: true })
    writeFileSync(`${dir}/.menuscript/users`, userLine('ana'))
  }
  const site = await open({}, { prepare })
  assert.is((await look(site, `${HOME}/sign-in`)).status, 200)
  const away = await look(site, START)
  assert.is(away.status, 503)
  assert.match(textOfPage(away), 'Acme cannot be reached right now')
  assert.match(away.text, 'type="password"')
  assert.not.match(away.text, 'aria-invalid')
  assert.is(site.events.filter(({ event }) => event === 'oidc_unavailable').length, 1)
  await provider.start()
  assert.is(await whoIs(site, await signIn(provider, site, 'sub-1')), 'oidc edit ana ana#')
  provider.user = 'sub-1'
  const { flow, back } = await throughProvider(provider, site)
  await provider.stop()
  assert.is((await look(site, back, flow)).status, 503)
})

test('A session ends when its user signs out there, and for all when the options for groups change', async () => {
  const { open, provider } = await openWithProvider()
  const site = await open()
  const cookie = await signIn(provider, site, 'sub-1')
  const page = await look(site, HOME, cookie)
  assert.is(page.status, 200)
  const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(page.text) ?? []
  const out = await send(site, `${HOME}/sign-out`, cookie, { csrf })
  assert.is(out.status, 303)
  assert.match(out.headers['set-cookie'] ?? '', /^__Host-menuscript=; .*Max-Age=0$/)
  assert.ok(!existsSync(`${site.folder.dir}/.menuscript/users`))
  assert.is(await whoIs(await open({ roles: { view: ['staff'] } }), cookie), '401')
  assert.is(await whoIs(await open({ label: 'Acme Inc.' }), cookie), 'oidc edit ana ana#')
})

test('A user with the role manage manages the users of the users file', async () => {
  const { open, provider } = await openWithProvider()
  const site = await open()
  const cookie = await signIn(provider, site, 'sub-3')
  const page = await look(site, `${HOME}/users`, cookie)
  assert.is(page.status, 200)
  const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(page.text) ?? []
  const added = await send(site, `${HOME}/users`, cookie, { csrf, do: 'add', name: 'eve', role: 'view' })
  assert.ok(added.status < 400, textOfPage(added))
  assert.match(readFileSync(`${site.folder.dir}/.menuscript/users`, 'utf8'), /^eve view /m)
  const editor = await signIn(provider, site, 'sub-1')
  assert.is((await look(site, `${HOME}/users`, editor)).status, 403)
})

test('E8: after signing in, a browser goes nowhere but to the dashboard', async () => {
  const { open, provider } = await openWithProvider()
  provider.user = 'sub-1'
  const site = await open()
  for (const next of ['https://evil.example/', '//evil.example', '/elsewhere', `${HOME}/../../x`]) {
    const { flow, back } = await throughProvider(provider, site, next)
    assert.is((await look(site, back, flow)).headers['location'], HOME, next)
  }
})

test('Under another name of the machine, the way leads to the public name first, which has the cookie', async () => {
  const { open } = await openWithProvider()
  const site = await open()
  const { status, headers } = await site.ask(`${START}?next=${HOME}/new`)
  assert.equal(
    [status, headers['location'], headers['set-cookie']],
    [303, `${PUBLIC}${START}?next=${encodeURIComponent(`${HOME}/new`)}`, undefined],
  )
  const { status: refused } = await site.ask(START, {
    headers: { host: 'evil.example', accept: 'text/html' },
  })
  assert.is(refused, 403)
})

test('Codes that fail are limited by address, and a sign-in that works is not', async () => {
  const { open, provider } = await openWithProvider()
  provider.user = 'sub-1'
  const site = await open()
  for (let count = 0; count < 12; count++) await signIn(provider, site, 'sub-1')
  const { flow, back } = await throughProvider(provider, site)
  const wrong = back.replace(/code=[^&]+/, 'code=wrong')
  const statuses: number[] = []
  for (let count = 0; count < 12; count++) statuses.push((await look(site, wrong, flow)).status)
  assert.equal(statuses, [...new Array(10).fill(401), 429, 429])
  assert.is((await look(site, back, flow)).status, 429)
})

test('A public client needs no secret, and one that has to send it in a form does', async () => {
  const client = { token_endpoint_auth_method: 'none', client_secret: undefined }
  const { open, provider } = await openWithProvider({ client })
  const site = await open({ client_secret_file: null })
  assert.is(await whoIs(site, await signIn(provider, site, 'sub-1')), 'oidc edit ana ana#')
  const asForm = await openWithProvider({
    client: { token_endpoint_auth_method: 'client_secret_post' },
    more: { clientAuthMethods: ['client_secret_post', 'none'] },
  })
  const form = await asForm.open()
  assert.is(await whoIs(form, await signIn(asForm.provider, form, 'sub-1')), 'oidc edit ana ana#')
})

test.run()
