import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { commitFiles } from '../../../src/store/git/commit.js'
import { createTraps } from '../../cli/hostile-plants.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { inRepository, type TestRepository } from '../../support/repository.js'
import { idOf, opened, publish, reasonOf, statusOf, withVariables } from './committing.js'

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

const ATTRIBUTES = [
  '',
  'text',
  '-text',
  'text=auto',
  'text=odd',
  'text=',
  'crlf',
  '-crlf',
  'crlf=input',
  '!text',
  'eol=lf',
  'eol=crlf',
  '-eol',
  'binary',
]
const PIECES = ['a: 1', '\n', '\r\n', '\r', '\0', '\x1a', '\x01', '\x7f', 'é', '\t', '-'.repeat(200)]

test('Line ends are converted as `git add` converts them, for any attributes, settings and bytes', async () => {
  await inRepository({ 'x.txt': 'x\n' }, async (repository) => {
    const { git, write, dir } = repository
    const opening = await opened(dir)
    const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join(''))
    const attributes = fc
      .array(fc.constantFrom(...ATTRIBUTES), { maxLength: 2 })
      .map((some) => some.join(' '))
    const autocrlf = fc.constantFrom('true', 'input', 'false', 'yes', '0')
    const texts = fc.tuple(text, text, text)
    const law = fc.asyncProperty(
      texts,
      attributes,
      autocrlf,
      async ([before, staged, after], own, setting) => {
        git('config', 'core.autocrlf', 'false')
        write('.gitattributes', '')
        write(A, before)
        git('add', A)
        git('commit', '--quiet', '--allow-empty', '--message', 'Before')
        write(A, staged)
        git('add', A)
        const [, blob = ''] = git('ls-files', '--stage', A).split(' ')
        git('config', 'core.autocrlf', setting)
        git('config', 'core.safecrlf', 'false')
        write('.gitattributes', `*.yaml ${own}\n`)
        write(A, after)
        git('add', A)
        const expected = git('ls-files', '--stage', A).split(' ')[1]
        git('update-index', '--cacheinfo', `100644,${blob},${A}`)
        const outcome = await commitFiles(opening, {
          paths: [A],
          isOurs: () => true,
          author: { name: 'e', email: null },
          message: 'm',
        })
        if (outcome.kind !== 'unchanged') idOf(outcome)
        assert.is(git('rev-parse', `HEAD:${A}`), expected)
        if (outcome.kind === 'committed')
          assert.equal(
            statusOf(repository).filter((state) => state.endsWith(A)),
            [],
          )
      },
    )
    await fc.assert(law, { numRuns: 60 })
  })
})

test.run()
