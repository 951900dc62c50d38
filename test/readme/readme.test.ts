import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import packageJson from '../../package.json' with { type: 'json' }
import { eventually } from '../support/eventually.js'
import { get } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { fileOf } from '../support/snapshot-of.js'
import { PAGES, pageAt, ROOT, rowsUnder, takeBlocks, testCoverage, textOf } from './readme.js'
import { compact, curl, runMenuscript, runShell, withServer } from './shell.js'
import { misspell, takeWalk } from './walk.js'

test('The first menu, served by the first command, gives the first result', async () => {
  const [menu = '', serve = '', result = ''] = takeBlocks('Menuscript', ['yaml', 'sh', 'json'])
  assert.equal(fileOf('main.yaml', menu).problems, [])
  const folder = createMenusFolder({ 'menus/main.yaml': menu })
  const [, address = '', path = ''] =
    /`GET (http:\/\/[\d.:]+)(\S+)` answers/.exec(pageAt('README.md').text) ?? []
  assert.is(address, 'http://127.0.0.1:4400')
  await withServer(serve, folder.dir, async (url) => {
    assert.is((await get(url + path)).text, compact(result))
  })
  folder.close()
})

test('The quick start has two lines of scripts that exist, and its example gives what is shown', async () => {
  const [lines = '', ask = '', tree = ''] = takeBlocks('Quick start', ['sh', 'sh', 'json'])
  assert.is(lines, 'npm ci && npm start\nnpm ci && npm test\n')
  assert.is(packageJson.scripts.start, 'npm run --silent build && node dist/cli.js serve')
  assert.ok(packageJson.scripts.test.endsWith('node --import tsx test/run.ts'))
  await withServer('menuscript serve', ROOT, async (url, { stdout }) => {
    // The request that the command prints is the one that is shown.
    assert.match(stdout(), `try: ${ask.trim().replace('http://127.0.0.1:4400', url)}\n`)
    assert.is((await curl(ask, url)).text, compact(tree))
  })
})

test('The shop that the quick start names can be started', () => {
  const pattern = /`node (test\/sites\/\S+)`[^`]+`http:\/\/127\.0\.0\.1:(\d+)`/
  const [, path = '', port = ''] = pattern.exec(textOf('Quick start')) ?? []
  assert.match(readFileSync(join(ROOT, path), 'utf8'), `PORT = '${port}'`)
})

test('.ci/run runs the test command of the quick start', () => {
  assert.match(textOf('Quick start'), '\nnpm ci && npm test\n')
  assert.match(readFileSync(join(ROOT, '.ci/run'), 'utf8'), '\nnpm ci && npm test\n')
})

test('The five minutes can be walked word by word', async () => {
  const walk = takeWalk()
  assert.is(walk.install, 'npm ci && npm run build && npm link\n')
  assert.ok('build' in packageJson.scripts && packageJson.bin.menuscript === 'dist/cli.js')
  const folder = createMenusFolder()
  await runShell(walk.make, folder.dir)
  await withServer(walk.serve, folder.dir, async (url) => {
    assert.is((await curl(walk.ask, url)).text, compact(walk.home))
    await runShell(walk.vary, folder.dir)
    await eventually(async () => assert.is((await curl(walk.askFor, url)).text, compact(walk.shop)))
    misspell(folder)
    const { code, stdout } = await runMenuscript(walk.lint, folder.dir)
    assert.equal([code, stdout], [1, walk.found])
    await eventually(async () => assert.match((await get(`${url}/readyz`)).text, 'degraded'))
    assert.is((await curl(walk.ask, url)).text, compact(walk.home))
  })
  folder.close()
})

test('The line for templates is the one that the example page of the templates has', () => {
  const [line = ''] = takeBlocks('In Nunjucks templates', ['njk'])
  const [, page = ''] = takeBlocks('Menus in templates', ['sh', 'njk', 'yaml', 'html'])
  assert.ok(page.includes(line.trim()), line)
})

test('The README has a row for each page of docs/', () => {
  const rows = rowsUnder('page', 'what it answers')
  const paths = rows.map(([cell = '']) => /\]\((.+)\)$/.exec(cell)?.[1])
  assert.equal(
    paths.sort(),
    PAGES.map(({ path }) => path)
      .filter((path) => path !== 'README.md')
      .sort(),
  )
})

testCoverage(test, 'README.md')

test.run()
