import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuText } from '../../store/opening.js'
import { figure, sized } from '../../support/figures.js'
import { everySnapshot, servedWhen } from './serving-store.js'
import { inWorkTree, isAll, menusNamed, namesIn } from './work-tree.js'

const MANY = 2_000
/** A lock delays a look by two seconds at most: of a checkout that takes longer, a part may be seen. */
const GIT_IS_SLOW = 1_900
const TRIES = 4

test('A7, A8: a checkout of 2,000 files is one snapshot: none stale, none left behind, no mix', async () => {
  const blue = menusNamed('blue', MANY)
  const red = { ...menusNamed('red', MANY - 100), 'only/red.yaml': menuText('only', 'red') }
  await inWorkTree({ blue, red }, async ({ store, must, errors }) => {
    assert.ok(isAll('blue', MANY)(store.current))
    let checked = 0
    for (let turn = 0; turn < TRIES && checked < sized(2, TRIES); turn++) {
      const [branch, count] = turn % 2 === 0 ? ['red', MANY - 99] : ['blue', MANY]
      const seen = everySnapshot(store)
      const start = performance.now()
      await must('checkout', '--quiet', branch)
      const git = performance.now() - start
      await servedWhen(store, isAll(branch, count), { within: 30_000, what: branch })
      const took = performance.now() - start
      figure(
        `checkout of ${MANY} files`,
        `${Math.round(took)} ms, git itself ${Math.round(git)} ms`,
        '3,000 ms',
      )
      figure('snapshots of one checkout', String(seen.length - 1), '1')
      assert.ok(took < 30_000)
      assert.equal(errors(), [])
      if (git > GIT_IS_SLOW) continue
      checked++
      assert.equal(seen.slice(1, -1).map(namesIn), [])
    }
    if (checked === 0)
      console.log(`    git took over ${GIT_IS_SLOW} ms each time: mixes are not checked here`)
  })
})

test('A8: checkouts back to back leave no menu stale and none behind', async () => {
  const branches = {
    blue: menusNamed('blue', 60),
    red: { ...menusNamed('red', 60), 'only/red.yaml': menuText('only', 'red') },
    green: { ...menusNamed('green', 30), 'sub/only/green.yaml': menuText('only', 'green') },
  }
  const counts = { blue: 60, red: 61, green: 31 }
  await inWorkTree(branches, async ({ store, must, errors }) => {
    for (let turn = 0; turn < sized(3, 30); turn++) {
      for (const branch of ['red', 'blue', 'green', 'red', 'green', 'blue', 'red'] as const) {
        await must('checkout', '--quiet', branch)
      }
      const last = (['blue', 'green', 'red'] as const)[turn % 3] ?? 'blue'
      await must('checkout', '--quiet', last)
      const took = await servedWhen(store, isAll(last, counts[last]), { within: 20_000, what: last })
      figure('the last of eight checkouts', `${Math.round(took)} ms`, '500 ms after the end of git')
      assert.equal(errors(), [])
    }
  })
})

test('A8: a hard reset, a clean and a sparse checkout leave nothing behind', async () => {
  await inWorkTree({ blue: menusNamed('blue', 40) }, async ({ folder, store, must, errors }) => {
    for (let place = 0; place < 20; place++)
      folder.write(`menus/new/n${place}.yaml`, menuText(`n${place}`, 'new'))
    folder.remove('menus/f1')
    await servedWhen(store, ({ served }) => served.size === 56)
    await must('reset', '--quiet', '--hard')
    await must('clean', '-fdq')
    await servedWhen(store, isAll('blue', 40))
    await must('sparse-checkout', 'set', '--no-cone', '/menus/f1/')
    await servedWhen(store, isAll('blue', 4))
    await must('sparse-checkout', 'disable')
    await servedWhen(store, isAll('blue', 40))
    assert.equal(errors(), [])
  })
})

test.run()
