import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { stayingPlaces } from '../../../src/change/compare/order.js'

/** The length of a longest increasing run, the slow and plain way. */
function longest(numbers: readonly number[]): number {
  const lengths: number[] = []
  for (const [place, number] of numbers.entries()) {
    const before = lengths.filter((_, earlier) => (numbers[earlier] ?? 0) < number)
    lengths[place] = 1 + Math.max(0, ...before)
  }
  return Math.max(0, ...lengths)
}

test('What stays is in order, and nothing more could stay', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(60), { maxLength: 30 }), (numbers) => {
      const staying = [...stayingPlaces(numbers)].sort((a, b) => a - b)
      const kept = staying.map((place) => numbers[place] ?? -1)
      assert.equal(
        kept,
        kept.toSorted((a, b) => a - b),
      )
      assert.is(kept.length, longest(numbers))
    }),
    { numRuns: 500 },
  )
})

test('In an ordered list all entries stay, and in a reversed one a single entry', () => {
  assert.is(stayingPlaces([1, 2, 5]).size, 3)
  assert.is(stayingPlaces([5, 2, 1]).size, 1)
  assert.is(stayingPlaces([]).size, 0)
})

test.run()
