import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { get } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { menuscriptProcess, menuText, type Service, serving, startMenuscript } from './command.js'

const PATIENCE = 60_000
const TIMER = 'setInterval(() => {}, 1_000)\n'

/** A site with this policies module. */
function site(policies: string): Readonly<Record<string, string>> {
  const config = 'policies: ./policies.mjs\n'
  return { 'menus/main.yaml': menuText('main'), 'menuscript.config.yaml': config, 'policies.mjs': policies }
}

/** How a process ended, or that it did not. */
function endOf({ ended }: Pick<Service, 'ended'>): Promise<unknown> {
  return Promise.race([ended, sleep(PATIENCE, 'it did not end', { ref: false })])
}

const HOLDING = site(`${TIMER}export const canView = () => true`)

test('lint ends although the policies module holds a timer', async () => {
  const folder = createMenusFolder(HOLDING)
  const ended = menuscriptProcess(['lint'], { cwd: folder.dir })
  const outcome = await Promise.race([ended, sleep(PATIENCE, null, { ref: false })])
  assert.equal([outcome?.code, outcome?.stderr], [0, ''])
  assert.match(outcome?.stdout ?? '', '1 file, 0 errors')
  folder.close()
})

test('serve ends on a signal although the policies module holds a timer', async () => {
  await serving(HOLDING, async (service) => {
    service.send('SIGTERM')
    assert.equal(await endOf(service), { code: 0, signal: null })
  })
})

test('A signal while the policies module is still loading ends serve at once', async () => {
  const folder = createMenusFolder(site(`${TIMER}console.error('loading')\nawait new Promise(() => {})`))
  const child = startMenuscript(['serve', '--port', '0'], { cwd: folder.dir })
  await child.waitFor(/loading/)
  const start = performance.now()
  child.send('SIGTERM')
  assert.equal(await endOf(child), { code: 0, signal: null })
  assert.ok(performance.now() - start < 8_000, 'before the module is given up')
  assert.is(child.stdout(), '')
  folder.close()
})

/** A module that takes a while to load, and then holds these exports. */
const loading = (text = '') =>
  `console.error('loading')\nawait new Promise((done) => setTimeout(done, 700))\n${text}`

test('SIGHUP during the start is remembered: once it is up, the service rescans the menus', async () => {
  const folder = createMenusFolder(site(loading()))
  const child = startMenuscript(['serve', '--port', '0'], { cwd: folder.dir })
  await child.waitFor(/loading/)
  child.send('SIGHUP')
  child.send('SIGHUP')
  await child.waitFor(/^listening on/m)
  await child.waitFor(/"event":"reload_requested"/)
  assert.is(child.stderr().match(/reload_requested/g)?.length, 1)
  child.send('SIGHUP')
  await child.waitFor(/(reload_requested[\s\S]*){2}/)
  assert.is(await child.stop(), 0)
  folder.close()
})

test('After SIGHUP during the start, SIGTERM or a fault still ends it at once', async () => {
  for (const [text, end, code] of [
    ['', 'SIGTERM', 0],
    ['export const canVeiw = 1', null, 3],
  ] as const) {
    const folder = createMenusFolder(site(loading(text)))
    const child = startMenuscript(['serve', '--port', '0'], { cwd: folder.dir })
    await child.waitFor(/loading/)
    child.send('SIGHUP')
    if (end !== null) child.send(end)
    assert.equal([await endOf(child), child.stdout()], [{ code, signal: null }, ''])
    folder.close()
  }
})

test('SIGHUP still ends a command that does not serve', async () => {
  const folder = createMenusFolder(site(loading()))
  const child = startMenuscript(['lint'], { cwd: folder.dir })
  await child.waitFor(/loading/)
  child.send('SIGHUP')
  assert.equal(await endOf(child), { code: null, signal: 'SIGHUP' })
  folder.close()
})

/** Hooks that keep a request, and with it the end of the service, waiting until there is a file `go`. */
const SLOW = `import { existsSync } from 'node:fs'
export const prepareRequest = async () => {
  console.error('asked')
  while (!existsSync('go')) await new Promise((done) => setTimeout(done, 20))
}`
/** Holds up the process for longer than signals are one wish, as soon as it is told to end. */
const HELD_UP = `
process.once('SIGINT', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900))`
/** Milliseconds: two signals that this machine sent further apart may be two wishes. */
const ONE_WISH = 400
const TRIES = 8

/** Sends two signals while a request waits for its answer; answers how that went, and how far apart they were. */
async function signalTwice(policies: string): Promise<{ gap: number; outcome: unknown }> {
  let [gap, outcome]: [number, unknown] = [0, null]
  await serving(site(policies), async (service) => {
    const answer = get(`${service.url}/api/menu/main`).catch(() => null)
    await service.waitFor(/asked/)
    const start = performance.now()
    service.send('SIGINT')
    await sleep(5)
    service.send('SIGTERM')
    gap = performance.now() - start
    await service.waitFor(/"event":"stopping"/)
    service.folder.write('go', '')
    outcome = [(await answer)?.status, await endOf(service)]
  })
  return { gap, outcome }
}

for (const [rule, policies] of [
  ['', SLOW],
  [' on a service that is held up in that moment, too', SLOW + HELD_UP],
] as const) {
  test(`Two signals within a few milliseconds count as one: running work is finished, exit code 0${rule}`, async () => {
    let told = await signalTwice(policies)
    for (let left = TRIES; told.gap > ONE_WISH && left > 0; left--) told = await signalTwice(policies)
    assert.equal(told.outcome, [200, { code: 0, signal: null }])
  })
}

test('A second signal later on does not wait: exit code 1', async () => {
  await serving(site(SLOW), async (service) => {
    const answer = get(`${service.url}/api/menu/main`).catch(() => null)
    await service.waitFor(/asked/)
    // A service that was held up takes two for one.
    const asking = setInterval(() => service.send('SIGTERM'), 700)
    const end = await endOf(service)
    clearInterval(asking)
    assert.equal([end, await answer], [{ code: 1, signal: null }, null])
  })
})

test.run()
