import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { POLICY_NAMES } from '../../src/service/hooks.js'
import { get } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { fileOf } from '../support/snapshot-of.js'
import { cacheOf } from './caching.js'
import { plain } from './markdown.js'
import { rowsUnder, takeBlocks, testCoverage } from './readme.js'
import { compact, curl, withServer } from './shell.js'

test('The example of hooks shows each viewer what the text describes, and varyOn lets answers be shared', async () => {
  const languages = ['yaml', 'js', 'yaml', 'sh', 'json', 'sh', 'json']
  const blocks = takeBlocks('Say who the viewer is', languages)
  const [config = '', policies = '', menu = '', ask = '', few = '', askAs = '', all = ''] = blocks
  const [varyOn = ''] = takeBlocks('Let caches share answers', ['js'])
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

test('Every export of a policies module has one row', () => {
  const rows = rowsUnder('export', 'answers', 'default', 'when it fails')
  assert.equal(
    rows.map(([name]) => plain(name).split('(')[0]),
    [...POLICY_NAMES],
  )
})

testCoverage(test, 'docs/policies.md')

test.run()
