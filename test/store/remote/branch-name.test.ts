import { spawnSync } from 'node:child_process'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toBranchName } from '../../../src/store/remote/branch-name.js'

const HOSTILE = [
  ...['../', '.', '..', '.lock', 'a.lock', '-x', '--force', '@', '@{', 'a..b', 'a//b', 'a\\b', '~^:?*['],
  ...[
    '',
    ' ',
    '\u0000',
    'a\nb',
    '\u202e',
    '🚀',
    '菜单',
    'القائمة',
    'İ',
    'ß',
    'x'.repeat(300),
    '-'.repeat(300),
  ],
]

test('Whatever a user and a title are called, git takes the name of the branch', () => {
  for (const user of HOSTILE)
    for (const title of HOSTILE.slice(0, 6)) {
      for (const name of [toBranchName(user, title, () => false), toBranchName(title, user, () => false)]) {
        assert.match(name, /^menus\/[a-z0-9][a-z0-9-]{0,39}\/[a-z0-9][a-z0-9-]{0,39}$/)
        assert.not.match(name, /--|-$|-\//)
      }
    }
  const names = HOSTILE.map((each) => toBranchName(each, each, () => false))
  for (const name of new Set(names))
    assert.is(spawnSync('git', ['check-ref-format', '--branch', name]).status, 0, name)
})

test('A name that is taken gets the first number that is free', () => {
  const taken = ['menus/ana/a', 'menus/ana/a-2']
  assert.is(
    toBranchName('Ana', 'A!', (name) => taken.includes(name)),
    'menus/ana/a-3',
  )
})

test.run()
