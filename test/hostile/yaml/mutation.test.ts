import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { figure, SEED, sized } from '../../support/figures.js'
import { parseInChildren, report, triesOf } from './children.js'

// The figure "YAML fuzz". `node --import tsx test/hostile/yaml/parse-many.program.ts mutants SEED PLACE 1` repeats one try of it.

const TRIES = sized(10_000, 200_000)

test('Trap 1: no mutated file ends the process or throws, and each gives a menu exactly when it has no error', async () => {
  const start = performance.now()
  const tally = await parseInChildren('mutants', SEED, TRIES)
  report(tally, SEED, start)
  figure(
    'YAML fuzz',
    `${TRIES} mutated files, ${tally.deaths.length} signals, ${tally.faults.length} faults, seed ${SEED}`,
    '0 signals',
  )
  assert.equal(tally.deaths, [])
  assert.equal(tally.faults.slice(0, 10), [])
  assert.is(triesOf(tally), TRIES)
  // A fuzzer that only ever makes rubbish, or none, would prove little.
  const served = tally.sorts['served'] ?? 0
  assert.ok(served > TRIES / 50 && served < TRIES / 2, `${served} served`)
  assert.ok(Object.keys(tally.sorts).length > 25, JSON.stringify(tally.sorts))
})

test.run()
