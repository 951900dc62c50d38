import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { mergeMenus } from '../../src/change/merge/merge.js'
import { isEqual } from '../../src/model/json.js'
import { sized } from '../support/figures.js'
import { fileOf } from '../support/snapshot-of.js'
import { sampleBranches } from './menu-branches.js'
import { assertComments, assertModel, mergePairs, type Outcome } from './merge-pairs.js'

const PAIRS = sized(25, 150)
const SEED = 20261121

/** A text with one side of each conflict, the other taken out with the marks. */
function resolved(text: string, side: 'ours' | 'theirs'): string {
  const pattern = /^<{7} ours\n([\s\S]*?)^={7}\n([\s\S]*?)^>{7} theirs\n/gm
  return text.replace(pattern, (_, ours: string, theirs: string) => (side === 'ours' ? ours : theirs))
}

let outcomes: readonly Outcome[] = []

test.before(async () => {
  outcomes = await mergePairs(sampleBranches('free', PAIRS, SEED))
})

test('For pairs of branches git makes the menu of the model, and asks where the model does', () => {
  assert.is(outcomes.length, PAIRS)
  assertModel(outcomes)
  const clean = outcomes.filter(({ isClean }) => isClean).length
  assert.ok(clean > PAIRS / 3 && clean < PAIRS, `${clean} merges were without a conflict`)
})

test('Every comment whose item neither side deleted appears once', () => {
  assertComments(outcomes)
})

test('Whichever side is kept of all conflicts, the menu loads and is what the model makes of that choice', () => {
  for (const { base, mine, theirs, merged, isClean } of outcomes) {
    if (isClean) continue
    for (const side of ['ours', 'theirs'] as const) {
      const text = resolved(merged, side)
      assert.equal(
        fileOf('main.yaml', text).problems.filter(({ severity }) => severity === 'error'),
        [],
        merged,
      )
      const choice = side === 'ours' ? 'mine' : 'theirs'
      const model = mergeMenus(parse(base), parse(mine), parse(theirs), () => choice)
      assert.ok(isEqual(parse(text), model.value), `${mine}\n--- theirs\n${theirs}\n--- merged\n${merged}`)
    }
  }
})

test.run()
