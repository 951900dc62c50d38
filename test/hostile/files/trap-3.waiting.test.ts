// Trap 3: a server that does what chokidar tells it, and beside it the store, on the same files. What is asserted of the
// first is that the trap is there; if a version of the library mends it, this is where it shows.
import { readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { watch } from 'chokidar'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Store } from '../../../src/store/live/open-store.js'
import { menuText, openedOn } from '../../store/opening.js'
import { eventually } from '../../support/eventually.js'
import { figure } from '../../support/figures.js'
import { createMenusFolder, type MenusFolder } from '../../support/menus-folder.js'
import { fewer, inPieces, isQuick } from '../../support/writers.js'
import { startUnderLimits, WORLD } from './own-world.js'
import { everySnapshot, itemsIn, longMenu, nameIn, servedWhen } from './serving-store.js'

/** Longer than whatever may still come. */
const LONG_ENOUGH = 1_000
const COUNT = 24
const MOST_TURNS = 80

/** A server that takes each event at its word: it reads the file and serves what is in it. */
interface Naive {
  readonly textOf: (path: string) => string
  /** Every text there was. */
  readonly texts: readonly string[]
}

/** Runs both on a folder, which a test may have made a link. */
async function withBoth(
  folder: MenusFolder,
  test: (naive: Naive, store: Store) => Promise<void>,
): Promise<void> {
  const dir = join(folder.dir, 'menus')
  const known = new Map<string, string>()
  const texts: string[] = []
  const take = (file: string): void => {
    const text = readFileSync(file, 'utf8')
    known.set(file, text)
    texts.push(text)
  }
  const watcher = watch(dir)
  watcher.on('add', take).on('change', take)
  await new Promise<void>((resolve) => watcher.on('ready', () => resolve()))
  try {
    const naive = { textOf: (path: string) => known.get(join(dir, path)) ?? '', texts }
    await openedOn(dir, (store) => test(naive, store))
  } finally {
    await watcher.close()
    folder.close()
  }
}

test('Trap 3: chokidar alone loses the second of two saves for good; the store serves it', async () => {
  const paths = Array.from({ length: COUNT }, (_, place) => `m${place}.yaml`)
  const codeOf = (path: string): string => path.replace('.yaml', '')
  const folder = createMenusFolder(
    Object.fromEntries(paths.map((path) => [`menus/${path}`, menuText(codeOf(path))])),
  )
  await withBoth(folder, async (naive, store) => {
    await sleep(200)
    let turn = 0
    const saveTwice = async (path: string, place: number): Promise<void> => {
      const first = menuText(codeOf(path), `first ${turn}`)
      folder.write(`menus/${path}`, first)
      // Right behind what the naive one has read, or some milliseconds later, whatever it has read.
      const isRead = (): void => assert.is(naive.textOf(path), first)
      if (place % 2 === 0) await sleep(2 + place * 2)
      else await eventually(isRead, { within: 500, every: 1 }).catch(() => {})
      folder.write(`menus/${path}`, menuText(codeOf(path), `second ${turn}`))
    }
    const isServed = (path: string): boolean => nameIn(store.current, path) === `second ${turn}`
    let lost = 0
    let tries = 0
    // On a busy machine the two saves may come too far apart to be lost.
    for (; lost === 0 && tries < 20 * COUNT; tries += COUNT) {
      turn++
      await Promise.all(paths.map(saveTwice))
      await servedWhen(store, () => paths.every(isServed))
      await sleep(LONG_ENOUGH)
      lost = paths.filter((path) => !naive.textOf(path).includes(`second ${turn}`)).length
      assert.ok(paths.every(isServed))
    }
    figure('trap 3, lost second saves', `${lost} of ${tries} by chokidar alone, 0 by the store`, '0')
    assert.ok(lost > 0)
  })
})

test('Trap 3: chokidar alone ends on a part of a slowly written file; the store never serves one', async () => {
  const folder = createMenusFolder({ 'menus/main.yaml': longMenu('main', 'old', 50) })
  await withBoth(folder, async (naive, store) => {
    const seen = everySnapshot(store)
    const whole = [longMenu('main', 'old', 50)]
    let [turn, quick, ended] = [0, 0, 0]
    // Where chokidar ends is a matter of luck; a writer that was held up says nothing about the store.
    for (; turn < 5 || (turn < MOST_TURNS && (ended === 0 || quick === 0)); turn++) {
      const text = longMenu('main', 'new', 51 + turn)
      whole.push(text)
      seen.length = 0
      const longest = await inPieces(
        join(folder.dir, 'menus/main.yaml'),
        text,
        'w',
        fewer(60, Math.max(0, turn - 9)),
        8,
      )
      await servedWhen(store, (snapshot) => itemsIn(snapshot) === 51 + turn)
      await sleep(300)
      if (naive.textOf('main.yaml') !== text) ended++
      if (!isQuick(longest)) continue
      quick++
      assert.equal(
        seen.map((snapshot) => itemsIn(snapshot)),
        [51 + turn],
      )
    }
    const parts = naive.texts.filter((text) => !whole.includes(text)).length
    figure(
      'trap 3, slow writers',
      `chokidar alone served ${parts} parts and ended on ${ended} of ${turn}`,
      '0',
    )
    assert.ok(parts > 0 && ended > 0)
    assert.ok(quick > 0, `In none of ${turn} tries this machine wrote less than 100 ms apart.`)
  })
})

test('Trap 3: chokidar alone never wakes after its folder was deleted and made anew; the store does', async () => {
  const folder = createMenusFolder({ 'menus/main.yaml': menuText('main', 'v0') })
  await withBoth(folder, async (naive, store) => {
    folder.remove('menus')
    await sleep(300)
    folder.write('menus/main.yaml', menuText('main', 'v1'))
    await servedWhen(store, (snapshot) => nameIn(snapshot) === 'v1', { within: 50_000 })
    folder.write('menus/main.yaml', menuText('main', 'v2'))
    await servedWhen(store, (snapshot) => nameIn(snapshot) === 'v2', { within: 50_000 })
    await sleep(LONG_ENOUGH)
    assert.is(naive.textOf('main.yaml'), menuText('main', 'v0'))
  })
})

test('Trap 3: chokidar alone misses the flip of a link that it watches; the store follows it', async () => {
  const folder = createMenusFolder({ 'one/main.yaml': menuText('main', 'v0') })
  symlinkSync('one', join(folder.dir, 'menus'))
  await withBoth(folder, async (naive, store) => {
    folder.write('two/main.yaml', menuText('main', 'v1'))
    symlinkSync('two', join(folder.dir, 'menus.new'))
    renameSync(join(folder.dir, 'menus.new'), join(folder.dir, 'menus'))
    await servedWhen(store, (snapshot) => nameIn(snapshot) === 'v1', { within: 50_000 })
    await sleep(LONG_ENOUGH)
    assert.is(naive.textOf('main.yaml'), menuText('main', 'v0'))
  })
})

test('Trap 3: chokidar alone reports that it is ready when the limit of inotify left everything unwatched', async () => {
  if (!WORLD.limits)
    return console.log('    This machine does not allow limits of one’s own: not tried here.')
  const folder = createMenusFolder({ 'menus/main.yaml': menuText('main', 'v0') })
  const program = `
    import { watch } from ${JSON.stringify(import.meta.resolve('chokidar'))}
    watch('menus', { ignoreInitial: true })
      .on('error', ({ code }) => console.log(code))
      .on('ready', () => console.log('ready'))
      .on('all', (event) => console.log(event))`
  folder.write('watch.mjs', program)
  const child = startUnderLimits(folder.dir, { watches: 0 }, ['watch.mjs'])
  await child.waitFor(/^ready$/m)
  folder.write('menus/main.yaml', menuText('main', 'v1'))
  await child.waitFor(/^ENOSPC$/m)
  await sleep(LONG_ENOUGH)
  await child.stop()
  folder.close()
  assert.equal(new Set(child.stdout().trimEnd().split('\n')), new Set(['ENOSPC', 'ready']))
})

test.run()
