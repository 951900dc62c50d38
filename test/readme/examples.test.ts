import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { get } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { startProcess } from '../support/process.js'
import { pageAt, ROOT, takeBlocks, testCoverage } from './readme.js'
import { runShell } from './shell.js'

/** The sections whose line starts a server of Node.js, with a path that has a menu. */
const SERVERS: readonly (readonly [section: string, path: string])[] = [
  ['A shop with Express', '/en/new'],
  ['A help centre with Polka', '/en/help'],
  ['Every style of menus as HTML', '/lamps'],
]

for (const [section, path] of SERVERS) {
  test(`The line of "${section}" starts the site`, async () => {
    const [line = ''] = takeBlocks(section, ['sh'])
    const [, program = ''] = /^PORT=3000 node (\S+)$/m.exec(line) ?? []
    const site = startProcess('node', [program], { cwd: ROOT, env: { PORT: '0' } })
    try {
      const [, url = ''] = await site.waitFor(/listening on (\S+)/)
      assert.match((await get(url + path)).text, '<nav')
    } finally {
      await site.stop()
    }
  })
}

test('The line of "A museum with Eleventy" builds the site', async () => {
  const [line = ''] = takeBlocks('A museum with Eleventy', ['sh'])
  assert.match(line, ' --serve')
  const folder = createMenusFolder()
  await runShell(line.replace('--serve', `--output=${folder.dir}`), ROOT)
  assert.ok(existsSync(join(folder.dir, 'en/exhibitions/tides/index.html')))
  folder.close()
})

test('Every site of the repository is on the page', () => {
  const { text } = pageAt('docs/examples.md')
  const sites = readdirSync(`${ROOT}/test/sites`).filter((name) => name !== 'lumen')
  assert.equal(
    sites.filter((name) => !text.includes(`](../test/sites/${name})`)),
    [],
  )
})

testCoverage(test, 'docs/examples.md')

test.run()
