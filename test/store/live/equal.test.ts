import { readFileSync, renameSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../support/eventually.js'
import { menuText, nameOf, opened, servedOf } from '../opening.js'

/** Far longer than a change takes to be served. */
const LONG_ENOUGH = 600

test('A file that is touched, or written with the bytes that it has, changes nothing at all', async () => {
  await opened({ 'a.yaml': menuText('a'), 'b.yaml': menuText('b') }, async ({ folder, store, log }) => {
    const { current } = store
    const told = log.length
    let changes = 0
    store.onChange(() => changes++)
    utimesSync(join(folder.dir, 'a.yaml'), new Date(), new Date())
    folder.write('b.yaml', menuText('b'))
    await sleep(LONG_ENOUGH)
    assert.is(store.current, current)
    assert.equal([changes, log.length], [0, told])
    await store.refresh()
    assert.is(store.current, current)
  })
})

test('A change of one file leaves the menus of all others the very values that they were', async () => {
  await opened({ 'a.yaml': menuText('a'), 'b.yaml': menuText('b') }, async ({ folder, store }) => {
    const before = store.current
    folder.write('a.yaml', menuText('a', 'changed'))
    await eventually(() => assert.is(nameOf(store, 'a'), 'changed'))
    assert.is.not(store.current, before)
    assert.is(servedOf(store.current, 'b'), servedOf(before, 'b'))
    assert.is(store.current.served.get('b.yaml'), before.served.get('b.yaml'))
    assert.is(servedOf(before, 'a')?.name, 'a')
  })
})

test('A file that is replaced by one with the same bytes keeps its very menu', async () => {
  await opened({ 'a.yaml': menuText('a') }, async ({ folder, store }) => {
    const { current } = store
    folder.write('copy.tmp', readFileSync(join(folder.dir, 'a.yaml')))
    renameSync(join(folder.dir, 'copy.tmp'), join(folder.dir, 'a.yaml'))
    await sleep(LONG_ENOUGH)
    assert.is(store.current, current)
  })
})

test('A change and its undoing lead back to the same revision', async () => {
  await opened({ 'a.yaml': menuText('a') }, async ({ folder, store }) => {
    const { revision } = store.current
    folder.write('a.yaml', menuText('a', 'changed'))
    await eventually(() => assert.is.not(store.current.revision, revision))
    folder.write('a.yaml', menuText('a'))
    await eventually(() => assert.is(store.current.revision, revision))
  })
})

test('A listener is called once for each new snapshot, until it is removed', async () => {
  await opened({ 'a.yaml': menuText('a') }, async ({ folder, store }) => {
    const heard: unknown[] = []
    const end = store.onChange((snapshot) => heard.push(snapshot))
    folder.write('a.yaml', menuText('a', 'second'))
    await eventually(() => assert.is(nameOf(store, 'a'), 'second'))
    assert.equal([heard.length, heard[0] === store.current], [1, true])
    end()
    folder.write('a.yaml', menuText('a', 'third'))
    await eventually(() => assert.is(nameOf(store, 'a'), 'third'))
    assert.is(heard.length, 1)
  })
})

test('Rescans of the timer that find nothing change and log nothing', async () => {
  const quick = { rescanSeconds: 0.2 }
  await opened(
    { 'far/a.yaml': menuText('a') },
    async ({ folder, store, log }) => {
      folder.write('far/a.yaml', menuText('a', 'changed'))
      await eventually(() => assert.is(nameOf(store, 'a'), 'changed'))
      const told = log.length
      const { current } = store
      // Twelve looks, one of them by content, and none of them finds anything.
      await sleep(13 * 200)
      assert.is(store.current, current)
      assert.is(log.length, told)
    },
    quick,
  )
})

test.run()
