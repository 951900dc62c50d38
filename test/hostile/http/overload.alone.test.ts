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
/** So many questions whether it lives tell something. */
const LEAST = 20
const TRIES = 10
/** Milliseconds of another try: a machine that holds us up again and again leaves a short time alone. */
const SHORT_MS = 2_700
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

interface Told {
  /** How often each outcome came. */
  readonly counts: ReadonlyMap<string, number>
  /** Milliseconds of each question whether it lives. */
  readonly lives: readonly number[]
}

/** Asks for more than the service can, and whether it lives meanwhile. */
async function overload(url: string, duration: number): Promise<Told> {
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
  until = performance.now() + duration
  // One connection is accepted in a turn: those that all came at the start are in the way of new ones for a while.
  await sleep(1_500)
  const asked: Promise<number>[] = []
  const live = async (): Promise<number> => {
    const begun = performance.now()
    assert.is((await get(`${url}/livez`)).status, 200)
    return performance.now() - begun
  }
  while (performance.now() < until || asked.length < LEAST) {
    asked.push(live())
    await sleep(50)
  }
  const lives = await Promise.all(asked)
  await Promise.all(clients)
  agent.destroy()
  return { counts, lives }
}

test('D16: beyond its capacity the service refuses with 503, goes on answering, and reports at once that it is live', async () => {
  await withService(FILES, async ({ url }) => {
    let share = 0
    // A machine that holds us up has some wait: then once more.
    for (let left = TRIES; left > 0 && share < 0.9; left--) {
      const { counts, lives } = await overload(url, left === TRIES ? DURATION_MS : SHORT_MS)
      assert.equal([...counts.keys()].sort(), ['200', '503'])
      timesFigure('overload, /livez', lives, `${PROMISED_MS} ms`)
      // A new connection may still find others before it.
      share = lives.filter((ms) => ms < 10 * PROMISED_MS).length / lives.length
    }
    assert.ok(share >= 0.9, `${Math.round(share * 100)} % soon`)
    await eventually(async () => assert.is((await get(`${url}/api/menu/main`)).status, 200))
  })
})

test.run()
