import * as assert from 'uvu/assert'
import { toReadiness } from '../../src/http/health.js'
import { toProblem } from '../../src/model/problem.js'
import type { Snapshot } from '../../src/model/snapshot.js'
import { snapshotOf } from '../support/snapshot-of.js'
import { closing, test } from '../support/test.js'
import { createJudge, descriptionOf } from './description.js'
import { exchange } from './raw.js'
import { menuText, openSite } from './sites.js'

const TOKEN = 'an-admin-token-of-thirty-two-characters'
const MENUS = { 'main.yaml': menuText('main', 'Home') }
const BROKEN = { ...MENUS, 'broken.yaml': 'version: 1\ncode: broken\nname: Broken\nitems:\n  - label: A\n' }

interface Health {
  readonly status: string
  readonly revision: string
  readonly version?: string
  readonly remote?: object
  readonly errors: number
  readonly problems?: readonly { readonly at: string; readonly code: string; readonly what: string }[]
}

const fine = await openSite(MENUS)
const degraded = await openSite(BROKEN, { adminToken: TOKEN })
test.after(async () => {
  await fine.close()
  await degraded.close()
})

async function ready(site: typeof fine, headers: Readonly<Record<string, string>> = {}): Promise<Health> {
  const { status, json } = await site.ask('/readyz', { headers })
  assert.is(status, 200)
  return json() as Health
}

/** Nothing but menus can be wrong. */
const MENUS_ALONE = { remote: () => null, problems: () => [] }

test('E12: /livez is live with any files', async () => {
  for (const site of [fine, degraded]) {
    const { status, json } = await site.ask('/livez')
    assert.equal([status, json()], [200, { status: 'ok' }])
  }
})

test('E12: /readyz is ok while all files are fine, and reports the served revision', async () => {
  const { status, revision } = await ready(fine)
  assert.is(status, 'ok')
  assert.match(revision, /^[\w-]{8,}$/)
  assert.is((await ready(fine)).revision, revision)
  const same = closing(await openSite(MENUS))
  assert.is((await ready(same)).revision, revision)
  const other = closing(await openSite({ 'main.yaml': menuText('main', 'Other') }))
  assert.is.not((await ready(other)).revision, revision)
})

test('E12: /readyz is degraded if a file has errors, and names the place to this machine', async () => {
  const { status, problems } = await ready(degraded)
  assert.is(status, 'degraded')
  assert.equal(
    problems?.map(({ at, code }) => [at.split(':')[0], code]),
    [['broken.yaml', 'link-without-destination']],
  )
  assert.match(problems?.[0]?.at ?? '', /^broken\.yaml:5:\d+$/)
})

test('E12: a warning does not degrade', async () => {
  const warned = JSON.stringify({
    version: 1,
    code: 'w',
    name: 'W',
    items: [{ label: { fr: 'A' }, url: '/' }],
  })
  const site = closing(await openSite({ 'w.yaml': warned }))
  const { status, problems } = await ready(site)
  assert.is(status, 'ok')
  assert.ok((problems ?? []).length > 0)
})

test('D27: a Host or proxy header that pretends to be this machine gets neither places nor version', async () => {
  const pretending = [
    { host: 'evil.example' },
    { host: 'localhost.evil.example:4400' },
    { 'x-forwarded-for': '203.0.113.7' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-for': '::1, 127.0.0.1' },
    { 'x-forwarded-host': 'localhost' },
    { 'x-real-ip': '127.0.0.1' },
    { via: '1.1 localhost' },
    { forwarded: 'for=127.0.0.1' },
  ]
  for (const headers of pretending) {
    const health = await ready(degraded, headers)
    assert.is(health.status, 'degraded')
    assert.not(Object.hasOwn(health, 'problems'), JSON.stringify(headers))
    assert.not(Object.hasOwn(health, 'version'), JSON.stringify(headers))
    assert.not.match(JSON.stringify(health), /broken\.yaml/)
  }
})

test('D27: an absolute target of another host than the Host header gets no places', async () => {
  for (const target of ['http://evil.example/readyz', 'http://localhost/readyz']) {
    const { status, json } = await degraded.ask(target, { headers: { host: '127.0.0.1' } })
    assert.equal([status, Object.hasOwn(json() as Health, 'problems')], [200, false], target)
  }
  const same = await degraded.ask('http://127.0.0.1/readyz', { headers: { host: '127.0.0.1' } })
  assert.ok(Object.hasOwn(same.json() as Health, 'problems'))
})

test('E12: insiders get the version that runs', async () => {
  assert.is((await ready(fine)).version, '0.0.0')
  const far = { host: 'menus.example', authorization: `Bearer ${TOKEN}` }
  assert.is((await ready(degraded, far)).version, '0.0.0')
})

test('E12: the admin token gets the places from anywhere, and nothing that is nearly the token does', async () => {
  const far = { 'x-forwarded-for': '203.0.113.7' }
  const told = async (authorization: string) =>
    Object.hasOwn(await ready(degraded, { ...far, authorization }), 'problems')
  assert.ok(await told(`Bearer ${TOKEN}`))
  assert.ok(await told(`bearer ${TOKEN}`))
  for (const wrong of [
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    'Bearer',
    'Bearer ',
    `Basic ${TOKEN}`,
    TOKEN,
  ])
    assert.not(await told(wrong), wrong)
})

test('E12: without a configured token no token opens anything', async () => {
  for (const token of ['null', 'undefined', TOKEN]) {
    const headers = { 'x-forwarded-for': '203.0.113.7', authorization: `Bearer ${token}` }
    assert.not(Object.hasOwn(await ready(fine, headers), 'problems'), token)
  }
})

test('D27: headers from a trusted proxy do not make the client an insider', async () => {
  const config = { server: { trusted_proxies: ['127.0.0.0/8', '10.0.0.0/8'] } }
  const site = closing(await openSite(BROKEN, { config }))
  for (const chain of ['203.0.113.7', '127.0.0.1, 203.0.113.7', '127.0.0.1'])
    assert.not(Object.hasOwn(await ready(site, { 'x-forwarded-for': chain }), 'problems'), chain)
})

test('D27: with an address or a proxy through which others come, the admin token alone decides', async () => {
  for (const server of [
    { public_url: 'https://menus.example' },
    { public_url: 'http://localhost:4400' },
    { host: '0.0.0.0' },
    { host: '::' },
    { host: 'menus.internal' },
    { trusted_proxies: ['10.0.0.0/8'] },
  ]) {
    const site = closing(await openSite(BROKEN, { config: { server }, adminToken: TOKEN }))
    const health = await ready(site)
    assert.equal(
      ['problems', 'version'].filter((name) => name in health),
      [],
      JSON.stringify(server),
    )
    assert.ok('problems' in (await ready(site, { authorization: `Bearer ${TOKEN}` })))
  }
  const site = closing(await openSite(BROKEN, { config: { server: { host: '::1' } } }))
  assert.ok('problems' in (await ready(site)))
})

test('D27: a request in the version of HTTP that some proxies speak gets no places', async () => {
  const { host } = new URL(degraded.url)
  for (const [version, has] of [
    ['1.0', false],
    ['1.1', true],
  ] as const) {
    const { text } = await exchange(
      degraded.url,
      `GET /readyz HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    )
    assert.is(text.includes('"problems"'), has, text)
  }
})

test('A remote repository that cannot be reached degrades the service: everyone sees which commit is served, and insiders why', async () => {
  const site = closing(await openSite(MENUS, { adminToken: TOKEN }))
  assert.not('remote' in (await ready(site)))
  const commit = '0'.repeat(40)
  let reason: string | null = null
  // The source may know more.
  const more = { address: 'https://git.example', error: 'refused' }
  site.counting.follow(() => ({ commit, behindSeconds: 90.4, reason, ...more }))
  for (const [headers, shown] of [
    [{}, { reason: 'no route to host' }],
    [{ host: 'menus.example' }, {}],
  ] as const) {
    reason = null
    const { status, remote } = await ready(site, headers)
    assert.equal([status, remote], ['ok', { status: 'ok', commit, behindSeconds: 90 }])
    reason = 'no route to host'
    const later = await ready(site, headers)
    assert.is(later.status, 'degraded')
    assert.equal(later.remote, { status: 'unreachable', commit, behindSeconds: 90, ...shown })
    createJudge(await descriptionOf(site))('GET /readyz', await site.ask('/readyz', { headers }))
  }
})

test('A problem besides menus degrades the service, and insiders see its place first', async () => {
  const site = closing(await openSite(BROKEN, { adminToken: TOKEN }))
  const before = await ready(site)
  const what = 'The users file cannot be used.'
  site.counting.report(() => [toProblem({ code: 'users-file', path: 'ops/users', line: 2, what })])
  const { status, errors, problems } = await ready(site)
  assert.equal([status, errors], ['degraded', before.errors + 1])
  assert.equal([problems?.[0]?.at, problems?.[0]?.what], ['ops/users:2:1', what])
  assert.not.ok('problems' in (await ready(site, { host: 'menus.example' })))
})

test('A header with a name that objects have, such as __proto__, is no failure', async () => {
  const request = 'GET /readyz HTTP/1.1\r\nHost: localhost\r\n__proto__: a\r\nConnection: close\r\n\r\n'
  assert.match((await exchange(degraded.url, request)).text, 'HTTP/1.1 200')
})

test('E12: health is never cached', async () => {
  for (const path of ['/livez', '/readyz'])
    assert.is((await fine.ask(path)).headers['cache-control'], 'no-store')
})

test('A problem of the menus folder itself is at the menus folder, not at a line', () => {
  const path = ''
  const missing = toProblem({ code: 'folder-missing', path, what: 'The menus folder /m cannot be read.' })
  const { problems } = toReadiness(snapshotOf({}, { folderProblems: [missing] }), false, '1.0.0', MENUS_ALONE)
  assert.is(problems?.[0]?.at, 'the menus folder')
})

test('The problems of a snapshot are counted once, for any number of requests', () => {
  const snapshot = snapshotOf(BROKEN)
  let looks = 0
  const watched: Snapshot = Object.defineProperty({ ...snapshot }, 'problems', {
    get: () => {
      looks++
      return snapshot.problems
    },
  })
  const first = toReadiness(watched, false, '1.0.0', MENUS_ALONE)
  const once = looks
  assert.equal(toReadiness(watched, false, '1.0.0', MENUS_ALONE), first)
  assert.not.ok('problems' in toReadiness(watched, true, null, MENUS_ALONE))
  assert.is(toReadiness(watched, true, null, MENUS_ALONE).status, 'stopping')
  assert.is(looks, once)
})

test.run()
