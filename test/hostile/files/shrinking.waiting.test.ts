import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Snapshot } from '../../../src/model/snapshot.js'
import { errorsOf, menuText, type Opened, opened } from '../../store/opening.js'
import { figure } from '../../support/figures.js'
import { everySnapshot, itemsIn, longMenu, servedWhen } from './serving-store.js'

const OLD = longMenu('main', 'main', 40)

/** What was told of a file that lost much. */
function shrinksIn({ log }: Opened): readonly unknown[] {
  return log.filter(({ event }) => event === 'menu_shrank').map(({ path }) => path)
}

/** The first so many items of a menu, as a copy that was cut off where it still is YAML. */
function cutOff(count: number): string {
  return OLD.slice(0, OLD.indexOf(`  - label: main ${count}\n`))
}

test('A5: a file that lost more than half of its items waits a second more, and is logged', async () => {
  await opened({ 'main.yaml': OLD, 'side.yaml': menuText('side') }, async (site) => {
    site.folder.write('main.yaml', cutOff(19))
    const took = await servedWhen(site.store, (snapshot) => itemsIn(snapshot) === 19)
    figure('a shrunken menu', `live after ${Math.round(took)} ms`, '1,100 to 1,500 ms')
    // No machine is so slow that this would be sooner.
    assert.ok(took >= 1_080, `${took} ms`)
    assert.equal(shrinksIn(site), ['main.yaml'])
    assert.equal(errorsOf(site.store), [])
  })
})

test('A5: a truncated file that is completed within that second is never served truncated', async () => {
  await opened({ 'main.yaml': OLD }, async (site) => {
    const seen = everySnapshot(site.store)
    for (const [turn, pause] of [150, 300, 500, 700].entries()) {
      site.folder.write('main.yaml', cutOff(10))
      const start = performance.now()
      await sleep(pause)
      const held = performance.now() - start > 900
      site.folder.write('main.yaml', longMenu('main', 'main', 41 + turn))
      await servedWhen(site.store, (snapshot) => itemsIn(snapshot) === 41 + turn)
      // A machine that held us up for that second made it the state to serve.
      if (held) seen.length = 0
      else assert.not.ok(seen.some((snapshot) => itemsIn(snapshot) === 10))
    }
    assert.equal(errorsOf(site.store), [])
  })
})

test('A5: a file that kept half of its items, or more, does not wait', async () => {
  await opened({ 'main.yaml': OLD }, async (site) => {
    for (const count of [30, 20, 10, 5]) {
      site.folder.write('main.yaml', cutOff(count))
      await servedWhen(site.store, (snapshot) => itemsIn(snapshot) === count)
    }
    assert.equal(shrinksIn(site), [])
  })
})

test('A5: items at any depth count', async () => {
  const nested = (count: number): string => {
    const child = (place: number): string => `      - label: c ${place}\n        url: /${place}\n`
    const children = Array.from({ length: count }, (_, place) => child(place)).join('')
    return `version: 1\ncode: main\nname: n${count}\nitems:\n  - type: section\n    label: s\n    children:\n${children}`
  }
  await opened({ 'main.yaml': nested(40) }, async (site) => {
    site.folder.write('main.yaml', nested(5))
    await servedWhen(site.store, ({ served }) => served.get('main.yaml')?.menu.name === 'n5')
    assert.equal(shrinksIn(site), ['main.yaml'])
  })
})

test('A5: what changed beside a shrunken file is served with it at the latest, and a deleted one does not wait', async () => {
  const files = { 'main.yaml': OLD, 'gone.yaml': longMenu('gone', 'gone', 40), 'side.yaml': menuText('side') }
  await opened(files, async (site) => {
    const seen = everySnapshot(site.store)
    site.folder.write('main.yaml', cutOff(3))
    await sleep(50)
    site.folder.write('side.yaml', menuText('side', 'changed'))
    site.folder.remove('gone.yaml')
    const isRight = ({ served }: Snapshot): boolean =>
      served.get('side.yaml')?.menu.name === 'changed' && !served.has('gone.yaml')
    const took = await servedWhen(site.store, isRight)
    figure('beside a shrunken menu', `live after ${Math.round(took)} ms`, '1,500 ms')
    await servedWhen(site.store, (snapshot) => itemsIn(snapshot) === 3)
    assert.not.ok(seen.some((snapshot) => itemsIn(snapshot) === 3 && !isRight(snapshot)))
    assert.equal(shrinksIn(site), ['main.yaml'])
  })
})

test('A5: a requested rescan does not wait, and neither does a start', async () => {
  await opened(
    { 'main.yaml': OLD },
    async ({ folder, store }) => {
      folder.write('main.yaml', cutOff(2))
      await store.refresh()
      assert.is(itemsIn(store.current), 2)
    },
    { watch: false },
  )
})

test.run()
