import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createSettling, PATIENCE_MS, STILL_MS } from '../../../src/store/live/settling.js'
import type { LoadedFile } from '../../../src/store/load.js'
import { type MenuTree, UNKNOWN } from '../../../src/store/menu-tree.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { menusIn } from '../../support/menus-folder.js'

type Versions = Readonly<Record<string, string>>

function treeOf(versions: Versions): MenuTree {
  const entries = Object.entries(versions).map(([path, version]) => [path, { ...UNKNOWN, version }] as const)
  return { entries: new Map(entries), read: async function* () {} }
}

/** What counts of a tree at a moment, where nothing was loaded, or some versions were. */
function settlingOver(loaded: Versions = {}) {
  const { settle, delay } = createSettling(menusIn('/nowhere'), DEFAULT_LIMITS)
  const files = new Map<string, LoadedFile>(
    Object.entries(loaded).map(([path, version]) => [
      path,
      { version, file: { path, version, menu: null, problems: [] } },
    ]),
  )
  const at = async (now: number, versions: Versions): Promise<Versions> => {
    const { entries } = await settle(treeOf(versions), files, now)
    return Object.fromEntries([...entries].map(([path, { version }]) => [path, version]))
  }
  return { at, delay }
}

test('A4: a file counts once it has stayed unchanged for a while', async () => {
  const { at, delay } = settlingOver({ a: '0' })
  assert.equal(await at(0, { a: '1' }), { a: '0' })
  assert.equal(await at(STILL_MS - 1, { a: '1' }), { a: '0' })
  assert.is(delay(STILL_MS - 1), 1)
  assert.equal(await at(STILL_MS, { a: '1' }), { a: '1' })
})

test('A4: the wait of a file that keeps changing starts again', async () => {
  const { at, delay } = settlingOver()
  await at(0, { a: '1' })
  await at(STILL_MS - 1, { a: '2' })
  assert.equal(await at(STILL_MS, { a: '2' }), {})
  assert.is(delay(STILL_MS), STILL_MS - 1)
  assert.equal(await at(2 * STILL_MS - 1, { a: '2' }), { a: '2' })
})

test('A11: a file that is gone counts as it was for a while', async () => {
  const { at } = settlingOver({ a: '0' })
  assert.equal(await at(0, {}), { a: '0' })
  assert.equal(await at(STILL_MS, {}), {})
})

test('A file that is as it was before waits for nothing', async () => {
  const { at, delay } = settlingOver({ a: '0' })
  await at(0, { a: '1' })
  assert.equal(await at(10, { a: '0' }), { a: '0' })
  assert.is(delay(10), null)
})

test('A7: a batch waits for its last file, so that it becomes one snapshot', async () => {
  const { at } = settlingOver()
  await at(0, { a: '1' })
  await at(90, { a: '1', b: '1' })
  assert.equal(await at(STILL_MS + 10, { a: '1', b: '1' }), {})
  assert.equal(await at(STILL_MS + 90, { a: '1', b: '1' }), { a: '1', b: '1' })
})

test('A4: a batch does not wait forever for a file that never holds still', async () => {
  const { at } = settlingOver()
  let now = 0
  for (; now < PATIENCE_MS; now += 50) assert.equal(await at(now, { calm: '1', busy: String(now) }), {})
  assert.equal(await at(now, { calm: '1', busy: 'last' }), { calm: '1' })
})

test('A7: a batch waits for its last file in a process that was stalled, too', async () => {
  const { at } = settlingOver()
  await at(0, { a: '1' })
  const now = 3 * PATIENCE_MS
  assert.equal(await at(now, { a: '1', b: '1' }), {})
  assert.equal(await at(now + STILL_MS, { a: '1', b: '1' }), { a: '1', b: '1' })
})

test.run()
