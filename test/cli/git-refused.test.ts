import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuOf } from '../support/menu-lines.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { inCommits, toRows } from './at-commits.js'
import { menuscript } from './command.js'
import { STACK } from './project.js'

const MAIN = 'menus/main.yaml'
const FILES = { [MAIN]: menuOf(['A /a']) }
/** Every command that reads from git, as it is asked for a revision. */
const COMMANDS = [
  ['log', 'main'],
  ['blame', 'main'],
  ['show', 'main', '--at', 'HEAD'],
  ['explain', 'main', '--at', 'HEAD'],
]

/** Two of them, which read in different ways. */
const TWO = COMMANDS.filter(([name]) => name === 'log' || name === 'explain')

/** Each command says the same, on one line, with one exit code, and nothing else. */
async function saysAlike(
  run: (
    ...args: readonly string[]
  ) => Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>,
  code: number,
  said: RegExp,
  commands: readonly (readonly string[])[] = COMMANDS,
): Promise<void> {
  const outcomes = await Promise.all(commands.map((args) => run(...args)))
  for (const [place, outcome] of outcomes.entries()) {
    const command = commands[place]?.join(' ')
    assert.equal([outcome.code, outcome.stdout], [code, ''], `${command}: ${outcome.stderr}`)
    assert.match(outcome.stderr, said, command)
    assert.not.match(outcome.stderr, STACK, command)
  }
}

test('Outside of a repository, in a bare one, without git and in one of another user, that is reported with what to do', async () => {
  const folder = createMenusFolder(FILES)
  const run = (...args: readonly string[]) => menuscript(args, { cwd: folder.dir })
  await saysAlike(run, 3, /^error: .*menus is not in a git repository\. Run this in a clone of one/)
  assert.is((await run('show', 'main')).stdout, FILES[MAIN], 'the work tree needs no git')
  assert.match((await run('show', 'man')).stderr, /^error: there is no menu "man"; did you mean "main"\?/)
  folder.close()
  await inCommits(async ({ dir, commit, git }) => {
    commit('One', FILES)
    git('clone', '--quiet', '--bare', '.', 'bare')
    const inBare = (...args: readonly string[]) => menuscript(args, { cwd: join(dir, 'bare') })
    await saysAlike(
      inBare,
      3,
      /^error: \/\S+\/bare has the files of a bare git repository .*\. Run this in a clone with files, /,
      TWO,
    )
    const withoutGit = (...args: readonly string[]) =>
      menuscript(args, { cwd: dir, env: { PATH: '/nowhere' } })
    await saysAlike(withoutGit, 3, /^error: git is not installed\. Install git/, TWO)
    const strange = { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }
    const asStranger = (...args: readonly string[]) => menuscript(args, { cwd: dir, env: strange })
    await saysAlike(
      asStranger,
      3,
      /of another user, which git does not trust\. If you trust it: git config --global --add safe\.directory /,
      TWO,
    )
  })
})

test('Without a commit there is nothing to report; a branch without one names another', async () => {
  await inCommits(async ({ commit, run, write, git }) => {
    write(MAIN, FILES[MAIN] ?? '')
    await saysAlike(run, 2, /^error: the repository has no commit yet\. Make the first commit/, TWO)
    assert.match((await run('blame', 'main')).stdout, /A {2}not committed yet {2}added$/m)
    commit('One')
    git('checkout', '--quiet', '--orphan', 'new')
    await saysAlike(run, 2, /^error: the branch that is checked out has no commit yet\./, TWO)
    assert.is((await run('log', 'main', '--at', 'main')).code, 0)
  })
})

test('An unknown revision, an ambiguous one, and one that resembles an option are usage errors', async () => {
  await inCommits(async ({ commit, run, git }) => {
    commit('One', FILES)
    git('branch', 'release')
    git('tag', 'main')
    for (const [name = '', code = ''] of [COMMANDS[0] ?? [], COMMANDS[3] ?? []]) {
      const said = async (at: string) => {
        const { code: exit, stderr } = await run(name, code, '--at', at)
        assert.is(exit, 2, name)
        return stderr
      }
      assert.match(
        await said('relase'),
        /^error: there is no revision "relase"\. Did you mean "release"\?\n$/,
      )
      assert.match(
        await said('main'),
        /^error: "main" names more than one thing, such as a branch and a tag\. Write refs\/heads/,
      )
      assert.match(await said('--output=x'), /^error: there is no revision "--output=x"\./)
    }
    assert.is(git('status', '--porcelain'), '')
    const since = await run('log', 'main', '--since', 'once upon a time')
    assert.equal(
      [since.code, since.stderr],
      [
        2,
        'error: "once upon a time" is not a time in the past. Write it like 2026-03-01 or \'2 weeks ago\'.\n',
      ],
    )
    assert.is((await run('log', 'main', '--limit', 'x')).code, 2)
    assert.match((await run('blame', 'main', '--context', '{')).stderr, /^error: --context is not JSON/)
  })
})

test('A detached head works as any other, and so does a linked work tree', async () => {
  await inCommits(async ({ dir, commit, run, git, runIn }) => {
    commit('One', FILES)
    commit('Two', { [MAIN]: menuOf(['B /a']) })
    git('checkout', '--quiet', '--detach', 'HEAD~1')
    assert.equal(toRows((await run('log', 'main')).stdout).length, 2)
    assert.match((await run('blame', 'main')).stdout, /A .* added$/m)
    git('worktree', 'add', '--quiet', 'linked', 'main')
    const env = { GIT_DIR: join(dir, '.git/worktrees/linked') }
    assert.is(toRows((await menuscript(['log', 'main'], { cwd: join(dir, 'linked'), env })).stdout).length, 4)
    assert.match((await runIn('linked', 'blame', 'main')).stdout, /B .* edited label$/m)
  })
})

test('A shallow clone reports the history that it has, and that it begins there', async () => {
  await inCommits(async ({ dir, commit, git }) => {
    commit('One', FILES)
    commit('Two', { [MAIN]: menuOf(['A /a', 'B /b']) })
    commit('Three', { [MAIN]: menuOf(['A /a', 'B /b', 'C /c']) })
    git('clone', '--quiet', '--depth=2', `file://${dir}`, 'clone')
    const run = (...args: readonly string[]) => menuscript(args, { cwd: join(dir, 'clone') })
    const log = await run('log', 'main')
    assert.equal([log.code, toRows(log.stdout).length], [0, 4])
    assert.match(
      log.stderr,
      /^note: this clone is shallow, and its history begins here; git fetch --unshallow/,
    )
    const blame = await run('blame', 'main')
    assert.equal(
      toRows(blame.stdout).map((row) => row.split('  ').at(-1)),
      ['unknown', 'unknown', 'added'],
    )
    assert.match(
      blame.stderr,
      /^note: older commits are missing from this shallow clone; git fetch --unshallow/,
    )
    assert.match(
      (await run('show', 'main', '--at', 'HEAD~2')).stderr,
      /^error: there is no revision "HEAD~2"\. .*git fetch --unshallow/,
    )
  })
})

test('A menu that is only at another time is reported with when, and how to see it', async () => {
  await inCommits(async ({ commit, run, remove, write }) => {
    commit('One', {
      ...FILES,
      'menus/old.yaml': menuOf(['X /x'], 'code: old'),
      'menus/b.yaml': menuOf([], 'code: b.c'),
    })
    remove('menus/old.yaml')
    commit('Tidy up', {}, { author: 'Bo <bo@example.org>', date: '2026-02-03T10:00:00Z' })
    commit('Recode', { 'menus/b.yaml': menuOf([], 'code: d') })
    commit('Later', { 'menus/new.yaml': menuOf(['N /n'], 'code: new') })
    const said = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await run(...args)
      assert.equal([code, stdout], [1, ''], args.join(' '))
      return toRows(stderr)[0]
    }
    for (const name of ['log', 'blame', 'show']) {
      const when = name === 'log' ? 'at HEAD' : 'in the work tree'
      assert.is(
        await said(name, 'old'),
        `error: there is no menu "old" ${when}: it was deleted in 0000000 (2026-02-03, Bo, “Tidy up”). Show it with --at 0000000^`,
      )
      assert.match(
        (await said(name, 'mian')) ?? '',
        /^error: there is no menu "mian" .*; did you mean "main"\?$/,
      )
    }
    assert.match((await said('show', 'b.c')) ?? '', /: it was given another code in 0000000 \(.*“Recode”\)/)
    assert.match(
      (await said('show', 'new', '--at', 'HEAD~1')) ?? '',
      /, and there is one in the last commit: leave --at out, or name a later one$/,
    )
    remove(MAIN)
    assert.match(
      (await said('blame', 'main')) ?? '',
      /, and there is one in the last commit: show it with --at HEAD$/,
    )
    write('menus/soon.yaml', menuOf(['S /s'], 'code: soon'))
    assert.match(
      (await said('log', 'soon')) ?? '',
      /, and there is one in the work tree that is not committed yet$/,
    )
    const [, name = ''] = /--at (\w+\^)/.exec((await run('show', 'old')).stderr) ?? []
    assert.is((await run('show', 'old', '--at', name)).stdout, menuOf(['X /x'], 'code: old'))
  })
})

test('A damaged repository is reported in the words of git, and is not a bug of ours', async () => {
  await inCommits(async ({ dir, commit, run, git }) => {
    commit('One', FILES)
    const blob = git('rev-parse', `HEAD:${MAIN}`)
    rmSync(join(dir, '.git/objects', blob.slice(0, 2), blob.slice(2)))
    await saysAlike(run, 3, /^error: /)
  })
})

test.run()
