import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inRepository } from '../support/repository.js'
import { menuscript } from './command.js'
import { guarded } from './hostile-plants.js'
import { STACK } from './project.js'

/** What is not one commit. */
const ODD = ['', '^HEAD', 'HEAD^@', ':menus/main.yaml', 'HEAD:menus', '--all', 'refs/heads/*']
const RANGES = ['main..HEAD', 'main...HEAD', 'main..']

/** Every way to name a revision; `diff` alone takes ranges. */
const COMMANDS: readonly ((revision: string) => readonly string[])[] = [
  (revision) => ['lint', '--changed', revision],
  (revision) => ['diff', '--fail-on', 'widened', '--', revision],
  (revision) => ['diff', '--fail-on', 'changes', '--', `${revision}..HEAD`],
  (revision) => ['diff', '--fail-on', 'changes', '--', `main...${revision}`],
  (revision) => ['log', 'main', '--at', revision],
  (revision) => ['blame', 'main', '--at', revision],
  (revision) => ['show', 'main', '--at', revision],
  (revision) => ['explain', 'main', '--at', revision],
]

test('E17: An empty revision, or one that is not one commit, ends every command with exit code 2 and a sentence', async () => {
  await inRepository({ 'menus/main.yaml': guarded(false) }, async ({ dir, git, commit }) => {
    git('checkout', '--quiet', '-b', 'topic')
    commit('For all', { 'menus/main.yaml': guarded(true) })
    for (const [place, command] of COMMANDS.entries()) {
      const isDiff = place > 0 && place < 4
      const judge = async (revision: string): Promise<void> => {
        const args = command(revision)
        const { code, stdout, stderr } = await menuscript(args, { cwd: dir })
        assert.equal([code, stdout], [2, ''], `${args.join(' ')}: ${stderr}`)
        assert.match(stderr, /^error: [^\n]+\. [^\n]+[.?]\n$/, args.join(' '))
        assert.not.match(stderr, STACK)
      }
      await Promise.all([...ODD, ...(isDiff ? ['..', '...', '..HEAD', 'main..'] : RANGES)].map(judge))
    }
    const { stderr } = await menuscript(['diff', '', '--fail-on', 'widened'], { cwd: dir })
    assert.is(
      stderr,
      'error: an empty revision names no commit. Is a variable empty? Name a branch, a tag or a commit.\n',
    )
  })
})

test('E17: A gate without a code checks nothing, and does not pass', async () => {
  await inRepository({ 'menus/main.yaml': guarded(false) }, async ({ dir, write }) => {
    write('menus/main.yaml', guarded(true))
    const gate = ['diff', 'main', '--fail-on', 'widened']
    assert.is((await menuscript(gate, { cwd: dir })).code, 1)
    assert.is((await menuscript([...gate, '--code', ''], { cwd: dir })).code, 2)
    assert.is((await menuscript([...gate, '--code', 'main'], { cwd: dir })).code, 1)
  })
})

test.run()
