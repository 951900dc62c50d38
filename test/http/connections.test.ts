import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createConnections } from '../../src/http/connections.js'
import { eventually } from '../support/eventually.js'
import { HELD, withHeld } from './held.js'
import { type OpenSite, withSite } from './sites.js'

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const CAP = { config: { limits: { connections: 3 } } }

/** Opens connections to a site, one after the other. */
async function open({ url }: Pick<OpenSite, 'url'>, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let place = 0; place < count; place++) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    sockets.push(socket)
  }
  return sockets
}

/** What comes back on a connection before it closes, at most the first part. */
async function answerOf(socket: Socket, text: string): Promise<string> {
  const told = Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.write(text)
  const [part] = (await told) as unknown[]
  return Buffer.isBuffer(part) ? part.toString('latin1') : ''
}

test('D13: one connection too many takes the place of the one that has been silent for longest', async () => {
  await withSite({}, CAP, async (site) => {
    const [first, second, third] = await open(site, 3)
    assert.match(await answerOf(first as Socket, GET('/livez')), /^HTTP\/1\.1 200/)
    const closed = once(second as Socket, 'close')
    const [fourth] = await open(site, 1)
    assert.match(await answerOf(fourth as Socket, GET('/livez')), /^HTTP\/1\.1 200/)
    await closed
    // Whoever said something since is served on.
    assert.match(await answerOf(first as Socket, GET('/livez')), /^HTTP\/1\.1 200/)
    for (const socket of [first, third, fourth]) socket?.destroy()
  })
})

test('D13: hundreds of clients that send nothing, or half a request, lock no other client out', async () => {
  await withSite({}, { config: { limits: { connections: 50 } } }, async (site) => {
    const half = await open(site, 300)
    for (const socket of half) socket.write('GET /livez HTT')
    for (let times = 0; times < 20; times++) assert.is((await site.ask('/livez')).status, 200)
    for (const socket of half) socket.destroy()
  })
})

test('D13: connections that wait for their answer keep their place, and the new one is refused, loudly', async () => {
  const policies = `export const prepareRequest = ({ url }) => url.includes('slow') && ${HELD}`
  await withSite({}, { ...CAP, policies }, (site) =>
    withHeld(async (held) => {
      const busy = await open(site, 3)
      const answers = busy.map((socket) => answerOf(socket, GET('/api/menu/slow')))
      await eventually(() => assert.is(held.length, 3))
      const [late] = await open(site, 1)
      assert.is(await answerOf(late as Socket, GET('/livez')), '')
      await eventually(() => assert.ok(site.events.some(({ event }) => event === 'connection_refused')))
      for (const done of held) done()
      for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1\.1 200/)
      for (const socket of busy) socket.destroy()
    }),
  )
})

test('D13: a connection is ended once it has been idle for its time, and not while it is used or waits', async () => {
  const server = createServer({ keepAliveTimeout: 0 }, (_, response) => take(response))
  const held: ServerResponse[] = []
  const take = createConnections(server, {
    max: 10,
    keepAliveSeconds: 2,
    answer: (response) => (response.req.url === '/held' ? held.push(response) : response.end('ok')),
    onEnd: () => {},
    onRefused: () => {},
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [idle, used, waiting] = (await open({ url }, 3)) as [Socket, Socket, Socket]
  const ends = new Map<Socket, number>()
  for (const socket of [idle, used, waiting]) socket.on('close', () => ends.set(socket, performance.now()))
  await answerOf(idle, GET('/'))
  const since = performance.now()
  const answered = answerOf(waiting, GET('/held'))
  while (!ends.has(idle) && performance.now() - since < 20_000) {
    assert.match(await answerOf(used, GET('/')), /^HTTP\/1\.1 200/)
    await sleep(200)
  }
  const after = (ends.get(idle) ?? Number.NaN) - since
  assert.ok(after >= 1_000 && after <= 10_000, `${after} ms`)
  assert.is(ends.size, 1)
  held[0]?.end('ok')
  assert.match(await answered, /^HTTP\/1\.1 200/)
  await eventually(() => assert.is(ends.size, 2), { within: 20_000 })
  used.destroy()
  server.close()
})

test('An answer over a connection that is kept says for how long', () =>
  withSite({}, {}, async ({ ask }) => {
    assert.is(
      (await ask('/livez', { headers: { connection: 'keep-alive' } })).headers['keep-alive'],
      'timeout=65',
    )
    assert.is((await ask('/livez', { headers: { connection: 'close' } })).headers['keep-alive'], undefined)
  }))

test.run()
