import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createTraps } from '../../cli/hostile-plants.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { inRepository, type TestRepository } from '../../support/repository.js'
import { idOf, publish, reasonOf, statusOf, withVariables } from './committing.js'

const A = 'menus/a.yaml'
const textAt = ({ git }: TestRepository): string => git('show', `HEAD:${A}`)
const numstat = ({ git }: TestRepository): string => git('show', '--numstat', '--format=', 'HEAD')

test('Without conversion, CRLF is committed as it is', async () => {
  await inRepository({ [A]: 'a: 1\r\nb: 1\r\n' }, async (repository) => {
    idOf(await publish(repository, { [A]: 'a: 2\r\nb: 1\r\n' }))
    assert.is(textAt(repository), 'a: 2\r\nb: 1\r')
    assert.equal([numstat(repository), statusOf(repository)], [`1\t1\t${A}`, []])
  })
})

const CONVERTING: readonly (readonly [attributes: string, autocrlf: string])[] = [
  ['* text=auto', 'false'],
  ['*.yaml text', 'false'],
  ['*.yaml eol=crlf', 'false'],
  ['* crlf', 'false'],
  ['', 'true'],
  ['', 'input'],
]

test('Where git converts, a file with CRLF is committed with LF, and is clean afterwards', async () => {
  for (const [attributes, autocrlf] of CONVERTING)
    await inRepository({ '.gitattributes': `${attributes}\n`, [A]: 'a: 1\nb: 1\n' }, async (repository) => {
      repository.git('config', 'core.autocrlf', autocrlf)
      idOf(await publish(repository, { [A]: 'a: 2\r\nb: 1\r\n', 'menus/new.yaml': 'n\r\n' }))
      const label = `${attributes} ${autocrlf}`
      assert.is(textAt(repository), 'a: 2\nb: 1', label)
      assert.is(repository.git('show', 'HEAD:menus/new.yaml'), 'n', label)
      assert.equal([numstat(repository).split('\n')[0], statusOf(repository)], [`1\t1\t${A}`, []], label)
    })
})

test('What was committed with CRLF keeps it where git only converts by itself, so that one line changes', async () => {
  for (const [attributes, autocrlf] of [
    ['* text=auto', 'false'],
    ['', 'true'],
  ] as const)
    await inRepository({ [A]: 'a: 1\r\nb: 1\r\n' }, async (repository) => {
      repository.commit('Attributes', { '.gitattributes': `${attributes}\n` })
      repository.git('config', 'core.autocrlf', autocrlf)
      idOf(await publish(repository, { [A]: 'a: 2\r\nb: 1\r\n' }))
      assert.equal([numstat(repository), statusOf(repository)], [`1\t1\t${A}`, []])
    })
})

test("The user's own attributes and settings count as they do for `git status`", async () => {
  const home = createMenusFolder({ 'git/attributes': '*.yaml text\n', own: '*.yaml text=auto\n', config: '' })
  writeFileSync(join(home.dir, 'config'), `[core]\n\tattributesFile = ${home.dir}/own\n`)
  for (const variables of [{ XDG_CONFIG_HOME: home.dir }, { GIT_CONFIG_GLOBAL: join(home.dir, 'config') }])
    await withVariables(variables, () =>
      inRepository({ [A]: 'a: 1\n' }, async (repository) => {
        idOf(await publish(repository, { [A]: 'a: 2\r\n' }))
        assert.equal([textAt(repository), statusOf(repository)], ['a: 2', []])
      }),
    )
  home.close()
})

test('A file with a filter or another encoding is left uncommitted, with the reason, and no filter runs', async () => {
  const traps = createTraps()
  for (const attribute of ['filter=lfs', 'working-tree-encoding=ISO-8859-1', 'ident', 'filter=evil']) {
    const attributes = `menus/* ${attribute}\n`
    await inRepository(
      { [A]: 'a: 1\n', 'b.yaml': 'b: 1\n', '.gitattributes': attributes },
      async (repository) => {
        for (const key of ['clean', 'process', 'smudge']) {
          repository.git('config', `filter.lfs.${key}`, traps.trap('lfs'))
          repository.git('config', `filter.evil.${key}`, traps.trap('evil'))
        }
        const head = repository.git('rev-parse', 'HEAD')
        traps.sprung()
        const outcome = await publish(repository, { [A]: 'a: 2\n' })
        const [name = ''] = attribute.split('=')
        assert.match(reasonOf(outcome, 'uncommitted'), `"${A}" has the attribute ${name}=`)
        assert.equal(traps.sprung(), [])
        assert.is(repository.git('rev-parse', 'HEAD'), head)
        idOf(await publish(repository, { 'b.yaml': 'b: 2\n' }))
        assert.equal(traps.sprung(), [])
      },
    ).catch((error) => {
      throw new Error(`${attribute}: ${error.message}`)
    })
  }
  traps.close()
})

test('The commit has what is staged, also where git converts another version of the file otherwise', async () => {
  await inRepository({ [A]: 'a: 1\n' }, async (repository) => {
    repository.write(A, 'a: 2\r\n')
    repository.git('add', A)
    repository.git('config', 'core.autocrlf', 'true')
    idOf(await publish(repository, { [A]: 'a: 3\r\n' }))
    assert.equal([textAt(repository), statusOf(repository)], ['a: 3\r', []])
  })
})

test.run()
