import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Service, menuText as textOf } from '../../cli/command.js'
import { followed, menuText } from '../../store/opening.js'
import { eventually } from '../../support/eventually.js'
import { sized, timesFigure } from '../../support/figures.js'
import { get } from '../../support/http.js'
import { withService } from './live-service.js'
import { everySnapshot, nameIn, servedWhen } from './serving-store.js'

test('A10: a deleted file is gone soon, is logged by its path, and the answer for it is 200 and []', async () => {
  const test = async ({ url, folder, stderr, waitFor }: Service): Promise<void> => {
    const start = performance.now()
    folder.remove('menus/side.yaml')
    await eventually(async () => {
      const { status, text } = await get(`${url}/api/menu/side`)
      assert.equal([status, text], [200, '[]'])
    })
    timesFigure('a deletion, over HTTP', [performance.now() - start], '500 ms')
    await waitFor(/"path":"side\.yaml"/)
    const line = stderr()
      .split('\n')
      .find((each) => each.includes('side.yaml'))
    assert.match(line ?? '', /"event":"menu_\w+"/)
    assert.match((await get(`${url}/api/menu/main`)).text, '"main"')
    assert.match((await get(`${url}/readyz`)).text, '"status":"ok"')
  }
  await withService({ 'main.yaml': textOf('main'), 'side.yaml': textOf('side') }, test, 3_600)
})

test('A10: a deletion of one file of many, and of a folder of them, is logged once for each', async () => {
  const files = { 'a.yaml': menuText('a'), 'shop/b.yaml': menuText('b'), 'shop/c.yaml': menuText('c') }
  await followed(files, async ({ folder, store, log }) => {
    const told = log.length
    folder.remove('shop')
    await servedWhen(store, ({ served }) => served.size === 1)
    const paths = log.slice(told).flatMap(({ path }) => (path === undefined ? [] : [String(path)]))
    assert.equal(paths.sort(), ['shop/b.yaml', 'shop/c.yaml'])
  })
})

test('A11: a file that is away for less than 100 ms is never missing', async () => {
  await followed({ 'main.yaml': menuText('main', 'first') }, async ({ folder, store }) => {
    const seen = everySnapshot(store)
    const file = join(folder.dir, 'main.yaml')
    for (let turn = 0; turn < sized(3, 50); turn++) {
      for (const pause of [0, 3, 10, 30, 60]) {
        const name = `turn ${turn}, ${pause} ms`
        const start = performance.now()
        renameSync(file, `${file}.away`)
        if (pause > 0) await sleep(pause)
        folder.write('main.yaml', menuText('main', name))
        const away = performance.now() - start
        await servedWhen(store, (snapshot) => nameIn(snapshot) === name)
        folder.remove('main.yaml.away')
        // A machine that held us up made it longer than that.
        if (away < 95) assert.not.ok(seen.some((snapshot) => nameIn(snapshot) === null))
        else seen.length = 0
      }
    }
  })
})

test('A11: a file that is away for long is gone, and served soon after it is back, as it was or changed', async () => {
  const times: number[] = []
  await followed({ 'main.yaml': menuText('main', 'first') }, async ({ folder, store }) => {
    for (const name of ['first', 'second', 'second', 'third']) {
      folder.remove('main.yaml')
      await servedWhen(store, (snapshot) => nameIn(snapshot) === null)
      await sleep(120)
      folder.write('main.yaml', menuText('main', name))
      times.push(await servedWhen(store, (snapshot) => nameIn(snapshot) === name))
    }
  })
  assert.ok(timesFigure('a file that came back', times, '500 ms') < 5_000)
})

test.run()
