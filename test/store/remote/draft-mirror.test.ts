import { execFileSync } from 'node:child_process'
import { appendFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { Operation } from '../../../src/change/operations/operation.js'
import { folderName } from '../../../src/store/drafts/draft-folder.js'
import { MAX_ENTRIES } from '../../../src/store/drafts/journal.js'
import type { DraftRef } from '../../../src/store/drafts/open-drafts.js'
import type { Draft } from '../../../src/store/drafts/read-draft.js'
import { createHub, type Hub } from '../../support/hub.js'
import { closing, test } from '../../support/test.js'
import { yaml } from '../../support/yaml.js'
import { asideIn, labelsIn, openReplica, type Replica } from './replicas.js'

const MENU = Buffer.from(yaml`
  version: 1
  code: main
  name: Main
  items:
    - label: Home
      url: /
    - label: Sales
      url: /sales
`)

const NAME = folderName('ana', 'main.yaml')

const add = (label: string): readonly Operation[] => [
  { op: 'add', path: '/items/-', value: { label, url: `/${label}` } },
]
const relabel = (place: number, label: string): readonly Operation[] => [
  { op: 'replace', path: `/items/${place}/label`, value: label },
]
const ref = ({ id, user }: Draft, more: Partial<DraftRef> = {}): DraftRef => ({
  id,
  user,
  revision: null,
  ...more,
})

/** The draft of a replica, which must have one. */
function draftIn({ drafts }: Replica): Draft {
  const [draft] = drafts.list()
  if (draft === undefined) throw new Error('no draft')
  return draft
}

function opened({ drafts }: Replica, user = 'ana', path = 'main.yaml'): Draft {
  const { value } = drafts.open(user, path, MENU)
  if (value === null) throw new Error('no draft')
  return value
}

async function replicas(count = 2): Promise<readonly [hub: Hub, a: Replica, b: Replica, c: Replica]> {
  const hub = closing(createHub({ 'main.yaml': String(MENU) }))
  const all: Replica[] = []
  for (let each = 0; each < count; each++) all.push(closing(await openReplica(hub)))
  return [hub, ...(all as [Replica, Replica, Replica])]
}

/** The names of the drafts in a hub. */
function refsOf(hub: Hub): readonly string[] {
  const names = hub.git('for-each-ref', '--format=%(refname:lstrip=3)', 'refs/menuscript/drafts').split('\n')
  return names.filter((name) => name !== '' && name !== 'known')
}

test('an operator goes on at another replica with the same draft, and undoes steps of the first one', async () => {
  const [, a, b] = await replicas()
  const draft = opened(a)
  const transfer = { file: 'side.yaml', id: 'm' }
  a.drafts.edit(ref(draft), add('One'), { transfer })
  a.drafts.edit(ref(draft, { key: 'k' }), add('Two'))
  assert.is(await a.push(), null)
  assert.is(await b.pull(), null)
  const there = draftIn(b)
  const [first] = there.steps.all
  assert.equal(first?.kind === 'edit' && first.transfer, transfer)
  assert.is(there.id, draft.id)
  assert.is(there.revision, 2)
  assert.equal(labelsIn(there), ['Home', 'Sales', 'One', 'Two'])
  // The request that added the last one is known, too.
  assert.is(b.drafts.edit(ref(draft, { key: 'k', revision: 1 }), add('Two')).value?.revision, 2)
  assert.equal(labelsIn(b.drafts.undo(ref(there)).value), ['Home', 'Sales', 'One'])
  assert.is(await b.push(), null)
  assert.is(await a.pull(), null)
  assert.is(draftIn(a).revision, 3)
  assert.equal(labelsIn(a.drafts.redo(ref(draft)).value), ['Home', 'Sales', 'One', 'Two'])
})

test('the remote keeps the present state of a draft only, and nothing of one that is gone', async () => {
  const [hub, a, b] = await replicas()
  const draft = opened(a)
  for (const label of ['One', 'Two', 'Three']) {
    a.drafts.edit(ref(draft), add(label))
    await a.push()
  }
  const [name = ''] = refsOf(hub)
  assert.is(hub.git('rev-list', '--count', `refs/menuscript/drafts/${name}`), '1')
  await b.pull()
  b.drafts.discard(draft.id, 'ana')
  await b.push()
  assert.equal(refsOf(hub), [])
  await a.pull()
  assert.equal(a.drafts.list(), [])
  assert.equal(
    [a.events, b.events].flat().filter(({ event }) => event.startsWith('draft')),
    [],
  )
})

test('a draft with steps that were never pushed outlives its end elsewhere', async () => {
  const [hub, a, b] = await replicas()
  const draft = opened(a)
  a.drafts.edit(ref(draft), add('One'))
  await a.push()
  await b.pull()
  b.drafts.discard(draft.id, 'ana')
  await b.push()
  a.drafts.edit(ref(draft), add('Two'))
  await a.pull()
  assert.equal(labelsIn(draftIn(a)), ['Home', 'Sales', 'One', 'Two'])
  await a.push()
  assert.is(refsOf(hub).length, 1)
  await b.pull()
  assert.is(draftIn(b).id, draft.id)
})

test('a draft that was discarded while others went on with it comes back', async () => {
  const [, a, b] = await replicas()
  const draft = opened(a)
  await a.push()
  await b.pull()
  a.drafts.edit(ref(draft), add('One'))
  await a.push()
  b.drafts.discard(draft.id, 'ana')
  assert.is(await b.push(), null)
  assert.equal(labelsIn(draftIn(b)), ['Home', 'Sales', 'One'])
})

test('steps at two replicas at the same time are merged, with a revision that neither had', async () => {
  const [, a, b] = await replicas()
  const draft = opened(a)
  a.drafts.edit(ref(draft), add('One'))
  await a.push()
  await b.pull()
  a.drafts.edit(ref(draft), [{ op: 'add', path: '/items/0', value: { label: 'First', url: '/first' } }])
  b.drafts.edit(ref(draft, { key: 'sales' }), relabel(1, 'Offers'))
  b.drafts.edit(ref(draft), add('Two'))
  await a.push()
  assert.is(await b.push(), null)
  await a.pull()
  for (const { drafts, events } of [a, b]) {
    const [merged] = drafts.list()
    assert.equal(labelsIn(merged), ['First', 'Home', 'Offers', 'One', 'Two'])
    assert.ok((merged?.revision ?? 0) > 3)
    assert.is(drafts.edit(ref(draft, { revision: 3 }), add('Three')).fault?.reason, 'changed')
    // A request that was done counts as done.
    assert.is(
      drafts.edit(ref(draft, { key: 'sales', revision: 1 }), add('x')).value?.revision,
      merged?.revision,
    )
    assert.is(events.filter(({ event }) => event === 'draft_merged').length, drafts === b.drafts ? 1 : 0)
  }
  assert.equal(labelsIn(a.drafts.undo(ref(draft)).value), ['First', 'Home', 'Sales', 'One'])
})

test('where both changed the same, what was pushed first stays, and the other version is one undo away everywhere', async () => {
  const [, a, b] = await replicas()
  const draft = opened(a)
  await a.push()
  await b.pull()
  a.drafts.edit(ref(draft), relabel(1, 'Offers'))
  b.drafts.edit(ref(draft), [...relabel(1, 'Bargains'), ...add('One')])
  await a.push()
  await b.push()
  await a.pull()
  for (const each of [a, b]) {
    assert.equal(labelsIn(draftIn(each)), ['Home', 'Offers', 'One'])
    assert.equal(labelsIn(each.drafts.aside(draftIn(each))), ['Home', 'Bargains', 'One'])
    assert.equal(asideIn(each), [])
  }
  assert.equal(labelsIn(a.drafts.undo(ref(draft)).value), ['Home', 'Bargains', 'One'])
  assert.is(a.drafts.aside(draftIn(a)), null)
  assert.equal(labelsIn(a.drafts.undo(ref(draft)).value), ['Home', 'Offers'])
  const merged = b.events.filter(({ event }) => event === 'draft_merged').map(({ fields }) => fields)
  assert.equal(merged, [{ user: 'ana', file: 'main.yaml', contradicts: true, kept: null }])
})

test('an operator decides about the version that was put aside, also after more steps, and can undo that', async () => {
  for (const isOther of [true, false]) {
    const [, a, b] = await replicas()
    const draft = opened(a)
    await a.push()
    await b.pull()
    a.drafts.edit(ref(draft), relabel(1, 'Offers'))
    b.drafts.edit(ref(draft), relabel(1, 'Bargains'))
    await a.push()
    await b.push()
    b.drafts.edit(ref(draft), add('Two'))
    const settled = b.drafts.settle(ref(draft), isOther).value
    assert.equal(labelsIn(settled), isOther ? ['Home', 'Bargains'] : ['Home', 'Offers', 'Two'])
    assert.is(b.drafts.aside(draftIn(b)), null)
    assert.is(b.drafts.settle(ref(draft), isOther).fault?.reason, 'gone')
    await b.push()
    await a.pull()
    assert.is(a.drafts.aside(draftIn(a)), null)
    assert.equal(labelsIn(a.drafts.undo(ref(draft)).value), ['Home', 'Offers', 'Two'])
    assert.equal(labelsIn(a.drafts.aside(draftIn(a))), ['Home', 'Bargains'])
  }
})

test('drafts of one file that a user began at two replicas become one', async () => {
  const [, a, b] = await replicas()
  a.drafts.edit(ref(opened(a)), add('One'))
  b.drafts.edit(ref(opened(b)), add('Two'))
  await a.push()
  await b.push()
  await a.pull()
  assert.is(draftIn(a).id, draftIn(b).id)
  for (const each of [a, b])
    assert.equal([...labelsIn(draftIn(each))].sort(), ['Home', 'One', 'Sales', 'Two'])
})

test('drafts of one file that began with different texts are not mixed: the later one is one undo away', async () => {
  const [, a, b] = await replicas()
  a.drafts.edit(ref(opened(a)), add('One'))
  const text = Buffer.from(`${MENU}# more\n`)
  const other = b.drafts.open('ana', 'main.yaml', text).value as Draft
  b.drafts.edit(ref(other), add('Two'))
  await a.push()
  await b.push()
  await a.pull()
  for (const each of [a, b]) {
    const draft = draftIn(each)
    assert.equal(labelsIn(draft), ['Home', 'Sales', 'One'])
    assert.equal(Buffer.from(draft.base.bytes), MENU)
  }
  const { value } = a.drafts.undo(ref(draftIn(a)))
  assert.equal(labelsIn(value), ['Home', 'Sales', 'Two'])
  assert.equal(Buffer.from(value?.base.bytes ?? []), text)
})

test('a version for which a draft has no room stays in its folder', async () => {
  const [, a, b] = await replicas()
  const draft = opened(a)
  await a.push()
  await b.pull()
  a.drafts.edit(ref(draft), relabel(1, 'Offers'))
  appendFileSync(join(a.folder, NAME, 'journal'), '{"at":1,"kind":"redo"}\n'.repeat(MAX_ENTRIES - 2))
  b.drafts.edit(ref(draft), relabel(1, 'Bargains'))
  await a.push()
  await b.push()
  assert.equal(labelsIn(draftIn(b)), ['Home', 'Offers'])
  assert.match(asideIn(b)[0] ?? '', 'Bargains')
  const merged = b.events.find(({ event }) => event === 'draft_merged')
  const kept = String(merged?.fields['kept'])
  assert.match(kept, /^unread-/)
  // As docs/remote.md has it.
  b.drafts.discard(draft.id, 'ana')
  await b.push()
  renameSync(join(b.folder, kept), join(b.folder, kept.slice('unread-'.length, kept.lastIndexOf('-'))))
  const again = await b.restart()
  assert.equal(labelsIn(draftIn(again)), ['Home', 'Bargains'])
  await again.push()
  await a.pull()
  assert.equal(labelsIn(draftIn(a)), ['Home', 'Bargains'])
})

test('a draft that was taken over elsewhere is that user’s here, too', async () => {
  const [hub, a, b] = await replicas()
  const draft = opened(a)
  a.drafts.edit(ref(draft), add('One'))
  await a.push()
  await b.pull()
  assert.ok(b.drafts.takeOver({ id: draft.id, user: 'ana', revision: 1 }, 'bo').value)
  await b.push()
  await a.pull()
  const [taken, ...more] = a.drafts.list()
  assert.equal([taken?.user, taken?.takenFrom, more.length], ['bo', 'ana', 0])
  assert.equal(labelsIn(taken), ['Home', 'Sales', 'One'])
  assert.equal(refsOf(hub), [folderName('bo', 'main.yaml')])
})

test('texts that steps took items from, and a merge with the file, come along', async () => {
  const [, a, b] = await replicas()
  const draft = opened(a)
  const bytes = Buffer.from(String(MENU).replace('Sales', 'From elsewhere'))
  const pointers = new Map([['/items/2', '/items/1']])
  a.drafts.edit(ref(draft), add('From elsewhere'), { source: { bytes, pointers } })
  const now = a.drafts.read(draft.id, 'ana') as Draft
  const onto = Buffer.from(`# new\n${MENU}`)
  assert.is(a.drafts.rebase(ref(draft), onto, now.change).fault, null)
  await a.push()
  await b.pull()
  const there = draftIn(b)
  assert.equal(Buffer.from(there.base.bytes), onto)
  assert.equal(there.change.origins, draftIn(a).change.origins)
  assert.equal(Object.keys(there.texts).sort(), Object.keys(draftIn(a).texts).sort())
})

test('after a crash, what was not pushed is pushed at the next start, and what was discarded stays so', async () => {
  const [hub, first, b] = await replicas()
  const [kept, gone] = [opened(first), opened(first, 'ana', 'other.yaml')]
  await first.push()
  first.drafts.edit(ref(kept), add('One'))
  first.drafts.discard(gone.id, 'ana')
  const a = await first.restart()
  await a.pull()
  await a.push()
  assert.is(refsOf(hub).length, 1)
  await b.pull()
  assert.equal(labelsIn(draftIn(b)), ['Home', 'Sales', 'One'])
})

test('while the remote is away, drafts wait for it; nothing of it is lost', async () => {
  const [hub, a, b] = await replicas()
  const draft = opened(a)
  await a.push()
  renameSync(hub.url, `${hub.url}.away`)
  a.drafts.edit(ref(draft), add('One'))
  assert.type(await a.push(), 'string')
  assert.type(await a.pull(), 'string')
  assert.equal(labelsIn(draftIn(a)), ['Home', 'Sales', 'One'])
  renameSync(`${hub.url}.away`, hub.url)
  assert.is(await a.push(), null)
  await b.pull()
  assert.equal(labelsIn(draftIn(b)), ['Home', 'Sales', 'One'])
})

test('a repository that was made again gets all drafts, and takes none away', async () => {
  const [hub, a, b] = await replicas()
  const draft = opened(a)
  a.drafts.edit(ref(draft), add('One'))
  await a.push()
  await b.pull()
  for (const name of [...refsOf(hub), 'known']) hub.git('update-ref', '-d', `refs/menuscript/drafts/${name}`)
  assert.is(await b.pull(), null)
  assert.is(await a.pull(), null)
  assert.is(await a.push(), null)
  assert.is(await b.push(), null)
  assert.is(refsOf(hub).length, 1)
  for (const each of [a, b]) assert.equal(labelsIn(draftIn(each)), ['Home', 'Sales', 'One'])
})

test('200 drafts go to the remote in a few pushes, and to another replica in one fetch', async () => {
  const [hub, a, b] = await replicas()
  for (let place = 0; place < 200; place++)
    a.drafts.edit(ref(opened(a, `user${place % 10}`, `m${place}.yaml`)), add('One'))
  assert.is(await a.push(), null)
  assert.is(refsOf(hub).length, 200)
  assert.is(await b.pull(), null)
  assert.is(b.drafts.list().length, 200)
  for (const { id, user } of b.drafts.list()) b.drafts.discard(id, user)
  assert.is(await b.push(), null)
  assert.equal(refsOf(hub), [])
  assert.is(await a.pull(), null)
  assert.equal(a.drafts.list(), [])
})

const headOf = (more: object = {}): string =>
  JSON.stringify({ user: 'ana', path: 'main.yaml', created: 1, nonce: 'n', ...more })

/** Each with what a hostile ref of ana's draft has: files by their names. */
const HOSTILE: Readonly<Record<string, Readonly<Record<string, string | Buffer>>>> = {
  'no journal': { base: MENU },
  'no base': { journal: `${headOf()}\n` },
  'garbage for a journal': { base: MENU, journal: Buffer.from([0, 255, 10, 1, 2]) },
  'the head of another user': { base: MENU, journal: `${headOf({ user: 'bo' })}\n` },
  'the head of another file': { base: MENU, journal: `${headOf({ path: 'other.yaml' })}\n` },
  'a time that is none': { base: MENU, journal: `${headOf({ created: 1e300 })}\n` },
  'another type for a name': { base: MENU, journal: `${headOf({ takenFrom: {} })}\n` },
  'a file that no draft has': { base: MENU, journal: `${headOf()}\n`, 'run.sh': 'x' },
  'a step from the future': { base: MENU, journal: `${headOf()}\n{"at":1,"kind":"new"}\n` },
  'a value that is too deep': {
    ...{ base: MENU, 'base-1': MENU },
    journal: `${headOf()}\n{"at":1,"kind":"rebase","base":"base-1","origins":{},"value":{"items":${'['.repeat(50_000)}${']'.repeat(50_000)}}}\n`,
  },
  'a text of 100 MB': { base: Buffer.alloc(104_857_600, 120), journal: `${headOf()}\n` },
}

/** Pushes a ref whose tree has these lines, as `git mktree` takes them. */
function pushTree(hub: Hub, lines: readonly string[]): void {
  const run = (args: readonly string[], input: string | Buffer): string =>
    execFileSync('git', args, { cwd: hub.url, input, encoding: 'utf8' }).trim()
  const tree = run(['mktree', '--missing'], lines.map((line) => `${line}\n`).join(''))
  const commit = run(['-c', 'user.name=m', '-c', 'user.email=m', 'commit-tree', tree], 'x')
  hub.git('update-ref', `refs/menuscript/drafts/${NAME}`, commit)
}

function blobIn(hub: Hub, bytes: string | Buffer): string {
  return execFileSync('git', ['hash-object', '-w', '--stdin'], {
    cwd: hub.url,
    input: bytes,
    encoding: 'utf8',
  }).trim()
}

test('a ref that holds no draft harms nobody, is reported once, and is left alone', async () => {
  const [hub, a] = await replicas(1)
  a.drafts.edit(ref(opened(a, 'bo')), add('One'))
  await a.push()
  let ignored = 0
  for (const [what, files] of Object.entries(HOSTILE)) {
    pushTree(
      hub,
      Object.entries(files).map(([name, bytes]) => `100644 blob ${blobIn(hub, bytes)}\t${name}`),
    )
    for (let pulls = 0; pulls < 2; pulls++) assert.is(await a.pull(), null, what)
    assert.equal(
      a.drafts.list().map(({ user }) => user),
      ['bo'],
      what,
    )
    assert.is(a.events.filter(({ event }) => event === 'draft_ref_ignored').length, ++ignored, what)
  }
  const before = hub.git('rev-parse', `refs/menuscript/drafts/${NAME}`)
  a.drafts.edit(ref(opened(a)), add('Mine'))
  assert.is(await a.push(), null)
  assert.is(hub.git('rev-parse', `refs/menuscript/drafts/${NAME}`), before)
  hub.git('update-ref', '-d', `refs/menuscript/drafts/${NAME}`)
  assert.is(await a.pull(), null)
  assert.is(await a.push(), null)
  assert.is(refsOf(hub).length, 2)
  assert.is(a.drafts.list().length, 2)
})

test('links, folders, other names and refs that are no commits are not read', async () => {
  const [hub, a] = await replicas(1)
  const [journal, base] = [blobIn(hub, `${headOf()}\n`), blobIn(hub, MENU)]
  const whole = [`100644 blob ${base}\tbase`, `100644 blob ${journal}\tjournal`]
  const folder = execFileSync('git', ['mktree'], { cwd: hub.url, input: '', encoding: 'utf8' }).trim()
  const trees = [
    [whole[0] ?? '', `120000 blob ${journal}\tjournal`],
    [whole[0] ?? '', `100755 blob ${journal}\tjournal`],
    [...whole, `040000 tree ${folder}\tbase-1`],
    [...whole, `100644 blob ${base}\t..`],
    [...whole, `100644 blob ${base}\tbase-${'x'.repeat(200)}`],
  ]
  for (const lines of trees) {
    pushTree(hub, lines)
    assert.is(await a.pull(), null)
    assert.equal(a.drafts.list(), [])
  }
  hub.git('update-ref', `refs/menuscript/drafts/${NAME}`, base)
  hub.git('update-ref', 'refs/menuscript/drafts/not-a-name', base)
  assert.is(await a.pull(), null)
  assert.equal(a.drafts.list(), [])
  pushTree(hub, whole)
  assert.is(await a.pull(), null)
  assert.is(draftIn(a).user, 'ana')
})

test('a lock that a killed git left in the clone goes', async () => {
  const [hub, a] = await replicas(1)
  a.drafts.edit(ref(opened(a)), add('One'))
  await a.push()
  const lock = join(a.folder, '..', '..', 'clone', '.git', 'refs', 'menuscript', 'made.lock')
  writeFileSync(lock, '')
  utimesSync(lock, 1, 1)
  a.drafts.edit(ref(draftIn(a)), add('Two'))
  assert.is(await a.push(), null)
  assert.is(refsOf(hub).length, 1)
  assert.ok(a.events.some(({ event }) => event === 'remote_lock_removed'))
})

test('a half-written record and a deleted folder of drafts discard nothing elsewhere', async () => {
  const [hub, first, b] = await replicas()
  const draft = opened(first)
  first.drafts.edit(ref(draft), add('One'))
  await first.push()
  await b.pull()
  appendFileSync(join(first.folder, NAME, 'journal'), '{"at":1,"kind":"ed')
  await first.push()
  await b.pull()
  assert.equal(labelsIn(draftIn(b)), ['Home', 'Sales', 'One'])
  rmSync(first.folder, { recursive: true })
  const a = await first.restart()
  await a.pull()
  await a.push()
  assert.is(refsOf(hub).length, 1)
  assert.equal(labelsIn(draftIn(a)), ['Home', 'Sales', 'One'])
})

test.run()
