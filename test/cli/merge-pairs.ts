import { availableParallelism } from 'node:os'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { type Merged, mergeMenus } from '../../src/change/merge/merge.js'
import { widenedItems } from '../../src/change/merge/widened.js'
import { isEqual } from '../../src/model/json.js'
import { readBlobs } from '../../src/store/git/objects.js'
import { openRepository } from '../../src/store/git/repository.js'
import { runProcess } from '../support/process.js'
import { createRepository, type TestRepository } from '../support/repository.js'
import { menuscript } from './command.js'
import type { Branches } from './menu-branches.js'

/** Two branches and what git made of them: its text, and whether it asks nobody. */
export interface Outcome extends Branches {
  readonly merged: string
  readonly isClean: boolean
  readonly model: Merged
}

/** Merges all pairs in one repository that was set up: the branches m0, t0, m1 and so on, which part at b0, b1 … */
export async function mergePairs(pairs: readonly Branches[]): Promise<readonly Outcome[]> {
  const repository = createRepository({ 'README.md': 'Menus\n' })
  try {
    const { code, stderr } = await menuscript(['git', 'setup'], { cwd: repository.dir })
    assert.is(code, 0, stderr)
    return await mergeIn(repository, pairs)
  } finally {
    repository.close()
  }
}

async function mergeIn(repository: TestRepository, pairs: readonly Branches[]): Promise<readonly Outcome[]> {
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
      assert.ok(!/git merged its lines|all of it is marked|rror:/.test(stderr), `pair ${number}: ${stderr}`)
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

function commentsIn(text: string): readonly string[] {
  return [...text.matchAll(/# (.*)$/gm)].map(([, comment = '']) => comment)
}

/** Every comment whose item neither side deleted is in the result, once. */
export function assertComments(outcomes: readonly Outcome[]): void {
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
}

/** A clean merge is the model's menu, and git asks exactly where the model has a conflict, or shows an item to more than either side. */
export function assertModel(outcomes: readonly Outcome[]): void {
  for (const { merged, isClean, model, base, mine, theirs } of outcomes) {
    const story = `${base}\n--- mine\n${mine}\n--- theirs\n${theirs}\n--- merged\n${merged}`
    const widened = widenedItems(model, parse(mine), parse(theirs))
    assert.is(isClean, model.conflicts.length === 0 && widened.length === 0, story)
    if (isClean) assert.ok(isEqual(parse(merged), model.value), story)
  }
}
