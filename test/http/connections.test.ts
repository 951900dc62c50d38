import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { closing, test } from '../support/test.js'
import { HELD, withHeld } from './held.js'
import { type OpenSite, openSite } from './sites.js'

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const CAP = { config: { limits: { connections: 3 } } }

/** Opens connections to a site, one after the other. */
async function open({ url }: Pick<OpenSite, 'url'>, count: number, localAddress?: string): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let place = 0; place < count; place++) {
    const to = { port: Number(new URL(url).port), host: '127.0.0.1', ...(localAddress && { localAddress }) }
    const socket = connect(to).on('error', () => {})
    await once(socket, 'connect')
    sockets.push(socket)
  }
  return sockets
}

/** What comes back on a connection before it closes, at most the first part. */
async function answerOf(socket: Socket, text: string): Promise<string> {
  const over = new AbortController()
  const told = ['data', 'close'].map((event) => once(socket, event, over))
  socket.write(text)
  const [part] = (await Promise.race(told)) as unknown[]
  over.abort()
  await Promise.allSettled(told)
  return Buffer.isBuffer(part) ? part.toString('latin1') : ''
}

test('D13: one connection too many takes the place of the one that has been silent for longest', async () => {
  const site = closing(await openSite({}, CAP))
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

test('D13: who opens connection after connection loses their own, and a proxy keeps its pool', async () => {
  const site = closing(await openSite({}, { config: { limits: { connections: 20 } } }))
  const pool = await open(site, 8)
  for (const socket of pool) assert.match(await answerOf(socket, GET('/livez')), /^HTTP\/1\.1 200/)
  const others: Socket[] = []
  for (let place = 0; place < 60; place++) {
    const [socket] = (await open(site, 1, '127.0.0.2')) as [Socket]
    assert.match(await answerOf(socket, GET('/livez')), /^HTTP\/1\.1 200/)
    others.push(socket)
  }
  const countOpen = (sockets: readonly Socket[]) => sockets.filter(({ destroyed }) => !destroyed).length
  await eventually(() => assert.equal([countOpen(pool), countOpen(others)], [8, 12]))
  for (const socket of pool) assert.match(await answerOf(socket, GET('/livez')), /^HTTP\/1\.1 200/)
  for (const socket of [...pool, ...others]) socket.destroy()
})

test('D13: hundreds of clients that send nothing, or half a request, lock no other client out', async () => {
  const site = closing(await openSite({}, { config: { limits: { connections: 50 } } }))
  const half = await open(site, 300)
  for (const socket of half) socket.write('GET /livez HTT')
  for (let times = 0; times < 20; times++) assert.is((await site.ask('/livez')).status, 200)
  for (const socket of half) socket.destroy()
})

test('D13: connections that wait for their answer keep their place, and the new one is refused, loudly', async () => {
  const policies = `export const prepareRequest = ({ url }) => url.includes('slow') && ${HELD}`
  const site = closing(await openSite({}, { ...CAP, policies }))
  await withHeld(async (held) => {
    const busy = await open(site, 3)
    const answers = busy.map((socket) => answerOf(socket, GET('/api/menu/slow')))
    await eventually(() => assert.is(held.length, 3))
    const [late] = await open(site, 1)
    assert.is(await answerOf(late as Socket, GET('/livez')), '')
    await eventually(() => assert.ok(site.events.some(({ event }) => event === 'connection_refused')))
    for (const done of held) done()
    for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1\.1 200/)
    for (const socket of busy) socket.destroy()
  })
})

test('D13: a connection that has been silent for a while is closed, and one that waits for its answer is not', async () => {
  const policies = `export const prepareRequest = () => ${HELD}`
  const site = closing(await openSite({}, { policies }))
  await withHeld(async (held) => {
    const [silent, waiting] = (await open(site, 2)) as [Socket, Socket]
    const answer = answerOf(waiting, GET('/api/menu/slow'))
    const began = performance.now()
    await once(silent, 'close')
    const took = performance.now() - began
    assert.ok(took >= 5_000 && took <= 30_000, `${took} ms`)
    held[0]?.()
    assert.match(await answer, /^HTTP\/1\.1 200/)
    waiting.destroy()
  })
})

test('An answer over a connection that is kept says for how long', async () => {
  const { ask } = closing(await openSite({}))
  assert.is(
    (await ask('/livez', { headers: { connection: 'keep-alive' } })).headers['keep-alive'],
    'timeout=65',
  )
  assert.is((await ask('/livez', { headers: { connection: 'close' } })).headers['keep-alive'], undefined)
})

test.run()
