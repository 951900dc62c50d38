import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { SILENT_LOG } from '../../src/service/log.js'
import { openStore } from '../../src/store/live/open-store.js'
import { createWatcher } from '../../src/store/live/watch.js'
import { type BuiltService, startService } from '../hostile/http/built-service.js'
import { readerOf } from '../store/opening.js'
import { quantile } from '../support/figures.js'
import { openLoad } from './http/load.js'
import { type Figure, openReport } from './report.js'
import { compareRounds, type Round } from './rounds.js'

const HELP = `Usage: node --import tsx test/bench/reloading.ts [ROUNDS]

Serves 10,000 menus of 1 KB in 20 folders, and switches ROUNDS times (default: 7) between two branches of git that differ in
2,000 of them. Printed is each time beside what is promised or beside the same without the change:

  reload-p99, reload-stall  requests, one every 2 ms, from the end of the checkout until the last menu is served
  burst                     from the end of the checkout until exactly those menus are served that a fresh start serves
  watch-ready, watches      until changes in all folders are reported, and by how many watches of the system
  memory, memory-br         what JavaScript holds once all garbage is collected, in objects and in buffers, after each menu was
                            served in two languages, and then compressed as well; without what a service of one menu holds
`
const COUNT = 10_000
const CHANGED = 2_000
const FOLDERS = 20
const IDLE_MS = 1_000
const PAUSE_MS = 2
/** How often the heap is measured, and milliseconds before each time. */
const HEAPS = 3
const HEAP_PAUSE_MS = 700
const LOCALES = { MENUSCRIPT_LOCALES: 'en,de' }

const [given = '7'] = process.argv.slice(2)
if (given === '--help') process.stdout.write(HELP)
else await measureAll(Number(given))

async function measureAll(rounds: number): Promise<void> {
  const report = openReport('reloading', rounds)
  const small = await startService({ 'menus/main.yaml': menuOf(0, 'main') }, LOCALES)
  const before = await settledHeap(small)
  await small.stop()
  const files = Object.fromEntries(Array.from({ length: COUNT }, (_, at) => [pathOf(at), menuOf(at, 'main')]))
  const service = await startService(files, LOCALES)
  const yaml = Object.values(files).reduce((sum, text) => sum + text.length, 0)
  const measureMemory = async (name: string, what: string, goal: number | null): Promise<void> => {
    const heap = (await settledHeap(service)) - before
    report(figureOf(name, what, goal, 'MB', [{ ours: heap / 2 ** 20, baseline: yaml / 2 ** 20 }]))
  }
  await serveAll(service, '')
  await measureMemory('memory', 'objects and buffers, compared with the size of the files', 4)
  await serveAll(service, 'br')
  await measureMemory('memory-br', 'the same after responses in Brotli as well', null)
  for (const figure of await measureWatches(join(service.folder.dir, 'menus'), rounds)) report(figure)
  for (const figure of await measureReloads(service, rounds)) report(figure)
  await service.stop()
  service.folder.close()
  small.folder.close()
}

function figureOf(
  name: string,
  what: string,
  goal: number | null,
  unit: Figure['unit'],
  rounds: readonly Round[],
): Figure {
  return { name, what, goal, unit, ...compareRounds(rounds) }
}

async function serveAll({ url }: BuiltService, coding: string): Promise<void> {
  for (const locale of ['en', 'de']) {
    const load = await openLoad(url, {
      path: (turn) => `/api/menu/menu-${numberOf(turn)}?_locale=${locale}`,
      lines: () => (coding === '' ? '' : `Accept-Encoding: ${coding}\r\n`),
    })
    await load.send(COUNT)
    load.close()
  }
}

/** The least of some, since a rescan takes memory for its time; what is compressed beside requests is done then. */
async function settledHeap(service: BuiltService): Promise<number> {
  const heaps: number[] = []
  for (let time = 0; time < HEAPS; time++) {
    await sleep(HEAP_PAUSE_MS)
    heaps.push(await service.heap())
  }
  return Math.min(...heaps)
}

async function measureWatches(menus: string, rounds: number): Promise<readonly Figure[]> {
  const folders = new Map(readdirSync(menus).map((name) => [name, join(menus, name)]))
  const [times, counts]: [Round[], Round[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const others = countWatches()
    const start = performance.now()
    // Each folder that is watched gives a hint, as does the one above.
    let silent = folders.size + 1
    let done = (): void => {}
    const ready = new Promise<void>((resolve) => {
      done = resolve
    })
    const onHint = (): void => {
      if (--silent === 0) done()
    }
    const watcher = createWatcher(menus, { onHint, onHealth: () => {}, log: SILENT_LOG })
    watcher.follow(folders)
    await ready
    times.push({ ours: performance.now() - start, baseline: 50 })
    counts.push({ ours: countWatches() - others, baseline: folders.size + 5 })
    watcher.close()
    await sleep(50)
  }
  return [
    figureOf('watch-ready', 'until all folders are watched, compared with 50 ms', 1, 'ms', times),
    figureOf('watches', 'watches, compared with one per folder and 5', 1, '', counts),
  ]
}

/** The watches of this process (proc(5), a line for each). */
function countWatches(): number {
  const lines = readdirSync('/proc/self/fdinfo').flatMap((name) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${name}`, 'utf8').split('\n')
    } catch {
      // The descriptor of the list itself.
      return []
    }
  })
  return lines.filter((line) => line.startsWith('inotify ')).length
}

async function measureReloads(service: BuiltService, rounds: number): Promise<readonly Figure[]> {
  const { folder, url } = service
  const run = (...words: string[]): Promise<unknown> =>
    promisify(execFile)('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], {
      cwd: folder.dir,
    })
  await run('init', '-q', '-b', 'main')
  const revisions: string[] = []
  for (const branch of ['main', 'other']) {
    if (branch === 'other') await run('checkout', '-q', '-b', branch)
    for (let at = 0; at < CHANGED; at++)
      folder.write(pathOf(at * (COUNT / CHANGED)), menuOf(at * (COUNT / CHANGED), branch))
    await run('add', 'menus')
    await run('commit', '-q', '--allow-empty', '-m', branch)
    revisions.push(await freshRevision(join(folder.dir, 'menus')))
  }
  const agent = new Agent({ keepAlive: true })
  const ask = (path: string): Promise<string> => bodyOf(`${url}${path}`, agent)
  /** How long requests take, in milliseconds, until something is over. */
  const timesUntil = async (isOver: () => Promise<boolean> | boolean): Promise<readonly number[]> => {
    const times: number[] = []
    while (!(await isOver())) {
      const start = performance.now()
      await ask(`/api/menu/menu-${numberOf(times.length % COUNT)}?_locale=en`)
      times.push(performance.now() - start)
      await sleep(PAUSE_MS)
    }
    return times
  }
  const [p99, longest, bursts]: [Round[], Round[], Round[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    const branch = round % 2
    const idleUntil = performance.now() + IDLE_MS
    const idle = await timesUntil(() => performance.now() > idleUntil)
    await run('checkout', '-q', branch === 0 ? 'main' : 'other')
    const start = performance.now()
    const isServed = async (): Promise<boolean> => (await ask('/readyz')).includes(revisions[branch] ?? '?')
    const busy = await timesUntil(isServed)
    bursts.push({ ours: performance.now() - start, baseline: 3_000 })
    p99.push({ ours: quantile(busy, 0.99), baseline: quantile(idle, 0.99) })
    longest.push({ ours: Math.max(...busy), baseline: 10 })
  }
  agent.destroy()
  return [
    figureOf('reload-p99', 'the 99th percentile of requests, compared with no change', 2, 'ms', p99),
    figureOf('reload-stall', 'the longest request, compared with 10 ms', 1, 'ms', longest),
    figureOf('burst', 'until 2,000 changed files are served, compared with 3 s', 1, 'ms', bursts),
  ]
}

async function freshRevision(menus: string): Promise<string> {
  const options = { watch: false, filePrefix: '', rescanSeconds: 5, log: SILENT_LOG }
  const store = await openStore(menus, readerOf(), options)
  await store.close()
  return store.current.revision
}

function bodyOf(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { agent }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (text: string) => (body += text))
      answer.on('end', () => resolve(body))
    })
    sent.on('error', reject)
  })
}

function numberOf(at: number): string {
  return `${at}`.padStart(5, '0')
}

function pathOf(at: number): string {
  return `menus/${at % FOLDERS}/menu-${numberOf(at)}.yaml`
}

/** A menu of about 1 KB; its name tells the branch. */
function menuOf(at: number, name: string): string {
  const items = Array.from({ length: 9 }, (_, item) => {
    const label = `{ en: Entry ${item} of ${numberOf(at)}, de: Eintrag ${item} von ${numberOf(at)} }`
    return `  - label: ${label}\n    url: /section-${numberOf(at)}/page-${item}\n`
  })
  return `version: 1\ncode: menu-${numberOf(at)}\nname: ${name}\nitems:\n${items.join('')}`
}
