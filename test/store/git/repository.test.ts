import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type GitFault,
  openRepository,
  type Repository,
  toTreePath,
} from '../../../src/store/git/repository.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { createRepository, inRepository } from '../../support/repository.js'

const FILES = { 'menus/a.yaml': 'a\n' }

async function openOf(folder: string): Promise<Repository> {
  const { value, fault } = await openRepository(folder)
  assert.is(fault, null)
  return value as Repository
}

async function faultOf(folder: string): Promise<GitFault> {
  const { fault } = await openRepository(folder)
  assert.ok(fault !== null, 'it was opened')
  return fault as GitFault
}

/** Runs a test with variables of the environment, as a hook of git has them. */
async function withVariables(
  variables: Readonly<Record<string, string>>,
  test: () => Promise<void>,
): Promise<void> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  try {
    await test()
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

test('A folder is named from the top of its work tree, with any characters in the path', async () => {
  const folder = 'site [1]/Menü *é/:menus'
  await inRepository({ [`${folder}/a.yaml`]: 'a\n' }, async ({ dir }) => {
    const repository = await openOf(join(dir, folder))
    assert.is(repository.root, dir)
    assert.is(toTreePath(repository, join(dir, folder)), folder)
    assert.is(toTreePath(repository, dir), '')
    assert.is(toTreePath(repository, join(dir, '..')), null)
    assert.is(toTreePath(repository, join(dir, '..name')), '..name')
  })
})

test('A folder reached through a link is named by its real place', async () => {
  await inRepository(FILES, async ({ dir }) => {
    const outside = createMenusFolder()
    symlinkSync(join(dir, 'menus'), join(outside.dir, 'link'))
    const repository = await openOf(join(outside.dir, 'link'))
    assert.is(toTreePath(repository, join(outside.dir, 'link')), 'menus')
    assert.is(toTreePath(repository, join(outside.dir, 'link/new/x.yaml')), 'menus/new/x.yaml')
    outside.close()
  })
})

test('A folder that no longer exists belongs to its former repository', async () => {
  await inRepository(FILES, async ({ dir, remove }) => {
    remove('menus')
    const repository = await openOf(join(dir, 'menus'))
    assert.equal([repository.root, toTreePath(repository, join(dir, 'menus'))], [dir, 'menus'])
    assert.is((await openOf(join(dir, '.gitignore/menus'))).root, dir)
  })
})

test('A repository within another one, such as a submodule, is that of its own folder', async () => {
  await inRepository(FILES, async ({ dir, git }) => {
    const inner = createRepository({ 'menus/b.yaml': 'b\n' })
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'sub')
    assert.is((await openOf(join(dir, 'sub/menus'))).root, join(dir, 'sub'))
    assert.is((await openOf(join(dir, 'menus'))).root, dir)
    inner.close()
  })
})

test('A linked work tree is the one that is asked, also in a hook of it', async () => {
  await inRepository(FILES, async ({ dir, git }) => {
    git('worktree', 'add', '--quiet', '-b', 'other', join(dir, 'linked tree'))
    const linked = join(dir, 'linked tree')
    const gitFolder = join(dir, '.git/worktrees/linked tree')
    assert.is((await openOf(join(linked, 'menus'))).root, linked)
    // Git sets GIT_DIR for the hooks of a linked work tree, and takes the current folder for its top then.
    await withVariables({ GIT_DIR: gitFolder, GIT_INDEX_FILE: join(gitFolder, 'index') }, async () => {
      const repository = await openOf(join(linked, 'menus'))
      assert.equal([repository.root, toTreePath(repository, join(linked, 'menus'))], [linked, 'menus'])
      assert.is((await openOf(join(dir, 'menus'))).root, dir)
    })
  })
})

test('The variables of a hook of another repository do not mislead', async () => {
  const other = createRepository({ 'x.yaml': 'x\n' })
  await inRepository(FILES, async ({ dir }) => {
    const hook = {
      GIT_DIR: '.git',
      GIT_WORK_TREE: other.dir,
      GIT_INDEX_FILE: join(other.dir, '.git/index'),
      GIT_PREFIX: 'x/',
    }
    await withVariables(hook, async () => {
      const repository = await openOf(join(dir, 'menus'))
      assert.is(repository.root, dir)
      const { code, stdout } = await repository.run(['ls-files'])
      assert.equal([code, String(stdout)], [0, 'menus/a.yaml\n'])
    })
  })
  other.close()
})

test('A repository that the environment names serves a work tree without one of its own', async () => {
  await inRepository(FILES, async ({ dir }) => {
    const home = createMenusFolder(FILES)
    await withVariables({ GIT_DIR: join(dir, '.git'), GIT_WORK_TREE: home.dir }, async () => {
      const repository = await openOf(join(home.dir, 'menus'))
      assert.is(repository.root, home.dir)
      assert.is((await repository.run(['rev-parse', '--verify', 'HEAD'])).code, 0)
    })
    home.close()
  })
})

test('A folder outside of any repository, and a bare one, are reported with what to do', async () => {
  const folder = createMenusFolder(FILES)
  const outside = await faultOf(join(folder.dir, 'menus'))
  assert.equal(outside, {
    what: `${join(folder.dir, 'menus')} is not in a git repository`,
    todo: 'Run this in a clone of one, or create one with `git init`.',
  })
  folder.close()
  await inRepository(FILES, async ({ dir, git }) => {
    git('clone', '--quiet', '--bare', dir, 'bare')
    assert.is(
      (await faultOf(join(dir, 'bare/menus'))).what,
      `${join(dir, 'bare')} has the files of a bare git repository (HEAD, objects, refs), and is not read as one`,
    )
    assert.match((await faultOf(join(dir, '.git'))).what, /\.git has the files of a bare git repository/)
  })
})

test('That git is missing is reported', async () => {
  await inRepository(FILES, async ({ dir }) => {
    await withVariables({ PATH: dir }, async () => {
      const { what, todo } = await faultOf(join(dir, 'menus'))
      assert.is(what, 'git is not installed')
      assert.match(todo, /^Install git/)
    })
  })
})

test('A repository of another user is reported with the command that trusts it', async () => {
  await inRepository({ 'my menus/a.yaml': 'a\n' }, async ({ dir }) => {
    // The variable by which git itself tries this.
    await withVariables({ GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }, async () => {
      const { what, todo } = await faultOf(join(dir, 'my menus'))
      assert.is(what, `${join(dir, 'my menus')} is a repository of another user, which git does not trust`)
      assert.is(todo, `If you trust it: git config --global --add safe.directory ${dir}`)
    })
  })
})

test('A repository that git refuses for another reason is reported in the words of git', async () => {
  await inRepository(FILES, async ({ dir, write }) => {
    write('.git/config', '[core\n')
    const { what } = await faultOf(join(dir, 'menus'))
    assert.match(what, /^git refuses: bad config line 1 in file .*config$/)
  })
})

test.run()
