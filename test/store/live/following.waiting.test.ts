import { renameSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../support/eventually.js'
import { fewer, inPieces, whenQuick } from '../../support/writers.js'
import { errorsOf, followed, measured, menuText, nameOf, opened, servedPaths } from '../opening.js'

test('A file that is dropped in is served within half a second', async () => {
  await followed({ 'main.yaml': menuText('main') }, async ({ folder, store }) => {
    const start = performance.now()
    folder.write('side.yaml', menuText('side'))
    await eventually(() => assert.is(nameOf(store, 'side'), 'side'))
    measured('a new file', start, 500)
  })
})

test('A file in a new folder of a new folder is served within half a second', async () => {
  await followed({}, async ({ folder, store }) => {
    const start = performance.now()
    folder.write('a/b/c/side.yaml', menuText('side'))
    await eventually(() => assert.is(nameOf(store, 'side'), 'side'))
    measured('a new file in new folders', start, 500)
    const again = performance.now()
    folder.write('a/b/c/side.yaml', menuText('side', 'changed'))
    await eventually(() => assert.is(nameOf(store, 'side'), 'changed'))
    measured('a change in a new folder', again, 500)
  })
})

test('A4: a file written in place, or replaced by a rename, is served in its new version', async () => {
  await followed({ 'main.yaml': menuText('main', 'old') }, async ({ folder, store }) => {
    const start = performance.now()
    folder.write('main.yaml', menuText('main', 'written in place'))
    await eventually(() => assert.is(nameOf(store), 'written in place'))
    measured('a write in place', start, 500)
    const again = performance.now()
    folder.write('.main.yaml.tmp', menuText('main', 'moved in'))
    renameSync(join(folder.dir, '.main.yaml.tmp'), join(folder.dir, 'main.yaml'))
    await eventually(() => assert.is(nameOf(store), 'moved in'))
    measured('a rename over the file', again, 500)
  })
})

test('A10: a file that is deleted is gone within half a second', async () => {
  await followed({ 'a.yaml': menuText('a'), 'b.yaml': menuText('b') }, async ({ folder, store }) => {
    const start = performance.now()
    folder.remove('a.yaml')
    await eventually(() => assert.equal(servedPaths(store), ['b.yaml']))
    measured('a deletion', start, 500)
    assert.is(nameOf(store, 'a'), null)
  })
})

test('A renamed file is served under its new path, and the menu was never away', async () => {
  await followed({ 'a.yaml': menuText('main') }, async ({ folder, store }) => {
    const names = new Set<string | null>()
    store.onChange(() => names.add(nameOf(store)))
    renameSync(join(folder.dir, 'a.yaml'), join(folder.dir, 'b.yaml'))
    await eventually(() => assert.equal(servedPaths(store), ['b.yaml']))
    assert.equal([...names], ['main'])
    assert.equal(errorsOf(store), [])
  })
})

test('A11: a file that is deleted and back in less than 100 ms was never away', async () => {
  await followed({ 'main.yaml': menuText('main', 'first') }, async ({ folder, store }) => {
    const names = new Set<string | null>()
    store.onChange(() => names.add(nameOf(store)))
    for (const [turn, pause] of [0, 5, 20, 50, 80].entries()) {
      const start = performance.now()
      folder.remove('main.yaml')
      await sleep(pause)
      folder.write('main.yaml', menuText('main', `turn ${turn}`))
      // On a busy machine the pause may have become longer than it was meant to be.
      const away = performance.now() - start
      await eventually(() => assert.is(nameOf(store), `turn ${turn}`))
      if (away < 100) assert.not.ok(names.has(null), `a gap of ${Math.round(away)} ms was served`)
      names.clear()
    }
  })
})

test('A11: a file that comes back later is served right afterwards', async () => {
  await followed({ 'main.yaml': menuText('main', 'first') }, async ({ folder, store }) => {
    folder.remove('main.yaml')
    await eventually(() => assert.is(nameOf(store), null))
    const start = performance.now()
    folder.write('main.yaml', menuText('main', 'first'))
    await eventually(() => assert.is(nameOf(store), 'first'))
    measured('a file that came back', start, 500)
  })
})

test('A6: the last of two saves 0 to 150 ms apart is live', async () => {
  await followed({ 'main.yaml': menuText('main') }, async ({ folder, store }) => {
    let slowest = 0
    for (const pause of [0, 1, 2, 5, 10, 20, 30, 40, 60, 100, 150]) {
      folder.write('main.yaml', menuText('main', `first, ${pause} ms before`))
      await sleep(pause)
      folder.write('main.yaml', menuText('main', `second, ${pause} ms after`))
      const start = performance.now()
      await eventually(() => assert.is(nameOf(store), `second, ${pause} ms after`))
      slowest = Math.max(slowest, performance.now() - start)
    }
    measured('the slowest of 11 double saves', performance.now() - slowest, 500)
  })
})

test('A17: a change that keeps the time and the size of the file is seen', async () => {
  await followed({ 'main.yaml': menuText('main', 'was') }, async ({ folder, store }) => {
    const path = join(folder.dir, 'main.yaml')
    const { atime, mtime } = statSync(path)
    const times = { now: mtime, old: new Date(2001, 1, 1), new: new Date(2101, 1, 1) }
    for (const [name, time] of Object.entries(times)) {
      folder.write('main.yaml', menuText('main', name))
      utimesSync(path, atime, time)
      await eventually(() => assert.is(nameOf(store), name))
    }
  })
})

test('A4: the last good version of a slowly written file stays, and the new one is live soon after the last write', async () => {
  const item = (place: number) => `  - label: Item ${place}\n    url: /${place}\n`
  const long = (count: number) =>
    `version: 1\ncode: main\nname: main\nitems:\n${Array.from({ length: count }, (_, place) => item(place)).join('')}`
  const counts = await whenQuick(async (turn) => {
    const result = new Set<number>()
    let longest = 0
    await followed({ 'main.yaml': long(80) }, async ({ folder, store }) => {
      store.onChange(() => result.add(store.current.served.get('main.yaml')?.menu.items.length ?? 0))
      longest = await inPieces(join(folder.dir, 'main.yaml'), long(60), 'w', fewer(25, turn), 30)
      const start = performance.now()
      await eventually(() => assert.ok(result.has(60)))
      measured('a slow writer, after its last write', start, 500)
      assert.equal(errorsOf(store), [])
    })
    return { longest, result }
  })
  assert.equal([...counts], [60])
})

test('A4: a file that is written all the time does not keep the others from being served', async () => {
  await followed({ 'busy.yaml': menuText('busy') }, async ({ folder, store }) => {
    const text = menuText('busy', 'x'.repeat(90))
    const busy = inPieces(join(folder.dir, 'busy.yaml'), text, 'w', 100, 30)
    await sleep(100)
    const start = performance.now()
    folder.write('calm.yaml', menuText('calm'))
    await eventually(() => assert.is(nameOf(store, 'calm'), 'calm'))
    measured('a file beside a busy one', start, 1_500)
    await busy
    await eventually(() => assert.is(nameOf(store, 'busy'), 'x'.repeat(90)))
  })
})

test('A rescan can be requested', async () => {
  const still = { watch: false }
  await opened(
    {},
    async ({ folder, store }) => {
      folder.write('main.yaml', menuText('main'))
      assert.is(nameOf(store), null)
      await store.refresh()
      assert.is(nameOf(store), 'main')
      folder.remove('main.yaml')
      await store.refresh()
      assert.is(nameOf(store), null)
    },
    still,
  )
})

test.run()
