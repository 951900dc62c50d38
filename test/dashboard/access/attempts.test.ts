import type { IncomingMessage } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createAttempts } from '../../../src/dashboard/access/attempts.js'
import { figure } from '../../support/figures.js'
import { openDashboard, PASSWORD, PREFIX, userLine, withDashboard } from './dashboards.js'

const MINUTES = 60_000

/** A limiter with a clock of its own. */
function createTimed() {
  let time = 0
  const attempts = createAttempts(() => time)
  const wait = (milliseconds: number) => {
    time += milliseconds
  }
  /** How many of some attempts are allowed. */
  const allowed = (count: number, account: (at: number) => string, address: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => attempts.take(account(at), address(at))).filter(
      (each) => each === 0,
    ).length
  return { ...attempts, wait, allowed }
}

test('E5: from one address ten attempts are allowed in five minutes, whatever the names', () => {
  const { allowed, take, wait } = createTimed()
  assert.is(
    allowed(
      10_000,
      (at) => `user-${at}`,
      () => '192.0.2.1',
    ),
    10,
  )
  assert.is(take('ana', '192.0.2.1'), 300)
  assert.is(take('ana', '192.0.2.2'), 0)
  wait(5 * MINUTES - 1)
  assert.is(take('ana', '192.0.2.1'), 1)
  wait(1)
  assert.is(take('ana', '192.0.2.1'), 0)
})

test('E5: for one account thirty attempts are allowed from all addresses together, in any case', () => {
  const { allowed, take, wait } = createTimed()
  assert.is(
    allowed(
      10_000,
      (at) => (at % 2 === 0 ? 'ana' : 'ANA'),
      (at) => `10.0.${at >> 8}.${at & 255}`,
    ),
    30,
  )
  assert.is(take('bob', '192.0.2.1'), 0)
  wait(5 * MINUTES)
  assert.is(take('ana', '192.0.2.1'), 0, 'nobody waits for longer than the limit')
})

test('E5: wrong passwords under the name of an address keep nobody there from a link', () => {
  const { allowed, take } = createTimed()
  const named = allowed(
    10_000,
    () => '192.0.2.1',
    (at) => `10.0.${at >> 8}.${at & 255}`,
  )
  assert.is(named, 30)
  assert.is(take(null, '192.0.2.1'), 0)
})

test('E5: a user is not kept out by strangers where they signed in before', () => {
  const { allowed, take, welcome } = createTimed()
  welcome('ana', '192.0.2.1')
  allowed(
    1_000,
    () => 'ana',
    (at) => `10.0.0.${at & 255}`,
  )
  assert.ok(take('ana', '192.0.2.2') > 0)
  assert.is(
    allowed(
      20,
      () => 'ana',
      () => '192.0.2.1',
    ),
    10,
  )
})

test('E5: the network of an IPv6 client counts as one address', () => {
  const { allowed } = createTimed()
  assert.is(
    allowed(
      1_000,
      (at) => `${at}`,
      (at) => `2001:db8:1:2:${at.toString(16)}::1`,
    ),
    10,
  )
  const spellings = ['2001:db8:0:5::', '2001:0DB8::5:1:2:3:4', '2001:db8:0:5:ffff:0:0:1']
  assert.is(
    allowed(
      300,
      (at) => `${at}`,
      (at) => spellings[at % 3] ?? '',
    ),
    10,
  )
  assert.is(
    allowed(
      20,
      (at) => `${at}`,
      () => '2001:db8:0:6::1',
    ),
    10,
  )
  assert.is(
    allowed(
      20,
      (at) => `${at}`,
      () => '::1',
    ),
    10,
  )
})

test('E5: an attempt that is given back was none', () => {
  const { allowed, take, giveBack } = createTimed()
  for (let at = 0; at < 1_000; at++) {
    assert.is(take('ana', '192.0.2.1'), 0)
    giveBack('ana', '192.0.2.1')
  }
  assert.is(
    allowed(
      100,
      () => 'ana',
      () => '192.0.2.1',
    ),
    10,
  )
})

/** Bytes of what is still in use. */
function heap(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

test('E5: names of any number and length take a bounded memory', () => {
  const { allowed } = createTimed()
  const before = heap()
  const long = 'x'.repeat(20_000)
  allowed(
    15_000,
    (at) => `a${at}${long}`,
    (at) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`,
  )
  const grown = (heap() - before) / 1_048_576
  allowed(
    0,
    () => '',
    () => '',
  )
  figure('15,000 names of 20 KB, remembered in', `${grown.toFixed(1)} MB`, 'at most 10 MB')
  assert.ok(grown < 10, `${grown} MB`)
})

/** What the sign-in page gets from a trusted proxy, without the socket, of which 10,000 take a minute. */
function requestFrom(address: string): IncomingMessage {
  const headers = { host: 'localhost', 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address }
  const headersDistinct = { host: ['localhost'] }
  const socket = { remoteAddress: '127.0.0.1' }
  return { method: 'POST', url: PREFIX, headers, headersDistinct, socket } as unknown as IncomingMessage
}

for (const [where, addressOf, most] of [
  ['one address', () => '192.0.2.1', 10],
  ['many addresses', (at: number) => `10.1.${at >> 8}.${at & 255}`, 30],
] as const) {
  test(`E5: of 10,000 wrong passwords from ${where} few are hashed, and the right one works where it did before`, async () => {
    const config = { server: { trusted_proxies: ['127.0.0.1'] } }
    const { access, events, close } = await openDashboard({ config, users: userLine('ana') })
    const known = requestFrom('198.51.100.1')
    assert.ok((await access.signIn.byPassword(known, 'ana', PASSWORD)).value)
    const hashes = () => events.filter(({ event }) => event === 'password_hashed').length
    const counts = new Map<string, number>()
    for (let at = 0; at < 10_000; at += 10) {
      const requests = Array.from({ length: 10 }, (_, place) => requestFrom(addressOf(at + place)))
      const asked = requests.map((each) => access.signIn.byPassword(each, 'ana', 'wrong'))
      for (const { fault } of await Promise.all(asked)) {
        counts.set(fault?.code ?? '', (counts.get(fault?.code ?? '') ?? 0) + 1)
        if (fault?.status === 429) assert.match(fault.headers?.['retry-after'] ?? '', /^[1-9]\d*$/)
      }
    }
    assert.equal(
      [...counts],
      [
        ['wrong-password', most],
        ['too-many-attempts', 10_000 - most],
      ],
    )
    assert.is(hashes(), 1 + most)
    figure(`10,000 wrong passwords from ${where}, hashed`, String(hashes() - 1), `${most} in five minutes`)
    assert.ok((await access.signIn.byPassword(known, 'ana', PASSWORD)).value)
    close()
  })
}

test('E6: forty who sign in at once are answered 401 or, where they would have to wait for long, 429', async () => {
  const config = { server: { trusted_proxies: ['127.0.0.1'] } }
  await withDashboard({ config }, async ({ post }) => {
    const sent = Array.from({ length: 40 }, (_, at) =>
      post(`${PREFIX}/sign-in`, { name: `${at}`, password: 'wrong' }, { 'x-forwarded-for': `10.0.0.${at}` }),
    )
    for (const { status, headers } of await Promise.all(sent)) {
      assert.ok(status === 401 || status === 429, `${status}`)
      if (status === 429) assert.is(headers['retry-after'], '3')
    }
  })
})

test('E5: for a name that nobody has, as many hashes are computed as for one that somebody has', async () => {
  const dashboard = await openDashboard({ users: userLine('ana') })
  const hashes = () => dashboard.events.filter(({ event }) => event === 'password_hashed').length
  for (const [name, password] of [
    ['ana', 'wrong'],
    ['nobody', 'wrong'],
    ['local', 'wrong'],
    ['', 'wrong'],
    ['ana', 'x'.repeat(5_000)],
    ['nobody', 'x'.repeat(5_000)],
    ['ana', PASSWORD],
  ] as const) {
    const before = hashes()
    const { status, text } = await dashboard.post(`${PREFIX}/sign-in`, { name, password })
    assert.is(hashes() - before, 1, name)
    if (password !== PASSWORD) assert.equal([status, JSON.parse(text).code], [401, 'wrong-password'])
  }
  const named = dashboard.events
    .filter(({ event }) => event === 'sign_in_failed')
    .map(({ fields }) => fields['user'])
  assert.equal([...new Set(named)], ['ana', null])
  dashboard.close()
})

test.run()
