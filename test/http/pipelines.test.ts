import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { get } from '../support/http.js'
import { HELD, withHeld } from './held.js'
import { exchange, statusesOf } from './raw.js'
import { menuText, withSite } from './sites.js'

const MENUS = { 'main.yaml': menuText('main', 'Home'), 'other.yaml': menuText('other', 'Other') }
const HOLDING = { policies: `export const prepareRequest = () => ${HELD}` }
/** As long as the heads that browsers send: short ones may be read a few at once. */
const FILLING = `X: ${'x'.repeat(300)}\r\n`
const MAX_OPEN = 8

const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
const LAST = ask('/livez', 'Connection: close\r\n')

/** The labels of the menus in some answers, in order. */
const labelsIn = (text: string): string[] =>
  [...text.matchAll(/"label":"(\w+)"/g)].map(([, label = '']) => label)

test('D23: a thousand requests sent ahead are all answered, in their order', () =>
  withSite(MENUS, {}, async ({ url }) => {
    const paths = Array.from({ length: 1_000 }, (_, place) => (place % 3 === 0 ? 'other' : 'main'))
    const told = await exchange(url, paths.map((path) => ask(`/api/menu/${path}`)).join('') + LAST)
    assert.equal(new Set(statusesOf(told)), new Set([200]))
    assert.equal(
      labelsIn(told.text),
      paths.map((path) => (path === 'other' ? 'Other' : 'Home')),
    )
  }))

test('D23: requests split anywhere between two packets are read correctly', () =>
  withSite(MENUS, {}, async ({ url }) => {
    const text = ask('/api/menu/main').repeat(9) + LAST
    for (const size of [1, 7, 45]) {
      const parts = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
      const told = await exchange(url, '', { every: parts, pause: 1 })
      assert.equal(statusesOf(told), Array(10).fill(200), `${size} bytes at a time`)
    }
  }))

test('D23: bodies behind requests sent ahead are skipped, even if they resemble the ends of requests', () =>
  withSite(MENUS, {}, async ({ url }) => {
    const body = '\r\n\r\n'.repeat(5_000)
    const post = `POST /api/menu/main HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const told = await exchange(url, (post + ask('/api/menu/main')).repeat(30) + LAST)
    assert.equal(statusesOf(told), [...Array(30).fill([405, 200]).flat(), 200])
  }))

test('D23: a client that announces its last request gets the answers to all that it has sent', () =>
  withSite(MENUS, {}, async ({ url }) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.setEncoding('latin1').end(ask('/api/menu/main').repeat(100))
    let text = ''
    for await (const part of socket) text += part
    assert.is(statusesOf({ text, milliseconds: 0 }).length, 100)
  }))

test('D23: requests sent ahead run a few at a time on each connection, and one at a time where there are many in all', () =>
  withSite(MENUS, { ...HOLDING, config: { limits: { connections: 20 } } }, ({ url }) =>
    withHeld(async (held) => {
      const text = ask('/api/menu/main', FILLING).repeat(50)
      const talks: Promise<unknown>[] = []
      for (const open of [MAX_OPEN, 2 * MAX_OPEN, 20, 21, 22]) {
        talks.push(exchange(url, text + LAST, { within: 60_000 }))
        await eventually(() => assert.is(held.length, open))
        await sleep(100)
        assert.is(held.length, open)
      }
      // They go on one by one: each answer makes room for the next request.
      const count = talks.length * 50
      for (let place = 0; place < count; place++) {
        await eventually(() => assert.ok(held[place] !== undefined, `${place} of ${count}`))
        held[place]?.()
      }
      for (const talk of await Promise.all(talks)) {
        assert.equal(statusesOf(talk as Awaited<ReturnType<typeof exchange>>), Array(51).fill(200))
      }
    }),
  ))

test('D23: so do those on connections that were open before the first one that sends too many', () =>
  withSite(MENUS, { ...HOLDING, config: { limits: { connections: 100 } } }, ({ url }) =>
    withHeld(async (held) => {
      const many = ask('/api/menu/main', FILLING).repeat(20) + LAST
      const body = 'x'.repeat(200)
      const post = `POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 * body.length}\r\n\r\n${body}`
      const within = { within: 60_000, pause: 1_000 }
      const before = [
        exchange(url, '', { ...within, every: [many] }),
        exchange(url, ask('/livez'), { ...within, every: [many] }),
        exchange(url, post, { ...within, every: [body + many] }),
      ]
      await sleep(200)
      const first = exchange(url, many, within)
      await eventually(() => assert.is(held.length, 4 * MAX_OPEN))
      await sleep(100)
      assert.is(held.length, 4 * MAX_OPEN)
      for (let place = 0; place < 4 * 20; place++) {
        await eventually(() => assert.ok(held[place] !== undefined, `${place}`))
        held[place]?.()
      }
      const answers = (await Promise.all([first, ...before])).map(statusesOf)
      const all = Array(21).fill(200)
      assert.equal(answers, [all, all, [200, ...all], [405, ...all]])
    }),
  ))

test('D23: a request without a host, or with an unknown expectation, counts like any other', () =>
  withSite(MENUS, HOLDING, ({ url }) =>
    withHeld(async (held) => {
      const odd = `GET /livez HTTP/1.1\r\n${FILLING}Expect: tea\r\n\r\n`.repeat(2 * MAX_OPEN)
      const talk = exchange(url, ask('/api/menu/main') + odd + ask('/api/menu/other') + LAST)
      await eventually(() => assert.is(held.length, 1))
      await sleep(100)
      assert.is(held.length, 1)
      held[0]?.()
      await eventually(() => assert.is(held.length, 2))
      held[1]?.()
      assert.equal(statusesOf(await talk), [200, ...Array(2 * MAX_OPEN).fill(417), 200, 200])
    }),
  ))

test('D23: a mounted handler refuses a request where twice limits.connections wait for their preparation', () =>
  withSite(MENUS, { ...HOLDING, config: { limits: { connections: 2 } } }, ({ handler }) =>
    withHeld(async (held) => {
      const server = createServer((request, response) => handler(request, response)).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
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
      server.close()
    }),
  ))

test.run()
