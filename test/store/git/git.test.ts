import { spawnSync } from 'node:child_process'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Snapshot } from '../../../src/model/snapshot.js'
import type { Store } from '../../../src/store/live/open-store.js'
import { eventually } from '../../support/eventually.js'
import { runProcess } from '../../support/process.js'
import { errorsOf, measured, menuText, opened } from '../opening.js'

const FILES = 300
/** A lock delays a look by two seconds at most: of a checkout that takes longer, a part may be seen. */
const GIT_IS_SLOW = 1_900
const IDENTITY = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false']

function gitIn(dir: string): (...args: string[]) => void {
  return (...args) => {
    const { status, stderr } = spawnSync('git', [...IDENTITY, ...args], { cwd: dir, encoding: 'utf8' })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  }
}

/** So many menus that all say which branch they are from. */
function menusOf(branch: string, count: number): Record<string, string> {
  const entry = (place: number) => [`f${place % 10}/m${place}.yaml`, menuText(`m${place}`, branch)] as const
  return Object.fromEntries(Array.from({ length: count }, (_, place) => entry(place)))
}

/** The branches that a snapshot serves menus of, with how many. */
function branchesOf({ served }: Snapshot): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { menu } of served.values()) counts[menu.name] = (counts[menu.name] ?? 0) + 1
  return counts
}

/** Looks at what is served again and again, as requests do, and keeps every snapshot that there was. */
function sample(store: Store): { readonly seen: Set<Snapshot>; readonly end: () => void } {
  const seen = new Set<Snapshot>()
  const timer = setInterval(() => seen.add(store.current), 1)
  const end = (): void => {
    clearInterval(timer)
    seen.add(store.current)
  }
  return { seen, end }
}

test('A8: a checkout of 300 files gives one coherent state, and readers see frozen snapshots all along', async () => {
  await opened(menusOf('blue', FILES), async ({ folder, store }) => {
    const git = gitIn(folder.dir)
    git('init', '--quiet', '--initial-branch=blue')
    git('add', '.')
    git('commit', '--quiet', '-m', 'blue')
    git('checkout', '--quiet', '-b', 'red')
    for (const [path, text] of Object.entries(menusOf('red', FILES - 20))) folder.write(path, text)
    for (let place = FILES - 20; place < FILES; place++) folder.remove(`f${place % 10}/m${place}.yaml`)
    folder.write('only/red.yaml', menuText('only', 'red'))
    git('add', '-A')
    git('commit', '--quiet', '-m', 'red')
    const red = { red: FILES - 19 }
    await eventually(() => assert.equal(branchesOf(store.current), red), { within: 30_000 })
    const { seen, end } = sample(store)
    const took: number[] = []
    for (const [branch, expected] of [['blue', { blue: FILES }] as const, ['red', red] as const]) {
      const start = performance.now()
      const { code } = await runProcess('git', ['checkout', '--quiet', branch], { cwd: folder.dir })
      took.push(performance.now() - start)
      assert.is(code, 0)
      await eventually(() => assert.equal(branchesOf(store.current), expected), { within: 30_000 })
      measured(`a checkout of ${FILES} files`, start, 3_000)
      assert.equal(errorsOf(store), [])
    }
    end()
    const mixed = [...seen].filter((snapshot) => Object.keys(branchesOf(snapshot)).length > 1)
    console.log(`    ${seen.size} snapshots were seen, ${mixed.length} of them in the middle of a checkout`)
    if (Math.max(...took) < GIT_IS_SLOW) assert.is(mixed.length, 0)
    for (const snapshot of seen) assert.ok(Object.isFrozen(snapshot) && Object.isFrozen(snapshot.files))
    assert.equal([...seen].slice(-1).map(branchesOf), [red])
  })
})

test('A8: checkouts back to back leave no menu stale or behind', async () => {
  await opened(menusOf('blue', 60), async ({ folder, store }) => {
    const git = gitIn(folder.dir)
    git('init', '--quiet', '--initial-branch=blue')
    git('add', '.')
    git('commit', '--quiet', '-m', 'blue')
    git('checkout', '--quiet', '-b', 'red')
    for (const [path, text] of Object.entries(menusOf('red', 60))) folder.write(path, text)
    folder.write('only/red.yaml', menuText('only', 'red'))
    git('add', '-A')
    git('commit', '--quiet', '-m', 'red')
    for (let turn = 0; turn < 10; turn++) {
      const branch = turn % 2 === 0 ? 'blue' : 'red'
      await runProcess('git', ['checkout', '--quiet', branch], { cwd: folder.dir })
    }
    git('checkout', '--quiet', 'blue')
    await eventually(() => assert.equal(branchesOf(store.current), { blue: 60 }), { within: 30_000 })
    assert.equal(errorsOf(store), [])
  })
})

test('A7: 2,000 files that change together become one new snapshot', async () => {
  const count = 2_000
  await opened(menusOf('old', count), async ({ folder, store }) => {
    const before = store.current
    const { seen, end } = sample(store)
    const start = performance.now()
    for (const [path, text] of Object.entries(menusOf('new', count))) folder.write(path, text)
    const written = performance.now()
    await eventually(() => assert.equal(branchesOf(store.current), { new: count }), { within: 30_000 })
    measured(`${count} files, written in ${Math.round(written - start)} ms,`, start, 3_000)
    end()
    seen.add(store.current)
    assert.equal(
      [...seen].filter((snapshot) => snapshot !== before).map((snapshot) => branchesOf(snapshot)),
      [{ new: count }],
    )
    assert.equal(errorsOf(store), [])
  })
})

test.run()
