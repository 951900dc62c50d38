// A26: the clock of the machine is not a test's to set. What JavaScript sees of it is: here it jumps, in this process,
// under the whole store. Times of files are set for real.
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Store } from '../../../src/store/live/open-store.js'
import { errorsOf, menuText, opened, openedOn } from '../../store/opening.js'
import { timesFigure } from '../../support/figures.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { nameTwice } from './second-name.js'
import { everySnapshot, nameIn, servedWhen } from './serving-store.js'

const HOUR = 3_600_000
const YEAR = 8_766 * HOUR
const RealDate = Date
let offset = 0

/** Has every question for the time answered with an offset while something is done. */
async function withJumpingClock(work: (jump: (ms: number) => void) => Promise<void>): Promise<void> {
  const now = (): number => RealDate.now() + offset
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, words, maker) =>
      Reflect.construct(target, words.length === 0 ? [now()] : words, maker) as object,
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  })
  try {
    await work((ms) => {
      offset += ms
    })
  } finally {
    offset = 0
    globalThis.Date = RealDate
  }
}

test('A26: a clock that jumps, forth and back and beyond 1970, changes nothing about what is served when', async () => {
  const times: number[] = []
  await opened({ 'main.yaml': menuText('main', 'v0') }, async ({ folder, store }) => {
    const seen = everySnapshot(store)
    const names = ['v0']
    await withJumpingClock(async (jump) => {
      for (const ms of [HOUR, -2 * HOUR, 24 * HOUR, 80 * YEAR, -200 * YEAR, 1_000 * YEAR]) {
        const name = `after a jump of ${ms / HOUR} h`
        folder.write('main.yaml', menuText('main', name))
        // In the middle of the time for which the file has to hold still.
        await sleep(50)
        jump(ms)
        times.push(await servedWhen(store, (snapshot) => nameIn(snapshot) === name))
        names.push(name)
      }
    })
    assert.equal(
      seen.map((snapshot) => nameIn(snapshot)),
      names,
    )
    assert.equal(errorsOf(store), [])
  })
  assert.ok(timesFigure('a change around a jump of the clock', times, 'p99 500 ms') < 5_000)
})

test('A26: the rescan of the timer comes after its time, with any clock', async () => {
  const folder = createMenusFolder({ 'menus/main.yaml': menuText('main', 'v0') })
  nameTwice(folder, 'menus/main.yaml')
  const looking = async (store: Store): Promise<void> => {
    // The events of the start have been followed.
    await sleep(700)
    await withJumpingClock(async (jump) => {
      for (const [turn, ms] of [-10 * YEAR, 20 * YEAR].entries()) {
        jump(ms)
        folder.write('elsewhere/second-name', menuText('main', `v${turn + 1}`))
        await servedWhen(store, (snapshot) => nameIn(snapshot) === `v${turn + 1}`)
        await sleep(700)
      }
    })
  }
  await openedOn(join(folder.dir, 'menus'), looking, { rescanSeconds: 0.3 })
  folder.close()
})

test('A26: what was written last is served, whichever of the files is the newest by its time', async () => {
  await opened({ 'main.yaml': menuText('main', 'v0') }, async ({ folder, store }) => {
    const file = join(folder.dir, 'main.yaml')
    for (const year of [2100, 2001, 1970, 2037, 1999]) {
      const time = new Date(Date.UTC(year, 0, 2))
      folder.write('main.yaml', menuText('main', `of ${year}`))
      utimesSync(file, time, time)
      await servedWhen(store, (snapshot) => nameIn(snapshot) === `of ${year}`)
    }
    assert.equal(errorsOf(store), [])
  })
})

test('A26: the hour that comes twice in autumn and the one that is missing in spring are hours like others', async () => {
  const { TZ } = process.env
  process.env['TZ'] = 'Europe/Berlin'
  await opened({ 'main.yaml': menuText('main', 'v0') }, async ({ folder, store }) => {
    await withJumpingClock(async (jump) => {
      for (const [turn, at] of ['2026-03-29T00:59:59.980Z', '2026-10-25T00:59:59.980Z'].entries()) {
        jump(RealDate.parse(at) - Date.now())
        folder.write('main.yaml', menuText('main', `v${turn + 1}`))
        await servedWhen(store, (snapshot) => nameIn(snapshot) === `v${turn + 1}`)
      }
    })
  })
  if (TZ === undefined) delete process.env['TZ']
  else process.env['TZ'] = TZ
})

test('A26: a version that comes back has the revision that it had, whenever that is', async () => {
  await opened({ 'main.yaml': menuText('main', 'v0') }, async ({ folder, store }) => {
    const { revision } = store.current
    await withJumpingClock(async (jump) => {
      folder.write('main.yaml', menuText('main', 'v1'))
      await servedWhen(store, (snapshot) => nameIn(snapshot) === 'v1')
      jump(-YEAR)
      folder.write('main.yaml', menuText('main', 'v0'))
      await servedWhen(store, (snapshot) => nameIn(snapshot) === 'v0')
    })
    assert.is(store.current.revision, revision)
  })
})

test.run()
