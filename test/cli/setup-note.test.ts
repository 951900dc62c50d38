import { spawnSync } from 'node:child_process'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inRepository } from '../support/repository.js'
import { menuscript } from './command.js'
import { CONFLICT, FILE } from './merging.js'

const NOTE =
  /^note: \.gitattributes requires menus to be merged item by item, and this clone is not set up: menuscript git setup$/m

test('After a conflict in a clone that was never set up, lint, diff and the remedy name git setup; elsewhere only the remedy', async () => {
  for (const attributes of ['menus/**/*.yaml merge=menuscript\n', '*.yaml text\n']) {
    const isMeant = attributes.includes('menuscript')
    await inRepository({ [FILE]: CONFLICT.base, '.gitattributes': attributes }, async (repository) => {
      repository.git('checkout', '--quiet', '-b', 'theirs')
      repository.commit('Theirs', { [FILE]: CONFLICT.theirs })
      repository.git('checkout', '--quiet', 'main')
      repository.commit('Ours', { [FILE]: CONFLICT.ours })
      assert.is(spawnSync('git', ['merge', 'theirs'], { cwd: repository.dir }).status, 1)
      const lint = await menuscript(['lint'], { cwd: repository.dir })
      const diff = await menuscript(['diff'], { cwd: repository.dir })
      assert.equal([lint.code, NOTE.test(lint.stderr), NOTE.test(diff.stderr)], [1, isMeant, isMeant])
      assert.match(lint.stdout, 'menuscript git setup')
      const before = await menuscript(['lint', '--changed', 'HEAD'], { cwd: repository.dir })
      assert.is(NOTE.test(before.stderr), isMeant)
    })
  }
})

test.run()
