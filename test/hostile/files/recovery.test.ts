// What is started here is the built command: the time to be ready is that of what is deployed.
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuText, serving, startMenuscript } from '../../cli/command.js'
import { eventually } from '../../support/eventually.js'
import { figure, quantile, sized, timesFigure } from '../../support/figures.js'
import { get } from '../../support/http.js'
import { createMenusFolder, type MenusFolder } from '../../support/menus-folder.js'
import type { Running } from '../../support/process.js'
import { labelOf, readinessOf } from './live-service.js'

const MENUS = 1_000

/** A thousand menus of ten links in twenty folders. */
function thousand(): Record<string, string> {
  const links = Array.from(
    { length: 10 },
    (_, place) => `  - label: Link ${place}\n    url: /l/${place}\n`,
  ).join('')
  const entry = (place: number) =>
    [`menus/f${place % 20}/m${place}.yaml`, menuText(`m${place}`) + links] as const
  return Object.fromEntries(Array.from({ length: MENUS }, (_, place) => entry(place)))
}

/** Starts the service and waits until it is ready; answers that with its time, from before there was a process. */
async function startAndTime({ dir }: MenusFolder): Promise<{ child: Running; url: string; took: number }> {
  const start = performance.now()
  const child = startMenuscript(['serve', '--port', '0'], { cwd: dir })
  const [, url = ''] = await child.waitFor(/^listening on (\S+)$/m)
  assert.is((await get(`${url}/readyz`)).status, 200)
  return { child, url, took: performance.now() - start }
}

async function kill(child: Running): Promise<void> {
  child.send('SIGKILL')
  await child.ended
}

test('A28: from kill -9 to ready takes about a second with 1,000 menus, and all of them are there', async () => {
  const folder = createMenusFolder(thousand())
  const times: number[] = []
  for (let turn = 0; turn < sized(2, 40); turn++) {
    const { child, url, took } = await startAndTime(folder)
    times.push(took)
    const { status, menus } = (await get(`${url}/readyz`)).json() as { status: string; menus: number }
    assert.equal([status, menus], ['ok', MENUS])
    assert.is(await labelOf(url, 'm999'), 'm999')
    await kill(child)
  }
  folder.close()
  timesFigure(`recovery, kill -9 to ready, ${MENUS} menus`, times, '1,000 ms')
  assert.ok(quantile(times, 0.5) < 10_000)
})

test('A28: a kill -9 in the middle of changes is a restart on what is there: nothing old, nothing half', async () => {
  const folder = createMenusFolder({ 'menus/main.yaml': menuText('main', 'v0') })
  for (let turn = 1; turn <= sized(2, 40); turn++) {
    const { child } = await startAndTime(folder)
    for (let change = 0; change < 5; change++) {
      folder.write('menus/main.yaml', menuText('main', `v${turn}.${change}`))
      await sleep(turn * 9)
    }
    await kill(child)
    const again = await startAndTime(folder)
    assert.is(await labelOf(again.url), `v${turn}.4`)
    await kill(again.child)
  }
  folder.close()
})

test('A28: after a restart a file that broke before is left out, loudly, and once fixed it is served', async () => {
  const folder = createMenusFolder({
    'menus/main.yaml': menuText('main'),
    'menus/side.yaml': menuText('side'),
  })
  const first = await startAndTime(folder)
  folder.write('menus/main.yaml', 'version: 1\ncode: [')
  await eventually(async () => assert.is((await readinessOf(first.url)).stale, 1))
  assert.is(await labelOf(first.url), 'main')
  await kill(first.child)
  const second = await startAndTime(folder)
  const { status, problems, stale } = await readinessOf(second.url)
  assert.equal([status, stale, problems[0]?.at], ['degraded', 0, 'main.yaml:2:7'])
  assert.equal([await labelOf(second.url), await labelOf(second.url, 'side')], [null, 'side'])
  await second.child.waitFor(/"level":"error","event":"menu_problem".*"path":"main\.yaml"/)
  folder.write('menus/main.yaml', menuText('main', 'fixed'))
  const start = performance.now()
  await eventually(async () => assert.is(await labelOf(second.url), 'fixed'))
  figure('recovery, fixed after a restart', `${Math.round(performance.now() - start)} ms`, '500 ms')
  await kill(second.child)
  folder.close()
})

test('A28: --strict exits with 3 on a broken file, names its place, and never listens', async () => {
  const folder = createMenusFolder({
    'menus/main.yaml': menuText('main'),
    'menus/x.yaml': 'version: 1\ncode: [',
  })
  const child = startMenuscript(['serve', '--port', '0', '--strict'], { cwd: folder.dir })
  assert.is((await child.ended).code, 3)
  assert.match(child.stderr(), /x\.yaml:2:7/)
  assert.not.match(child.stdout(), 'listening')
  folder.close()
})

test('A12: the folder is away at the start and comes later: ready at once, and served soon', async () => {
  await serving({}, async ({ url, folder }) => {
    assert.equal([(await readinessOf(url)).httpStatus, await labelOf(url)], [200, null])
    const start = performance.now()
    folder.write('menus/main.yaml', menuText('main'))
    await eventually(async () => assert.is(await labelOf(url), 'main'), { within: 50_000 })
    figure('recovery, folder made after the start', `${Math.round(performance.now() - start)} ms`, '5,000 ms')
  })
})

test.run()
