import { renameSync } from 'node:fs'
import * as assert from 'uvu/assert'
import type { HttpAnswer } from '../support/http.js'
import { gitIn } from '../support/repository.js'
import { test } from '../support/test.js'
import { codeOf, draftOf, MENU, renamed, versionOf } from './managing.js'
import {
  FILE,
  hubWith,
  listOf,
  openOn,
  type Proposal,
  propose,
  proposed,
  pushTo,
  textOn,
} from './proposing.js'

test('a proposal is a commit by the operator on a branch of its own, and nothing goes live', async () => {
  const hub = hubWith()
  const [as] = await openOn(hub)
  const script = await as('Ana')
  const draft = await draftOf(script, renamed('Shop'))
  const answer = await propose(script, draft, { title: 'Rename the menu', text: 'Marketing asked.' })
  assert.is(answer.status, 201, answer.text)
  const { branch, commit, url, link } = answer.json() as Proposal
  assert.equal([branch, url, link], ['menus/ana/rename-the-menu', null, null])
  assert.is(hub.git('rev-parse', branch), commit)
  assert.is(hub.git('rev-parse', `${branch}^`), hub.git('rev-parse', 'main'))
  assert.is(textOn(hub, branch), MENU.replace('name: Main', 'name: Shop'))
  assert.is(hub.textOf(FILE), MENU)
  assert.is(hub.git('log', '-1', '--format=%an, %cn', branch), 'Ana, Menuscript')
  const message = 'Rename the menu\n\nMarketing asked.\n\nMenu main: changes name of the menu to Shop'
  assert.is(hub.git('log', '-1', '--format=%B', branch).trim(), message)
  assert.is((await script('GET', '/drafts')).text, '{"drafts":[]}')
  const { proposals, away } = await listOf(script)
  assert.is(away, null)
  const own = { branch, commit, title: 'Rename the menu', author: 'Ana', files: ['main.yaml'], state: 'open' }
  assert.equal(
    proposals.map((each) => ({ ...each, changed: 0 })),
    [{ ...own, changed: 0, comments: null, url: null, link: null }],
  )
})

test('where changes are only proposed, nothing else writes menus; a dry run pushes nothing', async () => {
  const hub = hubWith()
  const [as] = await openOn(hub)
  const script = await as('Ana')
  const draft = await draftOf(script, renamed('Shop'))
  assert.is(codeOf(await script('POST', `${draft}/publish`)), '403 propose-only')
  const version = await versionOf(script)
  assert.is(codeOf(await script('DELETE', '/menu?file=main.yaml', { version })), '403 propose-only')
  assert.is(codeOf(await script('POST', '/menus', { body: { code: 'new' } })), '403 propose-only')
  const preview = await script('POST', '/preview', { body: { draft: draft.split('/').at(-1) } })
  assert.is((preview.json() as { config: { name: string } }).config.name, 'Shop', preview.text)
  const dry = await script('POST', `${draft}/propose?dry_run=true`, { body: { title: 'Dry' } })
  assert.is(dry.status, 200, dry.text)
  assert.is((dry.json() as { commit: null }).commit, null)
  assert.is(hub.git('for-each-ref', '--format=%(refname)'), 'refs/heads/main')
  assert.is(((await script('GET', '/session')).json() as { mode: string }).mode, 'propose')
})

test('with both ways, a draft can be published or proposed; without proposals, it can only be published', async () => {
  const hub = hubWith()
  const [as] = await openOn(hub, { mode: 'both' })
  const script = await as('Ana')
  assert.is((await script('POST', `${await draftOf(script, renamed('Shop'))}/publish`)).status, 200)
  await proposed(script, 'Store', 'Store')
  const [other] = await openOn(hub, { mode: 'push' })
  const only = await other('Ana')
  assert.is(codeOf(await only('GET', '/proposals')), '404 no-proposals')
  const draft = await draftOf(only, renamed('Market'))
  assert.is(codeOf(await propose(only, draft, { title: 'X' })), '404 no-proposals')
  const body = { branch: 'menus/ana/store', file: 'main.yaml' }
  assert.is(codeOf(await only('POST', '/proposals/draft', { body })), '404 no-proposals')
})

test('any title and any user make a name of a branch that git takes, and titles that are alike get numbers', async () => {
  const hub = hubWith()
  const [as] = await openOn(hub)
  const script = await as('Ana')
  const titles: readonly (readonly [title: string, part: string])[] = [
    ['../../etc/passwd', 'etc-passwd'],
    ['x.lock', 'x-lock'],
    ['-rf --force', 'rf-force'],
    ['🚀', 'proposal'],
    ['القائمة الرئيسية', 'proposal-2'],
    ['Übergrößen & Ñandú', 'ubergro-en-nandu'],
    ['a'.repeat(200), 'a'.repeat(40)],
    ['a'.repeat(199), `${'a'.repeat(40)}-2`],
    ['@{-1}~^:?*[', '1'],
    ['two\nlines\u0000', 'two-lines'],
  ]
  for (const [place, [title, part]] of titles.entries()) {
    const { branch } = await proposed(script, `Name ${place}`, title)
    assert.is(branch, `menus/ana/${part}`, title)
    assert.is(hub.git('log', '-1', '--format=%s', branch).length > 0, true)
  }
  for (const title of ['', ' ', '\u0000', 'x'.repeat(201)]) {
    const draft = await draftOf(script, renamed(`For ${title.length}`))
    assert.is(codeOf(await propose(script, draft, { title })), '400 bad-body', JSON.stringify(title))
  }
  const { branch } = await proposed(await as('-../x.lock'), 'Other', 'Mine')
  assert.is(branch, 'menus/x-lock/mine')
  assert.is((await listOf(script)).proposals.length, titles.length + 1)
})

test('a menu with errors, a draft without changes and an outdated revision are refused', async () => {
  const hub = hubWith()
  const [as] = await openOn(hub)
  const script = await as('Ana')
  const draft = await draftOf(script, [{ op: 'replace', path: '/items/0/url', value: 'javascript:x' }])
  assert.is(codeOf(await propose(script, draft, { title: 'Bad' })), '422 invalid-menu')
  const version = '"9"'
  const late = await script('POST', `${draft}/propose`, { body: { title: 'Late' }, version })
  assert.is(codeOf(late), '412 draft-changed')
  await script('PATCH', draft, { body: [{ op: 'replace', path: '/items/0/url', value: '/' }] })
  assert.is(codeOf(await propose(script, draft, { title: 'Nothing' })), '409 nothing-to-propose')
  assert.is(codeOf(await propose(script, '/drafts/none', { title: 'None' })), '404 no-draft')
  assert.is(hub.git('for-each-ref', '--format=%(refname)'), 'refs/heads/main')
})

test('a proposal that is continued as a draft gets one more commit, with what developers pushed to it', async () => {
  const hub = hubWith({ 'other.txt': 'one' })
  const [as, site] = await openOn(hub)
  const [ana, ben] = [await as('Ana'), await as('Ben')]
  const { branch } = await proposed(ana, 'Shop', 'Rename')
  pushTo(hub, branch, (text) => text.replace('Sales', 'Offers'))
  const byHand = hub.git('rev-parse', branch)
  hub.push({ 'other.txt': 'two' })
  await site.remote?.follow()
  const body = { branch, file: 'main.yaml' }
  const taken = await ben('POST', '/proposals/draft', { body })
  assert.is(taken.status, 201, taken.text)
  const { id, menu } = taken.json() as { id: string; menu: { name: string; items: { label: string }[] } }
  assert.equal([menu.name, menu.items[1]?.label], ['Shop', 'Offers'])
  assert.is(codeOf(await ben('POST', '/proposals/draft', { body })), '409 own-draft')
  await ben('PATCH', `/drafts/${id}`, { body: renamed('Store') })
  const again = await propose(ben, `/drafts/${id}`, { title: 'Rename, better' })
  assert.is(again.status, 200, again.text)
  assert.is((again.json() as Proposal).branch, branch)
  assert.is(hub.git('rev-parse', `${branch}^1`), byHand)
  // What is live by now is merged in.
  assert.is(hub.git('rev-parse', `${branch}^2`), hub.git('rev-parse', 'main'))
  assert.is(hub.git('show', `${branch}:other.txt`), 'two')
  assert.is(textOn(hub, branch), MENU.replace('name: Main', 'name: Store').replace('Sales', 'Offers'))
  assert.is((await listOf(ana)).proposals.length, 1)
})

test('a proposal whose menu somebody changed after it was taken is not overwritten, and can become a new one', async () => {
  const hub = hubWith()
  const [as] = await openOn(hub)
  const ana = await as('Ana')
  const { branch } = await proposed(ana, 'Shop', 'Rename')
  const { id } = (await ana('POST', '/proposals/draft', { body: { branch, file: 'main.yaml' } })).json() as {
    id: string
  }
  pushTo(hub, branch, (text) => text.replace('Sales', 'Offers'))
  await ana('PATCH', `/drafts/${id}`, { body: renamed('Store') })
  assert.is(codeOf(await propose(ana, `/drafts/${id}`, { title: 'Rename' })), '409 proposal-changed')
  assert.ok(textOn(hub, branch).includes('Offers'))
  const other = await propose(ana, `/drafts/${id}`, { title: 'Rename', isNew: true })
  assert.is((other.json() as Proposal).branch, 'menus/ana/rename-2')
})

test('a proposal that conflicts with what is live says so, and is fine once the operator has decided', async () => {
  const hub = hubWith()
  const [as, site] = await openOn(hub)
  const ana = await as('Ana')
  const { branch } = await proposed(ana, 'Shop', 'Rename')
  hub.push({ [FILE]: MENU.replace('name: Main', 'name: Theirs') })
  await site.remote?.follow()
  assert.is((await listOf(ana)).proposals[0]?.state, 'conflicts')
  const taken = await ana('POST', '/proposals/draft', { body: { branch, file: 'main.yaml' } })
  const { id } = taken.json() as { id: string }
  const refused = await propose(ana, `/drafts/${id}`, { title: 'Rename' })
  assert.is(codeOf(refused), '409 conflict')
  const { version, conflicts } = refused.json() as { version: string; conflicts: { id: string }[] }
  const choices = Object.fromEntries(conflicts.map((each) => [each.id, 'mine']))
  await ana('POST', `/drafts/${id}/resolve`, { body: { version, choices } })
  assert.is((await propose(ana, `/drafts/${id}`, { title: 'Rename' })).status, 200)
  assert.is((await listOf(ana)).proposals[0]?.state, 'open')
  gitIn(hub.work, 'fetch', '--quiet', 'origin', branch)
  gitIn(hub.work, 'merge', '--quiet', '--no-edit', 'FETCH_HEAD')
  assert.match(gitIn(hub.work, 'show', `HEAD:${FILE}`), 'name: Shop')
})

test('a proposal goes once it is merged, in whichever way, or its branch is deleted', async () => {
  const hub = hubWith()
  const [as, site] = await openOn(hub)
  const ana = await as('Ana')
  const merged = await proposed(ana, 'Shop', 'Merged')
  const gone = await proposed(ana, 'Gone', 'Gone')
  assert.is((await listOf(ana)).proposals.length, 2)
  hub.push({ [FILE]: textOn(hub, merged.branch), 'more.txt': 'squashed' })
  hub.git('update-ref', '-d', `refs/heads/${gone.branch}`)
  await site.remote?.follow()
  assert.equal((await listOf(ana)).proposals, [])
  for (const branch of [gone.branch, '../main', 'main'])
    assert.is(
      codeOf(await ana('POST', '/proposals/draft', { body: { branch, file: 'main.yaml' } })),
      '404 no-proposal',
    )
})

test('a file that a proposal does not change cannot be continued', async () => {
  const hub = hubWith({ 'menus/other.yaml': MENU.replace('code: main', 'code: other') })
  const [as] = await openOn(hub)
  const ana = await as('Ana')
  const { branch } = await proposed(ana, 'Shop', 'Rename')
  const codes = [
    ['other.yaml', '404 no-file'],
    ['none.yaml', '404 no-file'],
    ['../x.yaml', '422 bad-path'],
  ]
  for (const [file, code] of codes)
    assert.is(codeOf(await ana('POST', '/proposals/draft', { body: { branch, file } })), code)
  const dry = await ana('POST', '/proposals/draft?dry_run=true', { body: { branch, file: 'main.yaml' } })
  assert.is(dry.status, 200, dry.text)
  assert.is((await ana('GET', '/drafts')).text, '{"drafts":[]}')
  pushTo(hub, branch, () => 'code: [')
  assert.is(
    codeOf(await ana('POST', '/proposals/draft', { body: { branch, file: 'main.yaml' } })),
    '422 broken-file',
  )
})

test('while the repository is away, the list is as it was, and a draft that is proposed stays', async () => {
  const hub = hubWith()
  const [as] = await openOn(hub)
  const ana = await as('Ana')
  await proposed(ana, 'Shop', 'Rename')
  const draft = await draftOf(ana, renamed('Store'))
  renameSync(hub.url, `${hub.url}.away`)
  const { proposals, away } = await listOf(ana)
  assert.equal([proposals.length, away?.what], [1, 'remote'])
  assert.is(codeOf(await propose(ana, draft, { title: 'Later' })), '503 remote-unreachable')
  assert.is((await ana('GET', draft)).status, 200)
  renameSync(`${hub.url}.away`, hub.url)
  assert.is((await propose(ana, draft, { title: 'Later' })).status, 201)
})

test('a request that is repeated with its key proposes once', async () => {
  const hub = hubWith()
  const [as] = await openOn(hub)
  const ana = await as('Ana')
  const draft = await draftOf(ana, renamed('Shop'))
  const send = (title: string): Promise<HttpAnswer> =>
    ana('POST', `${draft}/propose`, { body: { title }, headers: { 'idempotency-key': 'one' } })
  const first = await send('Rename')
  const again = await send('Rename')
  assert.equal([first.status, again.text], [201, first.text])
  assert.is(codeOf(await send('Other')), '422 key-reused')
  assert.is((await listOf(ana)).proposals.length, 1)
})

test('a draft that is changed while it is proposed stays, and updates its own proposal later', async () => {
  const hub = hubWith()
  const [as, site] = await openOn(hub)
  const ana = await as('Ana')
  const draft = await draftOf(ana, renamed('Shop'))
  let release = (): void => {}
  void site.remote?.inTurn(
    () =>
      new Promise<void>((done) => {
        release = done
      }),
  )
  const proposing = propose(ana, draft, { title: 'Rename' })
  // The draft is read first, and then waits for its turn.
  await ana('GET', draft)
  await ana('PATCH', draft, { body: renamed('Store') })
  release()
  const { branch } = (await proposing).json() as Proposal
  assert.is((await ana('GET', draft)).status, 200)
  const again = await propose(ana, draft, { title: 'Rename' })
  assert.equal([again.status, (again.json() as Proposal).branch], [200, branch])
  assert.ok(textOn(hub, branch).includes('name: Store'))
})

test('a branch in the way of all proposals of a user is reported', async () => {
  const hub = hubWith()
  const [as] = await openOn(hub)
  const ana = await as('Ana')
  hub.git('branch', 'menus/ana', 'main')
  const refused = await propose(ana, await draftOf(ana, renamed('Shop')), { title: 'Rename' })
  assert.is(codeOf(refused), '403 remote-denied')
})

test.run()
