import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuText, openedOn } from '../../store/opening.js'
import { figure } from '../../support/figures.js'
import { standStill } from '../../support/stand-still.js'
import { everySnapshot, nameIn, servedWhen } from './serving-store.js'
import { inWorkTree, isAll, menusNamed, namesIn, type WorkTree } from './work-tree.js'

const MAIN = { main: { 'main.yaml': menuText('main', 'old') } }
const LOCK = '.git/index.lock'

/** Holds the lock while a file changes; answers how long after the change it was live. */
async function changeUnderLock({ folder, store }: WorkTree, held: number, lock: string): Promise<number> {
  folder.write(lock, '')
  const name = `held for ${held} ms`
  const start = performance.now()
  folder.write('menus/main.yaml', menuText('main', name))
  const unlock = setTimeout(() => folder.remove(lock), held)
  await servedWhen(store, (snapshot) => nameIn(snapshot) === name, { within: 20_000, what: name })
  clearTimeout(unlock)
  folder.remove(lock)
  return performance.now() - start
}

test('A8: what changes while .git/index.lock exists is read when it is gone', async () => {
  await inWorkTree(MAIN, async (tree) => {
    const took = await changeUnderLock(tree, 1_000, LOCK)
    figure('a change under a lock of 1 s', `live after ${Math.round(took)} ms`, '1,000 to 1,500 ms')
    assert.ok(took > 950, `${took} ms`)
  })
})

test('A8: an index.lock that is left behind delays a rescan by at most two seconds', async () => {
  await inWorkTree(MAIN, async (tree) => {
    const took = await changeUnderLock(tree, 60_000, LOCK)
    figure('a change under a lock that stays', `live after ${Math.round(took)} ms`, '2,000 to 2,500 ms')
    assert.ok(took > 1_500 && took < 20_000, `${took} ms`)
  })
})

test('A8: the lock is found where the menus folder is the work tree itself', async () => {
  const options = { menus: '.' }
  const change = async ({ folder, store }: WorkTree): Promise<void> => {
    folder.write(LOCK, '')
    folder.write('main.yaml', menuText('main', 'new'))
    await sleep(600)
    assert.is(nameIn(store.current), 'old')
    folder.remove(LOCK)
    await servedWhen(store, (snapshot) => nameIn(snapshot) === 'new')
  }
  await inWorkTree(MAIN, change, options)
})

test('A8: the lock is found in a linked work tree, whose .git is a file', async () => {
  await inWorkTree(MAIN, async ({ folder, must }) => {
    await must('worktree', 'add', '--quiet', 'linked', '-b', 'linked')
    await openedOn(join(folder.dir, 'linked/menus'), async (store) => {
      const lock = '.git/worktrees/linked/index.lock'
      folder.write(lock, '')
      folder.write('linked/menus/main.yaml', menuText('main', 'new'))
      await sleep(600)
      assert.is(nameIn(store.current), 'old')
      folder.remove(lock)
      await servedWhen(store, (snapshot) => nameIn(snapshot) === 'new')
    })
  })
})

interface Pause {
  /** Milliseconds between the two halves of what git writes. */
  readonly pause: number
  /** Milliseconds for which the process is held up right after the lock is gone: the events come late then. */
  readonly stall: number
}

// Longer than a file has to hold still: without the lock the first half would be served alone. And longer than the
// store has patience with a batch: that must not begin to count before the lock is gone.
const PAUSES: readonly Pause[] = [
  { pause: 400, stall: 0 },
  { pause: 1_300, stall: 0 },
  { pause: 400, stall: 300 },
  { pause: 400, stall: 1_500 },
]
for (const { pause, stall } of PAUSES) {
  const then = stall === 0 ? '' : `, and a process that stands still for ${stall} ms then`
  test(`A8: a git operation that pauses for ${pause} ms under its lock is one snapshot${then}`, async () => {
    await inWorkTree({ main: menusNamed('old', 20) }, async ({ folder, store }) => {
      const seen = everySnapshot(store)
      folder.write(LOCK, '')
      for (const [place, [path, text]] of Object.entries(menusNamed('new', 20)).entries()) {
        folder.write(`menus/${path}`, text)
        if (place === 9) await sleep(pause)
      }
      folder.remove(LOCK)
      standStill(stall)
      await servedWhen(store, isAll('new', 20))
      assert.equal(seen.map(namesIn), [{ old: 20 }, { new: 20 }])
    })
  })
}

test('A8: a git operation during which the whole machine is suspended is one snapshot', async () => {
  await inWorkTree({ main: menusNamed('old', 20) }, async ({ folder, store }) => {
    const seen = everySnapshot(store)
    folder.write(LOCK, '')
    for (const [place, [path, text]] of Object.entries(menusNamed('new', 20)).entries()) {
      folder.write(`menus/${path}`, text)
      if (place !== 9) continue
      // The lock has been seen by then; and longer than it may be there.
      await sleep(100)
      standStill(2_300)
      await sleep(300)
    }
    folder.remove(LOCK)
    await servedWhen(store, isAll('new', 20))
    assert.equal(seen.map(namesIn), [{ old: 20 }, { new: 20 }])
  })
})

test('A8: where there is no git, nothing waits', async () => {
  let quickest = Number.POSITIVE_INFINITY
  // A machine that holds us up takes the time for which a lock is waited for: then once more.
  for (let left = 5; left > 0 && quickest >= 1_500; left--) {
    await inWorkTree(MAIN, async ({ folder, store }) => {
      folder.remove('.git')
      folder.write('index.lock', '')
      folder.write('menus/main.yaml', menuText('main', 'new'))
      quickest = await servedWhen(store, (snapshot) => nameIn(snapshot) === 'new')
    })
  }
  assert.ok(quickest < 1_500, `${quickest} ms`)
})

test.run()
