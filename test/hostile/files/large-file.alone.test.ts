// What is started here is the built command, whose thread for large files is part of what is built.
import { existsSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuText, startMenuscript } from '../../cli/command.js'
import { parse } from '../../document/parsing.js'
import { eventually } from '../../support/eventually.js'
import { figure, LONG, quantile, timesFigure } from '../../support/figures.js'
import { createMenusFolder, type MenusFolder } from '../../support/menus-folder.js'
import { timeOf } from '../../support/times.js'
import { createVisitor, labelOf, readinessOf, TOKEN } from './live-service.js'
import { replace } from './ways-to-save.js'

const MB = 1_048_576
const LIMITS = LONG ? { items: 10_000, bytes: 8 * MB } : { items: 2_000, bytes: MB }
const PATIENT = { within: 60_000, every: 20 }
/** Milliseconds for which a request may wait. */
const MOST_MS = 500
const TRIES = 12

/** A menu with as many items and as many bytes as are allowed. */
function atTheLimit(name: string): string {
  const head = menuText('large', name)
  const each = Math.floor((LIMITS.bytes - head.length) / LIMITS.items)
  const item = (place: number): string => {
    const shell = `  - label: { en: "", es: "" }\n    url: /large/${place}\n`
    const label = `${place} `.padEnd(Math.min(190, Math.floor((each - shell.length) / 2)), 'x')
    const text = `  - label: { en: "${label}", es: "${label}" }\n    url: /large/${place}\n`
    return text.length + 3 > each ? text : `${text}# ${'.'.repeat(each - text.length - 3)}\n`
  }
  const text = head + Array.from({ length: LIMITS.items - 1 }, (_, place) => item(place)).join('')
  return text.padEnd(LIMITS.bytes, '#')
}

async function withBuilt(
  files: Readonly<Record<string, string>>,
  work: (site: { readonly url: string; readonly folder: MenusFolder; readonly pid: number }) => Promise<void>,
): Promise<void> {
  const folder = createMenusFolder({
    ...files,
    'menuscript.config.json': JSON.stringify({ limits: LIMITS, locales: ['en', 'es'] }),
  })
  const env = { MENUSCRIPT_ADMIN_TOKEN: TOKEN }
  const child = startMenuscript(['serve', '--port', '0'], { cwd: folder.dir, env })
  try {
    const [, url = ''] = await child.waitFor(/^listening on (\S+)$/m, { within: 60_000 })
    await work({ url, folder, pid: child.pid })
  } finally {
    await child.stop()
    folder.close()
  }
}

/** The bytes that a process holds in memory; 0 where there is no /proc to tell. */
function memoryOf(pid: number): number {
  if (!existsSync(`/proc/${pid}/status`)) return 0
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

test('A25: a file that is exactly at the limit is served, and while it is read no request waits', async () => {
  const files = { 'menus/large.yaml': atTheLimit('v0'), 'menus/main.yaml': menuText('main') }
  await withBuilt(files, async ({ url, folder }) => {
    assert.is(await labelOf(url, 'large'), 'v0')
    assert.is((await readinessOf(url)).errors, 0)
    const idle = createVisitor(url, '/api/menu/main', 1)
    await sleep(1_000)
    await idle.end()
    const visitor = createVisitor(url, '/api/menu/main', 1)
    const live: number[] = []
    const slowest: number[] = []
    const parsing = timeOf(() =>
      parse(Buffer.from(atTheLimit('v')), { limits: LIMITS, locales: ['en', 'es'] }),
    )
    // A busy machine has one request wait; a file that is parsed in the way of requests has one wait each time.
    const isSlow = (): boolean => Math.min(...slowest) >= Math.min(parsing / 3, MOST_MS)
    for (let turn = 1; turn <= 4 || (turn <= TRIES && isSlow()); turn++) {
      const name = `v${turn}`
      const start = performance.now()
      const asked = visitor.times.length
      replace(join(folder.dir, 'menus/large.yaml'), atTheLimit(name))
      await eventually(async () => assert.is(await labelOf(url, 'large'), name), PATIENT)
      live.push(performance.now() - start)
      // The request that waited for it, if there was one, has its answer by then.
      const answered = visitor.times.length
      await eventually(() => assert.ok(visitor.times.length > answered + 1))
      slowest.push(Math.max(...visitor.times.slice(asked)))
    }
    await visitor.end()
    timesFigure('requests meanwhile nothing happens', idle.times, 'for comparison')
    timesFigure('a file at the limit is live', live, 'none')
    timesFigure('requests while a file at the limit is read', visitor.times, 'p99 50 ms')
    figure('the slowest of them', `${Math.round(Math.max(...slowest))} ms`, 'none')
    assert.not.ok(isSlow(), `${slowest.join(', ')} ms; parsing it takes ${parsing} ms`)
    assert.ok(visitor.answers.every(({ status }) => status === 200))
  })
})

test('A25: a file that is far over the limit is refused before it is read, without memory for it', async () => {
  const files = { 'menus/main.yaml': menuText('main'), 'menus/large.yaml': menuText('large') }
  await withBuilt(files, async ({ url, folder, pid }) => {
    let p99 = Number.POSITIVE_INFINITY
    // A machine that holds us up has a request wait, too: then once more.
    for (let turn = 1; turn <= TRIES && p99 >= MOST_MS; turn++) {
      const before = memoryOf(pid)
      const visitor = createVisitor(url, '/api/menu/main', 1)
      // Four gigabytes of nothing, which take no place on the disk.
      truncateSync(join(folder.dir, 'menus/large.yaml'), 4 * 1024 * MB)
      await eventually(async () => assert.is((await readinessOf(url)).status, 'degraded'), PATIENT)
      assert.equal(
        (await readinessOf(url)).problems.map(({ at, code }) => `${at} ${code}`),
        ['large.yaml:1:1 file-too-large'],
      )
      assert.not.equal(await labelOf(url, 'large'), null)
      await visitor.end()
      const grown = Math.round((memoryOf(pid) - before) / MB)
      p99 = quantile(visitor.times, 0.99)
      timesFigure('requests while a file of 4 GB is refused', visitor.times, 'p99 50 ms')
      figure('memory for a file of 4 GB', `${grown} MB`, 'under 50 MB')
      assert.ok(grown < 200, `${grown} MB`)
      folder.remove('menus/large.yaml')
      folder.write('menus/large.yaml', menuText('large', `fixed ${turn}`))
      await eventually(async () => assert.is(await labelOf(url, 'large'), `fixed ${turn}`), PATIENT)
    }
    assert.ok(p99 < MOST_MS, `${p99} ms`)
  })
})

test.run()
