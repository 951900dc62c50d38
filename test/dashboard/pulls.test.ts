import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { type OpenSite, openSite } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import { sized } from '../support/figures.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { gitIn } from '../support/repository.js'
import { closing, test } from '../support/test.js'
import { scriptAs, textOf } from './managing.js'

const EDITORS = 8
/** Publishes of each editor, and commits of the colleague. */
const EACH = sized(2, 125)
/** Everybody is who they say they are. */
const POLICIES = `export const resolveOperator = ({ headers }) => ({ id: headers['x-user'], role: 'edit' })`

const ITEMS = Array.from(
  { length: 2 * EDITORS },
  (_, at) => `  - id: i${at}\n    label: Item\n    url: /${at}\n`,
)
const TEXT = `version: 1\ncode: main\nname: Main\nitems:\n${ITEMS.join('')}`
const ITEM = /id: (i\d+)\n {4}label: (.*)/g

interface Sent {
  readonly id: string
  readonly commit: { readonly kind: string }
}

/** An editor who names an item and publishes that, again and again; answers how many commits are said to be made. */
async function edit(site: OpenSite, at: number): Promise<number> {
  const user = `editor${at}`
  const script = await scriptAs(user, site)
  const send = async (method: string, path: string, body: unknown): Promise<Sent> => {
    let answer = await script(method, path, { body })
    // Git holds its lock for longer than a publish waits, or has taken the file away to write it anew.
    while (answer.status === 423) answer = await script(method, path, { body })
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer.json() as Sent
  }
  let committed = 0
  for (let turn = 1; turn <= EACH; turn++) {
    const { id } = await send('POST', '/drafts?file=main.yaml', {})
    await send('PATCH', `/drafts/${id}`, [
      { op: 'replace', path: `/items/${2 * at}/label`, value: `${user} ${turn}` },
    ])
    // Git may be in the middle of a merge: the answer says so, and the change is in the next commit.
    const { commit } = await send('POST', `/drafts/${id}/publish`, {})
    if (commit.kind === 'committed') committed++
  }
  return committed
}

const run = promisify(execFile)

/** A colleague who commits in a clone and pushes, while the service's clone pulls and pushes. */
async function exchange(served: string, clone: string): Promise<void> {
  // The service commits meanwhile: git refuses, and is asked again, once what the service could not commit is committed by hand.
  const sync = (dir: string): Promise<unknown> =>
    eventually(async () => {
      try {
        await run('git', ['-C', dir, 'pull', '-q', '--no-rebase', '--no-edit'])
        await run('git', ['-C', dir, 'push', '-q'])
      } catch (thrown) {
        await run('git', ['-C', dir, 'commit', '-q', '-a', '-m', 'Left over'])
        throw thrown
      }
    })
  for (let turn = 1; turn <= EACH; turn++) {
    const text = `${gitIn(clone, 'show', 'HEAD:menus/main.yaml')}\n`
    const at = 2 * (turn % EDITORS) + 1
    const changed = text.replace(new RegExp(`(id: i${at}\\n {4}label: ).*`), `$1colleague ${turn}`)
    writeFileSync(join(clone, 'menus/main.yaml'), changed)
    gitIn(clone, 'commit', '-q', '-a', '-m', `By hand ${turn}`)
    for (const dir of [clone, served, clone]) await sync(dir)
  }
}

test('B8: what eight editors publish and a colleague pushes by git is all there, in the commits that the answers name', async () => {
  const outside = closing(createMenusFolder())
  const prepare = (dir: string): void => {
    gitIn(outside.dir, 'init', '-q', '--bare', '-b', 'main', 'remote.git')
    gitIn(dir, 'init', '-q', '-b', 'main')
    for (const [key, value] of [
      ['user.name', 'Committer'],
      ['user.email', 'committer@example.org'],
    ] as const)
      gitIn(dir, 'config', key, value)
    gitIn(dir, 'add', 'menus')
    gitIn(dir, 'commit', '-q', '-m', 'First')
    gitIn(dir, 'remote', 'add', 'origin', join(outside.dir, 'remote.git'))
    gitIn(dir, 'push', '-q', '-u', 'origin', 'main')
    gitIn(outside.dir, 'clone', '-q', 'remote.git', 'clone')
    gitIn(join(outside.dir, 'clone'), 'config', 'user.name', 'Colleague')
    gitIn(join(outside.dir, 'clone'), 'config', 'user.email', 'colleague@example.org')
  }
  const site = closing(
    await openSite({ 'main.yaml': TEXT }, { hasDashboard: true, policies: POLICIES, prepare }),
  )
  const { dir } = site.folder
  const editors = Array.from({ length: EDITORS }, (_, at) => edit(site, at))
  const pulled = exchange(dir, join(outside.dir, 'clone'))
  const committed = await Promise.all(editors)
  await pulled
  const found = new Map([...textOf(site).matchAll(ITEM)].map(([, id = '', label]) => [id, label]))
  for (let at = 0; at < EDITORS; at++) assert.is(found.get(`i${2 * at}`), `editor${at} ${EACH}`)
  for (let turn = EACH; turn > Math.max(0, EACH - EDITORS); turn--)
    assert.is(found.get(`i${2 * (turn % EDITORS) + 1}`), `colleague ${turn}`)
  assert.is((parse(textOf(site)) as { items: unknown[] }).items.length, ITEMS.length)
  const authors = gitIn(dir, 'log', '--no-merges', '--format=%an').split('\n')
  for (const [at, count] of committed.entries())
    assert.is(authors.filter((name) => name === `editor${at}`).length, count)
  if (committed.every((count) => count === EACH)) assert.is(gitIn(dir, 'status', '--porcelain', 'menus'), '')
})

test.run()
