import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { tablesIn, testCoverage } from './readme.js'

test('The comparison has a cell for each alternative in each row', () => {
  const [table] = tablesIn('Compare Menuscript with alternatives')
  for (const [what = '', ...cells] of table?.rows ?? []) {
    assert.is(cells.length, 5, what)
    assert.ok(
      cells.every((cell) => cell !== ''),
      what,
    )
  }
})

testCoverage(test, 'docs/comparison.md')

test.run()
