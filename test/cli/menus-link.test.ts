import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuOf } from '../support/menu-lines.js'
import { inRepository } from '../support/repository.js'
import { menuscript } from './command.js'

const OPEN = menuOf(['Pay /pay'])
const FILES = {
  'old/a.yaml': OPEN.replace('url: /pay', 'url: /pay\n    permissions: [k]'),
  'new/a.yaml': OPEN,
}

test('E16: No gate takes a link to the menus folder that leads elsewhere for no change', () =>
  inRepository(FILES, async ({ dir, commit }) => {
    const lead = (target: string): void => {
      rmSync(join(dir, 'menus'), { force: true })
      symlinkSync(target, join(dir, 'menus'))
    }
    const run = (...args: readonly string[]) => menuscript(args, { cwd: dir })
    lead('old')
    commit('Old')
    assert.is((await run('diff', 'HEAD', '--fail-on', 'widened')).code, 0, 'it leads where it led')
    assert.not.match((await run('lint', '--changed', 'HEAD')).stderr, 'differs')
    lead('new')
    commit('New')
    for (const range of ['HEAD~1', 'HEAD~1..HEAD']) {
      const { code, stderr } = await run('diff', range, '--fail-on', 'widened')
      assert.is(code, 3, range)
      assert.match(stderr, /^error: menus, in the path of the menus folder, has another target in HEAD~1 /)
    }
    const { stdout, stderr } = await run('lint', '--changed', 'HEAD~1')
    assert.match(stderr, 'menus differs from HEAD~1')
    assert.match(stdout, '1 file')
  }))

test.run()
