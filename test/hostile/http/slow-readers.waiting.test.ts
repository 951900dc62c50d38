import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { openSite } from '../../http/sites.js'
import { eventually } from '../../support/eventually.js'
import { figure } from '../../support/figures.js'
import { get } from '../../support/http.js'
import { closing, test } from '../../support/test.js'
import { bigMenu, withService } from './built-service.js'
import { getText, openSocket, openSockets } from './sockets.js'

// Answers that are larger than what the kernel takes off our hands; otherwise nobody would wait for a slow reader.

const BIG = bigMenu('big', 7_000, 'x'.repeat(900))
const LIMITS = { items: 10_000, bytes: 8_388_608 }
const ASKED = getText('/api/menu/big')
const PROMISED_MS = 15_000

/** Connections that have asked for some megabytes, a part at a time, and read nothing. */
async function deaf(port: number, count: number): Promise<Socket[]> {
  const sockets = await openSockets(port, count)
  for (const socket of sockets) socket.pause().write(ASKED)
  await sleep(500)
  return sockets
}

test('D13: a client that stops reading is disconnected within 15 s', async () => {
  const config = JSON.stringify({ limits: LIMITS })
  await withService({ 'menus/big.yaml': BIG, 'menuscript.config.json': config }, async (service) => {
    const { url, port, descriptors } = service
    await get(`${url}/livez`)
    // Its connection is gone as well.
    await sleep(1_000)
    const base = descriptors().length
    if (base === 0) {
      console.log('    This platform does not tell the descriptors of a process: this is not tried here.')
      return
    }
    const begun = performance.now()
    const sockets = await deaf(port, 5)
    await eventually(() =>
      assert.ok(
        // One of those before may have gone only now.
        descriptors().length >= base + 4,
        `They were never held: ${descriptors().length}, before ${base}`,
      ),
    )
    const gone = () => assert.ok(descriptors().length <= base, 'it is still open')
    await eventually(gone, { within: 2.5 * PROMISED_MS, every: 100 })
    const took = performance.now() - begun
    for (const socket of sockets) socket.destroy()
    figure('a reader who reads nothing is let go', `${Math.round(took)} ms`, `${PROMISED_MS} ms`)
    assert.ok(took < 2 * PROMISED_MS, `${took} ms`)
  })
})

test('D13: clients that read so slowly that they never finish do not shut others out', async () => {
  const connections = 20
  const { url, ask } = closing(
    await openSite({ 'big.yaml': BIG }, { config: { limits: { ...LIMITS, connections } } }),
  )
  const sockets = await deaf(Number(new URL(url).port), connections)
  const sip = setInterval(() => {
    for (const socket of sockets) socket.read(1_000)
  }, 500)
  let served = 0
  for (let time = 0; time < 10; time++) {
    served += await ask('/livez').then(
      ({ status }) => Number(status === 200),
      () => 0,
    )
    await sleep(100)
  }
  clearInterval(sip)
  for (const socket of sockets) socket.destroy()
  figure('slow readers hold every connection, others served', `${served} of 10`, 'all')
  assert.is(served, 10)
})

test('D13: a client that reads slowly but steadily gets the whole answer', async () => {
  const { url } = closing(await openSite({ 'big.yaml': BIG }, { config: { limits: LIMITS } }))
  const socket = await openSocket(Number(new URL(url).port))
  socket.write(getText('/api/menu/big', ['Connection: close']))
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part
    socket.pause()
    setTimeout(() => socket.resume(), 20)
  })
  await once(socket, 'end')
  const whole = (await get(`${url}/api/menu/big`)).body.length
  assert.is(text.length - text.indexOf('\r\n\r\n') - 4, whole)
})

test.run()
