import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { type Merged, mergeMenus } from '../../src/change/merge/merge.js'
import { isEqual } from '../../src/model/json.js'
import { runProcess } from '../support/process.js'
import { createRepository, type TestRepository } from '../support/repository.js'
import { menuscript } from './command.js'
import type { Branches } from './menu-branches.js'

/** What was made of two branches: the text, and whether it asks nobody. */
interface Merge {
  readonly merged: string
  readonly isClean: boolean
}

/** Two branches and what was made of them. */
export interface Outcome extends Branches, Merge {
  readonly model: Merged
}

/** How many pairs git itself merges; for the others, the driver gets the files that git would give it. */
const BY_GIT = 8

/** Merges all pairs in one repository that was set up: the branches m0, t0, m1 and so on, which part at b0, b1 … */
export async function mergePairs(pairs: readonly Branches[]): Promise<readonly Outcome[]> {
  const repository = createRepository({ 'README.md': 'Menus\n' })
  try {
    const { code, stderr } = await menuscript(['git', 'setup'], { cwd: repository.dir })
    assert.is(code, 0, stderr)
    const merged = await mergeByGit(repository, pairs.slice(0, BY_GIT))
    for (const pair of pairs.slice(BY_GIT)) merged.push(await mergeByDriver(repository, pair))
    return pairs.map((pair, number) => ({
      ...pair,
      ...(merged[number] as Merge),
      model: mergeMenus(parse(pair.base), parse(pair.mine), parse(pair.theirs)),
    }))
  } finally {
    repository.close()
  }
}

async function mergeByGit({ dir: cwd }: TestRepository, pairs: readonly Branches[]): Promise<Merge[]> {
  const stream = pairs.map(({ base, mine, theirs }, number) =>
    [
      toCommit(`b${number}`, base, null),
      toCommit(`m${number}`, mine, `b${number}`),
      toCommit(`t${number}`, theirs, `b${number}`),
    ].join(''),
  )
  const imported = await runProcess('git', ['fast-import', '--quiet'], { cwd, input: stream.join('') })
  assert.is(imported.code, 0, imported.stderr)
  const merges: Merge[] = []
  for (const number of pairs.keys()) {
    const args = ['-c', 'merge.renames=false', 'merge-tree', '--write-tree', `m${number}`, `t${number}`]
    const { code, stdout, stderr } = await runProcess('git', args, { cwd })
    assertMerged(code, stderr)
    const shown = await runProcess('git', ['show', `${stdout.split('\n')[0]}:menus/main.yaml`], { cwd })
    merges.push({ merged: shown.stdout, isClean: code === 0 })
  }
  return merges
}

/** What git makes of a file that one side left alone, or both changed alike, and else what the driver makes of it. */
async function mergeByDriver({ dir: cwd, write }: TestRepository, pair: Branches): Promise<Merge> {
  const { base, mine, theirs } = pair
  if (base === theirs || mine === theirs) return { merged: mine, isClean: true }
  if (base === mine) return { merged: theirs, isClean: true }
  for (const [name, text] of Object.entries({ base, mine, theirs })) write(`.merge_file_${name}`, text)
  const files = ['base', 'mine', 'theirs'].map((name) => `.merge_file_${name}`)
  const words = ['merge-driver', '--marker-size', '7', '--', ...files, 'menus/main.yaml']
  const { code, stderr } = await menuscript(words, { cwd })
  assertMerged(code, stderr)
  return { merged: readFileSync(join(cwd, '.merge_file_mine'), 'utf8'), isClean: code === 0 }
}

function assertMerged(code: number | null, stderr: string): void {
  assert.ok(code === 0 || code === 1, stderr)
  assert.ok(!/git merged its lines|all of it is marked|rror:/.test(stderr), stderr)
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

/** A clean merge is the model's menu, and git asks exactly where the model has a conflict. */
export function assertModel(outcomes: readonly Outcome[]): void {
  for (const { merged, isClean, model, base, mine, theirs } of outcomes) {
    const story = `${base}\n--- mine\n${mine}\n--- theirs\n${theirs}\n--- merged\n${merged}`
    assert.is(isClean, model.conflicts.length === 0, story)
    if (isClean) assert.ok(isEqual(parse(merged), model.value), story)
  }
}
