import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { scanDisk } from '../../../src/store/disk-tree.js'
import type { Store } from '../../../src/store/live/open-store.js'
import { eventually } from '../../support/eventually.js'
import { sized } from '../../support/figures.js'
import { quickestChange, SOONER_THAN_A_LOOK } from '../../support/followed.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { createLoneFolder, createMenusFolder, type MenusFolder, menusIn } from '../../support/menus-folder.js'
import {
  errorsOf,
  followed,
  followedOn,
  measured,
  menuText,
  nameOf,
  openedOn,
  servedPaths,
  toLines,
} from '../opening.js'

const IN_TEN_TIMES = { within: 50_000 }

/** Numbers the changes, each of which has to differ from the one before. */
let changes = 0

/** Changes a menu again and again: whatever found the folder, what changes in it is told by events. */
async function checkFollowed(what: string, folder: MenusFolder, store: Store, path: string): Promise<void> {
  const code = basename(path, '.yaml')
  const quickest = await quickestChange(async () => {
    const name = `change ${++changes}`
    folder.write(path, menuText(code, name))
    await eventually(() => assert.is(nameOf(store, code), name), IN_TEN_TIMES)
  })
  measured(what, performance.now() - quickest, 500)
  assert.ok(quickest < SOONER_THAN_A_LOOK, `${what}: ${quickest} ms`)
}

/** Flips a link as git-sync and Kubernetes do: a new one beside it, moved over it. */
function flip({ dir }: MenusFolder, link: string, target: string): void {
  symlinkSync(target, join(dir, `${link}.new`))
  renameSync(join(dir, `${link}.new`), join(dir, link))
}

test('A14: no rescan during which the link to the menus is flipped refuses plain folders', async () => {
  const paths = Array.from({ length: 20 }, (_, place) => `f${place}/deep/m.yaml`)
  const files = (name: string) => paths.map((path) => [`${name}/${path}`, menuText(path, name)])
  const folder = createMenusFolder(Object.fromEntries([...files('one'), ...files('two')]))
  flip(folder, 'menus', 'one')
  const scanning = scanDisk(menusIn(join(folder.dir, 'menus')), DEFAULT_LIMITS)
  flip(folder, 'menus', 'two')
  const { entries } = await scanning
  assert.equal([entries.size, [...entries.values()].filter(({ problem }) => problem !== null)], [20, []])
  folder.close()
})

test('folder-missing: a folder that does not exist is reported, and served as soon as it is made', async () => {
  const folder = createMenusFolder()
  await openedOn(join(folder.dir, 'menus'), async (store, log) => {
    assert.is(store.current.served.size, 0)
    assert.equal(toLines(store.current.problems), [':1:1 error folder-missing'])
    assert.match(store.current.problems[0]?.what ?? '', join(folder.dir, 'menus'))
    const logged = log.find(({ level, code }) => level === 'error' && code === 'folder-missing')
    assert.is(logged?.['path'], join(folder.dir, 'menus'))
    const start = performance.now()
    folder.write('menus/main.yaml', menuText('main', 'first'))
    await eventually(() => assert.is(nameOf(store), 'first'), IN_TEN_TIMES)
    measured('a folder that was made after the start', start, 500)
    assert.equal(store.current.problems, [])
    await checkFollowed('a change in it', folder, store, 'menus/main.yaml')
  })
  folder.close()
})

test('folder-missing: a file in the place of the folder is not a folder', async () => {
  const folder = createMenusFolder({ menus: 'a file' })
  await openedOn(
    join(folder.dir, 'menus'),
    (store) => assert.equal(errorsOf(store), [':1:1 error folder-missing']),
    { watch: false },
  )
  folder.close()
})

test('A12: a folder that is deleted keeps being served, loudly, and is followed again once it is back', async () => {
  const folder = createMenusFolder({ 'menus/main.yaml': menuText('main', 'first') })
  await openedOn(join(folder.dir, 'menus'), async (store) => {
    // An inode that was freed may be given to the next folder at once: each turn may look like the same folder.
    for (const turn of ['second', 'third', 'fourth']) {
      const before = nameOf(store)
      folder.remove('menus')
      await eventually(() => assert.equal(errorsOf(store), [':1:1 error folder-missing']), IN_TEN_TIMES)
      assert.is(nameOf(store), before)
      const start = performance.now()
      folder.write('menus/main.yaml', menuText('main', turn))
      await eventually(() => assert.is(nameOf(store), turn), IN_TEN_TIMES)
      measured('a folder that is back', start, 5_000)
      assert.equal(errorsOf(store), [])
      await checkFollowed('a change in it', folder, store, 'menus/side.yaml')
    }
  })
  folder.close()
})

test('A12: a file that replaces the served folder is reported, and its menus stay', async () => {
  const folder = createMenusFolder({ 'menus/main.yaml': menuText('main', 'first') })
  await openedOn(join(folder.dir, 'menus'), async (store, log) => {
    renameSync(join(folder.dir, 'menus'), join(folder.dir, 'away'))
    folder.write('menus', 'a file')
    await eventually(
      () => assert.equal(toLines(store.current.problems), [':1:1 error folder-missing']),
      IN_TEN_TIMES,
    )
    assert.equal([nameOf(store), log.some(({ event }) => event === 'rescan_failed')], ['first', false])
  })
  folder.close()
})

test('A12: a folder that is deleted and recreated at once is still followed', async () => {
  const folder = createMenusFolder({ 'menus/main.yaml': menuText('main', 'first') })
  await openedOn(join(folder.dir, 'menus'), async (store) => {
    const names = new Set<string | null>()
    store.onChange(() => names.add(nameOf(store)))
    for (const turn of ['second', 'third', 'fourth']) {
      folder.remove('menus')
      folder.write('menus/main.yaml', menuText('main', turn))
      await eventually(() => assert.is(nameOf(store), turn), IN_TEN_TIMES)
      await checkFollowed('a change after that', folder, store, 'menus/main.yaml')
    }
    assert.not.ok(names.has(null))
  })
  folder.close()
})

for (const [what, fill] of [
  ['a file', (path: string) => writeFileSync(path, menuText('other'))],
  ['a folder', (path: string) => mkdirSync(path)],
] as const) {
  test(`A folder that is replaced by a link back, through which ${what} has the path of a menu, takes its menus along`, async () => {
    const folder = createMenusFolder({ 'main.yaml': menuText('main'), 'shop/side.yaml': menuText('side') })
    await openedOn(folder.dir, async (store) => {
      folder.remove('shop')
      symlinkSync('.', join(folder.dir, 'shop'))
      fill(join(folder.dir, 'side.yaml'))
      const paths = () => store.current.files.map(({ path }) => path)
      await eventually(() => assert.equal(paths(), ['main.yaml', 'side.yaml']), IN_TEN_TIMES)
    })
    folder.close()
  })
}

test('A12: a subfolder that is deleted and recreated at once is still followed', async () => {
  const folder = createMenusFolder({ 'shop/main.yaml': menuText('main', 'first') })
  await openedOn(folder.dir, async (store) => {
    for (const turn of ['second', 'third', 'fourth']) {
      folder.remove('shop')
      folder.write('shop/main.yaml', menuText('main', turn))
      await eventually(() => assert.is(nameOf(store), turn), IN_TEN_TIMES)
      await checkFollowed('a change in a subfolder after that', folder, store, 'shop/main.yaml')
    }
  })
  folder.close()
})

test('A13: the swap of a ConfigMap is one generation', async () => {
  const folder = createLoneFolder({
    '..2024_01/a.yaml': menuText('a', 'first'),
    '..2024_01/b.yaml': menuText('b', 'first'),
  })
  symlinkSync('..2024_01', join(folder.dir, '..data'))
  for (const name of ['a.yaml', 'b.yaml']) symlinkSync(`..data/${name}`, join(folder.dir, name))
  await followedOn(folder.dir, async (store) => {
    assert.equal(servedPaths(store), ['a.yaml', 'b.yaml'])
    for (const turn of ['second', 'third']) {
      const seen: string[] = []
      const end = store.onChange(() => seen.push(`${nameOf(store, 'a')} ${nameOf(store, 'b')}`))
      folder.write(`..${turn}/a.yaml`, menuText('a', turn))
      folder.write(`..${turn}/b.yaml`, menuText('b', turn))
      const start = performance.now()
      flip(folder, '..data', `..${turn}`)
      folder.remove(turn === 'second' ? '..2024_01' : '..second')
      await eventually(() => assert.equal(seen, [`${turn} ${turn}`]), { within: 10_000 })
      measured('a ConfigMap swap', start, 1_000)
      end()
    }
    assert.equal(errorsOf(store), [])
  })
  folder.close()
})

test('A14: a menus folder that is a link is followed to wherever it is flipped', async () => {
  const folder = createMenusFolder({ 'rev-1/main.yaml': menuText('main', 'rev-1') })
  symlinkSync('rev-1', join(folder.dir, 'menus'))
  await openedOn(join(folder.dir, 'menus'), async (store) => {
    assert.is(nameOf(store), 'rev-1')
    for (const rev of ['rev-2', 'rev-3']) {
      folder.write(`${rev}/main.yaml`, menuText('main', rev))
      const start = performance.now()
      flip(folder, 'menus', rev)
      await eventually(() => assert.is(nameOf(store), rev), IN_TEN_TIMES)
      measured('a flipped link', start, 5_000)
    }
    await checkFollowed('a change behind it', folder, store, 'rev-3/main.yaml')
  })
  folder.close()
})

test('A14: a link above the menus folder may be flipped, too', async () => {
  const folder = createMenusFolder({ 'rev-1/menus/main.yaml': menuText('main', 'rev-1') })
  symlinkSync('rev-1', join(folder.dir, 'current'))
  await openedOn(join(folder.dir, 'current/menus'), async (store) => {
    for (const rev of ['rev-2', 'rev-3']) {
      folder.write(`${rev}/menus/main.yaml`, menuText('main', rev))
      const start = performance.now()
      flip(folder, 'current', rev)
      await eventually(() => assert.is(nameOf(store), rev), IN_TEN_TIMES)
      measured('a flipped link above', start, 5_000)
    }
    await checkFollowed('a change behind it', folder, store, 'rev-3/menus/main.yaml')
  })
  folder.close()
})

test('A13: a link of a file to another one is followed to its new target', async () => {
  const folder = createLoneFolder({ 'a.txt': menuText('main', 'a'), 'b.txt': menuText('main', 'b') })
  symlinkSync('a.txt', join(folder.dir, 'main.yaml'))
  await followedOn(folder.dir, async (store) => {
    flip(folder, 'main.yaml', 'b.txt')
    await eventually(() => assert.is(nameOf(store), 'b'))
    folder.write('b.txt', menuText('main', 'c'))
    await eventually(() => assert.is(nameOf(store), 'c'), IN_TEN_TIMES)
  })
  folder.close()
})

test('A12: a subfolder that a file replaces is gone, whenever that happens while a watch begins', async () => {
  const menus = { 'm.yaml': menuText('m'), 'c/n.yaml': menuText('n') }
  await followed(menus, async ({ folder, store }) => {
    for (let wait = 0; wait < 80; wait += sized(8, 1)) {
      // A new folder: all are watched anew.
      mkdirSync(join(folder.dir, `f${wait}`))
      await sleep(wait)
      rmSync(join(folder.dir, 'c'), { recursive: true })
      writeFileSync(join(folder.dir, 'c'), '')
      await eventually(() => assert.equal(servedPaths(store), ['m.yaml'], `${wait} ms`))
      rmSync(join(folder.dir, 'c'))
      folder.write('c/n.yaml', menuText('n'))
      await eventually(() => assert.equal(servedPaths(store), ['c/n.yaml', 'm.yaml'], `${wait} ms`))
    }
  })
})

test('A12: a subfolder that is moved away and back takes its menus with it', async () => {
  const folder = createMenusFolder({ 'menus/shop/a.yaml': menuText('a'), 'menus/b.yaml': menuText('b') })
  mkdirSync(join(folder.dir, 'menus/empty'))
  await followedOn(join(folder.dir, 'menus'), async (store) => {
    renameSync(join(folder.dir, 'menus/shop'), join(folder.dir, 'shop'))
    await eventually(() => assert.equal(servedPaths(store), ['b.yaml']))
    renameSync(join(folder.dir, 'shop'), join(folder.dir, 'menus/shop'))
    await eventually(() => assert.equal(servedPaths(store), ['b.yaml', 'shop/a.yaml']))
    await checkFollowed('a change in a folder that was away', folder, store, 'menus/shop/a.yaml')
  })
  folder.close()
})

test.run()
