import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createGitCheck } from '../../../src/store/git/lock.js'
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

test.run()
