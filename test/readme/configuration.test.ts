import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ALIASES, OPTION_ROWS } from '../../src/config/option-table.js'
import { plain } from './markdown.js'
import { optionsOf } from './options.js'
import { tablesIn, takeBlocks, testCoverage } from './readme.js'

test('The example of the configuration loads, and all it sets is an option', async () => {
  const [text = ''] = takeBlocks('Configuration', ['yaml'])
  assert.is((await optionsOf(text)).cache.ttl, 300)
})

test('Every option has one row with its default; options that nothing reads yet are listed separately', () => {
  const [read, unread] = tablesIn('Options')
  const [former] = tablesIn('Former names')
  const rows = [...(read?.rows ?? []), ...(unread?.rows ?? [])]
  const options = OPTION_ROWS.filter(({ isAlias }) => !isAlias)
  assert.equal(rows.map(([name]) => plain(name)).sort(), options.map(({ name }) => name).sort())
  for (const { name, fallback, description } of options) {
    const [, shown] = rows.find(([cell]) => plain(cell) === name) ?? []
    assert.equal(JSON.parse(plain(shown)), fallback, name)
    const apart = unread?.rows.some(([cell]) => plain(cell) === name) ?? false
    if (/does not have yet/.test(description)) assert.ok(apart, `${name} is not read yet`)
  }
  assert.equal(
    former?.rows.map((row) => row.map(plain)),
    [...ALIASES].map((pair) => [...pair]),
  )
})

testCoverage(test, 'docs/configuration.md')

test.run()
