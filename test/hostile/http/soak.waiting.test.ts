import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../support/eventually.js'
import { figure, LONG, SEED, sized } from '../../support/figures.js'
import { createRandom, type Random } from '../yaml/random.js'
import { bigMenu, megabytes, withService } from './built-service.js'

const SECONDS = sized(10, 1_800)
const RATE = sized(100, 500)
const ABORTED = 0.1
const EDIT_EVERY_MS = 2_000
const TICK_MS = 20
/** Where ten minutes were not measured, it is what caches may still be filling. */
const MAX_GROWTH = (LONG ? SECONDS / 600 : 8) * 1_048_576
const PATHS = [
  'main',
  'main?_locale=es',
  'big',
  'none',
  'main?_context_sets=%5B%7B%22a%22%3A',
  'main?_locale=%zz',
  'edited',
]

interface Counts {
  readonly statuses: Map<number, number>
  aborted: number
  failed: number
  underWay: number
}

/** One request; some are broken off before the answer, or in the middle of it. */
function ask(url: string, agent: Agent, random: Random, counts: Counts): void {
  counts.underWay++
  const path = random.pick(PATHS)
  const query = path.endsWith('%3A') ? `${random.below(1_000)}%7D%5D` : ''
  const headers = {
    'accept-encoding': random.pick(['br', 'gzip', 'identity']),
    'accept-language': random.pick(['en', 'es', 'de']),
  }
  const leaves = random.below(100) < ABORTED * 100
  const sent = request(`${url}/api/menu/${path}${query}`, { agent, headers }, (message) => {
    const { statusCode = 0 } = message
    counts.statuses.set(statusCode, (counts.statuses.get(statusCode) ?? 0) + 1)
    message.on('error', () => {}).resume()
    if (leaves) message.destroy()
  })
  if (leaves) counts.aborted++
  if (leaves && random.below(2) === 0) setTimeout(() => sent.destroy(), random.below(5))
  sent.on('error', () => {
    if (!leaves) counts.failed++
  })
  sent.on('close', () => counts.underWay--)
  sent.end()
}

/** So many requests a second for so many seconds, whether or not the answers keep up. */
async function load(url: string, seconds: number, agent: Agent, counts: Counts): Promise<void> {
  const begun = performance.now()
  for (let asked = 0; asked < seconds * RATE; ) {
    const due = Math.min(seconds * RATE, ((performance.now() - begun) / 1_000) * RATE)
    while (asked < due) ask(url, agent, createRandom(SEED, asked++), counts)
    await sleep(TICK_MS)
  }
  await eventually(() => assert.is(counts.underWay, 0), { within: 15_000 })
}

test(`R0: ${SECONDS} s of ${RATE} requests a second, one in ten broken off, with an edit every 2 s, leave nothing behind`, async () => {
  const files = {
    'menus/main.yaml': bigMenu('main', 60),
    'menus/big.yaml': bigMenu('big', 1_000),
    'menus/edited.yaml': bigMenu('edited', 5),
  }
  const counts: Counts = { statuses: new Map(), aborted: 0, failed: 0, underWay: 0 }
  await withService(files, async ({ url, descriptors, heap, folder }) => {
    let edits = 0
    const editing = setInterval(
      () => folder.write('menus/edited.yaml', bigMenu('edited', 5 + (edits++ % 50))),
      EDIT_EVERY_MS,
    )
    const agent = new Agent({ keepAlive: true, maxSockets: 50 })
    // Caches fill and code is compiled first.
    await load(url, Math.min(60, SECONDS / 4), agent, counts)
    const [base, connections] = [await heap(), sockets(agent)]
    const opened = descriptors().length - connections
    await load(url, SECONDS, agent, counts)
    clearInterval(editing)
    const growth = (await heap()) - base
    agent.destroy()
    await eventually(() =>
      assert.ok(descriptors().length <= opened + 2, `${descriptors().length}, before ${opened}`),
    )
    const answers = [...counts.statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${count} × ${status}`)
    const reached = `${answers.join(', ')}, ${counts.aborted} broken off, ${edits} edits, descriptors ${opened} → ${descriptors().length}`
    figure(`soak, ${SECONDS} s at ${RATE} a second`, `${reached}, seed ${SEED}`, '±2, 0 ≥ 500')
    figure(
      `soak, ${SECONDS} s, heap`,
      `${megabytes(base)}, after it ${megabytes(growth)} more`,
      '1 MB per 10 min',
    )
    assert.is(counts.failed, 0)
    assert.equal(
      [...counts.statuses.keys()].filter((status) => status >= 500),
      [],
    )
    assert.ok(growth < MAX_GROWTH, megabytes(growth))
  })
})

/** How many connections an agent holds. */
function sockets({ sockets: busy, freeSockets }: Agent): number {
  return [busy, freeSockets]
    .flatMap((each) => Object.values(each))
    .reduce((sum, each) => sum + (each?.length ?? 0), 0)
}

test.run()
