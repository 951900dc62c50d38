import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inRepository, type TestRepository } from '../support/repository.js'
import { menuscript, menuText } from './command.js'
import { CONFLICT, HEAD, item, resolved } from './merging.js'

/** Names of menu files that look like options. */
const NAMES = [
  '-V.yaml',
  '--version.yaml',
  '-h.yaml',
  '--help.yaml',
  '--marker-size=9.yaml',
  '-- x.yaml',
  '-\'".yaml',
]
const CONFIG = { 'menuscript.config.yaml': 'storage: { connections: { default: . } }\n' }
const base = HEAD + item('A') + item('B')
const ours = base.replace('label: A', 'label: Ours')
const theirs = base.replace('label: B', 'label: Theirs')
const both = ours.replace('label: B', 'label: Theirs')

/** Where more than one name proves no more. */
const SOME = NAMES.slice(1, 3)

/** Merges what two branches made of every file; `change` may alter the setting of the clone before. */
async function mergingAll(
  sides: { readonly base: string; readonly ours: string; readonly theirs: string },
  change: (repository: TestRepository) => void,
  judge: (status: number | null, texts: ReadonlyMap<string, string>, said: string) => void,
  names: readonly string[] = NAMES,
): Promise<void> {
  const all = (text: string) =>
    Object.fromEntries(names.map((name, n) => [name, text.replace('code: main', `code: main${n}`)]))
  await inRepository({ ...CONFIG, ...all(sides.base) }, async (repository) => {
    const setup = await menuscript(['git', 'setup'], { cwd: repository.dir })
    assert.is(setup.code, 0, setup.stderr)
    change(repository)
    repository.commit('Set up')
    repository.git('checkout', '--quiet', '-b', 'theirs')
    repository.commit('Theirs', all(sides.theirs))
    repository.git('checkout', '--quiet', 'main')
    repository.commit('Ours', all(sides.ours))
    const { status, stdout, stderr } = spawnSync('git', ['merge', '-m', 'Merged', 'theirs'], {
      cwd: repository.dir,
      encoding: 'utf8',
    })
    const read = (name: string, n: number): string =>
      readFileSync(join(repository.dir, name), 'utf8').replace(`code: main${n}`, 'code: main')
    judge(status, new Map(names.map((name, n) => [name, read(name, n)])), stdout + stderr)
  })
}

/** The setting of the clone as it was made before file names were set apart from options. */
function oldSetting({ git }: TestRepository): void {
  const command = git('config', 'merge.menuscript.driver')
  const old = command.replace('merge-driver --marker-size %L -- %O', 'merge-driver --marker-size %L %O')
  git('config', 'merge.menuscript.driver', old)
}

for (const [title, change] of [
  ['', () => {}],
  [', also with the old setting', oldSetting],
] as const) {
  test(`E16: Files whose names are options are merged as any other${title}`, async () => {
    await mergingAll({ base, ours, theirs }, change, (status, texts, said) => {
      assert.is(status, 0, said)
      for (const [name, text] of texts) assert.is(text, both, name)
    })
    const bothSides = (status: number | null, texts: ReadonlyMap<string, string>, said: string): void => {
      assert.is(status, 1, said)
      for (const [name, text] of texts) {
        assert.match(resolved(text, 'ours'), 'label: Ours', name)
        assert.match(resolved(text, 'theirs'), 'label: Theirs', name)
      }
    }
    await mergingAll(CONFLICT, change, bothSides, SOME)
  })
}

test('E16: A driver that fails, is ended or cannot be understood leaves the merge to git, and no side is lost', async () => {
  const failures = ["f='/gone'", 'n=/nowhere/node; f=evil.mjs', 'n=/bin/sh; f=evil.sh']
  for (const failure of failures) {
    const change = ({ git, write }: TestRepository): void => {
      write('evil.sh', 'kill -9 $$\n')
      write('evil.mjs', 'process.exit(70)\n')
      const command = git('config', 'merge.menuscript.driver')
      git('config', 'merge.menuscript.driver', command.replace('; test', `; ${failure}; test`))
    }
    const leftToGit = (status: number | null, texts: ReadonlyMap<string, string>, said: string): void => {
      assert.is(status, 1, failure)
      assert.match(said, 'menuscript git setup', failure)
      for (const [name, text] of texts) {
        assert.match(resolved(text, 'ours'), 'label: Ours', name)
        assert.match(resolved(text, 'theirs'), 'label: Theirs', name)
      }
    }
    await mergingAll(CONFLICT, change, leftToGit, SOME)
  }
})

test('E16: merge-driver never prints the version or the help in place of a merge', async () => {
  for (const args of [
    ['-V'],
    ['--version'],
    ['a', 'b', 'c', '-V'],
    ['a', 'b', 'c', '--help'],
    ['a', 'b', 'c', 'd', 'e'],
    [],
  ]) {
    const { code, stdout } = await menuscript(['merge-driver', ...args])
    assert.equal([code, stdout], [2, ''], args.join(' '))
  }
})

test('E16: Commands take files whose names are options, as values and behind --', async () => {
  const files = Object.fromEntries(NAMES.map((name) => [name, menuText('main')]))
  await inRepository({ ...CONFIG, ...files }, async ({ dir }) => {
    for (const name of SOME) {
      for (const line of [
        ['show', 'main', '--file', name],
        ['show', 'main', '--at', 'HEAD', '--file', name],
        ['blame', 'main', '--file', name],
        ['log', 'main', '--file', name],
      ]) {
        const { code, stdout, stderr } = await menuscript(line, { cwd: dir })
        assert.is(code, 0, `${line.join(' ')}: ${stderr}`)
        assert.match(stdout, /main|added/, line.join(' '))
      }
      const { stdout } = await menuscript(['lint', '--json', '--', name], { cwd: dir })
      assert.equal(JSON.parse(stdout).files, 1, name)
    }
  })
})

test('E16: A file that would narrow what lint judges is refused, as a pattern of the shell may give it', async () => {
  const files = { 'a.yaml': menuText('a'), '--changed=HEAD': '', '-x.yaml': menuText('x'), '--fix': '' }
  await inRepository({ ...CONFIG, ...files }, async ({ dir }) => {
    for (const args of [
      ['--changed=HEAD', 'a.yaml'],
      ['--fix', '--changed=HEAD'],
      ['a.yaml', '-x.yaml'],
    ]) {
      const { code, stdout, stderr } = await menuscript(['lint', ...args], { cwd: dir })
      assert.equal([code, stdout], [2, ''], args.join(' '))
      assert.match(stderr, /^error: /)
    }
    const { stderr } = await menuscript(['lint', '--changed=HEAD', 'a.yaml'], { cwd: dir })
    assert.match(
      stderr,
      'error: "--changed=HEAD" is an option and a file in this folder. Put file names after --, or rename the file.\n',
    )
    assert.is((await menuscript(['lint', '--', '-x.yaml'], { cwd: dir })).code, 0)
  })
})

test.run()
