import { renameSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { type OpenSite, openSite } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import type { HttpAnswer } from '../support/http.js'
import { createHub, type Hub } from '../support/hub.js'
import { closing, test } from '../support/test.js'
import { fieldsOf } from './forms.js'
import { listenTo } from './listening.js'
import { API, codeOf, draftOf, MENU, PROXIED, renamed, type Script, scriptAs } from './managing.js'
import { createVisitor, HOME } from './visiting.js'

const FILE = 'site/menus/main.yaml'
const NOTE = 'This draft was changed in two places at the same time.'

function hubWith(): Hub {
  return closing(createHub({ [FILE]: MENU }))
}

/** A service on a hub, and a script of a user there. */
async function openOn(
  { url: remote }: Hub,
  git: object = {},
  user = 'ana',
): Promise<readonly [script: Script, site: OpenSite]> {
  const storage = { git: { remote, path: 'site/menus', ...git } }
  const site = closing(await openSite({}, { config: { ...PROXIED.config, storage }, hasDashboard: true }))
  return [await scriptAs(user, site), site]
}

/** The commits of the drafts in a hub. */
function draftsIn(hub: Hub): readonly string[] {
  const refs = hub.git('for-each-ref', '--format=%(refname:lstrip=3) %(objectname)', 'refs/menuscript/drafts')
  return refs.split('\n').filter((line) => line !== '' && !line.startsWith('known'))
}

/** Waits until a hub has this many drafts. Each check starts a git process. */
async function untilDraftsIn(hub: Hub, count: number): Promise<void> {
  await eventually(() => assert.is(draftsIn(hub).length, count), { every: 100 })
}

async function countOf(script: Script): Promise<number> {
  return ((await script('GET', '/drafts')).json() as { drafts: unknown[] }).drafts.length
}

test('a draft goes to the remote at a pause, and is there for the first request at another replica', async () => {
  const hub = hubWith()
  const [here] = await openOn(hub)
  const draft = await draftOf(here, renamed('Shop'))
  await eventually(() => assert.match(hub.git('show', `${draftsIn(hub)[0]?.split(' ')[1]}:journal`), 'Shop'))
  const [there] = await openOn(hub)
  const seen = await there('GET', draft)
  assert.is(seen.status, 200, seen.text)
  assert.match(seen.text, 'Shop')
  assert.is(seen.headers['etag'], (await here('GET', draft)).headers['etag'])
  assert.is((await there('POST', `${draft}/undo`)).status, 200)
  // The page of the first replica is out of date by then.
  const edit = { body: renamed('Store'), version: seen.headers['etag'] ?? '' }
  await eventually(async () => assert.is(codeOf(await here('PATCH', draft, edit)), '412 draft-changed'))
})

test('an operator who was at a replica a moment ago finds there what another one got meanwhile', async () => {
  const hub = hubWith()
  const [there] = await openOn(hub)
  const storage = { git: { remote: hub.url, path: 'site/menus' } }
  const site = await openSite({}, { config: { ...PROXIED.config, storage }, hasDashboard: true })
  const here = await scriptAs('ana', site)
  const draft = await draftOf(here, renamed('Shop'))
  await untilDraftsIn(hub, 1)
  assert.match((await there('GET', draft)).text, 'Shop')
  assert.is((await here('PATCH', draft, { body: renamed('Store') })).status, 200)
  await site.close()
  // What was looked at less than a second ago counts as present.
  await sleep(1_000)
  assert.match((await there('GET', draft)).text, 'Store')
})

test('a page offers the version that a merge of two replicas put aside, without JavaScript', async () => {
  const hub = hubWith()
  const [here, first] = await openOn(hub)
  const [there, second] = await openOn(hub)
  const draft = await draftOf(here, renamed('Shop'))
  await untilDraftsIn(hub, 1)
  assert.is((await there('GET', draft)).status, 200)
  const results = await Promise.all([
    here('PATCH', draft, { body: renamed('Offers') }),
    there('PATCH', draft, { body: renamed('Bargains') }),
  ])
  assert.equal(
    results.map(({ status }) => status),
    [200, 200],
  )
  const merged = () =>
    [first, second].find(({ events }) => events.some(({ event }) => event === 'draft_merged'))
  await eventually(() => assert.ok(merged()))
  const site = merged() as OpenSite
  const [kept, other] = site === second ? ['Offers', 'Bargains'] : ['Bargains', 'Offers']
  const ana = createVisitor(
    (path, more = {}) => site.ask(path, { ...more, headers: { ...more.headers, 'x-user': 'ana' } }),
    site.url,
  )
  const look = (page: string): Promise<HttpAnswer> => ana.look(`${HOME}/${page}?file=main.yaml`)
  const { text } = await look('edit')
  assert.match(text, `<bdi>${kept}</bdi>`)
  assert.match(text, NOTE)
  assert.match(text, 'href="/admin/menus/other-version?file=main.yaml"')
  assert.match((await look('review')).text, NOTE)
  const offer = await look('other-version')
  assert.match(offer.text, other)
  const decide = (deed: string): Promise<HttpAnswer> =>
    ana.send(`${HOME}/other-version?file=main.yaml`, { ...fieldsOf(offer, 'state'), do: deed })
  assert.is((await decide('use')).status, 303)
  const after = (await look('edit')).text
  assert.match(after, `<bdi>${other}</bdi>`)
  assert.not.match(after, NOTE)
  assert.is((await decide('keep')).status, 409)
  assert.match((await look('other-version')).text, 'There is no other version')
})

test('what was published at one replica is no draft at the others', async () => {
  const hub = hubWith()
  const [here] = await openOn(hub)
  const draft = await draftOf(here, renamed('Shop'))
  await untilDraftsIn(hub, 1)
  const [there, site] = await openOn(hub)
  assert.is((await there('POST', `${draft}/publish`)).status, 200)
  await untilDraftsIn(hub, 0)
  await eventually(async () => assert.is(await countOf(here), 0))
  assert.ok(hub.textOf(FILE).includes('name: Shop'))
  assert.equal(
    site.events.filter(({ event }) => event === 'drafts_not_mirrored'),
    [],
  )
})

test('the end of a service pushes what it has', async () => {
  const hub = hubWith()
  const storage = { git: { remote: hub.url, path: 'site/menus' } }
  const site = await openSite({}, { config: { ...PROXIED.config, storage }, hasDashboard: true })
  const draft = await draftOf(await scriptAs('ana', site), renamed('Shop'))
  await site.close()
  const [there] = await openOn(hub)
  assert.match((await there('GET', draft)).text, 'Shop')
})

test('editors of another replica get an event for a draft that came with a pull', async () => {
  const hub = hubWith()
  const [, site] = await openOn(hub, {}, 'bo')
  const listening = await listenTo(`${site.url}${API}/events`, { 'x-user': 'bo' })
  assert.equal(await listening.next('drafts'), { drafts: [] })
  const [here] = await openOn(hub)
  await draftOf(here, renamed('Shop'))
  assert.match(JSON.stringify(await listening.next('drafts')), 'ana')
  listening.leave()
})

test('while the remote is away, drafts are edited as before; that is reported once, and it gets them when it is back', async () => {
  const hub = hubWith()
  const [here, site] = await openOn(hub)
  renameSync(hub.url, `${hub.url}.away`)
  const draft = await draftOf(here, renamed('Shop'))
  const reports = () => site.events.filter(({ event }) => event === 'drafts_not_mirrored')
  await eventually(() => assert.is(reports().length, 1))
  assert.is((await here('PATCH', draft, { body: renamed('Store') })).status, 200)
  renameSync(`${hub.url}.away`, hub.url)
  await untilDraftsIn(hub, 1)
  await eventually(() => assert.ok(site.events.some(({ event }) => event === 'drafts_mirrored')))
  assert.is(reports().length, 1)
})

test('with `drafts: local`, drafts stay in the state folder of their service', async () => {
  const hub = hubWith()
  const storage = { git: { remote: hub.url, path: 'site/menus', drafts: 'local' } }
  const site = await openSite({}, { config: { ...PROXIED.config, storage }, hasDashboard: true })
  await draftOf(await scriptAs('ana', site), renamed('Shop'))
  await site.close()
  assert.equal(draftsIn(hub), [])
  const [there] = await openOn(hub)
  assert.is(await countOf(there), 0)
})

test.run()
