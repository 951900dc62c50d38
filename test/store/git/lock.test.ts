import { symlinkSync, utimesSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createGitCheck, isPulling } from '../../../src/store/git/lock.js'
import { createMenusFolder } from '../../support/menus-folder.js'

/** Whether git counts as busy in the folder `inner`, in a work tree around it whose git folder is locked. */
function isBusyIn(files: Readonly<Record<string, string>>): boolean {
  const folder = createMenusFolder({ '.git/index.lock': '', 'inner/main.yaml': '', ...files })
  const isBusy = createGitCheck(`${folder.dir}/inner`)(0)
  folder.close()
  return isBusy
}

test('The lock of the work tree that a folder lies in counts, and no other', () => {
  assert.ok(isBusyIn({}))
  assert.not(isBusyIn({ 'inner/.git/HEAD': '' }))
  assert.not(isBusyIn({ 'inner/.git': 'gitdir: elsewhere\n' }))
  assert.ok(isBusyIn({ 'inner/.git': 'gitdir: elsewhere\n', 'inner/elsewhere/index.lock': '' }))
  assert.not(isBusyIn({ 'inner/.git': 'This names no git folder.\n' }))
})

test('A fetch or a merge that has just begun counts for a second; what cannot be read is none', () => {
  for (const name of ['FETCH_HEAD', 'ORIG_HEAD']) {
    const folder = createMenusFolder({ [`.git/${name}`]: '', 'inner/main.yaml': '' })
    assert.ok(isPulling(`${folder.dir}/inner`))
    utimesSync(`${folder.dir}/.git/${name}`, 1, Date.now() / 1000 - 2)
    assert.not(isPulling(`${folder.dir}/inner`))
    folder.close()
  }
  const folder = createMenusFolder({ '.git/HEAD': '' })
  assert.not(isPulling(folder.dir))
  symlinkSync('FETCH_HEAD', `${folder.dir}/.git/FETCH_HEAD`)
  assert.not(isPulling(folder.dir))
  folder.close()
})

test.run()
