import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Store } from '../../../src/store/live/open-store.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { errorsOf, menuText, nameOf, openedOn, servedPaths } from '../opening.js'

const NOBODY = 65_534

/** Does something with the rights of nobody in particular: no permission stops root. */
async function asNobody(work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(NOBODY)
  try {
    await work()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

test('A27: a folder that cannot be listed for a while is reported, its menus stay, and it heals', async () => {
  const folder = createMenusFolder({ 'main.yaml': menuText('main'), 'shop/deep/a.yaml': menuText('a') })
  const shop = join(folder.dir, 'shop')
  chmodSync(folder.dir, 0o755)
  const following = async (store: Parameters<Parameters<typeof openedOn>[1]>[0]) => {
    for (const turn of ['second', 'third']) {
      chmodSync(shop, 0o000)
      folder.write('main.yaml', menuText('main', turn))
      await asNobody(store.refresh)
      assert.equal(errorsOf(store), ['shop:1:1 error unreadable-file'])
      assert.equal(servedPaths(store), ['main.yaml', 'shop/deep/a.yaml'])
      assert.is(nameOf(store), turn)
      chmodSync(shop, 0o755)
      await asNobody(store.refresh)
      assert.equal(store.current.problems, [])
      assert.equal(servedPaths(store), ['main.yaml', 'shop/deep/a.yaml'])
    }
  }
  await openedOn(folder.dir, following, { watch: false })
  folder.close()
})

test('A27: a folder that could not be listed and is then deleted is gone, with its menus', async () => {
  const folder = createMenusFolder({ 'main.yaml': menuText('main'), 'shop/a.yaml': menuText('a') })
  chmodSync(folder.dir, 0o755)
  const following = async (store: Parameters<Parameters<typeof openedOn>[1]>[0]) => {
    chmodSync(join(folder.dir, 'shop'), 0o000)
    await asNobody(store.refresh)
    assert.is(errorsOf(store).length, 1)
    chmodSync(join(folder.dir, 'shop'), 0o755)
    folder.remove('shop')
    await asNobody(store.refresh)
    assert.equal(store.current.problems, [])
    assert.equal(servedPaths(store), ['main.yaml'])
  }
  await openedOn(folder.dir, following, { watch: false })
  folder.close()
})

test('A27: a folder that cannot even be entered is reported, and not taken for a missing one', async () => {
  const files = { 'menus/main.yaml': menuText('main'), 'menus/shop/a.yaml': menuText('a') }
  const folder = createMenusFolder(files)
  const menus = join(folder.dir, 'menus')
  for (const each of [folder.dir, join(menus, 'shop')]) chmodSync(each, 0o755)
  symlinkSync('itself', join(menus, 'itself'))
  chmodSync(menus, 0o744)
  const unreadable = ['itself', 'main.yaml', 'shop'].map((path) => `${path}:1:1 error unreadable-file`)
  const starting = (store: Store): void => {
    assert.equal(errorsOf(store), unreadable)
    assert.equal(servedPaths(store), [])
  }
  await asNobody(() => openedOn(menus, starting, { watch: false }))
  const following = async (store: Store): Promise<void> => {
    await asNobody(store.refresh)
    assert.equal(errorsOf(store), unreadable)
    assert.equal(servedPaths(store), ['main.yaml', 'shop/a.yaml'])
    chmodSync(menus, 0o755)
    await asNobody(store.refresh)
    assert.equal(store.current.problems, [])
    assert.equal(servedPaths(store), ['main.yaml', 'shop/a.yaml'])
  }
  await openedOn(menus, following, { watch: false })
  folder.close()
})

test('A27: the last good version of a link that leads nowhere stays when its folder is closed as well', async () => {
  const folder = createMenusFolder({ 'kept.txt': menuText('main', 'v0'), 'shop/other.txt': '' })
  const shop = join(folder.dir, 'shop')
  symlinkSync('../kept.txt', join(shop, 'main.yaml'))
  for (const each of [folder.dir, shop]) chmodSync(each, 0o755)
  const following = async (store: Store): Promise<void> => {
    folder.remove('kept.txt')
    await asNobody(store.refresh)
    assert.is(nameOf(store), 'v0')
    chmodSync(shop, 0o000)
    await asNobody(store.refresh)
    assert.is(nameOf(store), 'v0')
    assert.equal(servedPaths(store), ['shop/main.yaml'])
    chmodSync(shop, 0o755)
    folder.write('kept.txt', menuText('main', 'v1'))
    await asNobody(store.refresh)
    assert.is(nameOf(store), 'v1')
    assert.equal(store.current.problems, [])
  }
  await openedOn(folder.dir, following, { watch: false })
  folder.close()
})

test.run()
