import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createLoad } from '../../src/http/load.js'
import { eventually } from '../support/eventually.js'
import { standStill } from '../support/stand-still.js'

/** Longer than the answers of one turn may take. */
const A_TURN = 25

/** Has two requests taken, the second of which waits for the first; tells what became of them, in order. */
function takeTwo(between: () => void): readonly string[] {
  const told: string[] = []
  const { take } = createLoad<string>(
    (name) => {
      standStill(A_TURN)
      told.push(`${name} answered`)
    },
    (name) => told.push(`${name} refused`),
  )
  take('first')
  take('second')
  between()
  return told
}

test('D16: a request that waited while the process was stalled is answered', async () => {
  const told = takeTwo(() => standStill(1_000))
  await eventually(() => assert.is(told.length, 2))
  assert.equal(told, ['first answered', 'second answered'])
})

test('D16: requests that wait for others for too long are refused, those that come later are answered again', async () => {
  const told = { answered: 0, refused: 0 }
  const { take } = createLoad(
    () => {
      standStill(A_TURN)
      told.answered++
    },
    () => told.refused++,
  )
  for (let count = 0; count < 100; count++) take(count)
  await eventually(() => assert.is(told.answered + told.refused, 100))
  assert.ok(told.answered >= 10 && told.refused >= 10, JSON.stringify(told))
  await sleep(50)
  const { answered } = told
  take(100)
  await eventually(() => assert.is(told.answered, answered + 1))
})

test('D16: requests that take long do not hold up the event loop together', async () => {
  let answered = 0
  const { take } = createLoad(
    () => {
      standStill(10)
      answered++
    },
    () => {},
  )
  for (let count = 0; count < 10; count++) take(count)
  for (let turn = 1; turn <= 10; turn++) {
    await setImmediate()
    // The first was answered as it came.
    assert.ok(answered <= turn + 1, `${answered} in ${turn} turns`)
  }
  await eventually(() => assert.is(answered, 10))
})

test.run()
