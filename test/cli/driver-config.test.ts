import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inRepository } from '../support/repository.js'
import { menuscript } from './command.js'
import { FILE, HEAD, item } from './merging.js'

const SIDES = {
  base: HEAD + item('A') + item('B') + item('C'),
  ours: HEAD + item('C') + item('A') + item('B'),
  theirs: HEAD + item('A').replace('A', 'Home') + item('B') + item('C'),
}
const MERGED = HEAD + item('C') + item('A').replace('A', 'Home') + item('B')

/** A module that leaves a file where it ran. */
const codeIn = (dir: string): string =>
  `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(join(dir, 'ran'))}, 'x')\n`

test('A rebase onto a branch that brings a configuration in code runs none of it, and merges', async () => {
  for (const name of ['menuscript.config.mjs', 'menuscript.config.js']) {
    await inRepository({ [FILE]: SIDES.base, 'package.json': '{"type":"module"}\n' }, async (repository) => {
      const { dir, git, commit } = repository
      await menuscript(['git', 'setup'], { cwd: dir })
      commit('Set up')
      git('checkout', '--quiet', '-b', 'theirs')
      const code = `${codeIn(dir)}export default { policies: './policies.mjs', limits: { items: 1 } }\n`
      commit('Theirs', {
        [FILE]: SIDES.theirs,
        [name]: code,
        'policies.mjs': `${codeIn(dir)}export default {}\n`,
      })
      git('checkout', '--quiet', '-b', 'ours', 'main')
      commit('Ours', { [FILE]: SIDES.ours })
      const { status, stderr } = spawnSync('git', ['rebase', 'theirs'], { cwd: dir, encoding: 'utf8' })
      assert.is(status, 0, stderr)
      assert.not.match(stderr, 'menuscript:')
      assert.is(readFileSync(join(dir, FILE), 'utf8'), MERGED)
      assert.not(existsSync(join(dir, 'ran')))
    })
  }
})

test('The driver does not load a module that was named either', async () => {
  await inRepository({ 'README.md': 'Menus\n' }, async ({ dir, write }) => {
    write('site.mjs', `${codeIn(dir)}export default {}\n`)
    for (const [name, text] of Object.entries(SIDES)) write(name, text)
    const args = ['merge-driver', '--config', 'site.mjs', 'base', 'ours', 'theirs', FILE]
    const { code, stderr } = await menuscript(args, { cwd: dir })
    assert.equal([code, stderr], [0, ''])
    assert.not(existsSync(join(dir, 'ran')))
  })
})

test('Where code sets the limits, a menu may have the largest possible size', async () => {
  await inRepository({ 'README.md': 'Menus\n' }, async ({ dir, write }) => {
    write('menuscript.config.mjs', 'export default { limits: { items: 5000 } }\n')
    const many = [...Array(2_500).keys()].map((place) => item(`M${place}`)).join('')
    for (const [name, text] of Object.entries(SIDES)) write(name, text + many)
    const { code, stderr } = await menuscript(['merge-driver', 'base', 'ours', 'theirs', FILE], { cwd: dir })
    assert.equal([code, stderr], [0, ''])
    assert.is(readFileSync(join(dir, 'ours'), 'utf8'), MERGED + many)
  })
})

test.run()
