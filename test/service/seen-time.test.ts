import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createSeenTime } from '../../src/service/seen-time.js'

const STEP = 100
const waits = fc.array(fc.integer({ min: -50, max: 1_000 }), { minLength: 1, maxLength: 30 })

test('Seen time passes as the clock does, but by at most one step between two readings, and never back', () => {
  const law = fc.property(fc.integer({ min: 0, max: 1_000_000 }), waits, (start, steps) => {
    const seen = createSeenTime(STEP)
    let now = start
    let latest = start
    let model = seen(now)
    for (const wait of steps) {
      now += wait
      model += Math.min(STEP, Math.max(0, now - latest))
      latest = Math.max(latest, now)
      assert.is(seen(now), model)
    }
  })
  fc.assert(law)
})

test('The first reading is where it begins, however long the clock has gone', () => {
  const seen = createSeenTime(STEP)
  assert.equal([seen(1_000_000), seen(1_000_040), seen(1_005_000), seen(1_005_000)], [0, 40, 140, 140])
})

test.run()
