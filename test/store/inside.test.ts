import { closeSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { FolderSwappedError, inFolder, OutsideError, openInside } from '../../src/store/inside.js'
import { createMenusFolder, menusIn } from '../support/menus-folder.js'

test('A file in the folder is opened through any links, a file outside is not', () => {
  const outside = createMenusFolder({ 'secret.yaml': 'secret' })
  const folder = createMenusFolder({ 'shared/a.txt': 'ours' })
  symlinkSync('shared', join(folder.dir, 'link'))
  symlinkSync('link/a.txt', join(folder.dir, 'a.yaml'))
  symlinkSync(outside.dir, join(folder.dir, 'out'))
  const descriptor = openInside(menusIn(folder.dir), 'a.yaml')
  assert.is(readFileSync(descriptor, 'utf8'), 'ours')
  closeSync(descriptor)
  assert.throws(
    () => openInside(menusIn(folder.dir), 'out/secret.yaml'),
    (thrown: unknown) => thrown instanceof OutsideError,
  )
  folder.close()
  outside.close()
})

test('A29: once another folder has the place of one that is worked in, none of its entries is named', () => {
  const folder = createMenusFolder({ 'a/b.txt': 'ours', 'other/b.txt': 'theirs' })
  const place = (name: string) => join(folder.dir, name)
  const swaps = {
    'another folder': () => renameSync(place('other'), place('a')),
    'a link': () => symlinkSync('away', place('a')),
  }
  for (const [what, swap] of Object.entries(swaps)) {
    const read = () =>
      inFolder(folder.dir, 'a', (at) => {
        const before = readFileSync(at('b.txt'), 'utf8')
        renameSync(place('a'), place('away'))
        swap()
        return before + readFileSync(at('b.txt'), 'utf8')
      })
    assert.throws(read, (thrown: unknown) => thrown instanceof FolderSwappedError, what)
    folder.remove('a')
    renameSync(place('away'), place('a'))
  }
  folder.close()
})

test('A fault in an open folder names it as people know it', () => {
  const folder = createMenusFolder({ 'a/b.txt': '' })
  assert.throws(
    () => inFolder(folder.dir, 'a', (at) => readFileSync(at('none.txt'))),
    new RegExp(`ENOENT.*'${join(folder.dir, 'a/none.txt')}'`),
  )
  folder.close()
})

test.run()
