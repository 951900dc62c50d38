import { symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import {
  createEventStreams,
  EVENT_LIMITS,
  type EventLimits,
  type EventStreams,
} from '../../src/dashboard/events.js'
import type { Handler } from '../../src/http/handler.js'
import type { Snapshot } from '../../src/model/snapshot.js'
import { openDrafts } from '../../src/store/drafts/open-drafts.js'
import { type OpenSite, openSite } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import { figure } from '../support/figures.js'
import { DEFAULT_LIMITS } from '../support/limits.js'
import { listening } from '../support/listening.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { snapshotOf } from '../support/snapshot-of.js'
import { closing, test } from '../support/test.js'
import { editorOf } from './forms.js'
import { type Listening, listenTo } from './listening.js'
import { ADMIN, API, codeOf, draftOf, MENU, openForScript, renamed, versionOf } from './managing.js'
import { openForOperator } from './visiting.js'

const BEARER = { authorization: `Bearer ${ADMIN}` }
const listen = ({ url }: Pick<OpenSite, 'url'>, headers = {}, method = 'GET'): Promise<Listening> =>
  listenTo(`${url}${API}/events`, { ...BEARER, ...headers }, method)

test('A listener gets what is served, and then each change with its version and state, under the revision as id', async () => {
  const [script, site] = await openForScript()
  const { status, headers, next, events, text } = await listen(site)
  assert.is(status, 200)
  assert.is(headers['content-type'], 'text/event-stream')
  assert.is(headers['cache-control'], 'no-store, no-transform')
  assert.is(headers['x-accel-buffering'], 'no')
  assert.match(text(), /^retry: 3000\n\n/)
  const version = await versionOf(script)
  const { files, isWhole } = await next('revision')
  assert.equal(
    [isWhole, files],
    [true, [{ file: 'main.yaml', version: version.slice(1, -1), state: 'served' }]],
  )
  await script('PATCH', '/menu?file=main.yaml', { body: renamed('Front'), version })
  const after = await versionOf(script)
  const changed = await next('revision')
  assert.equal(changed['files'], [{ file: 'main.yaml', version: after.slice(1, -1), state: 'served' }])
  await script('DELETE', '/menu?file=main.yaml', { version: after })
  assert.equal((await next('revision'))['files'], [{ file: 'main.yaml', version: null, state: null }])
  for (const { event, id, data } of events) assert.is(id, event === 'revision' ? data['revision'] : null)
})

test('A client that reconnects with the last id gets the current state only if it has changed', async () => {
  const [script, site] = await openForScript()
  const first = await listen(site)
  const { revision } = await first.next('revision')
  first.leave()
  const second = await listen(site, { 'last-event-id': String(revision) })
  await second.next('drafts')
  assert.equal(
    second.events.map(({ event }) => event),
    ['drafts'],
  )
  second.leave()
  await script('PATCH', '/menu?file=main.yaml', { body: renamed('A'), version: await versionOf(script) })
  const third = await listen(site, { 'last-event-id': String(revision) })
  assert.is((await third.next('revision'))['isWhole'], true)
})

test('A step that a form takes is reported at once, not at the next look at the folder', async () => {
  const [visitor, site] = await openForOperator({ adminToken: ADMIN })
  const { next } = await listen(site)
  await next('drafts')
  const { fill, press, settings, review } = editorOf(visitor)
  for (const [count, take] of [
    () => fill('/items/1', { 'label:en': 'Offers' }),
    () => press('down', '/items/0'),
    () => press('undo'),
    () => settings({ name: 'All' }),
    () => review('publish'),
  ].entries()) {
    assert.is((await take()).status, 303)
    const since = performance.now()
    const { drafts } = (await next('drafts')) as { drafts: { steps: number }[] }
    const waited = Math.round(performance.now() - since)
    figure(`step ${count + 1} by a form, until it is reported`, `${waited} ms`, '100 ms')
    assert.equal([drafts[0]?.steps, waited < 1_000], [[1, 2, 1, 2][count], true])
  }
})

test('A draft that begins to differ, grows and ends is reported, with its user, and the text of nothing', async () => {
  const [script, site] = await openForScript()
  const { next } = await listen(site)
  assert.equal(await next('drafts'), { drafts: [] })
  const path = await draftOf(script, renamed('Secret'))
  const { drafts } = (await next('drafts')) as { drafts: Record<string, unknown>[] }
  const [{ changed, ...draft } = {}] = drafts
  assert.equal(draft, {
    ...{ file: 'main.yaml', user: 'token', steps: 1, changes: 1, revision: 1 },
    active: true,
  })
  assert.type(changed, 'number')
  await script('DELETE', path)
  assert.equal(await next('drafts'), { drafts: [] })
})

test('HEAD returns only the headers; without a login there are no events, and none are written', async () => {
  const [script, site] = await openForScript()
  const head = await listen(site, {}, 'HEAD')
  assert.equal([head.status, head.headers['content-type']], [200, 'text/event-stream'])
  assert.equal([await head.ended, head.text()], [true, ''])
  assert.is(codeOf(await site.ask(`${API}/events`)), '401 unauthorized')
  assert.is(codeOf(await script('POST', '/events')), '405 method-not-allowed')
})

test('A user has at most twenty streams, and one that leaves makes room for another', async () => {
  const [script, site] = await openForScript()
  const open = await Promise.all(Array.from({ length: 20 }, () => listen(site)))
  const refused = await script('GET', '/events')
  assert.is(codeOf(refused), '429 too-many-streams')
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.is((await listen(site, {}, 'HEAD')).status, 200)
  open[0]?.leave()
  await eventually(async () => assert.is((await listen(site)).status, 200))
})

test('E12: metrics count drafts and listeners, and what cannot be counted takes no other number away', async () => {
  const [script, site] = await openForScript()
  const metric = async (name: string) => {
    const { status, text } = await site.ask('/metrics', { headers: BEARER })
    assert.is(status, 200)
    return new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]
  }
  assert.equal([await metric('menu_drafts'), await metric('menu_event_streams')], ['0', '0'])
  const { leave } = await listen(site)
  await script('POST', '/drafts?file=main.yaml')
  assert.equal([await metric('menu_drafts'), await metric('menu_event_streams')], ['1', '1'])
  const age = Number(await metric('menu_draft_oldest_seconds'))
  assert.ok(age > 0 && age < 60, String(age))
  leave()
  await eventually(async () => assert.is(await metric('menu_event_streams'), '0'))
  site.folder.remove('.menuscript/drafts')
  symlinkSync('drafts', join(site.folder.dir, '.menuscript/drafts'))
  assert.equal([await metric('menu_drafts'), await metric('menu_menus')], ['Nan', '1'])
})

test('E13: a service that stops ends its streams, and does not wait for those who listen', async () => {
  const site = await openSite({ 'main.yaml': MENU }, { adminToken: ADMIN, hasDashboard: true })
  const stream = await listen(site)
  await stream.next('drafts')
  await site.close()
  assert.is(await stream.ended, true)
})

test('In Fastify, too, events come at once', async () => {
  const [, { dashboard }] = await openForScript()
  const app = createRequire(import.meta.url)('fastify')() as FastifyApp
  app.addHook('onRequest', dashboard as Handler)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const stream = await listen({ url })
  assert.is((await stream.next('revision'))['isWhole'], true)
  stream.leave()
  await app.close()
})

interface FastifyApp {
  readonly addHook: (name: string, hook: Handler) => void
  readonly listen: (where: object) => Promise<string>
  readonly close: () => Promise<void>
}

interface Bare {
  readonly url: string
  readonly port: number
  readonly streams: EventStreams
  readonly drafts: string
  /** Serves another snapshot. */
  readonly change: (snapshot: Snapshot) => void
}

const QUICK: EventLimits = { ...EVENT_LIMITS, poll: 20, beat: 40 }

/** Streams over a server with nothing else, with limits that a test can wait for. */
async function openBare(limits: EventLimits = QUICK, mayStay: () => Promise<boolean> = stays): Promise<Bare> {
  const folder = closing(createMenusFolder())
  const drafts = join(folder.dir, 'drafts')
  let current = snapshotOf({ 'main.yaml': MENU })
  let tell: (snapshot: Snapshot) => void = () => {}
  const streams = createEventStreams({
    current: () => current,
    onChange: (listener) => {
      tell = listener
      return () => {}
    },
    drafts: openDrafts(drafts, DEFAULT_LIMITS, Date.now),
    connections: 8,
    limits,
  })
  const url = await listening((request, response) =>
    streams.open({ request, user: request.url ?? '', mayStay }, response),
  )
  closing(streams)
  const change: Bare['change'] = (snapshot) => {
    current = snapshot
    tell(snapshot)
  }
  return { url, port: Number(new URL(url).port), streams, drafts, change }
}

const stays = async (): Promise<boolean> => true

test('A sign of life comes now and then, and a draft of another process is found', async () => {
  const { url, drafts } = await openBare()
  const { next, text } = await listenTo(url)
  assert.equal(await next('drafts'), { drafts: [] })
  await eventually(() => assert.match(text(), /^:$/m))
  const other = openDrafts(drafts, DEFAULT_LIMITS, Date.now)
  const { value: draft } = other.open('ana', 'main.yaml', Buffer.from(MENU))
  const ref = { id: draft?.id ?? '', user: 'ana', revision: null }
  other.edit(ref, [{ op: 'replace', path: '/name', value: 'x' }])
  assert.is(((await next('drafts')) as { drafts: { user: string }[] }).drafts[0]?.user, 'ana')
})

const ENDS: Readonly<Record<string, readonly [EventLimits, () => Promise<boolean>]>> = {
  'whose session ends': [QUICK, async () => false],
  'of whom nobody says in time whether they may stay': [QUICK, () => new Promise(() => {})],
  'that is old': [{ ...QUICK, age: 100 }, stays],
}
for (const [which, [limits, mayStay]] of Object.entries(ENDS)) {
  test(`A stream ${which} comes to its end`, async () => {
    const { url, streams } = await openBare(limits, mayStay)
    const { status, ended } = await listenTo(url)
    assert.equal([status, await ended], [200, true])
    await eventually(() => assert.is(streams.count(), 0))
  })
}

test('D13: a client that reads nothing is dropped for the time, or for the bytes of all, and the others go on', async () => {
  const { files, ...rest } = snapshotOf({ 'main.yaml': MENU })
  const [file] = files
  const many = Array.from(
    { length: 5_000 },
    (_, place) => ({ ...file, path: `${place}.yaml` }) as (typeof files)[number],
  )
  const bounds = [
    { ...QUICK, unread: 1e9, stalled: 300 },
    { ...QUICK, unread: 1e6 },
  ]
  for (const limits of bounds) {
    const { url, port, streams, change } = await openBare(limits)
    const stuck = connect(port, '127.0.0.1').pause()
    stuck.write('GET /stuck HTTP/1.1\r\nHost: a\r\n\r\n')
    await eventually(() => assert.is(streams.count(), 1))
    const { next } = await listenTo(url)
    await next('revision')
    let turn = 0
    await eventually(async () => {
      change({ ...rest, revision: String(turn++), files: turn % 2 ? many : [] })
      await next('revision')
      assert.is(streams.count(), 1)
    })
    stuck.destroy()
  }
})

test('There are fewer streams than connections, however many users ask', async () => {
  const { url } = await openBare()
  const statuses = []
  for (let place = 0; place < 4; place++) statuses.push((await listenTo(`${url}/${place}`)).status)
  assert.equal(statuses, [200, 200, 503, 503])
})

test.run()
