import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuText, PROGRAM, withoutOptions } from '../../cli/command.js'
import { eventually } from '../../support/eventually.js'
import { figure, LONG } from '../../support/figures.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { type Running, startProcess } from '../../support/process.js'
import { createVisitor, labelIn, labelOf, readinessOf, TOKEN } from './live-service.js'

const PATIENT = { within: 50_000, every: 20 }
/** How many files and connections the process may have open; it needs some thirty for itself. */
const OPEN_FILES = 80

/** A service in `dir` that may have so many files and connections open, and where it listens. */
async function startPoor(dir: string, env: NodeJS.ProcessEnv): Promise<readonly [Running, string]> {
  const words = ['-c', `ulimit -n ${OPEN_FILES} && exec "$@"`, 'sh', process.execPath, ...PROGRAM]
  const child = startProcess('sh', [...words, 'serve', '--port', '0'], { cwd: dir, env })
  const [, url = ''] = await child.waitFor(/^listening on (\S+)$/m)
  return [child, url]
}

/** Opens so many connections that the process has no descriptor left, and waits until it is so. */
async function exhaust(url: string): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: 3 * OPEN_FILES }, () =>
    connect(Number(port), hostname).on('error', () => {}),
  )
  await eventually(() => assert.ok(sockets.filter(({ connecting }) => !connecting).length > OPEN_FILES / 2))
  return sockets
}

test('A15, A27: with every descriptor taken a change waits, what is served stays, and it heals by itself', async () => {
  const files = { 'menus/main.yaml': menuText('main', 'v0'), 'menus/a/side.yaml': menuText('side', 'v0') }
  const folder = createMenusFolder(files)
  const [child, url] = await startPoor(folder.dir, withoutOptions())
  try {
    let served = 'v0'
    for (const name of LONG ? ['v1', 'v2', 'v3'] : ['v1']) {
      // Its connection is there before all others, and is kept.
      const visitor = createVisitor(url, '/api/menu/main', 5)
      await eventually(() => assert.ok(visitor.times.length > 3))
      const told = child.stderr().length
      const sockets = await exhaust(url)
      folder.write('menus/main.yaml', menuText('main', name))
      folder.write(`menus/${name}/new.yaml`, menuText(name))
      // A look has failed, and there is time for some more.
      await eventually(() => assert.match(child.stderr().slice(told), /EMFILE/), PATIENT)
      await sleep(1_500)
      const asked = visitor.times.length
      await eventually(() => assert.ok(visitor.times.length > asked))
      for (const socket of sockets) socket.destroy()
      const start = performance.now()
      await eventually(
        async () => assert.equal([await labelOf(url), await labelOf(url, name)], [name, name]),
        PATIENT,
      )
      figure('descriptors back, a change is live', `${Math.round(performance.now() - start)} ms`, '5,000 ms')
      assert.is(await labelOf(url, 'side'), 'v0')
      await visitor.end()
      const answers = visitor.answers.map(({ status, text }) => [status, labelIn(text)])
      const both = [served, name].map((label) => [200, label])
      assert.equal(answers, answers.length === 1 ? both.slice(0, 1) : both)
      served = name
      await eventually(async () => assert.is((await readinessOf(url)).errors, 0), PATIENT)
    }
  } finally {
    assert.is(await child.stop(), 0)
    folder.close()
  }
})

test('Metrics are answered while every descriptor is taken, even if never requested before', async () => {
  const folder = createMenusFolder({ 'menus/main.yaml': menuText('main', 'v0') })
  const [child, url] = await startPoor(folder.dir, { ...withoutOptions(), MENUSCRIPT_ADMIN_TOKEN: TOKEN })
  const { hostname, port } = new URL(url)
  const scraper = connect(Number(port), hostname).setEncoding('latin1')
  try {
    let told = ''
    scraper.on('data', (part) => {
      told += part
    })
    await once(scraper, 'connect')
    const sockets = await exhaust(url)
    scraper.write(`GET /metrics HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`)
    await eventually(() => assert.match(told, /^HTTP\/1\.1 200 .*menu_menus 1\n/s))
    for (const socket of sockets) socket.destroy()
  } finally {
    scraper.destroy()
    assert.is(await child.stop(), 0)
    folder.close()
  }
})

test.run()
