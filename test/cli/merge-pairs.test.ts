import { availableParallelism } from 'node:os'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { isEqual } from '../../src/change/json.js'
import { type Merged, mergeMenus } from '../../src/change/merge.js'
import { openRepository, readBlobs } from '../../src/store/git.js'
import { runProcess } from '../support/process.js'
import { inRepository, type TestRepository } from '../support/repository.js'
import { fileOf } from '../support/snapshot-of.js'
import { menuscript } from './command.js'
import { type Branches, sampleBranches } from './menu-branches.js'

const PAIRS = 300
const SEED = 20261121

/** Two branches and what git made of them: its text, and whether it asks nobody. */
interface Outcome extends Branches {
  readonly merged: string
  readonly isClean: boolean
  readonly model: Merged
}

/** Merges all pairs in one repository, two at a time: the branches m0, t0, m1 and so on, which part at b0, b1 … */
async function mergePairs(
  repository: TestRepository,
  pairs: readonly Branches[],
): Promise<readonly Outcome[]> {
  const stream = pairs.map(({ base, mine, theirs }, number) =>
    [
      toCommit(`b${number}`, base, null),
      toCommit(`m${number}`, mine, `b${number}`),
      toCommit(`t${number}`, theirs, `b${number}`),
    ].join(''),
  )
  const cwd = repository.dir
  const imported = await runProcess('git', ['fast-import', '--quiet'], { cwd, input: stream.join('') })
  assert.is(imported.code, 0, imported.stderr)
  const trees: string[] = []
  const clean: boolean[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let number = next++; number < pairs.length; number = next++) {
      const args = ['-c', 'merge.renames=false', 'merge-tree', '--write-tree', `m${number}`, `t${number}`]
      const { code, stdout, stderr } = await runProcess('git', args, { cwd })
      assert.ok(code === 0 || code === 1, stderr)
      trees[number] = stdout.split('\n')[0] ?? ''
      clean[number] = code === 0
    }
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work))
  const opened = await openRepository(cwd)
  assert.ok(opened.value !== null)
  const blobs = trees.map((tree) => `${tree}:menus/main.yaml`)
  const texts = await readBlobs(opened.value, blobs)
  return pairs.map((pair, number) => ({
    ...pair,
    merged: new TextDecoder().decode(texts.get(blobs[number] ?? '')),
    isClean: clean[number] === true,
    model: mergeMenus(parse(pair.base), parse(pair.mine), parse(pair.theirs)),
  }))
}

function toCommit(branch: string, text: string, from: string | null): string {
  const head = `commit refs/heads/${branch}\ncommitter T <t@example.org> 0 +0000\ndata 0\n`
  const parent = from === null ? '' : `from refs/heads/${from}\n`
  return `${head}${parent}M 100644 inline menus/main.yaml\ndata ${Buffer.byteLength(text)}\n${text}\n`
}

/** A text with one side of each conflict, the other taken out with the marks. */
function resolved(text: string, side: 'ours' | 'theirs'): string {
  const pattern = /^<{7} ours\n([\s\S]*?)^={7}\n([\s\S]*?)^>{7} theirs\n/gm
  return text.replace(pattern, (_, ours: string, theirs: string) => (side === 'ours' ? ours : theirs))
}

function commentsIn(text: string): readonly string[] {
  return [...text.matchAll(/# (.*)$/gm)].map(([, comment = '']) => comment)
}

let outcomes: readonly Outcome[] = []

test.before(async () => {
  await inRepository({ 'README.md': 'Menus\n' }, async (repository) => {
    const { code, stderr } = await menuscript(['git', 'setup'], { cwd: repository.dir })
    assert.is(code, 0, stderr)
    outcomes = await mergePairs(repository, sampleBranches(PAIRS, SEED))
  })
})

test('Of 300 pairs of branches git makes the menu that the model makes, and asks where the model does', () => {
  assert.is(outcomes.length, PAIRS)
  for (const { merged, isClean, model, base, mine, theirs } of outcomes) {
    const story = `${base}\n--- mine\n${mine}\n--- theirs\n${theirs}\n--- merged\n${merged}`
    assert.is(isClean, model.conflicts.length === 0, story)
    if (isClean) assert.ok(isEqual(parse(merged), model.value), story)
  }
  const clean = outcomes.filter(({ isClean }) => isClean).length
  assert.ok(clean > PAIRS / 2 && clean < PAIRS, `${clean} merges were without a conflict`)
})

test('Branches that changed different items merge without a person', () => {
  const disjoint = outcomes.filter(({ isDisjoint }) => isDisjoint)
  assert.is(disjoint.length, PAIRS / 2)
  for (const { isClean, merged } of disjoint) assert.ok(isClean, merged)
})

test('Every comment whose item neither side deleted is there, once', () => {
  for (const { base, mine, theirs, merged, isClean } of outcomes) {
    if (!isClean) continue
    const [before, here, there] = [base, mine, theirs].map((text) => new Set(commentsIn(text)))
    const kept = [...(here ?? []), ...(there ?? [])].filter(
      (comment) => !before?.has(comment) || (here?.has(comment) && there?.has(comment)),
    )
    const found = commentsIn(merged)
    for (const comment of kept) {
      const times = found.filter((each) => each === comment).length
      assert.is(times, 1, `${comment}\n${mine}\n--- theirs\n${theirs}\n--- merged\n${merged}`)
    }
  }
})

test('Whichever side is kept of all conflicts, the menu loads and is what the model makes of that choice', () => {
  for (const { base, mine, theirs, merged, isClean } of outcomes) {
    if (isClean) continue
    for (const side of ['ours', 'theirs'] as const) {
      const text = resolved(merged, side)
      assert.equal(
        fileOf('main.yaml', text).problems.filter(({ severity }) => severity === 'error'),
        [],
        merged,
      )
      const choice = side === 'ours' ? 'mine' : 'theirs'
      const model = mergeMenus(parse(base), parse(mine), parse(theirs), () => choice)
      assert.ok(isEqual(parse(text), model.value), `${mine}\n--- theirs\n${theirs}\n--- merged\n${merged}`)
    }
  }
})

test.run()
