import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mergeMenus } from '../../../src/change/merge/merge.js'
import type { Json, JsonMap } from '../../../src/model/json.js'
import { sized } from '../../support/figures.js'
import { changed, drafts, menuOf, wishes } from '../menu-changes.js'
import { itemsIn } from '../menu-model.js'

const RUNS = { numRuns: sized(100, 1_000) }

/** A menu and two changes of it, of items that have ids here and there. */
const threes = fc
  .tuple(drafts, wishes, wishes)
  .map(
    ([items, mine, theirs]) =>
      [
        menuOf(items),
        menuOf(changed(items, mine, 'm', false)),
        menuOf(changed(items, theirs, 't', false)),
      ] as const,
  )

test('What one side changed is taken as it is, and nothing else happens', () => {
  fc.assert(
    fc.property(threes, ([base, mine, theirs]) => {
      for (const [merged, expected] of [
        [mergeMenus(base, base, theirs), theirs],
        [mergeMenus(base, mine, base), mine],
      ] as const) {
        assert.equal(merged.conflicts, [])
        assert.equal(merged.value, expected)
      }
    }),
    RUNS,
  )
})

test('What both sides changed alike is changed once', () => {
  fc.assert(
    fc.property(threes, ([base, mine]) => {
      const merged = mergeMenus(base, mine, mine)
      assert.equal(merged.conflicts, [])
      assert.equal(merged.value, mine)
    }),
    RUNS,
  )
})

test('Another choice from the same merge gives what a merge with that choice gives', () => {
  fc.assert(
    fc.property(threes, fc.constantFrom('base', 'mine', 'theirs'), ([base, mine, theirs], side) => {
      const { choosing: _, ...one } = mergeMenus(base, mine, theirs).choosing(() => side)
      const { choosing: __, ...other } = mergeMenus(base, mine, theirs, () => side)
      assert.equal(one, other)
    }),
    RUNS,
  )
})

test('Choosing one side everywhere is choosing the other with the sides exchanged', () => {
  fc.assert(
    fc.property(threes, ([base, mine, theirs]) => {
      const one = mergeMenus(base, mine, theirs, () => 'mine')
      const other = mergeMenus(base, theirs, mine, () => 'theirs')
      assert.is(one.conflicts.length, other.conflicts.length)
      assert.equal(bagOf(one.value), bagOf(other.value))
    }),
    RUNS,
  )
})

/** What the items of a menu say, each for itself, in an order of its own. */
function bagOf(value: Json): readonly string[] {
  return itemsIn(value)
    .map(({ own }) => JSON.stringify(Object.entries({ ...own, permissions: permissionsOf(own) }).sort()))
    .sort()
}

function permissionsOf({ permissions = [] }: JsonMap): Json {
  return [...(permissions as readonly string[])].sort()
}

test.run()
