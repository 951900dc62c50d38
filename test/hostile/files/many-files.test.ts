import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { errorsOf, menuText, openedOn } from '../../store/opening.js'
import { figure, timesFigure } from '../../support/figures.js'
import { createLargeFolder } from '../../support/menus-folder.js'
import { everySnapshot, nameIn, servedWhen } from './serving-store.js'
import { isAll, menusNamed, namesIn } from './work-tree.js'

const FILES = 10_000
const FOLDERS = 100
const BYTES = 1_024
const CHANGED = 2_000

/** A menu of 1 KB. */
function kilobyte(code: string, name = code): string {
  let text = menuText(code, name)
  for (let place = 0; text.length < BYTES - 60; place++)
    text += `  - label: Item ${place}\n    url: /items/${place}\n`
  return text
    .padEnd(BYTES - 1, '#')
    .concat('\n')
    .replace(/([^\n])(#+\n)$/, '$1 $2')
    .slice(0, BYTES)
}

test('A24: 10,000 files in 100 folders: read at the start, rescanned, and followed', async () => {
  const entry = (place: number) => [`f${place % FOLDERS}/m${place}.yaml`, kilobyte(`m${place}`)] as const
  const folder = createLargeFolder(
    Object.fromEntries(Array.from({ length: FILES }, (_, place) => entry(place))),
  )
  const opening = performance.now()
  const usage = process.cpuUsage()
  await openedOn(folder.dir, async (store) => {
    const opened = performance.now() - opening
    const { user, system } = process.cpuUsage(usage)
    const busy = Math.round((user + system) / 1000)
    figure(`cold start of ${FILES} files`, `${Math.round(opened)} ms, CPU ${busy} ms`, '8,000 ms')
    assert.equal([store.current.served.size, store.current.problems.length], [FILES, 0])
    const times: number[] = []
    for (let turn = 0; turn < 3; turn++) {
      const start = performance.now()
      const { current } = store
      await store.refresh()
      times.push(performance.now() - start)
      assert.is(store.current, current)
    }
    const look = timesFigure(`look at ${FILES} files`, times, '1,000 ms')
    // The watches of a hundred folders stand by then.
    await sleep(2_000)
    const changes: number[] = []
    for (const name of ['v1', 'v2', 'v3']) {
      // Of one size: a file that lost most of its items waits for a second.
      folder.write('f7/m7.yaml', kilobyte('m7', name))
      changes.push(await servedWhen(store, (snapshot) => nameIn(snapshot, 'f7/m7.yaml') === name))
    }
    const took = timesFigure(`a change among ${FILES} files`, changes, '500 ms')
    // Of the processor: on a busy machine the clock tells of its other work.
    assert.ok(busy < 80_000 && look < 10_000 && took < 5_000)
  })
  folder.close()
})

test('A7: 2,000 files that change together become one new snapshot', async () => {
  const folder = createLargeFolder(menusNamed('old', CHANGED))
  await openedOn(folder.dir, async (store) => {
    const seen = everySnapshot(store)
    const start = performance.now()
    for (const [path, text] of Object.entries(menusNamed('new', CHANGED))) folder.write(path, text)
    await servedWhen(store, isAll('new', CHANGED))
    figure(`${CHANGED} files that change together`, `${Math.round(performance.now() - start)} ms`, '3,000 ms')
    assert.equal(seen.map(namesIn), [{ old: CHANGED }, { new: CHANGED }])
    assert.equal(errorsOf(store), [])
  })
  folder.close()
})

test.run()
