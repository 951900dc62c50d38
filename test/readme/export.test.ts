import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readExport } from '../export/exports.js'
import { get } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { plain } from './markdown.js'
import { tablesIn, takeBlocks, testCoverage } from './readme.js'
import { runMenuscript, withServer } from './shell.js'

test('The example is built, checked and served as shown', async () => {
  const [menu = '', building = '', said, manifest = ''] = takeBlocks('Build the files', [
    'yaml',
    'sh',
    'text',
    'json',
  ])
  const files = { 'menus/main.yaml': menu, 'menuscript.config.yaml': 'locales: [en, es]\n' }
  const folder = createMenusFolder({ ...files, 'public/index.html': 'Site' })
  const { code, stdout, stderr } = await runMenuscript(building, folder.dir)
  assert.equal([code, `${stderr}${stdout}`], [0, said])
  const out = join(folder.dir, 'public/menus')
  const built = readExport(out)
  const { revision, menus } = built
  const [shown] = JSON.parse(manifest).menus.main
  const version = menus['main']?.[0]?.version
  assert.equal({ ...JSON.parse(manifest), revision, menus: { main: [{ ...shown, version }] } }, built)

  await runMenuscript(`${building.trim()} --html`, folder.dir)
  const [table] = tablesIn('Build the files')
  const patterns = (table?.rows ?? []).flatMap(([cell]) =>
    plain(cell)
      .split(', ')
      .map((name) => name.replace('CODE.LOCALE.HASH', 'main.en.H').replace('…', 'main.en.H.json')),
  )
  const names = readdirSync(out).map((name) => name.replace(/[0-9a-f]{12}/, 'H'))
  for (const name of patterns) assert.ok(names.includes(name), name)

  await runMenuscript(building, folder.dir)
  folder.write('menus/main.yaml', menu.replace('Sale', 'Sales'))
  const [checking = '', differing] = takeBlocks('Check in CI', ['sh', 'text'])
  const check = await runMenuscript(checking, folder.dir)
  assert.equal([check.code, check.stdout], [1, differing])

  const [serving = ''] = takeBlocks('Serve a site', ['sh'])
  await withServer(serving, folder.dir, async (url) => {
    assert.is((await get(url)).text, 'Site')
    assert.is((await get(`${url}/menus/menus.json`)).text, readFileSync(join(out, 'menus.json'), 'utf8'))
    assert.is((await get(`${url}/api/menu/main`)).status, 200)
  })
  folder.close()
})

testCoverage(test, 'docs/export.md')

test.run()
