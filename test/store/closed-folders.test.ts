import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMenusFolder } from '../support/menus-folder.js'
import { errorsOf, menuText, nameOf, openedOn, servedPaths } from './opening.js'

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

test('A27: a folder that cannot be listed for a while is told, what lay in it stays, and it heals', async () => {
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

test('A27: a folder that could not be listed and is deleted then is gone, and so is what lay in it', async () => {
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

test.run()
