import { once } from 'node:events'
import { Agent, get as nodeGet } from 'node:http'
import { connect } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { standStill } from '../support/stand-still.js'
import { exchange, statusesOf } from './raw.js'
import { menuText, openSite } from './sites.js'

const MENUS = { 'main.yaml': menuText('main', 'Home') }
const SLOW = 'export const prepareRequest = () => new Promise((done) => setTimeout(done, 800))'

const openSlow = () => openSite(MENUS, { policies: SLOW })

test('E13: a request under way is answered when the service stops, and soon no new connection is taken', async () => {
  const site = await openSlow()
  const underWay = site.ask('/api/menu/main')
  await sleep(100)
  const closed = site.close()
  // Those that the kernel holds are taken first, which takes some turns of the event loop.
  await eventually(async () => {
    const asked = await site.ask('/livez').catch((error: NodeJS.ErrnoException) => error.code)
    assert.is(asked, 'ECONNREFUSED')
  })
  const { status, json } = await underWay
  assert.is(status, 200)
  assert.is((json() as unknown[]).length, 1)
  await closed
})

test('E13: while it stops, /readyz reports it on open connections, and it is still live', async () => {
  const site = await openSlow()
  const { host } = new URL(site.url)
  const line = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const later = [line('/readyz')]
  const talk = exchange(site.url, line('/api/menu/main'), { every: later, pause: 200 })
  await sleep(100)
  const closed = site.close()
  const told = await talk
  assert.equal(statusesOf(told), [200, 503])
  assert.match(told.text, /"status":"stopping"/)
  assert.match(told.text, /\r\nConnection: close\r\n/)
  await closed
})

test('E13: a client that keeps its connection open does not keep the service from stopping', async () => {
  const site = await openSlow()
  const agent = new Agent({ keepAlive: true })
  const answered = new Promise<number | undefined>((resolve, reject) => {
    nodeGet(`${site.url}/api/menu/main`, { agent }, (message) => {
      message.resume().on('end', () => resolve(message.statusCode))
    }).on('error', reject)
  })
  await sleep(100)
  const begun = performance.now()
  await site.close()
  // Long before those that are under way are given up.
  assert.ok(performance.now() - begun < 8_000, `${performance.now() - begun} ms`)
  assert.is(await answered, 200)
  agent.destroy()
})

test('E13: a request that came on a kept connection while the process was stalled is answered before that closes', async () => {
  const site = await openSite(MENUS)
  const { hostname, port, host } = new URL(site.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => (text += part))
  const over = once(socket, 'close')
  const ask = () => socket.write(`GET /api/menu/main HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  const statuses = () => statusesOf({ text, milliseconds: 0 })
  ask()
  await eventually(() => assert.equal(statuses(), [200]))
  const closed = site.close()
  await sleep(50)
  // From here on the timers come first; and longer than those who are about to ask are waited for.
  await setImmediate()
  ask()
  standStill(500)
  await over
  assert.equal(statuses(), [200, 200])
  await closed
})

test('E13: an idle service stops at once', async () => {
  let quickest = Number.POSITIVE_INFINITY
  // A machine that holds us up has it take longer: then once more.
  for (let left = 5; left > 0 && quickest >= 1_000; left--) {
    const site = await openSite(MENUS)
    await site.ask('/api/menu/main')
    const begun = performance.now()
    await site.close()
    quickest = Math.min(quickest, performance.now() - begun)
  }
  assert.ok(quickest < 1_000, `${quickest} ms`)
})

test.run()
