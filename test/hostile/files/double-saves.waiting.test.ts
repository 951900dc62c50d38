import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { followed, menuText } from '../../store/opening.js'
import { figure, sized, timesFigure } from '../../support/figures.js'
import { nameIn, servedWhen } from './serving-store.js'
import { replace } from './ways-to-save.js'

const GAPS = [0, 2, 5, 10, 20, 30, 40, 60, 80, 100, 150]
/** Few enough for the gaps to be what they should be. */
const AT_ONCE = 4

/** How often something else than the last save stayed, and how long it took to be live when it did not. */
const outcome = { stale: 0, times: [] as number[] }

function inPlace(file: string, text: string): void {
  writeFileSync(file, text)
}

/** Saves twice, again and again, where no timer mends what an event did not tell. Both versions have one size, and the last one is told by its name only. */
async function saveTwice(gap: number, save: typeof inPlace, count: number): Promise<void> {
  await followed({ 'main.yaml': menuText('main', 'x000') }, async ({ folder, store }) => {
    const file = join(folder.dir, 'main.yaml')
    for (let turn = 1; turn <= count; turn++) {
      const number = String(turn).padStart(3, '0')
      save(file, menuText('main', `a${number}`))
      // `sleep` is a millisecond at least: with no gap there is not even a turn of the loop between the two.
      if (gap > 0) await sleep(gap)
      save(file, menuText('main', `b${number}`))
      const isLast = servedWhen(store, (snapshot) => nameIn(snapshot) === `b${number}`, { within: 20_000 })
      await isLast.then(
        (took) => outcome.times.push(took),
        () => outcome.stale++,
      )
      // What was live must not give way to the first save after all.
      if (turn % 10 === 0) await sleep(200)
      if (nameIn(store.current) !== `b${number}`) outcome.stale++
    }
  })
}

for (const save of [inPlace, replace]) {
  const how = save === inPlace ? 'in place' : 'moved in'
  test(`Trap 3, A6: of two saves at eleven gaps the last one is live, always (${how})`, async () => {
    const { stale } = outcome
    const gaps = [...GAPS]
    const next = async (): Promise<void> => {
      for (let gap = gaps.shift(); gap !== undefined; gap = gaps.shift())
        await saveTwice(gap, save, sized(10, 100))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, next))
    assert.is(outcome.stale - stale, 0)
  })
}

test('A6: the last of two saves is live within half a second', () => {
  figure('double saves', `${outcome.stale} stale of ${outcome.times.length + outcome.stale}`, '0 stale')
  assert.is(outcome.times.length, GAPS.length * 2 * sized(10, 100))
  assert.ok(timesFigure('double saves, after the second', outcome.times, 'p99 500 ms') < 5_000)
})

test('A6: one change is live soon', async () => {
  const times: number[] = []
  await followed({ 'main.yaml': menuText('main', 'x') }, async ({ folder, store }) => {
    for (let turn = 0; turn < sized(30, 1_000); turn++) {
      folder.write('main.yaml', menuText('main', `turn ${turn}`))
      times.push(await servedWhen(store, (snapshot) => nameIn(snapshot) === `turn ${turn}`))
    }
  })
  const p99 = timesFigure('freshness, one change', times, 'p50 150 ms, p99 500 ms')
  assert.ok(p99 < 5_000)
})

test.run()
