import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { assertTime } from '../../support/times.js'
import { parseInChildren, report, triesOf } from './children.js'
import { FILL_COUNT, SHARE } from './filled.js'

// A file may hold as many errors as it has bytes. Each costs the YAML library an Error with a stack, about a kilobyte;
// a process that runs out of memory is ended by V8, and no `catch` helps.

/** In megabytes; for a file of a megabyte what a container of a gigabyte gives to Node. */
const HEAP = 512 / SHARE
/** What 1.1 MB of a menu take (reliability, trap 1). */
const PROMISED = 540 / SHARE

const start = performance.now()
const tally = await parseInChildren('filled', 0, FILL_COUNT, { heap: HEAP })
report(tally, 0, start)

test('Trap 1: a file that is filled with one scrap to its limit never ends a process with little memory', () => {
  assert.equal(tally.deaths, [])
  assert.equal(tally.faults, [])
  assert.is(triesOf(tally), FILL_COUNT)
})

test('Trap 1: a file that is filled with one scrap to its limit is judged in the time that a menu takes', () => {
  assertTime('the slowest file that is filled to its limit', PROMISED, () => tally.slowest.milliseconds)
})

test.run()
