// Folders that are links: what is watched and read of them, and what is not.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { errorsOf, menuText, servedPaths, storeOn } from '../../store/opening.js'
import { eventually } from '../../support/eventually.js'
import { figure } from '../../support/figures.js'
import { createMenusFolder, type MenusFolder } from '../../support/menus-folder.js'
import { closing, test } from '../../support/test.js'
import { everySnapshot, nameIn, servedWhen } from './serving-store.js'

const TRIES = 10
const RARELY = { rescanSeconds: 3_600 }

/** How many folders this process watches, as Linux tells it; null elsewhere. */
function countWatches(): number | null {
  const folder = '/proc/self/fdinfo'
  if (!existsSync(folder)) return null
  const infos = readdirSync(folder).map((each) => {
    try {
      return readFileSync(join(folder, each), 'utf8')
    } catch {
      return ''
    }
  })
  return infos.join('').match(/^inotify wd:/gm)?.length ?? 0
}

/** A folder whose menus folder has one menu. */
function openFolder(): MenusFolder & { readonly menus: string } {
  const folder = closing(createMenusFolder({ 'menus/main.yaml': menuText('main', 'v0') }))
  return { ...folder, menus: join(folder.dir, 'menus') }
}

/** Checks how many watches there are when all stand, where that can be told. */
async function assertWatches(most: number): Promise<void> {
  if (countWatches() === null) return
  await eventually(() => assert.ok((countWatches() ?? 0) >= 2, 'Nothing is watched.'))
  await sleep(700)
  const count = countWatches() ?? 0
  assert.ok(count <= most, `${count} watches`)
}

test('A23: links to folders on the way to them are neither read nor watched in circles', async () => {
  const { write, menus } = openFolder()
  write('menus/a/x.yaml', menuText('x'))
  write('menus/b/y.yaml', menuText('y'))
  symlinkSync('.', join(menus, 'here'))
  symlinkSync('.', join(menus, 'again'))
  symlinkSync('..', join(menus, 'a/up'))
  symlinkSync('..', join(menus, 'b/up'))
  symlinkSync('../..', join(menus, 'b/out'))
  const store = await storeOn(menus, RARELY)
  assert.equal(servedPaths(store), ['a/x.yaml', 'b/y.yaml', 'main.yaml'])
  assert.equal(errorsOf(store), ['b/out:1:1 error outside-folder'])
  await assertWatches(4)
  write('menus/a/x.yaml', menuText('x', 'v1'))
  await servedWhen(store, (snapshot) => nameIn(snapshot, 'a/x.yaml') === 'v1')
})

test('A23: folders full of links to each other are read under sixteen paths each, and reported', async () => {
  const names = Array.from({ length: 10 }, (_, place) => `folder-${place}`)
  const { menus } = openFolder()
  for (const name of names) {
    mkdirSync(join(menus, name))
    for (const other of names) if (other !== name) symlinkSync(`../${other}`, join(menus, name, other))
  }
  const start = performance.now()
  const store = await storeOn(menus, RARELY)
  figure('ten folders of links to each other', `${Math.round(performance.now() - start)} ms`, 'none')
  assert.ok(errorsOf(store).length <= names.length)
  assert.match(store.current.problems[0]?.what ?? '', 'more than 16 paths')
  assert.equal(servedPaths(store), ['main.yaml'])
  await assertWatches(12)
})

test('A23: what lies behind a link out of the folder, or is passed over, is not watched either', async () => {
  const { dir, write, menus } = openFolder()
  for (let place = 0; place < 50; place++) {
    write(`elsewhere/${place}/z.yaml`, menuText('z'))
    write(`menus/.git/objects/${place}/z.yaml`, menuText('z'))
  }
  symlinkSync(join(dir, 'elsewhere'), join(menus, 'all'))
  const store = await storeOn(menus, RARELY)
  assert.equal(errorsOf(store), ['all:1:1 error outside-folder'])
  await assertWatches(3)
})

test('A13: a menu that is a link to a file in a folder that is passed over is followed there', async () => {
  const { write, remove, menus } = openFolder()
  write('menus/.data/main.yaml', menuText('main', 'v0'))
  remove('menus/main.yaml')
  symlinkSync('.data/main.yaml', join(menus, 'main.yaml'))
  const store = await storeOn(menus, RARELY)
  await sleep(700)
  write('menus/.data/main.yaml', menuText('main', 'v1'))
  await servedWhen(store, (snapshot) => nameIn(snapshot) === 'v1')
})

test('A11: a link that leads nowhere and is put right by way of none leaves no gap', async () => {
  const { write, remove, menus } = openFolder()
  write('menus/shared/v0.txt', menuText('main', 'v0'))
  remove('menus/main.yaml')
  symlinkSync('shared/v0.txt', join(menus, 'main.yaml'))
  const store = await storeOn(menus)
  remove('menus/shared/v0.txt')
  let away = Number.POSITIVE_INFINITY
  // A machine that held us up made the gap longer than what is to be no gap.
  for (let turn = 1; turn <= TRIES && away >= 95; turn++) {
    await eventually(() => assert.is(errorsOf(store).length, 1))
    const seen = everySnapshot(store)
    write(`menus/shared/v${turn}.txt`, menuText('main', `v${turn}`))
    const start = performance.now()
    remove('menus/main.yaml')
    await sleep(40)
    symlinkSync(`shared/v${turn}.txt`, join(menus, 'main.yaml'))
    away = performance.now() - start
    await servedWhen(store, (snapshot) => nameIn(snapshot) === `v${turn}`)
    const isGap = seen.map((snapshot) => nameIn(snapshot)).includes(null)
    if (away < 95) assert.not.ok(isGap)
    remove(`menus/shared/v${turn}.txt`)
  }
  assert.ok(away < 95, `${away} ms`)
})

test.run()
