import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createPause } from '../../src/store/pause.js'

test('E18: each piece of work that paused goes on in a turn of the event loop of its own', async () => {
  let turn = 0
  let isOver = false
  const count = (): void => {
    turn++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const pauses = Array.from({ length: 5 }, createPause)
  const start = performance.now()
  // Until each of them is due.
  while (performance.now() < start + 2);
  const turns = await Promise.all(
    pauses.map(async (pause) => {
      assert.ok(await pause())
      return turn
    }),
  )
  isOver = true
  assert.is(new Set(turns).size, 5, turns.join(', '))
})

test.run()
