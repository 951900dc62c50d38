import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuText } from '../../store/opening.js'
import { figure, sized, timesFigure } from '../../support/figures.js'
import { everySnapshot, servedWhen } from './serving-store.js'
import { inWorkTree, isAll, menusNamed, namesIn, type WorkTree } from './work-tree.js'

const MANY = 2_000
/** A lock delays a look by two seconds at most: of a checkout that takes longer, a part may be seen. */
const GIT_IS_SLOW = 1_900
const TRIES = sized(2, 30)

test('A7, A8: a checkout of 2,000 files is one snapshot: none stale, none left behind, no mix', async () => {
  const blue = menusNamed('blue', MANY)
  const red = { ...menusNamed('red', MANY - 100), 'only/red.yaml': menuText('only', 'red') }
  const work = async ({ store, must, errors }: WorkTree): Promise<void> => {
    assert.ok(isAll('blue', MANY)(store.current))
    let checked = 0
    const git: number[] = []
    const times: number[] = []
    for (let turn = 0; turn < TRIES && checked < sized(1, TRIES); turn++) {
      const [branch, count] = turn % 2 === 0 ? ['red', MANY - 99] : ['blue', MANY]
      const seen = everySnapshot(store)
      const start = performance.now()
      await must('checkout', '--quiet', branch)
      git.push(performance.now() - start)
      await servedWhen(store, isAll(branch, count), { within: 30_000, what: branch })
      times.push(performance.now() - start)
      assert.equal(errors(), [])
      if ((git.at(-1) ?? 0) > GIT_IS_SLOW) continue
      checked++
      assert.equal(seen.slice(1, -1).map(namesIn), [])
    }
    timesFigure(`checkout of ${MANY} files, of that git itself`, git, 'for comparison')
    figure('checkouts that were one snapshot', `${checked} of ${checked}`, `all, where git takes under 2 s`)
    assert.ok(timesFigure(`checkout of ${MANY} files`, times, '3,000 ms') < 30_000)
  }
  await inWorkTree({ blue, red }, work, { large: true })
})

test('A8: checkouts back to back leave no menu stale and none behind', async () => {
  const branches = {
    blue: menusNamed('blue', 60),
    red: { ...menusNamed('red', 60), 'only/red.yaml': menuText('only', 'red') },
    green: { ...menusNamed('green', 30), 'sub/only/green.yaml': menuText('only', 'green') },
  }
  const counts = { blue: 60, red: 61, green: 31 }
  const times: number[] = []
  await inWorkTree(branches, async ({ store, must, errors }) => {
    for (let turn = 0; turn < sized(2, 30); turn++) {
      for (const branch of ['red', 'blue', 'green', 'red', 'green', 'blue', 'red'] as const) {
        await must('checkout', '--quiet', branch)
      }
      const last = (['blue', 'green', 'red'] as const)[turn % 3] ?? 'blue'
      await must('checkout', '--quiet', last)
      times.push(await servedWhen(store, isAll(last, counts[last]), { within: 20_000, what: last }))
      // One of the branches before may have looked alike, and another one may still have been on its way.
      await sleep(300)
      assert.ok(isAll(last, counts[last])(store.current))
      assert.equal(errors(), [])
    }
    assert.ok(timesFigure('checkouts back to back, after the last', times, '500 ms') < 5_000)
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
