import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { statusesOf } from '../../http/raw.js'
import { menuText } from '../../http/sites.js'
import { figure, SEED, sized } from '../../support/figures.js'
import { get } from '../../support/http.js'
import { createRandom, type Random } from '../yaml/random.js'
import { type BuiltService, bigMenu, megabytes, withService } from './built-service.js'
import { rawRequests } from './raw-requests.js'
import { openSocket } from './sockets.js'

// Rule R0: whatever bytes a visitor sends, the process lives and no answer is a failure. MENUSCRIPT_SEED repeats a run.

const REQUESTS = sized(20_000, 1_000_000)
const A_CONNECTION = 10
const AT_ONCE = 8
const PATIENCE_MS = 60_000
const MAX_GROWTH = 10 * 1_048_576
const MENUS = {
  'menus/main.yaml': menuText('main', 'Home'),
  'menus/three.yaml': menuText('main', 'Three', { id: 3 }),
  'menus/big.yaml': bigMenu('big', 200),
}

interface Told {
  readonly statuses: readonly number[]
  /** Whether the server let go of the connection in time. */
  readonly ended: boolean
}

/** Sends bytes in some parts; leaves early, now and then, without waiting for the answers. */
async function converse(port: number, bytes: Buffer, random: Random): Promise<Told> {
  const socket = await openSocket(port)
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => (text += part))
  const closed = new Promise<boolean>((resolve) => {
    const late = setTimeout(() => resolve(false), PATIENCE_MS)
    const done = () => {
      clearTimeout(late)
      resolve(true)
    }
    if (socket.destroyed) done()
    else socket.once('end', done).once('close', done)
  })
  const leaves = random.below(10) === 0
  const parts = random.below(3) === 0 ? 1 + random.below(8) : 1
  for (let part = 0; part < parts; part++) {
    const [from, to] = [part, part + 1].map((place) => Math.floor((place * bytes.length) / parts))
    if (!socket.writable) break
    socket.write(bytes.subarray(from, to))
    if (parts > 1) await sleep(random.below(3))
    if (leaves && part === parts >> 1) socket.resetAndDestroy()
  }
  if (socket.writable) socket.end()
  const ended = await closed
  socket.destroy()
  return { statuses: statusesOf({ text, milliseconds: 0 }), ended }
}

async function isWell({ url }: BuiltService): Promise<void> {
  assert.is((await get(`${url}/livez`)).status, 200)
  assert.match((await get(`${url}/api/menu/main?_context_sets=[{"id":3}]`)).text, '"label":"Three"')
}

/** Converses so often, some at once; gives the answers by status. */
async function fuzz(
  service: BuiltService,
  from: number,
  to: number,
  counts: Map<number, number>,
): Promise<void> {
  let next = from
  const converser = async (): Promise<void> => {
    while (next < to) {
      const place = next++
      const random = createRandom(SEED, place)
      const bytes = rawRequests(A_CONNECTION, random)
      const { statuses, ended } = await converse(service.port, Buffer.from(bytes, 'latin1'), random)
      const again = `seed ${SEED}, connection ${place}: ${JSON.stringify(bytes)}`
      assert.ok(ended, `not closed within ${PATIENCE_MS} ms; ${again}`)
      for (const status of statuses) {
        counts.set(status, (counts.get(status) ?? 0) + 1)
        assert.ok(status < 500, `${status}; ${again}`)
      }
      if (place % 500 === 0) await isWell(service)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, converser))
}

test(`R0: of ${REQUESTS} requests of random bytes none ends the service or is answered with a failure, and the heap comes back`, async () => {
  const connections = REQUESTS / A_CONNECTION
  const counts = new Map<number, number>()
  const log = await withService(MENUS, async (service) => {
    // What is kept on purpose is full after a while; that is no growth.
    const warm = Math.floor(connections / 4)
    await fuzz(service, 0, warm, counts)
    const base = await service.heap()
    await fuzz(service, warm, connections, counts)
    await isWell(service)
    const growth = (await service.heap()) - base
    const answers = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
    figure('HTTP fuzz', `${REQUESTS} requests, ${answers.join(', ')}, seed ${SEED}`, '0 deaths, 0 ≥ 500')
    figure('HTTP fuzz, heap', `${megabytes(base)}, after it ${megabytes(growth)} more`, 'back to base')
    assert.ok(growth < MAX_GROWTH, megabytes(growth))
  })
  assert.not.match(log, /request_failed|uncaught error/)
})

test.run()
