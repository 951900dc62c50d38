import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { BOUNDS, createDurations } from '../../src/web/durations.js'

test('A bucket has what took no longer than its bound, and the last one everything', () => {
  const durations = createDurations()
  const seconds = [...BOUNDS, 0, 0.0006, 11, 4_000]
  for (const each of seconds) durations.count('menu', 200, each)
  const [row, ...others] = durations.rows()
  assert.equal(others, [])
  assert.equal(
    row?.counts,
    [...BOUNDS, Number.POSITIVE_INFINITY].map((bound) => seconds.filter((each) => each <= bound).length),
  )
  assert.ok(Math.abs((row?.sum ?? 0) - seconds.reduce((sum, each) => sum + each)) < 1e-9)
})

test('Kinds and classes of status are counted apart, in a fixed number of rows', () => {
  const durations = createDurations()
  assert.equal(durations.rows(), [])
  for (let status = 100; status < 600; status++)
    for (const kind of ['menu', 'dashboard', 'other'] as const) durations.count(kind, status, 1)
  const rows = durations.rows()
  assert.equal(
    rows.map(({ kind, status }) => `${kind} ${status}`),
    ['menu', 'dashboard', 'other'].flatMap((kind) => [1, 2, 3, 4, 5].map((digit) => `${kind} ${digit}xx`)),
  )
  for (const { counts, sum } of rows) assert.equal([counts.at(-1), sum], [100, 100])
})

test.run()
