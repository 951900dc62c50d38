import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createRepository } from '../support/repository.js'
import { CLI, takeBlocks, testCoverage } from './readme.js'
import { runShell, withServer } from './shell.js'

const MENU = `version: 1
code: main
name: Main menu
items:
  # Where most visitors go
  - label: { en: Sales, es: Ventas }
    url: /sales
  - label: Help
    url: /help
`

test('The session from the link to the commit ends with the commit that is shown', async () => {
  const [session = '', commit] = takeBlocks('From the link to the commit', ['sh', 'diff'])
  const repository = createRepository()
  repository.commit('The first menu', {
    'menus/main.yaml': MENU,
    'menuscript.config.yaml': 'locales: [en, es]\n',
  })
  await withServer('menuscript serve', repository.dir, async (url) => {
    const line = session
      .replace('http://127.0.0.1:4400', url)
      .replace('menuscript link', `'${process.execPath}' '${CLI}' link`)
    const printed = await runShell(line, repository.dir)
    assert.ok(printed.endsWith(commit ?? ''), printed)
  })
  assert.is(repository.git('status', '--porcelain', 'menus'), '')
  repository.close()
})

testCoverage(test, 'docs/management-api.md')

test.run()
