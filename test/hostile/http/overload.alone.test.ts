import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuText } from '../../http/sites.js'
import { eventually } from '../../support/eventually.js'
import { timesFigure } from '../../support/figures.js'
import { get } from '../../support/http.js'
import { withService } from './built-service.js'
import { statusOf } from './visitor.js'

const CLIENTS = 200
/** For which it takes more than its capacity once it refuses, and how long that may take to begin. */
const DURATION_MS = 6_000
const PATIENCE_MS = 20_000
const PROMISED_MS = 100
/** Each answer takes 10 ms of the processor: 100 a second are all that there is. */
const BUSY = `export const canView = () => {
  const end = performance.now() + 10
  while (performance.now() < end);
  return true
}`
const FILES = {
  'menus/main.yaml': menuText('main', 'Home'),
  'menuscript.config.yaml': 'policies: ./p.mjs\n',
  'p.mjs': BUSY,
}

test('D16: beyond its capacity the service refuses with 503, goes on answering, and says at once that it lives', async () => {
  await withService(FILES, async ({ url }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
    const counts = new Map<string, number>()
    let until = performance.now() + PATIENCE_MS
    const client = async (): Promise<void> => {
      while (performance.now() < until) {
        const outcome = await statusOf(`${url}/api/menu/main`, agent)
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
        // Less than Retry-After says, and enough for this process not to be the one that is busy.
        if (outcome === '503') await sleep(200)
      }
    }
    const clients = Array.from({ length: CLIENTS }, client)
    // What counts is how it lives once it has noticed that it has too much to do.
    await eventually(() => assert.ok(counts.has('503')), { within: PATIENCE_MS })
    until = performance.now() + DURATION_MS
    // One connection is accepted in a turn: those that all came at the start are in the way of new ones for a while.
    await sleep(1_500)
    const asked: Promise<number>[] = []
    const live = async (): Promise<number> => {
      const begun = performance.now()
      assert.is((await get(`${url}/livez`, { within: 20_000 })).status, 200)
      return performance.now() - begun
    }
    while (performance.now() < until) {
      asked.push(live())
      await sleep(50)
    }
    const lives = await Promise.all(asked)
    await Promise.all(clients)
    agent.destroy()
    assert.equal([...counts.keys()].sort(), ['200', '503'])
    timesFigure('overload, /livez', lives, `${PROMISED_MS} ms`)
    assert.ok(lives.length > 20, `${lives.length}`)
    // A new connection may still find others before it.
    const soon = lives.filter((ms) => ms < 10 * PROMISED_MS).length
    assert.ok(soon >= 0.9 * lives.length, `${soon} of ${lives.length} soon`)
    await eventually(async () => assert.is((await get(`${url}/api/menu/main`)).status, 200))
  })
})

test.run()
