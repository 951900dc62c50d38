import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import packageJson from '../../package.json' with { type: 'json' }
import { eventually } from '../support/eventually.js'
import { get } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { ROOT, takeBlocks, testCoverage, textOf } from './readme.js'
import { compact, curl, runMenuscript, runShell, withServer } from './shell.js'
import { misspell, takeWalk } from './walk.js'

test('The commands of the first menu print the responses of the page', async () => {
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

test('The example shop returns the menu of the page, and the command prints its request', async () => {
  const [ask = '', tree = ''] = takeBlocks('The example shop', ['sh', 'json'])
  await withServer('menuscript serve', ROOT, async (url, { stdout }) => {
    assert.match(stdout(), `try: ${ask.trim().replace('http://127.0.0.1:4400', url)}\n`)
    assert.is((await curl(ask, url)).text, compact(tree))
  })
})

test('The command for the whole shop names its server and its port', () => {
  const pattern = /`node (test\/sites\/\S+)`[^`]+`http:\/\/127\.0\.0\.1:(\d+)`/
  const [, path = '', port = ''] = pattern.exec(textOf('The example shop')) ?? []
  assert.match(readFileSync(join(ROOT, path), 'utf8'), `PORT = '${port}'`)
})

testCoverage(test, 'docs/start.md')

test.run()
