import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { rowsUnder, testCoverage } from './readme.js'

test('Every figure has what it reached and its goal', () => {
  const figures = [
    ...rowsUnder('figure of `npm run test:long`', 'reached', 'goal'),
    ...rowsUnder('what', 'reached', 'goal'),
  ]
  for (const row of figures) assert.ok(row.length === 3 && row.every((cell) => cell !== ''), row[0])
})

testCoverage(test, 'docs/promises.md')

test.run()
