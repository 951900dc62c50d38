import { renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Snapshot } from '../../../src/model/snapshot.js'
import type { Store } from '../../../src/store/live/open-store.js'
import { errorsOf, followedOn, menuText, openedOn } from '../../store/opening.js'
import { timesFigure } from '../../support/figures.js'
import { quickestChange, SOONER_THAN_A_LOOK } from '../../support/followed.js'
import { createLoneFolder, createMenusFolder, type MenusFolder } from '../../support/menus-folder.js'
import { everySnapshot, nameIn, servedWhen } from './serving-store.js'

/** The names that a snapshot serves, each once. */
function namesOf({ served }: { served: ReadonlyMap<string, { menu: { name: string } }> }): string {
  return [...new Set([...served.values()].map(({ menu }) => menu.name))].join(' and ')
}

function flip(dir: string, link: string, temporary: string, target: string): void {
  symlinkSync(target, join(dir, temporary))
  renameSync(join(dir, temporary), join(dir, link))
}

interface Volume extends MenusFolder {
  /** Puts a new version of all menus in the place of the old one; the keys may be others from now on. */
  readonly swap: (name: string, keys?: readonly string[]) => void
}

/** A volume as the kubelet's AtomicWriter keeps it: dated folders, `..data` to one of them, a link for each key. */
function createVolume(keys: readonly string[]): Volume {
  const folder = createLoneFolder()
  let dated = ''
  let number = 0
  let visible: readonly string[] = []
  const swap = (name: string, wanted: readonly string[] = keys): void => {
    const next = `..2026_11_21_10_00_${String(number++).padStart(2, '0')}.${1_000_000 + number}`
    for (const key of wanted) folder.write(`${next}/${key}`, menuText(key.replace('.yaml', ''), name))
    flip(folder.dir, '..data', '..data_tmp', next)
    for (const key of wanted) if (!visible.includes(key)) symlinkSync(`..data/${key}`, join(folder.dir, key))
    for (const key of visible) if (!wanted.includes(key)) folder.remove(key)
    if (dated !== '') folder.remove(dated)
    dated = next
    visible = wanted
  }
  swap('v0')
  return { ...folder, swap }
}

const KEYS = ['a.yaml', 'b.yaml', 'c.yaml', 'd.yaml']

/** Serves a volume, whose swaps are found by events alone; it is gone behind the test. */
async function servingVolume(test: (volume: Volume, store: Store) => Promise<void>): Promise<void> {
  const volume = createVolume(KEYS)
  await followedOn(volume.dir, (store) => test(volume, store))
  volume.close()
}

test('A13: each swap of a ConfigMap is seen soon, and as one generation', async () => {
  const times: number[] = []
  await servingVolume(async (volume, store) => {
    const seen = everySnapshot(store)
    for (const name of ['v1', 'v2', 'v3', 'v4', 'v5']) {
      volume.swap(name)
      times.push(await servedWhen(store, (snapshot) => namesOf(snapshot) === name, { what: name }))
    }
    assert.equal(seen.map(namesOf), ['v0', 'v1', 'v2', 'v3', 'v4', 'v5'])
    assert.equal(errorsOf(store), [])
  })
  assert.ok(timesFigure('ConfigMap swap', times, '1,000 ms') < 10_000)
})

test('A13: of swaps one right after another the last one is live, and no two are mixed', async () => {
  await servingVolume(async (volume, store) => {
    const seen = everySnapshot(store)
    for (const gap of [0, 10, 40, 90]) {
      for (const turn of [1, 2, 3]) {
        volume.swap(`gap ${gap}, turn ${turn}`)
        await sleep(gap)
      }
      await servedWhen(store, (snapshot) => namesOf(snapshot) === `gap ${gap}, turn 3`)
    }
    assert.not.ok(seen.some((snapshot) => namesOf(snapshot).includes(' and ')))
    assert.equal(errorsOf(store), [])
  })
})

test('A13: keys that come and go with a swap come and go with the generation', async () => {
  await servingVolume(async (volume, store) => {
    volume.swap('fewer', ['a.yaml'])
    await servedWhen(store, (snapshot) => namesOf(snapshot) === 'fewer' && snapshot.served.size === 1)
    volume.swap('more', [...KEYS, 'e.yaml'])
    await servedWhen(store, (snapshot) => namesOf(snapshot) === 'more' && snapshot.served.size === 5)
    assert.equal(errorsOf(store), [])
  })
})

/** Makes a work tree of a commit as git-sync does, and points the link of the clients to it. */
function sync(folder: MenusFolder, commit: string, before: string | null): void {
  for (const key of KEYS) folder.write(`.worktrees/${commit}/menus/${key}`, menuText(key.slice(0, 1), commit))
  flip(folder.dir, 'current', 'tmp-link', `.worktrees/${commit}`)
  if (before !== null) folder.remove(`.worktrees/${before}`)
}

for (const [what, linkToMenus] of [
  ['the menus folder', true],
  ['a folder above the menus', false],
] as const) {
  test(`A14: each flip of a link to ${what} is followed as one generation, with the old target deleted`, async () => {
    const folder = createMenusFolder()
    const times: number[] = []
    sync(folder, 'c0', null)
    if (linkToMenus) symlinkSync('current/menus', join(folder.dir, 'menus'))
    await openedOn(join(folder.dir, linkToMenus ? 'menus' : 'current/menus'), async (store) => {
      const seen = everySnapshot(store)
      for (let turn = 1; turn <= 3; turn++) {
        sync(folder, `c${turn}`, `c${turn - 1}`)
        times.push(
          await servedWhen(store, (snapshot) => namesOf(snapshot) === `c${turn}`, { within: 50_000 }),
        )
      }
      assert.equal(
        seen.map(namesOf).filter((names) => names.includes(' and ') || names === ''),
        [],
      )
      const quickest = await quickestChange((turn) => {
        folder.write('.worktrees/c3/menus/a.yaml', menuText('a', `edited ${turn}`))
        const isEdited = (snapshot: Snapshot): boolean => nameIn(snapshot, 'a.yaml') === `edited ${turn}`
        return servedWhen(store, isEdited, { within: 50_000 })
      })
      assert.ok(quickest < SOONER_THAN_A_LOOK, `${quickest} ms`)
      assert.equal(errorsOf(store), [])
    })
    folder.close()
    assert.ok(timesFigure(`flip of a link to ${what}`, times, '5,000 ms') < 50_000)
  })
}

test.run()
