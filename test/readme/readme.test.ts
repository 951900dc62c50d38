import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import packageJson from '../../package.json' with { type: 'json' }
import { get } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { fileOf } from '../support/snapshot-of.js'
import { pageAt, ROOT, rowsUnder, takeBlocks, testCoverage, textOf } from './readme.js'
import { compact, withServer } from './shell.js'

test('The first menu, served by the first command, gives the first result', async () => {
  const [menu = '', serve = '', result = ''] = takeBlocks('Menuscript', ['yaml', 'sh', 'json'])
  assert.equal(fileOf('main.yaml', menu).problems, [])
  const folder = createMenusFolder({ 'menus/main.yaml': menu })
  const [, address = '', path = ''] =
    /`GET (http:\/\/[\d.:]+)(\S+)` returns/.exec(pageAt('README.md').text) ?? []
  assert.is(address, 'http://127.0.0.1:4400')
  await withServer(serve, folder.dir, async (url) => {
    assert.is((await get(url + path)).text, compact(result))
  })
  folder.close()
})

test('The quick start has two lines of scripts that exist', () => {
  const [lines = ''] = takeBlocks('Quick start', ['sh'])
  assert.is(lines, 'npm ci && npm start\nnpm ci && npm test\n')
  assert.is(packageJson.scripts.start, 'npm run --silent build && node dist/cli.js serve')
  assert.ok(packageJson.scripts.test.endsWith('node --import tsx test/run.ts'))
})

test('.ci/run runs the test command of the quick start', () => {
  assert.match(textOf('Quick start'), '\nnpm ci && npm test\n')
  assert.match(readFileSync(join(ROOT, '.ci/run'), 'utf8'), '\nnpm ci && npm test\n')
})

test('Every job of the README leads to a page', () => {
  for (const [job, pages = ''] of rowsUnder('to do this', 'read'))
    assert.match(pages, /^\[.+\]\(docs\/.+\)$/, job)
})

testCoverage(test, 'README.md')

test.run()
