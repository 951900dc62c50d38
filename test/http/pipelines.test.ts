import { once } from 'node:events'
import { connect } from 'node:net'
import * as assert from 'uvu/assert'
import { bigMenu } from '../hostile/http/built-service.js'
import { eventually } from '../support/eventually.js'
import { get } from '../support/http.js'
import { listening } from '../support/listening.js'
import { closing, test } from '../support/test.js'
import { HELD, withHeld } from './held.js'
import { exchange, statusesOf } from './raw.js'
import { menuText, openSite } from './sites.js'

const MENUS = { 'main.yaml': menuText('main', 'Home'), 'other.yaml': menuText('other', 'Other') }
const HOLDING = { policies: `export const prepareRequest = () => ${HELD}` }

const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
const LAST = ask('/livez', 'Connection: close\r\n')

/** The labels of the menus in some answers, in order. */
const labelsIn = (text: string): string[] =>
  [...text.matchAll(/"label":"(\w+)"/g)].map(([, label = '']) => label)

test('D23: sixty requests sent ahead are all answered, in their order', async () => {
  const { url } = closing(await openSite(MENUS))
  const paths = Array.from({ length: 60 }, (_, place) => (place % 3 === 0 ? 'other' : 'main'))
  const told = await exchange(url, paths.map((path) => ask(`/api/menu/${path}`)).join('') + LAST)
  assert.equal(statusesOf(told), Array(61).fill(200))
  assert.equal(
    labelsIn(told.text),
    paths.map((path) => (path === 'other' ? 'Other' : 'Home')),
  )
})

test('D23: requests split anywhere between two packets are read correctly', async () => {
  const { url } = closing(await openSite(MENUS))
  const text = ask('/api/menu/main').repeat(9) + LAST
  for (const size of [1, 7, 45]) {
    const parts = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
    const told = await exchange(url, '', { every: parts, pause: 1 })
    assert.equal(statusesOf(told), Array(10).fill(200), `${size} bytes at a time`)
  }
})

test('D23: bodies behind requests sent ahead are skipped, even if they resemble the ends of requests', async () => {
  const { url } = closing(await openSite(MENUS))
  const body = '\r\n\r\n'.repeat(5_000)
  const post = `POST /api/menu/main HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const told = await exchange(url, (post + ask('/api/menu/main')).repeat(20) + LAST)
  assert.equal(statusesOf(told), [...Array(20).fill([405, 200]).flat(), 200])
})

test('D23: a client that sends more than 64 requests ahead is disconnected, which is counted, and others are served', async () => {
  const { url, ask: get, events } = closing(await openSite(MENUS, HOLDING))
  await withHeld(async (held) => {
    const waiting = exchange(url, ask('/api/menu/main').repeat(63) + LAST)
    await eventually(() => assert.is(held.length, 63))
    assert.equal(statusesOf(await exchange(url, ask('/api/menu/main').repeat(100))), [])
    assert.is(held.length, 63, 'no request of the flood is begun')
    assert.is(events.filter(({ event }) => event === 'connection_flooded').length, 1)
    assert.is((await get('/livez')).status, 200)
    for (const done of held) done()
    assert.equal(statusesOf(await waiting), Array(64).fill(200))
  })
})

test('D23: after 20 floods, new connections from the same network are closed unread, and other networks are served', async () => {
  const { url, events } = closing(await openSite(MENUS))
  const flooded = (): number => events.filter(({ event }) => event === 'connection_flooded').length
  const floods: Promise<unknown>[] = []
  // A machine that holds us up for two seconds amid the floods makes them two lots.
  await eventually(async () => {
    const wanted = flooded() + 21
    for (let i = 0; i < 21; i++) floods.push(exchange(url, ask('/api/menu/main').repeat(100)))
    await eventually(() => assert.ok(flooded() >= wanted))
    assert.equal(statusesOf(await exchange(url, LAST)), [])
  })
  // The other addresses of the loopback exist on Linux only.
  if (process.platform === 'linux') assert.is((await get(`${url}/livez`, { from: '127.0.0.2' })).status, 200)
  await eventually(async () => assert.equal(statusesOf(await exchange(url, LAST)), [200]))
  await Promise.all(floods)
})

test('D23: a client that asks for more while it leaves more than 1 MB unread is disconnected', async () => {
  const { url, events } = closing(await openSite({ 'big.yaml': bigMenu('big', 2_000, 'x'.repeat(300)) }))
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause()
  const closed = once(socket, 'close')
  socket.on('error', () => {}).write(ask('/api/menu/big').repeat(40))
  await eventually(() => assert.ok(events.some(({ event }) => event === 'connection_flooded')))
  socket.resume()
  await closed
})

test('D23: a mounted handler refuses a request where twice limits.connections wait for their preparation', async () => {
  const { handler } = closing(await openSite(MENUS, { ...HOLDING, config: { limits: { connections: 2 } } }))
  await withHeld(async (held) => {
    const url = await listening((request, response) => handler(request, response))
    const waiting = Array.from({ length: 4 }, () => get(`${url}/api/menu/main`))
    await eventually(() => assert.is(held.length, 4))
    const refused = await get(`${url}/api/menu/main`)
    assert.equal([refused.status, refused.headers['retry-after']], [503, '1'])
    assert.is((refused.json() as { code: string }).code, 'overloaded')
    for (const done of held) done()
    for (const { status } of await Promise.all(waiting)) assert.is(status, 200)
    const later = get(`${url}/api/menu/main`)
    await eventually(() => assert.is(held.length, 5))
    held[4]?.()
    assert.is((await later).status, 200)
  })
})

test.run()
