import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createPendingFiles, PATIENCE_MS, STILL_MS } from '../../../src/store/live/pending-files.js'

test('A4: a file counts once it has stayed unchanged for a while', () => {
  const pending = createPendingFiles()
  pending.note('a', '1', 0)
  assert.equal(pending.due(STILL_MS - 1), [])
  assert.is(pending.delay(STILL_MS - 1), 1)
  pending.note('a', '1', STILL_MS)
  assert.equal(pending.due(STILL_MS), ['a'])
})

test('A4: the wait of a file that keeps changing starts again', () => {
  const pending = createPendingFiles()
  pending.note('a', '1', 0)
  pending.note('a', '2', STILL_MS - 1)
  assert.equal(pending.due(STILL_MS), [])
  assert.is(pending.delay(STILL_MS), STILL_MS - 1)
  assert.equal(pending.due(2 * STILL_MS - 1), ['a'])
})

test('A file that is as it was before waits for nothing', () => {
  const pending = createPendingFiles()
  pending.note('a', '1', 0)
  pending.note('a', null, 10)
  assert.equal(pending.waiting(), [])
  assert.is(pending.delay(10), null)
})

test('A7: a batch waits for its last file, so that it becomes one snapshot', () => {
  const pending = createPendingFiles()
  pending.note('a', '1', 0)
  pending.note('b', '1', 90)
  assert.equal(pending.due(STILL_MS + 10), [])
  assert.equal(pending.due(STILL_MS + 90), ['a', 'b'])
})

test('A4: a batch does not wait forever for a file that never holds still', () => {
  const pending = createPendingFiles()
  pending.note('calm', '1', 0)
  let now = 0
  for (; now < PATIENCE_MS; now += 50) {
    pending.note('busy', String(now), now)
    assert.equal(pending.due(now), [])
  }
  pending.note('busy', 'last', now)
  assert.equal(pending.due(now), ['calm'])
})

test('A7: a batch waits for its last file in a process that was stalled, too', () => {
  const pending = createPendingFiles()
  pending.note('a', '1', 0)
  const now = 3 * PATIENCE_MS
  pending.note('b', '1', now)
  assert.equal(pending.due(now), [])
  assert.equal(pending.due(now + STILL_MS), ['a', 'b'])
})

test.run()
