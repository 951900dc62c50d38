import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { treeOfWork } from '../../../src/store/git/work-tree.js'
import { contentHash } from '../../../src/store/hash.js'
import { FolderSwappedError, OutsideError } from '../../../src/store/inside.js'
import { textsOf } from '../../../src/store/menu-tree.js'
import { FileBusyError } from '../../../src/store/publish/atomic-file.js'
import { writeFile } from '../../../src/store/publish/write-file.js'
import { readMenuBytes } from '../../../src/store/read-file.js'
import { menuText, openedOn } from '../../store/opening.js'
import { sized } from '../../support/figures.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { menusIn } from '../../support/menus-folder.js'
import { whileFlipped } from './flipping.js'
import { everySnapshot } from './serving-store.js'

/** Milliseconds for which each is tried. */
const FOR_MS = sized(1_500, 30_000)
/** Milliseconds until it has to have worked once; on a busy machine that takes longer than it is tried. */
const PATIENCE_MS = 60_000

const WAYS = {
  'the link that a menu is': { of: 'link', name: 'main.yaml', inside: 'shared/main.txt' },
  'a link to the folder that it lies in': { of: 'link', name: 'shop', inside: '.shop' },
  'the folder that it lies in': { of: 'folder', name: 'shop' },
} as const

for (const [what, flip] of Object.entries(WAYS)) {
  test(`A29: while ${what} is flipped out of the menus folder and back, nothing from outside is served`, async () => {
    const files = {
      'shared/main.txt': menuText('main', 'ours'),
      [flip.of === 'folder' ? 'shop/main.yaml' : '.shop/main.yaml']: menuText('main', 'ours'),
    }
    const strangers = {
      'main.yaml': menuText('main', 'secret'),
      'shop/main.yaml': menuText('main', 'secret'),
      'hidden.yaml': menuText('hidden', 'secret'),
      'shop/hidden.yaml': menuText('hidden', 'secret'),
    }
    await whileFlipped(files, flip, strangers, (folder) =>
      openedOn(
        folder.dir,
        async (store) => {
          const seen = everySnapshot(store)
          let looks = 0
          for (const end = performance.now() + FOR_MS; performance.now() < end; looks++) await store.refresh()
          const served = new Set(
            seen.flatMap((each) => [...each.served].map(([path, { menu }]) => `${path}: ${menu.name}`)),
          )
          console.log(`    figure: ${looks} looks, ${seen.length} snapshots, ${[...served].join(', ')}`)
          assert.ok(![...served].some((name) => name.includes('secret')), [...served].join(', '))
          assert.ok(![...served].some((name) => name.includes('hidden')))
          const told = seen.flatMap(({ problems }) => problems.map(({ path }) => path))
          assert.not.ok(told.some((path) => path.includes('hidden')))
        },
        { watch: false },
      ),
    )
  })
}

test('A29: while the folder of a menu is flipped, what diff and show read from the disk is never from outside', async () => {
  const files = { 'shop/main.yaml': menuText('main', 'ours') }
  const strangers = { 'main.yaml': menuText('main', 'secret'), 'hidden.yaml': menuText('hidden', 'secret') }
  await whileFlipped(files, { of: 'folder', name: 'shop' }, strangers, async (folder) => {
    const seen = new Set<string>()
    await tryOn(async () => {
      const tree = await treeOfWork(menusIn(folder.dir), DEFAULT_LIMITS)
      if (tree === null) return seen.size
      for await (const [, text] of textsOf(tree))
        seen.add(/name: (.*)/.exec(Buffer.from(text).toString())?.[1] ?? '')
      return seen.size
    })
    assert.equal([...seen], ['ours'])
  })
})

const SAME = menuText('main', 'same')

test('A29: while the folder of a menu is flipped, lint --fix replaces no file outside', async () => {
  const flip = { of: 'folder', name: 'shop' } as const
  await whileFlipped({ 'shop/main.yaml': SAME }, flip, { 'main.yaml': SAME }, async ({ dir, outside }) => {
    const before = readdirSync(outside.dir)
    const seen = new Set<string>()
    let tries = 0
    await tryOn(() => {
      // By what it says, the one outside could be taken for ours.
      const isRead = attempt(() => {
        const { bytes } = readMenuBytes(menusIn(dir), 'shop/main.yaml', DEFAULT_LIMITS.bytes)
        outside.write('main.yaml', bytes.toString())
        return true
      })
      if (!isRead) return Math.max(0, seen.size - 1)
      const now = readFileSync(join(outside.dir, 'main.yaml'), 'utf8')
      seen.add(now)
      const next = menuText('main', `turn ${tries++}`)
      attempt(() => writeFile(dir, 'shop/main.yaml', contentHash(now), next))
      // A new file beside it may be there: see docs/decisions.md.
      assert.equal(
        readdirSync(outside.dir).filter((name) => !name.startsWith('.menuscript-')),
        before,
      )
      assert.is(readFileSync(join(outside.dir, 'main.yaml'), 'utf8'), now)
      return seen.size - 1
    })
    const replaced = seen.size - 1
    console.log(`    figure: ${replaced} files replaced`)
    assert.ok(replaced > 0)
  })
})

test('A29: while the link that a folder is is flipped, new makes nothing outside', async () => {
  const flip = { of: 'link', name: 'shop', inside: '.shop' } as const
  await whileFlipped({ '.shop/a.yaml': SAME }, flip, { 'shop/a.yaml': SAME }, async ({ dir, outside }) => {
    let made = 0
    await tryOn(() => {
      if (attempt(() => writeFile(dir, `shop/deep/${made}.yaml`, null, SAME))) made++
      assert.equal(readdirSync(join(outside.dir, 'shop')), ['a.yaml'])
      return made
    })
    console.log(`    figure: ${made} files made`)
    assert.ok(made > 0)
  })
})

/** Tries something again and again; it answers how often it has worked so far. */
async function tryOn(work: () => number | Promise<number>): Promise<void> {
  const start = performance.now()
  for (let worked = 0, took = 0; took < FOR_MS || (worked === 0 && took < PATIENCE_MS); ) {
    worked = await work()
    took = performance.now() - start
  }
}

/** Whether something was done; what is in the way at the moment is in the way. */
function attempt(work: () => boolean): boolean {
  try {
    return work()
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    const isAway = [OutsideError, FolderSwappedError, FileBusyError].some((each) => thrown instanceof each)
    if (isAway) return false
    if (['ENOENT', 'ENOTDIR', 'EEXIST', 'ELOOP'].includes(code ?? '')) return false
    throw thrown
  }
}

test.run()
