import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { figure, SEED, sized } from '../../support/figures.js'
import { parseInChildren, report, triesOf } from './children.js'

// `node --import tsx test/hostile/yaml/parse-many.program.ts nested SEED PLACE 1` repeats one try.

const TRIES = sized(3_000, 10_000)

test(`C1: nesting 64 to 100,000 deep, in block and in flow style, never ends a process in ${TRIES} tries`, async () => {
  const start = performance.now()
  const tally = await parseInChildren('nested', SEED, TRIES)
  report(tally, SEED, start)
  figure('C1, deep nesting', `${TRIES} tries, ${tally.deaths.length} aborts, seed ${SEED}`, '0 aborts')
  assert.equal(tally.deaths, [])
  assert.equal(tally.faults.slice(0, 10), [])
  assert.is(triesOf(tally), TRIES)
  assert.ok((tally.sorts['yaml-depth'] ?? 0) > TRIES / 2)
})

test.run()
