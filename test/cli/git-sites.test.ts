import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inRepository } from '../support/repository.js'
import { menuscript, menuText } from './command.js'

const SITES = {
  'a/menus/a.yaml': menuText('a'),
  'b/menus/b.yaml': menuText('b'),
  'c/menus/c.yaml': menuText('c'),
}

test('Several sites in one repository have rules each, and --remove takes those of its own', async () => {
  await inRepository({ ...SITES, 'README.md': 'Menus\n' }, async ({ dir, git }) => {
    const setup = (site: string, ...more: readonly string[]) =>
      menuscript(['git', 'setup', ...more], { cwd: join(dir, site) })
    const attributeOf = (site: string) =>
      git('check-attr', 'merge', `${site}/menus/x.yaml`).split(': ').at(-1)
    for (const site of ['a', 'b', 'a']) await setup(site)
    assert.equal(['a', 'b', 'c'].map(attributeOf), ['menuscript', 'menuscript', 'unspecified'])
    const left = await setup('a', '--remove')
    assert.match(left.stdout, 'merge.menuscript.driver\n  stays set for other menus in this clone\n')
    assert.equal(['a', 'b'].map(attributeOf), ['unspecified', 'menuscript'])
    assert.match(git('config', 'merge.menuscript.driver'), 'merge-driver')
    const last = await setup('b', '--remove')
    assert.match(last.stdout, 'is not set in this clone\n')
    assert.is(readFileSync(join(dir, '.gitattributes'), 'utf8'), '')
    assert.not.match(readFileSync(join(dir, '.git/config'), 'utf8'), 'menuscript')
  })
})

test('A configuration named for one site counts for its menus, with any setup of others', async () => {
  const files = {
    ...SITES,
    'a/own.yaml': 'limits: { items: 1 }\n',
    'b/own.yaml': 'limits: { items: 2 }\n',
    'c/menuscript.config.yaml': 'limits: { items: 3 }\n',
  }
  await inRepository(files, async ({ dir, git, write }) => {
    for (const site of ['a', 'b']) {
      await menuscript(['git', 'setup', '--config', 'own.yaml'], { cwd: join(dir, site) })
    }
    await menuscript(['git', 'setup'], { cwd: join(dir, 'c') })
    assert.not.match(git('config', 'merge.menuscript.driver'), '--config')
    const text =
      menuText('x') + [1, 2, 3].map((place) => `  - label: L${place}\n    url: /${place}\n`).join('')
    for (const [place, site] of ['a', 'b', 'c'].entries()) {
      for (const name of ['base', 'ours', 'theirs']) write(name, text)
      const args = ['merge-driver', 'base', 'ours', 'theirs', `${site}/menus/${site}.yaml`]
      const { stderr } = await menuscript(args, { cwd: dir })
      assert.match(stderr, `The menu has 4 items, and ${place + 1} are allowed.`)
    }
    const json = async (...more: readonly string[]) =>
      JSON.parse((await menuscript(['git', 'setup', '--json', ...more], { cwd: join(dir, 'a') })).stdout)
        .changed
    assert.equal(await json('--config', 'own.yaml'), { attributes: false, driver: false })
    assert.equal(await json(), { attributes: false, driver: true })
    assert.match(readFileSync(join(dir, '.git/config'), 'utf8'), 'b/own.yaml')
    assert.not.match(readFileSync(join(dir, '.git/config'), 'utf8'), 'a/own.yaml')
  })
})

test.run()
