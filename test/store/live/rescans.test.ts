import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Log, SILENT_LOG } from '../../../src/service/log.js'
import type { Store } from '../../../src/store/live/open-store.js'
import { createWatcher } from '../../../src/store/live/watch.js'
import { eventually } from '../../support/eventually.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { standStill } from '../../support/stand-still.js'
import { menuText, nameOf, openedOn } from '../opening.js'

const TRIES = 5

test('A write beside the folder causes no rescan', async () => {
  const folder = createMenusFolder({ 'menus/main.yaml': menuText('main', 'v0') })
  const menus = join(folder.dir, 'menus')
  let hints = 0
  const watcher = createWatcher(menus, { onHint: () => hints++, onHealth: () => {}, log: SILENT_LOG })
  watcher.follow(new Map([['menus', menus]]))
  const hintsOf = async (path: string): Promise<number> => {
    hints = 0
    for (let turn = 0; turn < 20; turn++) {
      folder.write(path, `${turn}`)
      await sleep(20)
    }
    return hints
  }
  await sleep(700)
  // On a machine that held us up, what came of the start may arrive only now: then once more.
  let count = Number.POSITIVE_INFINITY
  for (let left = TRIES; left > 0 && count > 0; left--) count = await hintsOf('app.log')
  assert.is(count, 0)
  assert.ok((await hintsOf('menus/other.txt')) > 0)
  watcher.close()
  folder.close()
})

// Longer than a file has to hold still, and longer than the store has patience with a batch.
for (const stall of [300, 1_500]) {
  test(`Files that changed together are served together in a process that was stalled for ${stall} ms meanwhile`, async () => {
    const texts = (name: string): Record<string, string> => ({
      'a.yaml': menuText('a', name),
      'b.yaml': menuText('b', name),
    })
    const folder = createMenusFolder(texts('v0'))
    const names = (store: Store): string => `${nameOf(store, 'a')} ${nameOf(store, 'b')}`
    const following = async (store: Store): Promise<void> => {
      const seen: string[] = []
      store.onChange(() => seen.push(names(store)))
      await sleep(700)
      folder.write('a.yaml', texts('v1')['a.yaml'] ?? '')
      // It is noted by then, and has not held still for long enough.
      await sleep(60)
      folder.write('b.yaml', texts('v1')['b.yaml'] ?? '')
      standStill(stall)
      await eventually(() => assert.is(names(store), 'v1 v1'))
      assert.equal(seen, ['v1 v1'])
    }
    await openedOn(folder.dir, following, { rescanSeconds: 3_600 })
    folder.close()
  })
}

test('A log that fails once keeps no change from being served', async () => {
  const folder = createMenusFolder({ 'main.yaml': menuText('main', 'v0') })
  let isFull = false
  const info = (): void => {
    if (isFull) throw new Error('The log is full.')
  }
  const silent = (): void => {}
  const log: Log = { debug: silent, info, warn: silent, error: silent }
  const following = async (store: Store): Promise<void> => {
    isFull = true
    folder.write('main.yaml', menuText('main', 'v1'))
    await eventually(() => assert.is(nameOf(store), 'v1'))
    isFull = false
    folder.write('main.yaml', menuText('main', 'v2'))
    await eventually(() => assert.is(nameOf(store), 'v2'))
  }
  await openedOn(folder.dir, following, { log })
  folder.close()
})

test.run()
