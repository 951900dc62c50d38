import { rmSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openRepository, type Repository } from '../../../src/store/git/repository.js'
import { createUncommitted } from '../../../src/store/git/uncommitted.js'
import { figure } from '../../support/figures.js'
import { createMenusFolder, menusIn } from '../../support/menus-folder.js'
import { inRepository, type TestRepository } from '../../support/repository.js'

/** Asks at once, and with nothing kept from before. */
async function uncommittedOf({ dir }: Pick<TestRepository, 'dir'>, menus = 'menus') {
  const { value: repository } = await openRepository(dir)
  if (repository === null) throw new Error('no repository')
  const found = await createUncommitted(repository, menusIn(join(dir, menus))).find()
  return found && [...found].sort()
}

test('B9: new, changed, staged and deleted menus are uncommitted; line ends alone, and other files, are not', async () => {
  const files = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`menus/${name}.yaml`, `${name}\nx\n`]))
  await inRepository({ ...files, 'menus/notes.txt': '', 'other/z.yaml': '' }, async (repository) => {
    const { write, remove, git } = repository
    assert.equal(await uncommittedOf(repository), [])
    write('menus/a.yaml', 'changed')
    write('menus/new.yaml', '')
    write('menus/staged.yaml', '')
    git('add', 'menus/staged.yaml')
    write('menus/b.yaml', 'b\r\nx\r\n')
    for (const path of ['menus/c.yaml', 'menus/notes.txt', 'other/z.yaml']) remove(path)
    const found = await uncommittedOf(repository)
    assert.equal(found, ['a.yaml', 'c.yaml', 'new.yaml', 'staged.yaml'])
  })
})

test('B9: without a commit all menus are uncommitted; where git cannot say, nothing is said', async () => {
  await inRepository({}, async (repository) => {
    repository.write('menus/a.yaml', '')
    assert.equal(await uncommittedOf(repository), ['a.yaml'])
    const outside = createMenusFolder({ 'a.yaml': '' })
    symlinkSync(outside.dir, join(repository.dir, 'linked'))
    assert.is(await uncommittedOf(repository, 'linked'), null)
    outside.close()
  })
  await inRepository({ 'menus/a.yaml': '' }, async (repository) => {
    const { value } = await openRepository(repository.dir)
    rmSync(join(repository.dir, '.git/objects'), { recursive: true })
    const { find } = createUncommitted(value as Repository, menusIn(join(repository.dir, 'menus')))
    assert.is(await find(), null)
  })
})

test('B9: of a link it counts where it leads, and a file that is larger than any menu is not read', async () => {
  await inRepository({ 'menus/a.yaml': 'a', 'menus/big.yaml': '' }, async (repository) => {
    symlinkSync('a.yaml', join(repository.dir, 'menus/link.yaml'))
    repository.commit('Link')
    assert.equal(await uncommittedOf(repository), [])
    repository.write('menus/a.yaml', 'b')
    truncateSync(join(repository.dir, 'menus/big.yaml'), 2 ** 40)
    assert.equal(await uncommittedOf(repository), ['a.yaml', 'big.yaml', 'link.yaml'])
  })
})

test('B9: git is asked once a second at most, however many ask, unless something is written', async () => {
  const paths = Array.from({ length: 1_000 }, (_, place) => `${place}.yaml`)
  await inRepository(Object.fromEntries(paths.map((path) => [`menus/${path}`, path])), async ({ dir }) => {
    const { value: repository } = await openRepository(dir)
    if (repository === null) throw new Error('no repository')
    let calls = 0
    const run: typeof repository.run = (...args) => {
      calls++
      return repository.run(...args)
    }
    const { find, forget } = createUncommitted({ ...repository, run }, menusIn(join(dir, 'menus')))
    const begun = performance.now()
    const answers = await Promise.all(Array.from({ length: 100 }, () => find()))
    figure('uncommitted among 1,000 menus', `${Math.round(performance.now() - begun)} ms`, 'no goal')
    assert.equal(
      answers.map((found) => found?.size),
      answers.map(() => 0),
    )
    assert.is(calls, 2)
    forget()
    await find()
    assert.is(calls, 4)
  })
})

test.run()
