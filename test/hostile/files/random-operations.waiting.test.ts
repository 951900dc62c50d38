import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Snapshot } from '../../../src/model/snapshot.js'
import { menuText, openedOn } from '../../store/opening.js'
import { eventually } from '../../support/eventually.js'
import { figure, SEED, sized, timesFigure } from '../../support/figures.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { longMenu } from './serving-store.js'

const ROUNDS = sized(6, 400)
const STORES = 3
const FOLDERS = ['', 'a', 'a/b', 'c', 'd/e/f']
const BROKEN = 'broken: ['
const NAMES = ['one.yaml', 'two.yml', 'three.yaml']
/** Milliseconds between two operations: within an event, within the time to hold still, and beyond it. */
const GAPS = [0, 0, 0, 1, 3, 10, 40, 90, 130]

type Random = (below: number) => number

/** Numbers that a seed repeats (mulberry32). */
function randomFrom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Does something to a folder of menus that people, editors and git do; what is impossible just now is not done. */
function operate(dir: string, random: Random, number: number): void {
  const folder = (): string => FOLDERS[random(FOLDERS.length)] ?? ''
  const path = (): string => join(folder(), NAMES[random(NAMES.length)] ?? '')
  const [from, to] = [path(), path()]
  const code = `m${number}`
  const text = random(3) === 0 ? longMenu(code, `n${number}`, 1 + random(40)) : menuText(code, `n${number}`)
  const write = (): void => {
    mkdirSync(dirname(join(dir, from)), { recursive: true })
    writeFileSync(join(dir, from), text)
  }
  const moveIn = (): void => {
    writeFileSync(join(dir, `.temporary-${number}`), text)
    mkdirSync(dirname(join(dir, from)), { recursive: true })
    renameSync(join(dir, `.temporary-${number}`), join(dir, from))
  }
  const ways = [
    write,
    write,
    write,
    moveIn,
    moveIn,
    () => rmSync(join(dir, from), { force: true, recursive: true }),
    () => renameSync(join(dir, from), join(dir, to)),
    () => rmSync(join(dir, folder() || 'a'), { recursive: true, force: true }),
    () => renameSync(join(dir, folder() || 'c'), join(dir, folder() || 'a')),
    () => symlinkSync('nowhere', join(dir, from)),
    () => writeFileSync(join(dir, from), BROKEN),
    () => {
      renameSync(dir, `${dir}-away`)
      renameSync(`${dir}-away`, dir)
    },
  ]
  try {
    ways[random(ways.length)]?.()
  } catch {
    // A folder that is not there, a link that leads to itself: as it happens to people.
    if (number % 2 === 0) mkdirSync(dir, { recursive: true })
  }
}

/**
 * Deletes what is broken: as long as it is there, its last good version keeps its claim, and a running service rightly
 * serves something else than a fresh one.
 */
function tidy(dir: string): void {
  mkdirSync(dir, { recursive: true })
  for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const file = join(dir, path)
    const stats = lstatSync(file)
    if (stats.isSymbolicLink() || (stats.isFile() && readFileSync(file, 'utf8') === BROKEN)) rmSync(file)
  }
}

/** What a snapshot serves of files that have nothing wrong with them, and what it knows of the others. */
function stateOf({ files, served }: Snapshot): unknown {
  return files.map(({ path, version, problems }) => {
    const isFine = problems.every(({ severity }) => severity !== 'error')
    return [path, isFine ? version : 'broken', isFine ? served.get(path)?.version : '']
  })
}

const times: number[] = []

async function follow(seed: number): Promise<void> {
  const random = randomFrom(seed)
  const folder = createMenusFolder({ 'menus/one.yaml': menuText('one') })
  const dir = join(folder.dir, 'menus')
  await openedOn(dir, async (store) => {
    for (let round = 0; round < ROUNDS; round++) {
      for (let count = 4 + random(30); count > 0; count--) {
        operate(dir, random, round * 100 + count)
        const gap = GAPS[random(GAPS.length)] ?? 0
        if (gap > 0) await sleep(gap)
      }
      tidy(dir)
      let expected: unknown = null
      const start = performance.now()
      const readAfresh = ({ current }: typeof store): void => {
        expected = stateOf(current)
      }
      await openedOn(dir, readAfresh, { watch: false })
      try {
        await eventually(() => assert.equal(stateOf(store.current), expected), { within: 50_000 })
        times.push(performance.now() - start)
      } catch (thrown) {
        const said = `Round ${round} of seed ${seed}: ${JSON.stringify([stateOf(store.current), expected])}`
        throw new Error(said, { cause: thrown })
      }
    }
  })
  folder.close()
}

test('A8: after any operations on the folder, it is served as a fresh start serves it', async () => {
  await Promise.all(Array.from({ length: STORES }, (_, place) => follow(SEED + place)))
  figure('random operations', `${ROUNDS * STORES} rounds like a fresh start, seed ${SEED}`, 'all')
  assert.ok(timesFigure('random operations, live after the last', times, '5,000 ms') < 50_000)
})

test.run()
