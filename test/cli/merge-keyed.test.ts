import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { faultsOf, storyOf, textsOf } from '../document/merge/judged.js'
import { type Branching, branchings } from '../document/merge/keyed-menus.js'
import { judge } from '../document/merge/oracle.js'
import { sized } from '../support/figures.js'
import { mergePairs } from './merge-pairs.js'
import { resolved } from './merging.js'

const PAIRS = sized(25, 400)

/** Of pairs of branches that git merged: those nobody had to look at, those that somebody had to, and what was asked beyond. */
async function mergeAll(seed: number): Promise<{ clean: number; must: number; asked: number }> {
  const pairs: readonly Branching[] = fc.sample(branchings, { seed, numRuns: PAIRS })
  const outcomes = await mergePairs(pairs.map(textsOf))
  let [clean, must, asked] = [0, 0, 0]
  for (const [place, { merged, isClean }] of outcomes.entries()) {
    const branching = pairs[place] as Branching
    const result = { isClean, mine: resolved(merged, 'ours'), theirs: resolved(merged, 'theirs') }
    const faults = faultsOf(branching, result)
    assert.equal(faults, [], `seed ${seed}, pair ${place}: ${storyOf(branching, result, faults)}`)
    const isMust = judge(branching).must.length > 0
    if (isClean) clean++
    else if (isMust) must++
    else asked++
  }
  return { clean, must, asked }
}

for (const seed of [20261123, 20261124]) {
  test(`What git merges, and asks, of any pairs of branches follows from the keys of their items (seed ${seed})`, async () => {
    const { clean, must, asked } = await mergeAll(seed)
    assert.ok(clean > PAIRS / 2 && must > PAIRS / 20, `${clean} clean, ${must} conflicts`)
    // Who saw what, and moves on both sides, may be asked about; it is rare.
    assert.ok(asked <= PAIRS / 10, `${asked} asked`)
  })
}

test.run()
