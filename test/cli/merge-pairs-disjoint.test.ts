import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sized } from '../support/figures.js'
import { sampleBranches } from './menu-branches.js'
import { assertComments, assertModel, mergePairs, type Outcome } from './merge-pairs.js'

const PAIRS = sized(25, 150)
const SEED = 20261122

let outcomes: readonly Outcome[] = []

test.before(async () => {
  outcomes = await mergePairs(sampleBranches('disjoint', PAIRS, SEED))
})

test('Pairs of branches that changed different items merge without a person, to what the model makes', () => {
  assert.is(outcomes.length, PAIRS)
  for (const { isClean, merged } of outcomes) assert.ok(isClean, merged)
  assertModel(outcomes)
})

test('Every comment whose item neither side deleted appears once', () => {
  assertComments(outcomes)
})

test.run()
