import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuText } from '../../http/sites.js'
import { figure, LONG, quantile, sized } from '../../support/figures.js'
import { get } from '../../support/http.js'
import { runProcess } from '../../support/process.js'
import { megabytes, startService } from './built-service.js'

const SECONDS = sized(5, 30)
/** Of the flood amid which the service is ended. */
const AGAIN_SECONDS = 2
const MAX_GROWTH = 150 * 1_048_576
const PROMISED_MS = 250
/** Where clients are refused for a while, others have to be served: they come from another address. */
const MAX_GROWTH_REFUSED = 250 * 1_048_576
const ELSEWHERE = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1'
/** A heap that is too small for what would pile up, and on every version of Node the same room for garbage. */
const ENV = { NODE_OPTIONS: '--max-old-space-size=512 --max-semi-space-size=16' }
const MENUS = { 'menus/main.yaml': menuText('main', 'Home') }
const SLOW = {
  ...MENUS,
  'menuscript.config.yaml': 'policies: ./p.mjs\n',
  'p.mjs': 'export const prepareRequest = () => new Promise((done) => setTimeout(done, 9_000))',
}
const FLOOD = join(import.meta.dirname, 'flood.mjs')
const STOP_MS = 10_000

const KINDS = {
  reads: 'reading the answers',
  deaf: 'reading nothing',
  returns: 'on a new connection each five times a second',
  hostless: 'without a Host',
}

/** Asks on new connections whether the service lives while clients flood it; then ends it amid another flood. */
async function flood(
  files: Readonly<Record<string, string>>,
  connections: number,
  kind: keyof typeof KINDS,
  from: string,
) {
  const service = await startService(files, ENV)
  const attack = (seconds: number): Promise<unknown> =>
    runProcess('node', [FLOOD, service.port, connections, seconds, kind].map(String))
  const lives: Promise<number>[] = []
  const live = async (): Promise<number> => {
    const begun = performance.now()
    assert.is((await get(`${service.url}/livez`, { from })).status, 200)
    return performance.now() - begun
  }
  await live()
  await sleep(1_000)
  const idle = service.resident()
  let most = idle
  let isOver = false
  const attacked = attack(SECONDS).finally(() => {
    isOver = true
  })
  while (!isOver) {
    lives.push(live())
    most = Math.max(most, service.resident())
    await sleep(50)
  }
  await attacked
  const p90 = quantile(await Promise.all(lives), 0.9)
  const again = attack(AGAIN_SECONDS)
  await sleep(1_000)
  service.send('SIGTERM')
  const begun = performance.now()
  const { code } = await service.ended
  const took = performance.now() - begun
  await again
  service.folder.close()
  return { growth: most - idle, p90, code, took }
}

/** Each way in which the memory was filled; the others in the long run. */
const FLOODS = [
  [4, 'reads', MENUS, ''],
  [20, 'deaf', MENUS, ''],
  [20, 'deaf', SLOW, ', prepareRequest takes 9 s'],
] as const
const MORE_FLOODS = [
  [20, 'reads', MENUS, ''],
  [20, 'returns', MENUS, ''],
  [20, 'hostless', MENUS, ''],
  [4, 'reads', SLOW, ', prepareRequest takes 9 s'],
] as const

for (const [connections, kind, files, what] of LONG ? [...FLOODS, ...MORE_FLOODS] : FLOODS) {
  const name = `${connections} connections ${KINDS[kind]}${what}`
  test(`D23: 1 MB/s of requests sent ahead on each of ${name}: memory stays, /livez is answered, SIGTERM ends it`, async () => {
    const isRefused = kind === 'returns' || kind === 'hostless'
    const from = isRefused ? ELSEWHERE : '127.0.0.1'
    const { growth, p90, code, took } = await flood(files, connections, kind, from)
    const limit = isRefused ? MAX_GROWTH_REFUSED : MAX_GROWTH
    const reached = `memory + ${megabytes(growth)}, /livez p90 ${Math.round(p90)} ms, end ${Math.round(took)} ms`
    figure(`pipelining, ${name}`, reached, `+ ${megabytes(limit)}, ${PROMISED_MS} ms, ${STOP_MS} ms`)
    assert.is(code, 0)
    assert.ok(growth <= limit, megabytes(growth))
    assert.ok(took <= 2 * STOP_MS, `${took} ms`)
    assert.ok(p90 <= 10 * PROMISED_MS, `${p90} ms`)
  })
}

test.run()
