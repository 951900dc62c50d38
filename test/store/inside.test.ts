import { closeSync, constants, openSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inFolder, OutsideError, openInside, realPathOf } from '../../src/store/inside.js'
import { createMenusFolder } from '../support/menus-folder.js'

/** A system that does not show what a descriptor has open. */
const NOWHERE = '/nowhere'

test('A file in the folder is opened through any links, a file outside is not', () => {
  const outside = createMenusFolder({ 'secret.yaml': 'secret' })
  const folder = createMenusFolder({ 'shared/a.txt': 'ours' })
  symlinkSync('shared', join(folder.dir, 'link'))
  symlinkSync('link/a.txt', join(folder.dir, 'a.yaml'))
  symlinkSync(outside.dir, join(folder.dir, 'out'))
  const descriptor = openInside(folder.dir, 'a.yaml')
  assert.is(readFileSync(descriptor, 'utf8'), 'ours')
  closeSync(descriptor)
  assert.throws(
    () => openInside(folder.dir, 'out/secret.yaml'),
    (thrown: unknown) => thrown instanceof OutsideError,
  )
  folder.close()
  outside.close()
})

for (const [system, descriptors] of Object.entries({ Linux: undefined, 'another system': NOWHERE })) {
  test(`A29: on ${system}, a file opened before a link was flipped is not confused with its new target`, () => {
    const folder = createMenusFolder({ 'menus/a.txt': 'ours', 'secret.txt': 'secret' })
    const link = join(folder.dir, 'menus/a.yaml')
    symlinkSync('../secret.txt', link)
    const secret = openSync(link, constants.O_RDONLY)
    folder.remove('menus/a.yaml')
    symlinkSync('a.txt', link)
    const ours = openSync(link, constants.O_RDONLY)
    const inMenus = (descriptor: number): boolean =>
      realPathOf(descriptor, link, descriptors) === join(folder.dir, 'menus/a.txt')
    assert.equal([inMenus(secret), inMenus(ours)], [false, true])
    for (const descriptor of [secret, ours]) closeSync(descriptor)
    folder.close()
  })
}

test('A fault in an open folder names it as people know it', () => {
  const folder = createMenusFolder({ 'a/b.txt': '' })
  assert.throws(
    () => inFolder(folder.dir, 'a', (at) => readFileSync(at('none.txt'))),
    new RegExp(`ENOENT.*'${join(folder.dir, 'a/none.txt')}'`),
  )
  folder.close()
})

test.run()
