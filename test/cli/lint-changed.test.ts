import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMenusFolder } from '../support/menus-folder.js'
import { inRepository, type TestRepository } from '../support/repository.js'
import { menuscript } from './command.js'
import { STACK } from './project.js'

/** A menu with a warning: a label without Spanish. */
function warned(code: string, extra = ''): string {
  return `version: 1\ncode: ${code}\nname: ${code}\n${extra}items:\n  - label: { en: Home }\n    url: /\n`
}

const FILES = {
  'menuscript.config.yaml': 'locales: [en, es]\nroutes: routes.yaml\n',
  'routes.yaml': 'home: /\n',
  'menus/a.yaml': warned('a'),
  'menus/b.yaml': warned('b'),
  'menus/sub/c.yaml': warned('c'),
}

/** What is told of the changes since a revision: exit code, files, and each problem. */
async function told(
  { dir }: TestRepository,
  base = 'main',
  ...args: readonly string[]
): Promise<readonly unknown[]> {
  const { code, stdout } = await menuscript(['lint', '--json', '--changed', base, ...args], { cwd: dir })
  const { files, problems } = JSON.parse(stdout) as {
    files: number
    problems: { path: string; code: string }[]
  }
  return [code, files, ...problems.map((problem) => `${problem.path} ${problem.code}`)]
}

test('--changed reports what was committed, changed or made since the branch left its base', () =>
  inRepository(FILES, async (repository) => {
    assert.equal(await told(repository), [0, 0])
    repository.git('checkout', '--quiet', '-b', 'work')
    repository.commit('Another label', { 'menus/a.yaml': warned('a', 'x-owner: shop\n') })
    assert.equal(await told(repository), [0, 1, 'menus/a.yaml missing-translation'])
    repository.write('menus/sub/c.yaml', warned('c', 'x-owner: shop\n'))
    repository.write('menus/sub/ñ é.yaml', warned('d'))
    const three = ['menus/a.yaml', 'menus/sub/c.yaml', 'menus/sub/ñ é.yaml']
    const lines = three.map((path) => `${path} missing-translation`)
    assert.equal(await told(repository), [0, 3, ...lines])
    repository.git('add', '--all')
    assert.equal(await told(repository), [0, 3, ...lines], 'staged or not')
    assert.equal(
      await told(repository, 'main', 'menus/sub'),
      [0, 2, ...lines.slice(1)],
      'paths narrow it further',
    )
  }))

test('A link differs if its target does, through links, folders and texts without a menu’s name', () =>
  inRepository({ ...FILES, 'menus/shared/base.txt': warned('d') }, async (repository) => {
    const link = (target: string, path: string): void => symlinkSync(target, join(repository.dir, path))
    link('shared/base.txt', 'menus/d.yaml')
    link('sub', 'menus/way')
    repository.write('menus/sub/hop.txt', '')
    rmSync(join(repository.dir, 'menus/sub/hop.txt'))
    link('../d.yaml', 'menus/sub/hop.txt')
    link('way/hop.txt', 'menus/e.yaml')
    repository.commit('Links')
    assert.equal(await told(repository), [0, 0])
    repository.write('menus/shared/base.txt', 'version: 1\ncode: d\n')
    const [code, files, ...problems] = await told(repository)
    assert.equal([code, files, problems.length > 0], [1, 2, true])
    assert.equal(
      new Set(problems.map((each) => String(each).split(' ')[0])),
      new Set(['menus/d.yaml', 'menus/e.yaml']),
    )
    repository.remove('menus/shared/base.txt')
    assert.equal(await told(repository), [
      1,
      2,
      'menus/d.yaml unreadable-file',
      'menus/e.yaml unreadable-file',
    ])
    repository.git('checkout', '--quiet', '.')
    repository.remove('menus/sub/hop.txt')
    link('../b.yaml', 'menus/sub/hop.txt')
    assert.equal((await told(repository)).slice(0, 2), [1, 1], 'a link on the way leads elsewhere')
    repository.git('checkout', '--quiet', '.')
    repository.write('menus/sub/c.yaml', warned('c', 'x-owner: shop\n'))
    assert.equal(await told(repository), [
      1,
      2,
      'menus/sub/c.yaml missing-translation',
      'menus/way/c.yaml duplicate-menu',
      'menus/way/c.yaml missing-translation',
    ])
  }))

test('Later commits of the base do not count as changes', () =>
  inRepository(FILES, async (repository) => {
    repository.git('checkout', '--quiet', '-b', 'work')
    repository.commit('Mine', { 'menus/a.yaml': warned('a', 'x-owner: shop\n') })
    repository.git('checkout', '--quiet', 'main')
    repository.commit('Theirs', { 'menus/b.yaml': warned('b', 'x-owner: office\n') })
    repository.git('checkout', '--quiet', 'work')
    assert.equal(await told(repository), [0, 1, 'menus/a.yaml missing-translation'])
  }))

test('A problem between two files is reported when either of them changed', () =>
  inRepository({ ...FILES, 'menus/z.yaml': warned('z', 'context: { a: 1 }\n') }, async (repository) => {
    repository.write('menus/a.yaml', warned('z', 'context: { a: 1 }\n'))
    const [code, files, ...problems] = await told(repository)
    assert.equal([code, files], [1, 1])
    assert.equal(problems, ['menus/a.yaml missing-translation', 'menus/z.yaml duplicate-menu'])
    repository.write('menus/a.yaml', warned('z', 'context: { a: "1" }\n'))
    assert.equal((await told(repository)).at(-1), 'menus/z.yaml near-duplicate-context')
  }))

test('Where the configuration changed, it may have caused every problem, and all are reported', () =>
  inRepository(FILES, async (repository) => {
    repository.write('routes.yaml', 'home: /home\n')
    const { code, stdout, stderr } = await menuscript(['lint', '--changed', 'main'], { cwd: repository.dir })
    assert.is(code, 0)
    assert.match(stdout, /3 files, 0 errors, 3 warnings/)
    assert.is(stderr, 'note: routes.yaml differs from main, so the problems of all files are reported\n')
  }))

test('Severities and --max-warnings judge the reported problems', () =>
  inRepository(FILES, async (repository) => {
    assert.equal(await told(repository, 'main', '--max-warnings', '0'), [0, 0])
    repository.write('menus/a.yaml', warned('a', 'x-owner: shop\n'))
    assert.equal((await told(repository, 'main', '--max-warnings', '0'))[0], 1)
  }))

test('A detached head and an unfinished merge are judged by the files in the work tree', () =>
  inRepository(FILES, async (repository) => {
    repository.git('checkout', '--quiet', '--detach')
    repository.commit('Detached', { 'menus/a.yaml': warned('a', 'x-owner: shop\n') })
    assert.equal(await told(repository), [0, 1, 'menus/a.yaml missing-translation'])
    repository.git('checkout', '--quiet', '-b', 'work')
    repository.git('checkout', '--quiet', 'main')
    repository.commit('Theirs', { 'menus/a.yaml': warned('a', 'x-owner: office\n') })
    assert.throws(() => repository.git('merge', 'work'))
    assert.equal(await told(repository, 'HEAD'), [1, 1, 'menus/a.yaml merge-conflict'])
  }))

/** What is said when a base cannot be told: on standard error, with an exit code and nothing on standard output. */
async function refused(dir: string, base: string, exit = 2): Promise<string> {
  const { code, stdout, stderr } = await menuscript(['lint', '--changed', base], { cwd: dir })
  assert.equal([code, stdout], [exit, ''])
  assert.not.match(stderr, STACK)
  return stderr
}

test('Questions that git cannot answer are reported with advice: no repository, no such base, no commit, a shallow clone', async () => {
  const folder = createMenusFolder(FILES)
  assert.match(await refused(folder.dir, 'main', 3), /is not in a git repository.*git init/)
  folder.close()
  await inRepository({}, async (repository) => {
    repository.write('menus/a.yaml', warned('a'))
    assert.match(await refused(repository.dir, 'main'), /has no commit yet/)
  })
  await inRepository(FILES, async (repository) => {
    assert.match(await refused(repository.dir, 'mian'), /there is no revision "mian".*main/)
    assert.match(await refused(repository.dir, '--upload-pack=x'), /there is no revision/)
    repository.git('checkout', '--quiet', '-b', 'work')
    repository.commit('Second', { 'menus/a.yaml': warned('a', 'x-owner: shop\n') })
    const shallow = join(repository.dir, 'shallow')
    const source = `file://${repository.dir}`
    repository.git('clone', '--quiet', '--depth', '1', '--branch', 'work', source, shallow)
    assert.match(await refused(shallow, 'origin/main'), /fetch-depth: 0/)
  })
})

test.run()
