import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { LANGUAGES } from '../../src/dashboard/texts/language.js'
import { editorOf } from '../dashboard/forms.js'
import { textOf as fileOf } from '../dashboard/managing.js'
import { HOME, openForOperator } from '../dashboard/visiting.js'
import { get } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { test } from '../support/test.js'
import { plain } from './markdown.js'
import { rowsUnder, takeBlocks, testCoverage } from './readme.js'
import { runMenuscript, withServer } from './shell.js'

test('The link that the command prints opens a page with a button', async () => {
  const [line = ''] = takeBlocks('Sign in to the dashboard', ['sh'])
  const folder = createMenusFolder({ 'menus/main.yaml': 'version: 1\ncode: main\nname: Main\nitems: []\n' })
  await withServer('menuscript serve', folder.dir, async () => {
    const { stdout } = await runMenuscript(line.trim(), folder.dir)
    assert.match(
      (await get(stdout.trim(), { headers: { accept: 'text/html' } })).text,
      'This link signs you in',
    )
  })
  folder.close()
})

test('The page lists the keys of the editor', () => {
  assert.equal(
    rowsUnder('key', 'does').map(([keys = '', does]) => [plain(keys), does]),
    LANGUAGES[0].browser.helpKeys.map((row) => [...row]),
  )
})

test('A publish changes only the lines of the diff', async () => {
  const [menu = '', difference = ''] = takeBlocks('Review and publish', ['yaml', 'diff'])
  const [visitor, site] = await openForOperator({ menus: { 'main.yaml': menu } })
  const { fill, press, review, address } = editorOf(visitor)
  await fill('/items/0', { 'label:en': 'Offers' })
  await press('down', '/items/0')
  const page = (await visitor.look(address('review'))).text.replace(/<[^>]*>/g, '').replaceAll('&quot;', '"')
  assert.match(page.replaceAll('&#39;', "'").replaceAll(/\n+/g, '\n'), difference.trim())
  assert.is((await review('publish')).status, 303)
  assert.equal(
    parse(fileOf(site)).items.map(({ label }: { label: string }) => label),
    ['Help', 'Offers'],
  )
})

test('The list of menus links to the pages that the text names', async () => {
  const [{ look }] = await openForOperator()
  for (const name of ['Deleted menus', 'Import or download menus (JSON)', 'New menu'])
    assert.match((await look(HOME)).text, name)
})

testCoverage(test, 'docs/dashboard.md')

test.run()
