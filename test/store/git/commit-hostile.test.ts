import { execFileSync } from 'node:child_process'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type CommitOutcome, commitFiles } from '../../../src/store/git/commit.js'
import { BARE, createGuarded, createTraps, guarded, MISSING, PLANTS } from '../../cli/hostile-plants.js'
import { inRepository } from '../../support/repository.js'
import { idOf, opened, pathsOf, publish, reasonOf, statusOf, withVariables } from './committing.js'

for (const { title, plant, environment } of [...PLANTS, MISSING]) {
  test(`E16: A commit runs no program through ${title}, and changes just its file or nothing`, async () => {
    const traps = createTraps()
    const repository = createGuarded()
    plant(repository, traps.trap)
    traps.sprung()
    for (const path of ['menus/main.yaml', 'other/new.yaml']) {
      const publishing = (): Promise<CommitOutcome> =>
        publish(repository, { [path]: `${guarded(false)}# last\n` })
      const outcome = await withVariables(environment?.(traps.trap) ?? {}, publishing)
      assert.equal(traps.sprung(), [])
      if (outcome.kind === 'uncommitted') assert.match(outcome.reason, /attribute filter=evil/)
      else assert.equal(pathsOf(repository, idOf(outcome)), [path])
    }
    repository.close()
    traps.close()
  })
}

test('E16: Nothing is committed to a bare repository that was committed', async () => {
  const traps = createTraps()
  const repository = createGuarded()
  for (const { plant } of BARE) plant(repository, traps.trap)
  const before = repository.git('rev-parse', 'HEAD')
  const inner = join(repository.dir, 'menus')
  const publishing = publish({ ...repository, dir: inner }, { 'main.yaml': 'x\n' })
  await publishing.then(
    () => assert.unreachable('it was opened'),
    (error) => assert.match(String(error), /cannot be opened/),
  )
  assert.equal([traps.sprung(), repository.git('rev-parse', 'HEAD')], [[], before])
  repository.close()
  traps.close()
})

test('E16: A call of git that never ends is ended, and nothing is committed', async () => {
  await inRepository({ 'a.yaml': 'a: 1\n' }, async ({ dir, write, remove }) => {
    const repository = await opened(dir, { timeout: 1_000 })
    write('a.yaml', 'a: 2\n')
    remove('.git/index')
    execFileSync('mkfifo', [join(dir, '.git/index')])
    const request = { paths: ['a.yaml'], isOurs: () => true, author: null, message: 'Menu a: 1 change' }
    const outcome = await commitFiles(repository, request)
    assert.match(reasonOf(outcome, 'uncommitted'), /it took longer than 1 seconds$/)
  })
})

test('E16: No filter runs for a file that was written as late as the index, whatever the name of the filter', async () => {
  for (const name of ['lfs', 'a=b', 'Ä.ö', 'x.clean', '-c']) {
    const traps = createTraps()
    const files = { 'a.yaml': 'a: 1\n', 'late/b.yaml': 'b: 1\n', '.gitattributes': `late/* filter=${name}\n` }
    await inRepository(files, async (repository) => {
      const { dir, git, write } = repository
      write('late/b.yaml', 'b: 2\n')
      const late = new Date(Date.now() + 3_600_000)
      utimesSync(join(dir, 'late/b.yaml'), late, late)
      git('add', 'late/b.yaml')
      for (const key of ['clean', 'process', 'smudge'])
        git('config', `filter.${name}.${key}`, traps.trap('filter'))
      git('config', `filter.${name}.required`, 'true')
      const id = idOf(await publish(repository, { 'a.yaml': 'a: 2\n' }))
      assert.equal(traps.sprung(), [], name)
      git('config', '--remove-section', `filter.${name}`)
      assert.equal([pathsOf(repository, id), statusOf(repository)], [['a.yaml'], ['M  late/b.yaml']])
    })
    traps.close()
  }
})

test('E16: A filter whose name is not text stops the commit: it could not be kept from running', async () => {
  const traps = createTraps()
  await inRepository({ 'a.yaml': 'a: 1\n' }, async (repository) => {
    const bytes = [Buffer.from('[filter "'), Buffer.from([0xff]), Buffer.from('"]\n\tclean = x\n')]
    repository.write('.git/evil', Buffer.concat(bytes))
    repository.git('config', 'include.path', 'evil')
    const outcome = await publish(repository, { 'a.yaml': 'a: 2\n' })
    assert.match(reasonOf(outcome, 'uncommitted'), /is not UTF-8$/)
    assert.equal(statusOf(repository), [' M a.yaml'])
  })
  traps.close()
})

test.run()
