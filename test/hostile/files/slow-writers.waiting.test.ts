import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { errorsOf, followed } from '../../store/opening.js'
import { sized, timesFigure } from '../../support/figures.js'
import { fewer, inPieces, whenQuick } from '../../support/writers.js'
import { everySnapshot, itemsIn, longMenu, servedWhen } from './serving-store.js'

/** Milliseconds between two writes that a loaded machine may stretch, and that are still less than 100. */
const PAUSES = [0, 5, 20, 40, 75]
const times: number[] = []

/** Writes a version in pieces, and gives what was served in between. */
function writeSlowly(flags: 'w' | 'r+', pause: number): Promise<readonly number[]> {
  const pieces = Math.max(12, Math.min(100, Math.round(400 / (pause + 1))))
  return whenQuick(async (turn) => {
    let result: readonly number[] = []
    let longest = 0
    await followed({ 'main.yaml': longMenu('main', 'old', 50) }, async ({ folder, store }) => {
      const seen = everySnapshot(store)
      const file = join(folder.dir, 'main.yaml')
      longest = await inPieces(file, longMenu('main', 'new', 64), flags, fewer(pieces, turn), pause)
      times.push(await servedWhen(store, (snapshot) => itemsIn(snapshot) === 64))
      result = seen.map((snapshot) => itemsIn(snapshot))
      assert.equal(errorsOf(store), [])
    })
    return { longest, result }
  })
}

for (const pause of PAUSES) {
  test(`A4: while a writer empties the file and writes every ${pause} ms, the last good version stays`, async () => {
    for (let turn = 0; turn < sized(1, 20); turn++) assert.equal(await writeSlowly('w', pause), [50, 64])
  })
}

test('A4: while a writer writes over the old bytes, the last good version stays', async () => {
  for (const pause of [10, 60]) assert.equal(await writeSlowly('r+', pause), [50, 64])
})

test('A4: after a longer pause of the writer the complete file is live soon after the last write', async () => {
  const text = longMenu('main', 'new', 40)
  await followed({ 'main.yaml': longMenu('main', 'old', 30) }, async ({ folder, store }) => {
    for (const pause of [150, 600]) {
      const file = openSync(join(folder.dir, 'main.yaml'), 'w')
      for (const half of [text.slice(0, text.length / 2), text.slice(text.length / 2)]) {
        if (half !== text.slice(0, text.length / 2)) await sleep(pause)
        writeSync(file, half)
      }
      closeSync(file)
      times.push(await servedWhen(store, (snapshot) => itemsIn(snapshot) === 40))
      assert.equal(errorsOf(store), [])
      folder.write('main.yaml', longMenu('main', 'old', 30))
      await servedWhen(store, (snapshot) => itemsIn(snapshot) === 30)
    }
  })
})

test('A4: a file that is moved in complete is served while another one is still being written', async () => {
  const files = { 'busy.yaml': longMenu('busy', 'old', 30), 'calm.yaml': longMenu('calm', 'old', 3) }
  const beside = await whenQuick(async () => {
    let [longest, result] = [0, 0]
    await followed(files, async ({ folder, store }) => {
      const busy = inPieces(join(folder.dir, 'busy.yaml'), longMenu('busy', 'new', 40), 'w', 40, 40)
      await sleep(50)
      folder.write('calm.yaml', longMenu('calm', 'new', 4))
      await servedWhen(store, (snapshot) => itemsIn(snapshot, 'calm.yaml') === 4)
      result = itemsIn(store.current, 'busy.yaml')
      longest = await busy
      await servedWhen(store, (snapshot) => itemsIn(snapshot, 'busy.yaml') === 40)
    })
    // What is right needs no excuse: so long a time without a single pause of the machine is rare at times.
    return { longest: result === 30 ? 0 : longest, result }
  })
  assert.is(beside, 30)
})

test('A4: what was written slowly is live in half a second after the last write', () => {
  assert.ok(timesFigure('slow writers, after the last write', times, 'p50 150 ms, p99 500 ms') < 5_000)
})

test.run()
