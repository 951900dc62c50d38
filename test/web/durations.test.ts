import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { BOUNDS, createDurations } from '../../src/web/durations.js'

test('A bucket has what took no longer than its bound, and the last one everything', () => {
  const durations = createDurations()
  const seconds = [...BOUNDS, 0, 0.0006, 11, 4_000]
  for (const each of seconds) durations.count('menu', 200, each)
  const values = durations.toValues('t')
  const ends = [...BOUNDS, Number.POSITIVE_INFINITY]
  assert.equal(
    values.filter(({ metricName }) => metricName === 't_bucket').map(({ value }) => value),
    ends.map((bound) => seconds.filter((each) => each <= bound).length),
  )
  const totalOf = (name: string) => values.find(({ metricName }) => metricName === name)?.value ?? 0
  assert.is(totalOf('t_count'), seconds.length)
  assert.ok(Math.abs(totalOf('t_sum') - seconds.reduce((sum, each) => sum + each)) < 1e-9)
})

test('Kinds and classes of status are counted apart, in a fixed number of rows', () => {
  const durations = createDurations()
  assert.equal(durations.toValues('t'), [])
  for (let status = 100; status < 600; status++)
    for (const kind of ['menu', 'dashboard', 'other'] as const) durations.count(kind, status, 1)
  const values = durations.toValues('t')
  assert.is(values.length, 3 * 5 * (BOUNDS.length + 3))
  for (const name of ['t_sum', 't_count']) {
    const totals = values.filter(({ metricName }) => metricName === name).map(({ value }) => value)
    assert.equal(totals, Array(15).fill(100))
  }
})

test.run()
