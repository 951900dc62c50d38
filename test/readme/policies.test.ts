import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { POLICY_NAMES } from '../../src/service/hooks.js'
import { eventually } from '../support/eventually.js'
import { get } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { fileOf } from '../support/snapshot-of.js'
import { cacheOf } from './caching.js'
import { plain } from './markdown.js'
import { pageAt, rowsUnder, takeBlocks, testCoverage, textOf } from './readme.js'
import { compact, curl, withServer } from './shell.js'

test('The example shows each viewer the menu of the page, and varyOn makes responses shareable', async () => {
  const languages = ['yaml', 'js', 'yaml', 'sh', 'json', 'sh', 'json']
  const blocks = takeBlocks('Identify the viewer', languages)
  const [config = '', policies = '', menu = '', ask = '', few = '', askAs = '', all = ''] = blocks
  const [varyOn = ''] = takeBlocks('Shared caches', ['js'])
  assert.equal(fileOf('office.yaml', menu).problems, [])
  const files = { 'menuscript.config.yaml': config, 'policies.mjs': policies, 'menus/office.yaml': menu }
  const folder = createMenusFolder(files)
  await withServer('menuscript serve', folder.dir, async (url) => {
    const answer = await curl(ask, url)
    assert.is(answer.text, compact(few))
    assert.is((await curl(askAs, url)).text, compact(all))
    assert.is(answer.headers['cache-control'], cacheOf('any menu, with hooks and without varyOn'))
    const nothing = await get(`${url}/api/menu/none`)
    assert.is(nothing.headers['cache-control'], cacheOf('no menu matches, with hooks and without varyOn'))
  })
  folder.write('policies.mjs', policies + varyOn)
  await withServer('menuscript serve', folder.dir, async (url) => {
    const { headers } = await curl(ask, url)
    assert.is(headers['cache-control'], cacheOf('any menu, with varyOn'))
    assert.match(headers['vary'] ?? '', /x-permissions/i)
  })
  folder.close()
})

test('Any client gets a menu by its context, and permissions restrict its items', async () => {
  const [menu = '', ask = '', shown = ''] = takeBlocks('Contexts are not access control', [
    'yaml',
    'sh',
    'json',
  ])
  const [, permissions = ''] =
    /for example `(permissions: \S+)`/.exec(textOf('Contexts are not access control')) ?? []
  const folder = createMenusFolder({ 'menus/tools.yaml': menu })
  await withServer('menuscript serve', folder.dir, async (url) => {
    assert.is((await curl(ask, url)).text, compact(shown))
    folder.write('menus/tools.yaml', `${menu}    ${permissions}\n`)
    await eventually(async () => assert.is((await curl(ask, url)).text, '[]'))
  })
  folder.close()
})

test('Every export of a policies module has one row', () => {
  const rows = rowsUnder('export', 'returns', 'default', 'on failure')
  assert.equal(
    rows.map(([name]) => plain(name).split('(')[0]),
    [...POLICY_NAMES],
  )
})

test('The pages about checks and deployment lead to the section about contexts', () => {
  for (const path of ['docs/ci.md', 'docs/deploy.md', 'docs/menus.md'])
    assert.match(pageAt(path).text.toLowerCase(), '(policies.md#contexts-are-not-access-control)')
})

testCoverage(test, 'docs/policies.md')

test.run()
