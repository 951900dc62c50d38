import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mergeMenus } from '../../../src/change/merge/merge.js'
import { sized } from '../../support/figures.js'
import { guardedThrees, widenedIds } from '../viewers.js'

const RUNS = { numRuns: sized(300, 10_000) }

test('A merge without a conflict shows no item to a viewer who sees it on neither side', () => {
  let clean = 0
  fc.assert(
    fc.property(guardedThrees, ([base, mine, theirs]) => {
      const { value, conflicts } = mergeMenus(base, mine, theirs)
      if (conflicts.length > 0) return
      clean++
      assert.equal(widenedIds(value, mine, theirs), [])
    }),
    RUNS,
  )
  assert.ok(clean > RUNS.numRuns / 10, `${clean} merges were without a conflict`)
})

test('Whichever side is chosen everywhere, no item is shown to a viewer who sees it on neither side', () => {
  fc.assert(
    fc.property(guardedThrees, fc.constantFrom('mine', 'theirs'), ([base, mine, theirs], side) => {
      const { value } = mergeMenus(base, mine, theirs, () => side)
      assert.equal(widenedIds(value, mine, theirs), [])
    }),
    RUNS,
  )
})

test('Whichever sides are chosen, no item is shown to a viewer who sees it on neither side, or the choices are contradictory', () => {
  fc.assert(
    fc.property(guardedThrees, fc.infiniteStream(fc.boolean()), ([base, mine, theirs], turns) => {
      const choose = (): 'mine' | 'theirs' => (turns.next().value === true ? 'mine' : 'theirs')
      const { value, contradictory } = mergeMenus(base, mine, theirs, choose)
      assert.is(widenedIds(value, mine, theirs).length > 0, contradictory.length > 0)
    }),
    RUNS,
  )
})

test('Choices are not contradictory if all about viewers, and about dividers, are of one side', () => {
  fc.assert(
    fc.property(
      guardedThrees,
      fc.infiniteStream(fc.boolean()),
      fc.constantFrom('mine', 'theirs'),
      (three, turns, side) => {
        const merged = mergeMenus(...three, ({ kind, field }) =>
          kind === 'viewers' || field === '/type' || turns.next().value === true
            ? side
            : side === 'mine'
              ? 'theirs'
              : 'mine',
        )
        assert.equal(merged.contradictory, [])
      },
    ),
    RUNS,
  )
})

test.run()
