import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createSettling, PATIENCE_MS, SETTLE_MS } from '../../../src/store/live/settling.js'

test('A4: a file counts once it has stayed as it is for a while', () => {
  const settling = createSettling()
  settling.note('a', '1', 0)
  assert.equal(settling.due(SETTLE_MS - 1), [])
  assert.is(settling.delay(SETTLE_MS - 1), 1)
  settling.note('a', '1', SETTLE_MS)
  assert.equal(settling.due(SETTLE_MS), ['a'])
})

test('A4: a file that changes on begins to wait anew', () => {
  const settling = createSettling()
  settling.note('a', '1', 0)
  settling.note('a', '2', SETTLE_MS - 1)
  assert.equal(settling.due(SETTLE_MS), [])
  assert.is(settling.delay(SETTLE_MS), SETTLE_MS - 1)
  assert.equal(settling.due(2 * SETTLE_MS - 1), ['a'])
})

test('A file that is as it was before waits for nothing', () => {
  const settling = createSettling()
  settling.note('a', '1', 0)
  settling.note('a', null, 10)
  assert.equal(settling.waiting(), [])
  assert.is(settling.delay(10), null)
})

test('A7: a batch waits for its last file, so that it becomes one snapshot', () => {
  const settling = createSettling()
  settling.note('a', '1', 0)
  settling.note('b', '1', 90)
  assert.equal(settling.due(SETTLE_MS + 10), [])
  assert.equal(settling.due(SETTLE_MS + 90), ['a', 'b'])
})

test('A4: a batch does not wait for ever for a file that never holds still', () => {
  const settling = createSettling()
  settling.note('calm', '1', 0)
  let now = 0
  for (; now < PATIENCE_MS; now += 50) {
    settling.note('busy', String(now), now)
    assert.equal(settling.due(now), [])
  }
  settling.note('busy', 'last', now)
  assert.equal(settling.due(now), ['calm'])
})

test('A7: a batch waits for its last file on a process that was held up, too', () => {
  const settling = createSettling()
  settling.note('a', '1', 0)
  const now = 3 * PATIENCE_MS
  settling.note('b', '1', now)
  assert.equal(settling.due(now), [])
  assert.equal(settling.due(now + SETTLE_MS), ['a', 'b'])
})

test.run()
