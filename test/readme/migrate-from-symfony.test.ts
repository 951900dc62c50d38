import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ALIASES, OPTION_ROWS } from '../../src/config/option-table.js'
import { ITEM_CONTENT, ITEM_SETTINGS, MENU_HOMES } from '../../src/document/exchange/fields.js'
import { imported, onlyMenu } from '../document/exchange/importing.js'
import { plain } from './markdown.js'
import { rowsUnder, takeBlocks, testCoverage } from './readme.js'

test('The import turns the JSON of the example into its YAML', () => {
  const [json = '', yaml = ''] = takeBlocks('An example', ['json', 'yaml'])
  const found = imported(json)
  assert.is(onlyMenu(found).text, yaml)
  assert.equal(found.notes, [])
})

test('Every field of the bundle that has a meaning here has a row', () => {
  const rows = rowsUnder('in the bundle', 'in Menuscript').map(([cell]) => plain(cell))
  const named = new Set(rows.flatMap((cell) => cell.replace(/: \w+/g, '').split(', ')))
  const menu = Object.keys(MENU_HOMES).filter((field) => !MENU_HOMES[field]?.includes('/x-'))
  const fields = [...menu, ...ITEM_CONTENT, ...ITEM_SETTINGS]
  assert.equal(
    fields.filter((field) => !named.has(field)),
    [],
  )
})

test('The options that the page names exist', () => {
  const names = new Set([...OPTION_ROWS.map(({ name }) => name), ...ALIASES.values()])
  for (const [bundle = '', here = ''] of rowsUnder('option of the bundle', 'option of Menuscript')) {
    const cell = here.startsWith('the same') ? bundle : here
    const options = [...cell.matchAll(/`([a-z_]+(?:\.[a-z_]+)*)`/g)].map(([, name = '']) => name)
    for (const name of options.filter((each) => each !== 'null')) assert.ok(names.has(name), name)
  }
  for (const [former] of ALIASES)
    assert.ok(
      rowsUnder('option of the bundle', 'option of Menuscript').some(([cell]) => plain(cell) === former),
    )
})

test('The template functions that the page names are globals', () => {
  const globals = rowsUnder('global', 'returns').map(([cell]) => plain(cell).split('(')[0])
  for (const [, here = ''] of rowsUnder('in Twig', 'in [Nunjucks](templates.md)'))
    for (const [, name] of here.matchAll(/`(dashboard_\w+)\(/g)) assert.ok(globals.includes(name), name)
})

testCoverage(test, 'docs/migrate-from-symfony.md')

test.run()
