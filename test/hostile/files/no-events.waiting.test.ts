// A change of which nobody is told: a file that is written through a second name of it elsewhere. A real mount without
// events is tried in network-mount.waiting.test.ts, where the machine allows it.
import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Service, menuText as textOf } from '../../cli/command.js'
import { menuText, openedOn } from '../../store/opening.js'
import { eventually } from '../../support/eventually.js'
import { figure } from '../../support/figures.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { labelOf, readinessOf, reload, withService } from './live-service.js'
import { nameTwice } from './second-name.js'
import { nameIn, servedWhen } from './serving-store.js'

/** Longer than any event takes to be followed. */
const LONG_ENOUGH = 700
const RARELY = 3_600
const TRIES = 5

test('A16: a change without an event is found by the periodic rescan of five seconds', async () => {
  const folder = createMenusFolder({ 'menus/deep/main.yaml': menuText('main', 'v0') })
  nameTwice(folder, 'menus/deep/main.yaml')
  await openedOn(join(folder.dir, 'menus'), async (store) => {
    await sleep(LONG_ENOUGH)
    folder.write('elsewhere/second-name', menuText('main', 'v1'))
    const took = await servedWhen(store, (snapshot) => nameIn(snapshot, 'deep/main.yaml') === 'v1', {
      within: 50_000,
    })
    figure('no event at all, a change is live', `${Math.round(took)} ms`, '5,000 ms')
  })
  folder.close()
})

test('A17: without an event, too, a change that keeps size and time is seen', async () => {
  const folder = createMenusFolder({ 'menus/main.yaml': menuText('main', 'v0') })
  const file = join(folder.dir, 'menus/main.yaml')
  nameTwice(folder, 'menus/main.yaml')
  const looking = { rescanSeconds: 0.3 }
  const test = async (store: Parameters<Parameters<typeof openedOn>[1]>[0]): Promise<void> => {
    const { atime, mtime, size } = statSync(file)
    for (const [name, time] of [
      ['v1', mtime],
      ['v2', new Date(2001, 1, 3)],
      ['v3', new Date(0)],
    ] as const) {
      writeFileSync(join(folder.dir, 'elsewhere/second-name'), menuText('main', name))
      utimesSync(file, atime, time)
      assert.equal([statSync(file).size, Math.round(statSync(file).mtimeMs)], [size, time.getTime()])
      await servedWhen(store, (snapshot) => nameIn(snapshot) === name, { what: name })
    }
  }
  await openedOn(join(folder.dir, 'menus'), test, looking)
  folder.close()
})

for (const how of ['POST /-/reload', 'SIGHUP'] as const) {
  test(`A16: ${how} has a change without an event served at once`, async () => {
    const follow = async ({ url, folder, send }: Service): Promise<void> => {
      nameTwice(folder, 'menus/main.yaml')
      let served: string | null = null
      let turn = 0
      // The link was news for the watcher, and so was the start; what follows is not. A service that was held up may
      // follow those only now: then once more.
      for (; turn < TRIES && served !== `v${turn - 1}`; turn++) {
        await sleep(LONG_ENOUGH)
        folder.write('elsewhere/second-name', textOf('main', `v${turn + 1}`))
        assert.is(await reload(url, {}), 401)
        assert.is(await reload(url, { authorization: 'Bearer no' }), 401)
        await sleep(LONG_ENOUGH)
        served = await labelOf(url)
      }
      assert.is(served, `v${turn - 1}`)
      const start = performance.now()
      if (how === 'SIGHUP') send('SIGHUP')
      else assert.is(await reload(url), 200)
      await eventually(async () => assert.is(await labelOf(url), `v${turn}`))
      figure(`${how}, live`, `${Math.round(performance.now() - start)} ms`, '500 ms')
    }
    await withService({ 'main.yaml': textOf('main', 'v0') }, follow, RARELY)
  })
}

test('A16: many reloads at once and a SIGHUP among them end in what is there, and the service lives', async () => {
  await withService({ 'main.yaml': textOf('main', 'v0') }, async ({ url, folder, send }) => {
    for (let turn = 1; turn <= 5; turn++) {
      folder.write('menus/main.yaml', textOf('main', `v${turn}`))
      send('SIGHUP')
      const statuses = await Promise.all(Array.from({ length: 20 }, () => reload(url)))
      assert.equal([...new Set(statuses)], [200])
      assert.is(await labelOf(url), `v${turn}`)
    }
    assert.is((await readinessOf(url)).status, 'ok')
  })
})

test.run()
