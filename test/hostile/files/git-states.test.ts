import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Snapshot } from '../../../src/model/snapshot.js'
import { errorsOf, menuText, opened } from '../../store/opening.js'
import { eventually } from '../../support/eventually.js'
import { nameIn, servedWhen } from './serving-store.js'
import { inWorkTree, type WorkTree } from './work-tree.js'

const BRANCHES = {
  main: { 'main.yaml': menuText('main', 'base'), 'side.yaml': menuText('side', 'side') },
  ours: { 'main.yaml': menuText('main', 'ours'), 'side.yaml': menuText('side', 'side') },
  theirs: { 'main.yaml': menuText('main', 'theirs'), 'side.yaml': menuText('side', 'theirs') },
}
const CONFLICT = 'main.yaml:3 merge-conflict'

/** Brings a git operation to its conflict; what was served before stays, and the message names it. */
async function expectConflict({ store, errors }: WorkTree, served: string): Promise<void> {
  // A git that was held up may be seen half-way: its lock is not waited for longer than two seconds.
  await eventually(() => {
    assert.equal(errors(), [CONFLICT])
    assert.is(nameIn(store.current, 'side.yaml'), 'theirs')
  })
  assert.is(nameIn(store.current), served)
  const told = store.current.problems.find(({ code }) => code === 'merge-conflict')
  assert.match(told?.what ?? '', /merge conflict/i)
}

test('A9: a conflict of git merge keeps the served menus, reports "merge conflict", and aborting heals it', async () => {
  await inWorkTree(BRANCHES, async (tree) => {
    await tree.must('checkout', '--quiet', 'ours')
    await servedWhen(tree.store, (snapshot) => nameIn(snapshot) === 'ours')
    assert.is(await tree.git('merge', '--quiet', 'theirs'), 1)
    await expectConflict(tree, 'ours')
    await tree.must('merge', '--abort')
    await eventually(() => assert.equal(tree.errors(), []))
    assert.is(nameIn(tree.store.current), 'ours')
    await servedWhen(tree.store, (snapshot) => nameIn(snapshot, 'side.yaml') === 'side')
  })
})

test('A9: a conflict that is resolved and committed is served as it was resolved', async () => {
  await inWorkTree(BRANCHES, async (tree) => {
    await tree.must('checkout', '--quiet', 'ours')
    await servedWhen(tree.store, (snapshot) => nameIn(snapshot) === 'ours')
    await tree.git('merge', '--quiet', 'theirs')
    await expectConflict(tree, 'ours')
    tree.folder.write('menus/main.yaml', menuText('main', 'both'))
    await servedWhen(tree.store, (snapshot) => nameIn(snapshot) === 'both')
    await tree.must('commit', '--quiet', '-am', 'merged')
    assert.equal(tree.errors(), [])
    assert.is(nameIn(tree.store.current), 'both')
  })
})

test('A9: the conflict style diff3 is reported as a merge conflict', async () => {
  await inWorkTree(BRANCHES, async (tree) => {
    await tree.must('config', 'merge.conflictStyle', 'diff3')
    await tree.must('checkout', '--quiet', 'ours')
    await servedWhen(tree.store, (snapshot) => nameIn(snapshot) === 'ours')
    await tree.git('merge', '--quiet', 'theirs')
    await expectConflict(tree, 'ours')
  })
})

test('A9: a mark that was left behind when a conflict was resolved is reported as a conflict', async () => {
  const text = menuText('main', 'ours')
  await opened({ 'main.yaml': text }, async ({ folder, store }) => {
    for (const mark of ['<<<<<<< HEAD', '>>>>>>> theirs']) {
      folder.write('main.yaml', text.replace('items:', `${mark}\nitems:`))
      await eventually(() => assert.equal(errorsOf(store), ['main.yaml:4:1 error merge-conflict']))
      folder.write('main.yaml', text)
      await eventually(() => assert.equal(errorsOf(store), []))
    }
  })
})

test('A8, A9: a rebase that stops at a conflict and is aborted ends where it began', async () => {
  await inWorkTree(BRANCHES, async (tree) => {
    await tree.must('checkout', '--quiet', 'ours')
    await servedWhen(tree.store, (snapshot) => nameIn(snapshot) === 'ours')
    assert.is(await tree.git('rebase', '--quiet', 'theirs'), 1)
    await eventually(() => assert.equal(tree.errors(), [CONFLICT]), { within: 10_000 })
    // Whichever of the two was whole last: a rebase checks the other branch out first.
    assert.ok(['ours', 'theirs'].includes(nameIn(tree.store.current) ?? ''))
    await tree.must('rebase', '--abort')
    await servedWhen(tree.store, (snapshot) => nameIn(snapshot) === 'ours')
    await eventually(() => assert.equal(tree.errors(), []))
    assert.is(nameIn(tree.store.current, 'side.yaml'), 'side')
  })
})

test('A8: a stash takes a change away and brings it back', async () => {
  await inWorkTree(BRANCHES, async ({ folder, store, must, errors }) => {
    folder.write('menus/main.yaml', menuText('main', 'edited'))
    folder.write('menus/new.yaml', menuText('new', 'new'))
    await servedWhen(store, (snapshot) => nameIn(snapshot) === 'edited' && snapshot.served.size === 3)
    await must('stash', '--quiet', '--include-untracked')
    await servedWhen(store, (snapshot) => nameIn(snapshot) === 'base' && snapshot.served.size === 2)
    await must('stash', 'pop', '--quiet')
    await servedWhen(store, (snapshot) => nameIn(snapshot) === 'edited' && snapshot.served.size === 3)
    assert.equal(errors(), [])
  })
})

test('A8: a rebase of many commits ends in its last one', async () => {
  await inWorkTree(BRANCHES, async ({ folder, store, must, errors }) => {
    await must('checkout', '--quiet', '-b', 'steps')
    for (let step = 0; step < 8; step++) {
      folder.write(`menus/step${step % 3}.yaml`, menuText(`step${step % 3}`, `step ${step}`))
      await must('add', '-A')
      await must('commit', '--quiet', '-m', `step ${step}`)
    }
    await must('rebase', '--quiet', 'theirs')
    const isLast = (snapshot: Snapshot): boolean =>
      nameIn(snapshot, 'step1.yaml') === 'step 7' &&
      nameIn(snapshot) === 'theirs' &&
      snapshot.served.size === 5
    await servedWhen(store, isLast)
    assert.equal(errors(), [])
  })
})

test.run()
