import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inRepository } from '../support/repository.js'
import { menuscript } from './command.js'
import { type Answer, CONFLICT, FILE, merging } from './merging.js'

test('A file that is broken on one side is left as git merges it, with a note', async () => {
  const broken = { ...CONFLICT, theirs: `${CONFLICT.theirs}lable: x\n` }
  await merging(broken, ({ code, text, said }) => {
    assert.is(code, 1)
    assert.match(
      said,
      /menuscript: menus\/main\.yaml: their version has an error \(.*lable.*\); git merged its lines/,
    )
    assert.match(text, /^<{7} ours\n.*^={7}\n.*^>{7} theirs$/ms)
    assert.match(text, 'lable: x')
  })
  const clean = { ...broken, ours: CONFLICT.base.replace('name: Main', 'name: Ours') }
  await merging(clean, ({ code, text, said }) => {
    assert.is(code, 0)
    assert.match(said, 'git merged its lines')
    assert.is(text, broken.theirs.replace('name: Main', 'name: Ours'))
  })
})

test('A configuration with an error keeps the driver from judging, and git merges the lines', async () => {
  const use = ({ code, said }: Answer): void => {
    assert.is(code, 1)
    assert.match(
      said,
      'menuscript: site/menus/main.yaml: the configuration has an error (menuscript config); git merged its lines',
    )
  }
  await inRepository({ 'README.md': 'Menus\n' }, async ({ dir, write }) => {
    // Of two sites in a repository, the one that the file belongs to counts.
    write('site/menuscript.config.yaml', 'chache: {}\n')
    for (const [name, text] of Object.entries(CONFLICT)) write(name, text)
    const { code, stderr } = await menuscript(['merge-driver', 'base', 'ours', 'theirs', `site/${FILE}`], {
      cwd: dir,
    })
    use({ code, text: '', said: stderr })
    assert.match(readFileSync(join(dir, 'ours'), 'utf8'), /^<{7} ours$/m)
  })
})

test('A missing driver leaves the merge to git, with advice on the repair', async () => {
  await inRepository({ [FILE]: CONFLICT.base }, async (repository) => {
    await menuscript(['git', 'setup'], { cwd: repository.dir })
    const command = repository.git('config', 'merge.menuscript.driver')
    repository.git('config', 'merge.menuscript.driver', command.replace(/; f='[^']*'/, "; f='/gone'"))
    repository.commit('Set up')
    repository.git('checkout', '--quiet', '-b', 'theirs')
    repository.commit('Theirs', { [FILE]: CONFLICT.theirs })
    repository.git('checkout', '--quiet', 'main')
    repository.commit('Ours', { [FILE]: CONFLICT.ours })
    const { status, stderr } = spawnSync('git', ['merge', 'theirs'], {
      cwd: repository.dir,
      encoding: 'utf8',
    })
    assert.is(status, 1)
    assert.match(
      stderr,
      'menuscript: the merge driver is gone or failed, git merged the lines; menuscript git setup repairs it',
    )
    assert.match(readFileSync(join(repository.dir, FILE), 'utf8'), '>>>>>>> theirs')
  })
})

test('Marks that a side has kept are never merged as if they were fine', async () => {
  await inRepository({ 'README.md': 'Menus\n' }, async ({ dir, write }) => {
    const left = `${CONFLICT.base}<<<<<<< HEAD\n`
    for (const name of ['base', 'ours', 'theirs']) write(name, left)
    const { code, stderr } = await menuscript(['merge-driver', 'base', 'ours', 'theirs', FILE], { cwd: dir })
    assert.is(code, 1, stderr)
    assert.match(stderr, 'git merged its lines')
  })
})

test('Missing files and missing arguments are reported', async () => {
  await inRepository({ 'README.md': 'Menus\n' }, async ({ dir }) => {
    const gone = await menuscript(['merge-driver', 'base', 'ours', 'theirs', FILE], { cwd: dir })
    assert.is(gone.code, 2)
    assert.match(
      gone.stderr,
      /^error: there is no file .*base; git calls this command with the three versions of a file\n$/,
    )
    const missing = await menuscript(['merge-driver', 'base'], { cwd: dir })
    assert.is(missing.code, 2)
    assert.match(missing.stderr, "error: missing required argument 'ours'")
    assert.not(existsSync(join(dir, 'ours')))
  })
})

test('A file that is not text is left unchanged', async () => {
  await inRepository({ 'README.md': 'Menus\n' }, async ({ dir, write }) => {
    for (const name of ['base', 'ours', 'theirs']) write(name, Buffer.from([0, 1, 2, name.length]))
    const { code, stderr } = await menuscript(['merge-driver', 'base', 'ours', 'theirs', FILE], { cwd: dir })
    assert.is(code, 1)
    assert.match(stderr, /^menuscript: menus\/main\.yaml: .* has an error/)
    assert.equal([...readFileSync(join(dir, 'ours'))], [0, 1, 2, 4])
  })
})

test('Text from a file is reported without characters that trick a terminal', async () => {
  const tricky = `${CONFLICT.theirs}"a\u202e\u2066b": 1\n`
  await merging({ ...CONFLICT, theirs: tricky }, ({ code, said }) => {
    assert.is(code, 1)
    assert.match(said, /menuscript: menus\/main\.yaml: their version has an error \(.*a··b/)
    assert.not.match(said, /\p{Cf}/u)
  })
})

test.run()
