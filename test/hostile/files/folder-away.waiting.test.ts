import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Snapshot } from '../../../src/model/snapshot.js'
import type { Store } from '../../../src/store/live/open-store.js'
import { serving, menuText as textOf } from '../../cli/command.js'
import { errorsOf, menuText, openedOn } from '../../store/opening.js'
import { eventually } from '../../support/eventually.js'
import { figure, timesFigure } from '../../support/figures.js'
import { quickestChange, SOONER_THAN_A_LOOK } from '../../support/followed.js'
import { get } from '../../support/http.js'
import { createMenusFolder, type MenusFolder } from '../../support/menus-folder.js'
import { everySnapshot, nameIn, servedWhen } from './serving-store.js'

/** Milliseconds for which the folder is away. */
const GAPS = [0, 5, 60, 150, 1_200]
const MOST_GAPS = 30

/** How a folder is made anew under its old name. */
const WAYS: readonly (readonly [how: string, away: (dir: string) => void])[] = [
  ['deleted', (dir) => rmSync(dir, { recursive: true })],
  ['moved away', (dir) => renameSync(dir, `${dir}-${performance.now()}`)],
]

/** Changes one of two menus, and waits until that is served. */
function change(folder: MenusFolder, store: Store, name: string): Promise<number> {
  folder.write('menus/deep/side.yaml', menuText('side', name))
  const isChanged = (snapshot: Snapshot): boolean => nameIn(snapshot, 'deep/side.yaml') === name
  return servedWhen(store, isChanged, { within: 50_000, what: name })
}

for (const [how, away] of WAYS) {
  test(`A12: a folder that is ${how} for any time and made anew is followed on, and nothing is lost`, async () => {
    const folder = createMenusFolder({ 'menus/main.yaml': menuText('main', 'v0') })
    const dir = join(folder.dir, 'menus')
    const times: number[] = []
    const changes: number[] = []
    await openedOn(dir, async (store) => {
      const seen = everySnapshot(store)
      for (const gap of GAPS) {
        const name = `back after ${gap} ms`
        away(dir)
        if (gap > 0) await sleep(gap)
        folder.write('menus/main.yaml', menuText('main', name))
        folder.write('menus/deep/side.yaml', menuText('side', name))
        const isRight = (snapshot: Snapshot): boolean =>
          nameIn(snapshot) === name && nameIn(snapshot, 'deep/side.yaml') === name
        times.push(await servedWhen(store, isRight, { within: 50_000, what: name }))
        // Found by the timer or not: from here on it has to be watched.
        const quickest = await quickestChange((turn) =>
          change(folder, store, `${name}, changed ${turn} times`),
        )
        assert.ok(quickest < SOONER_THAN_A_LOOK, `${name}: ${quickest} ms`)
        changes.push(quickest)
      }
      assert.not.ok(seen.some((snapshot) => nameIn(snapshot) === null))
      assert.equal(errorsOf(store), [])
    })
    folder.close()
    assert.ok(timesFigure(`folder ${how}, back`, times, '5,000 ms') < 50_000)
    timesFigure(`folder ${how}, a change after that`, changes, '500 ms')
  })
}

test('A12: while the folder is away the service answers as before, is degraded, and names the folder', async () => {
  await serving({ 'menus/main.yaml': textOf('main') }, async ({ url, folder, waitFor }) => {
    folder.remove('menus')
    await waitFor(/"event":"menu_problem","code":"folder-missing"/, { within: 50_000 })
    const readiness = await get(`${url}/readyz`)
    assert.is(readiness.status, 200)
    assert.match(readiness.text, '"status":"degraded"')
    assert.match(readiness.text, 'folder-missing')
    assert.match((await get(`${url}/api/menu/main`)).text, '"main"')
    const start = performance.now()
    folder.write('menus/main.yaml', textOf('main', 'back'))
    await eventually(async () => assert.match((await get(`${url}/api/menu/main`)).text, '"back"'), {
      within: 50_000,
    })
    figure('recovery, folder back', `${Math.round(performance.now() - start)} ms`, '5,000 ms')
    assert.match((await get(`${url}/readyz`)).text, '"status":"ok"')
  })
})

/** Deletes the menu, and the folder so many milliseconds later; answers after how many that was. */
async function deleteBoth(folder: MenusFolder, gap: number): Promise<number> {
  const start = performance.now()
  folder.remove('menus/main.yaml')
  await sleep(gap)
  folder.remove('menus')
  return performance.now() - start
}

test('A12: what goes shortly before its folder, as rm -r does it, stays served with it', async () => {
  const gaps = [0, 15, 30, 50, 70, 90]
  for (const [turn, gap] of gaps.entries()) {
    let isLate = false
    const folder = createMenusFolder({ 'menus/main.yaml': menuText('main', 'v0') })
    await openedOn(join(folder.dir, 'menus'), async (store) => {
      const seen = everySnapshot(store)
      isLate = (await deleteBoth(folder, gap)) >= 100
      const isMissing = () => errorsOf(store).some((line) => line.includes('folder-missing'))
      await eventually(() => assert.ok(isMissing()), { within: 50_000 })
      await sleep(400)
      // A machine that held us up made it a deletion of its own.
      if (!isLate) assert.is(nameIn(store.current), 'v0', `gone for ${gap} ms before the folder`)
      if (!isLate) assert.not.ok(seen.some((snapshot) => nameIn(snapshot) === null))
      folder.write('menus/main.yaml', menuText('main', 'back'))
      await servedWhen(store, (snapshot) => nameIn(snapshot) === 'back', { within: 50_000, what: 'back' })
    })
    folder.close()
    if (isLate && turn < MOST_GAPS) gaps.push(gap)
  }
})

test('A12: an empty folder in the place of a full one takes its menus away, and does so loudly', async () => {
  const folder = createMenusFolder({ 'menus/main.yaml': menuText('main') })
  await openedOn(join(folder.dir, 'menus'), async (store, log) => {
    const told = log.length
    folder.remove('menus')
    mkdirSync(join(folder.dir, 'menus'))
    await servedWhen(store, ({ served }) => served.size === 0, { within: 50_000 })
    assert.ok(log.slice(told).some(({ path }) => path === 'main.yaml'))
    const quickest = await quickestChange((turn) => {
      folder.write('menus/main.yaml', menuText('main', `back ${turn}`))
      return servedWhen(store, (snapshot) => nameIn(snapshot) === `back ${turn}`, { within: 50_000 })
    })
    assert.ok(quickest < SOONER_THAN_A_LOOK, `${quickest} ms`)
  })
  folder.close()
})

test('A12: a folder whose parents are deleted, too, is found again', async () => {
  const folder = createMenusFolder({ 'a/b/menus/main.yaml': menuText('main', 'v0') })
  await openedOn(join(folder.dir, 'a/b/menus'), async (store) => {
    for (const name of ['v1', 'v2']) {
      folder.remove('a')
      await sleep(200)
      folder.write('a/b/menus/main.yaml', menuText('main', name))
      const took = await servedWhen(store, (snapshot) => nameIn(snapshot) === name, { within: 50_000 })
      figure('folder back with its parents', `${Math.round(took)} ms`, '5,000 ms')
      const quickest = await quickestChange((turn) => {
        const changed = `${name}, changed ${turn} times`
        folder.write('a/b/menus/main.yaml', menuText('main', changed))
        return servedWhen(store, (snapshot) => nameIn(snapshot) === changed, { within: 50_000 })
      })
      assert.ok(quickest < SOONER_THAN_A_LOOK, `${quickest} ms`)
    }
  })
  folder.close()
})

test.run()
