import type { IncomingMessage } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as assert from 'uvu/assert'
import { createAttempts } from '../../../src/dashboard/access/attempts.js'
import { attempt } from '../../../src/dashboard/refusal.js'
import { figure } from '../../support/figures.js'
import { test } from '../../support/test.js'
import { type Dashboard, openDashboard, openForTest, PASSWORD, PREFIX, userLine } from './dashboards.js'

const SECONDS = 1_000
const MINUTES = 60 * SECONDS

/** A limiter with a clock of its own. */
function createTimed() {
  let time = 0
  const attempts = createAttempts(() => time)
  const wait = (milliseconds: number) => {
    time += milliseconds
  }
  const from = (account: string | null, network: string, device: string | null = null) =>
    attempts.take({ account, network, device })
  /** How many of some attempts are allowed. */
  const allowed = (count: number, account: (at: number) => string, network: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => from(account(at), network(at))).filter((each) => each === 0)
      .length
  return { ...attempts, wait, from, allowed }
}
const always = (text: string) => () => text
const each =
  (text: string) =>
  (at: number): string =>
    `${text} ${at}`

test('E5: from one network ten attempts are allowed at once, whatever the names, and then one every thirty seconds', () => {
  const { allowed, from, wait } = createTimed()
  assert.is(allowed(10_000, each('user'), always('one')), 10)
  assert.is(from('ana', 'one'), 30)
  assert.is(from('ana', 'two'), 0)
  wait(30 * SECONDS - 1)
  assert.is(from('ana', 'one'), 1)
  wait(1)
  assert.is(from('ana', 'one'), 0)
  assert.is(from('ana', 'one'), 30)
  wait(5 * MINUTES)
  assert.is(allowed(100, each('user'), always('one')), 10)
})

test('E5: for one account thirty attempts are allowed from all networks at once, and then one every ten seconds', () => {
  const { allowed, from, wait } = createTimed()
  assert.is(allowed(10_000, always('ana'), each('network')), 30)
  assert.is(from('ana', 'another'), 10)
  assert.is(from('bob', 'another'), 0)
  wait(10 * SECONDS)
  assert.is(from('ana', 'another'), 0, 'nobody waits for longer than it was told')
})

test('E5: a few networks that guess for hours keep no other network from an account', () => {
  const { allowed, from, wait } = createTimed()
  for (let round = 0; round < 1_000; round++) {
    allowed(50, always('ana'), (at) => `guesses ${at % 5}`)
    if (round % 100 === 99)
      for (const _ of [1, 2, 3]) assert.is(from('ana', `another ${round}`), 0, `${round}`)
    wait(10 * SECONDS)
  }
})

test('E5: a device on which the account has signed in has an allowance of its own', () => {
  const { allowed, from, giveBack, wait } = createTimed()
  allowed(1_000, always('ana'), each('network'))
  allowed(1_000, each('user'), always('home'))
  const tries = (device: string) => Array.from({ length: 20 }, () => from('ana', 'home', device))
  assert.equal(tries('laptop'), [...Array(10).fill(0), ...Array(10).fill(30)])
  assert.is(from('ana', 'home', 'phone'), 0)
  giveBack({ account: 'ana', network: 'home', device: 'laptop' })
  assert.is(from('ana', 'home', 'laptop'), 0)
  wait(10 * SECONDS)
  assert.is(from('ana', 'elsewhere'), 0, 'its attempts count for nobody else')
})

test('E5: wrong passwords do not block one-time links, and wrong links do not block passwords', () => {
  const { allowed, from } = createTimed()
  allowed(1_000, each('user'), always('one'))
  allowed(1_000, always('one'), each('network'))
  assert.equal(
    Array.from({ length: 12 }, () => from(null, 'one')),
    [...Array(10).fill(0), 30, 30],
  )
  for (const _ of Array.from({ length: 12 })) from(null, 'two')
  assert.is(from('ana', 'two'), 0)
})

test('E5: an attempt that is given back was none', () => {
  const { allowed, from, giveBack } = createTimed()
  for (let at = 0; at < 1_000; at++) {
    assert.is(from('ana', 'one'), 0)
    giveBack({ account: 'ana', network: 'one', device: null })
  }
  assert.is(allowed(100, always('ana'), always('one')), 10)
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
function requestFrom(address: string, cookie?: string): IncomingMessage {
  const headers = { host: 'localhost', 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address, cookie }
  const rawHeaders = ['Host', 'localhost']
  const socket = { remoteAddress: '127.0.0.1' }
  return { method: 'POST', url: PREFIX, headers, rawHeaders, socket } as unknown as IncomingMessage
}

const PROXIED = { server: { trusted_proxies: ['127.0.0.1'] } }

/** Signs in by the right password and gives the cookies of the device. */
async function enter(
  { access }: Pick<Dashboard, 'access'>,
  name: string,
  from: IncomingMessage,
): Promise<string | null> {
  const { value, fault } = await attempt(() => access.signIn.byPassword(from, name, PASSWORD))
  if (fault !== null && fault.status !== 429) throw new Error(fault.code)
  return value?.cookies.map((cookie) => cookie.split(';')[0]).join('; ') ?? null
}

/** Why a wrong password was refused. */
async function guess({ access }: Pick<Dashboard, 'access'>, from: IncomingMessage, name = 'ana') {
  return (await attempt(() => access.signIn.byPassword(from, name, 'wrong'))).fault
}

for (const [where, addressOf, most] of [
  ['one address', () => '192.0.2.1', 10],
  ['one IPv6 network', (at: number) => `2001:db8:1:2:${at.toString(16)}::1`, 10],
  ['many addresses', (at: number) => `10.1.${at >> 8}.${at & 255}`, 30],
] as const) {
  test(`E5: of 10,000 wrong passwords from ${where} few are hashed, and a device that is known signs in at once, after a restart as well`, async () => {
    const own = await openDashboard({ config: PROXIED, users: userLine('ana') })
    const { events, close } = own
    const cookie = (await enter(own, 'ana', requestFrom(addressOf(1)))) ?? ''
    const hashes = () => events.filter(({ event }) => event === 'password_hashed').length
    const counts = new Map<string, number>()
    const begun = performance.now()
    for (let at = 0; at < 10_000; at += 10) {
      const asked = Array.from({ length: 10 }, (_, place) => guess(own, requestFrom(addressOf(at + place))))
      for (const fault of await Promise.all(asked)) {
        counts.set(fault?.code ?? '', (counts.get(fault?.code ?? '') ?? 0) + 1)
        if (fault?.status === 429)
          assert.match(String(fault.headers?.['retry-after']), /^([1-9]|[1-9]\d|1\d\d)$/)
      }
    }
    assert.equal([...counts.keys()].sort(), ['sign-in-busy', 'too-many-attempts', 'wrong-password'])
    const expected = most + Math.ceil((performance.now() - begun) / 10_000)
    assert.ok(hashes() - 1 <= expected, `${hashes() - 1} of ${expected}`)
    figure(`10,000 wrong passwords from ${where}, hashed`, String(hashes() - 1), `about ${most} at once`)
    assert.is(await enter(own, 'ana', requestFrom(addressOf(1))), null, 'a device that is not known')
    assert.ok(await enter(own, 'ana', requestFrom(addressOf(1), cookie)))
    const again = own.reopen()
    for (let at = 0; at < 100; at++) await guess({ access: again }, requestFrom(addressOf(at)))
    assert.ok(await enter({ access: again }, 'ana', requestFrom(addressOf(1), cookie)))
    close()
  })
}

test('E5: thirty wrong passwords from three addresses do not block the account', async () => {
  const own = await openDashboard({ config: PROXIED, users: userLine('ana') })
  for (let at = 0; at < 30; at++) await guess(own, requestFrom(`10.0.0.${at % 3}`))
  assert.ok(await enter(own, 'ana', requestFrom('192.0.2.1')))
  own.close()
})

test('E5: a device is known for its own user alone, until the password changes', async () => {
  const users = userLine('ana') + userLine('vic', 'view')
  const own = await openDashboard({ config: PROXIED, users })
  const cookie = (await enter(own, 'ana', requestFrom('192.0.2.1'))) ?? ''
  const guessOften = async (name: string) => {
    for (let at = 0; at < 100; at++) await guess(own, requestFrom(`10.0.0.${at}`), name)
  }
  await guessOften('vic')
  assert.is(await enter(own, 'vic', requestFrom('192.0.2.1', cookie)), null)
  await guessOften('ana')
  assert.ok(await enter(own, 'ana', requestFrom('192.0.2.1', cookie)))
  own.folder.write('.menuscript/users', users.replace('ln=10', 'ln=11'))
  assert.is(await enter(own, 'ana', requestFrom('192.0.2.1', cookie)), null)
  own.close()
})

test('E6: ten sign-ins as one user at once keep no one else waiting for long', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `user-${at}`)
  const users = ['vic', ...names].map((name) => userLine(name, 'view')).join('')
  const own = await openDashboard({ config: PROXIED, users })
  const one = Array.from({ length: 10 }, () => enter(own, 'vic', requestFrom('10.0.0.1')))
  const others = names.map((name, at) => enter(own, name, requestFrom(`10.0.1.${at}`)))
  const entered = (await Promise.all(others)).filter((cookie) => cookie !== null).length
  assert.is((await Promise.all(one)).filter((cookie) => cookie !== null).length, 2)
  figure('12 who sign in while one user does ten times at once, at the first try', `${entered}`, '8')
  assert.ok(entered >= 8, `${entered}`)
  own.close()
})

test('E6: a known device has a place while strangers take all of theirs, from its own network as well', async () => {
  // Of users that exist, whose hashes here are cheap: nobody waits for long.
  const users = ['ana', ...Array.from({ length: 40 }, (_, at) => `user-${at}`)].map((name) => userLine(name))
  const own = await openDashboard({ config: PROXIED, users: users.join('') })
  const cookie = (await enter(own, 'ana', requestFrom('10.0.0.1'))) ?? ''
  const strangers = Array.from({ length: 40 }, (_, at) =>
    guess(own, requestFrom(`10.0.0.${1 + Math.floor(at / 8)}`), `user-${at}`),
  )
  assert.ok(await enter(own, 'ana', requestFrom('10.0.0.1', cookie)))
  const codes = (await Promise.all(strangers)).map((fault) => fault?.code)
  assert.is(codes.filter((code) => code === 'wrong-password').length, 10)
  own.close()
})

test('E6: forty who sign in at once are answered 401 or, where they would have to wait for long, 429', async () => {
  const config = { server: { trusted_proxies: ['127.0.0.1'] } }
  const { post } = await openForTest({ config })
  const sent = Array.from({ length: 40 }, (_, at) =>
    post(`${PREFIX}/sign-in`, { name: `${at}`, password: 'wrong' }, { 'x-forwarded-for': `10.0.0.${at}` }),
  )
  for (const { status, headers } of await Promise.all(sent)) {
    assert.ok(status === 401 || status === 429, `${status}`)
    if (status === 429) assert.is(headers['retry-after'], '3')
  }
})

test('E5: an unknown name costs as many hashes as a known one', async () => {
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
