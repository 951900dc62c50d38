import { once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { statusesOf } from '../../http/raw.js'
import { menuText } from '../../http/sites.js'
import { figure, quantile, sized } from '../../support/figures.js'
import { bigMenu, startService } from './built-service.js'
import { getText, openSocket } from './sockets.js'
import { statusOf } from './visitor.js'

const TIMES = sized(5, 100)
const CLIENTS = 20
const MAX_MS = 10_000
const EVERY_MS = 5
const MENUS = { 'menus/main.yaml': menuText('main', 'Home'), 'menus/big.yaml': bigMenu('big', 2_000) }

/** Milliseconds: clients that were held up for longer may come when nobody waits for them any more. */
const PROMPT_MS = 120

interface Ended {
  readonly code: number | null
  /** Milliseconds from the signal to the end of the process. */
  readonly took: number
  readonly whole: number
  /** What became of requests on connections that had carried others before, and of those on new ones. */
  readonly brokenKept: readonly string[]
  readonly brokenNew: readonly string[]
  /** For how long the clients were held up at most, in milliseconds. */
  readonly heldUp: number
}

/** Tells for how long this process did nothing else, at most, until it is ended. */
function watchOver(): () => number {
  let last = performance.now()
  let longest = 0
  const look = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last - EVERY_MS)
    last = now
  }
  const timer = setInterval(look, EVERY_MS)
  return () => {
    clearInterval(timer)
    look()
    return longest
  }
}

/** Clients who ask again as soon as they have an answer, some on connections that they keep; amid that, SIGTERM. */
async function endUnderLoad(turn: number): Promise<Ended> {
  const service = await startService(MENUS)
  const agents = Array.from(
    { length: CLIENTS },
    (_, place) => new Agent({ keepAlive: place % 4 > 0, maxSockets: 1 }),
  )
  const broken: { kept: string[]; fresh: string[] } = { kept: [], fresh: [] }
  let signalled = Number.POSITIVE_INFINITY
  let whole = 0
  const client = async (agent: Agent, place: number): Promise<void> => {
    for (;;) {
      let isKept = false
      const path = place % 2 === 0 ? 'main' : 'big'
      const outcome = await statusOf(`${service.url}/api/menu/${path}`, agent, (reused) => {
        isKept = reused
      })
      if (outcome === '200') whole++
      // Nobody listens any more: it was never begun.
      else if (outcome === 'ECONNREFUSED') return
      else
        (isKept ? broken.kept : broken.fresh).push(
          `${outcome} ${Math.round(performance.now() - signalled)} ms`,
        )
      if (outcome !== '200' && signalled !== Number.POSITIVE_INFINITY) return
      if (place % 5 === 0) await sleep(place)
    }
  }
  const clients = agents.map(client)
  await sleep(300 + (turn % 10) * 7)
  const end = watchOver()
  service.send('SIGTERM')
  signalled = performance.now()
  const { code } = await service.ended
  const took = performance.now() - signalled
  const heldUp = end()
  await Promise.all(clients)
  for (const agent of agents) agent.destroy()
  service.folder.close()
  return { code, took, whole, brokenKept: broken.kept, brokenNew: broken.fresh, heldUp }
}

test(`E13: SIGTERM under load, ${TIMES} times: no request that was begun is broken, and the end comes soon, with 0`, async () => {
  const all: Ended[] = []
  const prompt = (): readonly Ended[] => all.filter(({ heldUp }) => heldUp < PROMPT_MS)
  for (let turn = 0; prompt().length < TIMES && turn < 10 * TIMES; turn++) all.push(await endUnderLoad(turn))
  const ends = prompt()
  assert.ok(ends.length > 0, `This machine held up the clients each of ${all.length} times.`)
  const kept = ends.flatMap(({ brokenKept }) => brokenKept)
  const fresh = ends.flatMap(({ brokenNew }) => brokenNew)
  const whole = ends.reduce((sum, each) => sum + each.whole, 0)
  const slowest = quantile(
    ends.map(({ took }) => took),
    1,
  )
  const broken = `${kept.length} broken on kept connections, ${fresh.length} on new ones`
  const reached = `${broken}, ${whole} whole, at most ${Math.round(slowest)} ms`
  figure(`shutdown, ${TIMES} SIGTERM under load`, reached, '0 broken, 10 s')
  assert.equal(
    all.map(({ code }) => code).filter((code) => code !== 0),
    [],
  )
  assert.ok(slowest < MAX_MS, `${slowest} ms`)
  assert.equal(kept, [])
  // The kernel takes connections for the service before it knows of them, and cuts them off when nobody listens: at
  // most one for each client that comes in that moment. They have not been begun.
  assert.ok(fresh.length < (TIMES * CLIENTS) / 4, fresh.join())
})

test('E13: while requests are ended, /readyz answers 503 and stopping on an open connection', async () => {
  const slow = `import { existsSync } from 'node:fs'
    export const prepareRequest = async () => {
      console.error('asked')
      while (!existsSync('go')) await new Promise((done) => setTimeout(done, 20))
    }`
  const files = { ...MENUS, 'menuscript.config.yaml': 'policies: ./p.mjs\n', 'p.mjs': slow }
  const service = await startService(files)
  const socket = await openSocket(service.port)
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => (text += part))
  const closed = once(socket, 'close')
  socket.write(getText('/api/menu/main'))
  await service.waitFor(/asked/)
  service.send('SIGTERM')
  await service.waitFor(/"event":"stopping"/)
  socket.write(getText('/readyz'))
  await sleep(100)
  service.folder.write('go', '')
  await once(socket, 'end')
  socket.end()
  await closed
  assert.equal(statusesOf({ text, milliseconds: 0 }), [200, 503])
  assert.match(text, '"status":"stopping"')
  assert.is((await service.ended).code, 0)
  service.folder.close()
})

const FAULTS: Readonly<Record<string, string>> = {
  'a promise that nobody awaits is rejected': "void Promise.reject(new Error('the reason'))",
  'a promise is rejected with undefined': 'void Promise.reject()',
  'a timer throws': "setTimeout(() => { throw new Error('the reason') })",
  'an event has no listener for its error':
    "new (await import('node:events')).EventEmitter().emit('error', new Error('the reason'))",
}
for (const [what, fault] of Object.entries(FAULTS)) {
  test(`E14: when ${what} in the policies module, it is logged and the service ends with 70`, async () => {
    const hook = `export const prepareRequest = ({ url }) => { if (url.includes('boom')) setTimeout(async () => { ${fault} }, 20) }`
    const files = { ...MENUS, 'menuscript.config.yaml': 'policies: ./p.mjs\n', 'p.mjs': hook }
    const service = await startService(files)
    const agent = new Agent()
    assert.is(await statusOf(`${service.url}/api/menu/main`, agent), '200')
    await statusOf(`${service.url}/api/menu/main?boom`, agent)
    assert.equal(await service.ended, { code: 70, signal: null })
    assert.match(service.stderr(), /uncaught error/)
    if (fault.includes('reason')) assert.match(service.stderr(), /the reason/)
    service.folder.close()
  })
}

test.run()
