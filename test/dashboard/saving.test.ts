import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { Operation } from '../../src/change/operations/operation.js'
import { openSite } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import { commitFolder, gitIn } from '../support/repository.js'
import { closing, test } from '../support/test.js'
import {
  ADMIN,
  API,
  codeOf,
  draftOf,
  MENU,
  openForScript,
  renamed,
  scriptOf,
  textOf,
  versionOf,
} from './managing.js'

type Script = ReturnType<typeof scriptOf>

const FIXTURES = join(import.meta.dirname, '../fixtures/edits')
const relabelled = (at: number, value: string) => [{ op: 'replace', path: `/items/${at}/label`, value }]
const patch = (script: Script, body: unknown, version: string, headers = {}) =>
  script('PATCH', '/menu?file=main.yaml', { body, version, headers })

const commitMenus = (dir: string): void => commitFolder(dir, 'menus')

test('B7: of two patches of one version, the second is refused with the version that there is now', async () => {
  const [script, site] = await openForScript()
  const version = await versionOf(script)
  const [one, two] = await Promise.all([
    patch(script, renamed('A'), version),
    patch(script, renamed('B'), version),
  ])
  assert.equal([one.status, codeOf(two)], [200, '412 changed'])
  const { menu: now, diff } = one.json() as { menu: object; diff: string }
  const { file, asked, version: other, menu, diff: became } = two.json() as Record<string, unknown>
  assert.equal([file, `"${asked}"`, `"${other}"`], ['main.yaml', version, one.headers['etag']])
  assert.equal([menu, became], [now, diff])
  assert.match(textOf(site), 'name: A ')
  // With no other request, a client makes its change to what there is now.
  assert.is((await patch(script, renamed('B'), `"${other}"`)).status, 200)
  const unknown = await patch(script, renamed('C'), `"${'0'.repeat(32)}"`)
  assert.equal([codeOf(unknown), (unknown.json() as { diff: unknown }).diff], ['412 changed', null])
})

test('B8: while git has taken a file away, requests for it get 423 with Retry-After, and 404 once it is gone', async () => {
  const [script, site] = await openForScript({ prepare: commitMenus })
  const version = await versionOf(script)
  const { id } = (await script('POST', '/drafts?file=main.yaml')).json() as { id: string }
  rmSync(join(site.folder.dir, 'menus/main.yaml'))
  const lock = join(site.folder.dir, '.git/index.lock')
  writeFileSync(lock, '')
  const ask = () => [
    script('GET', '/menu?file=main.yaml'),
    script('GET', '/source?file=main.yaml'),
    script('POST', '/drafts?file=main.yaml'),
    patch(script, renamed('A'), version),
    script('POST', `/drafts/${id}/resolve`, { body: { version: version.slice(1, -1), choices: {} } }),
  ]
  for (const answer of await Promise.all(ask())) {
    assert.is(codeOf(answer), '423 busy')
    assert.is(answer.headers['retry-after'], '2')
  }
  rmSync(lock)
  for (const answer of await Promise.all(ask())) assert.is(codeOf(answer), '404 no-file')
})

test('B7 and B8: a draft is merged with what others publish or pull meanwhile, or the conflict is said', async () => {
  const [script, site] = await openForScript()
  const draft = await draftOf(script, relabelled(0, 'Start'))
  assert.is((await patch(script, relabelled(1, 'Revenue'), await versionOf(script))).status, 200)
  // As a git pull does.
  writeFileSync(
    join(site.folder.dir, 'menus/main.yaml'),
    textOf(site).replace('url: /sales', 'url: /revenue'),
  )
  assert.is((await script('POST', `${draft}/publish`)).status, 200)
  const merged = MENU.replace('Home', 'Start').replace('Sales', 'Revenue').replace('/sales', '/revenue')
  assert.is(textOf(site), merged)
  const other = await draftOf(script, relabelled(0, 'Mine'))
  const theirs = textOf(site).replace('Start', 'Theirs')
  writeFileSync(join(site.folder.dir, 'menus/main.yaml'), theirs)
  assert.is(codeOf(await script('POST', `${other}/publish`)), '409 conflict')
  assert.equal([textOf(site), (await script('GET', other)).status], [theirs, 200])
})

test('A draft starts from the version that a client was shown, as long as that is known', async () => {
  const [script, site] = await openForScript()
  const start = async (version: string) => script('POST', `/drafts?file=main.yaml&version=${version}`)
  const first = JSON.parse(await versionOf(script))
  await patch(script, renamed('A'), `"${first}"`)
  const now = JSON.parse(await versionOf(script))
  for (const version of [now, first]) {
    const { base } = (await start(version)).json() as { base: string }
    assert.is(base, version, 'a draft without changes makes way')
  }
  const { id } = (await start(first)).json() as { id: string }
  await script('PATCH', `/drafts/${id}`, { body: relabelled(1, 'Offers') })
  assert.is(((await start(now)).json() as { id: string }).id, id)
  assert.is((await script('POST', `/drafts/${id}/publish`)).status, 200)
  assert.is(textOf(site), MENU.replace('Main', 'A').replace('Sales', 'Offers'))
  assert.is(codeOf(await start('unknown')), '412 changed')
})

test('B10: while git holds its lock a save waits for two seconds; then it is made, and only its commit is refused', async () => {
  const [script, site] = await openForScript({ prepare: commitMenus })
  const lock = join(site.folder.dir, '.git/index.lock')
  writeFileSync(lock, '')
  const saving = patch(script, renamed('A'), await versionOf(script))
  await new Promise((done) => setTimeout(done, 300))
  assert.is(textOf(site), MENU)
  rmSync(lock)
  assert.is((await saving).status, 200)
  writeFileSync(lock, '')
  const answer = await patch(script, renamed('B'), await versionOf(script))
  const { commit } = answer.json() as { commit?: { kind: string } }
  assert.equal([answer.status, commit?.kind], [200, 'busy'], answer.text)
  assert.match(textOf(site), 'name: B')
})

test('B11: a save that comes back through a rescan makes no other revision', async () => {
  const [script, site] = await openForScript()
  await patch(script, renamed('A'), await versionOf(script))
  const revisionOf = async () => ((await script('GET', '/menus')).json() as { revision: string }).revision
  const before = await revisionOf()
  const headers = { authorization: `Bearer ${ADMIN}` }
  await site.ask('/-/reload', { method: 'POST', headers })
  assert.is(await revisionOf(), before)
  assert.is(site.events.filter(({ event }) => event === 'menu_changed').length, 0)
})

test('B12: what would be a menu with errors is refused with each of them and its pointer', async () => {
  const [script, site] = await openForScript()
  const wrong: readonly Operation[] = [
    { op: 'replace', path: '/items/0/url', value: 'javascript:alert(1)' },
    { op: 'remove', path: '/items/1/label' },
  ]
  const answer = await patch(script, wrong, await versionOf(script))
  assert.is(codeOf(answer), '422 invalid-menu')
  const { problems } = answer.json() as { problems: { pointer: string }[] }
  assert.equal(problems.map(({ pointer }) => pointer).sort(), ['/items/0/url', '/items/1'])
  assert.is(textOf(site), MENU)
})

test('B13: a request that is sent twice with one key is done once, and answered alike', async () => {
  const [script, site] = await openForScript()
  const headers = { 'idempotency-key': 'one' }
  const version = await versionOf(script)
  const answers = await Promise.all([1, 2].map(() => patch(script, renamed('A'), version, headers)))
  answers.push(await patch(script, renamed('A'), version, headers))
  assert.equal(
    answers.map(({ status, text }) => [status, text]),
    Array(3).fill([200, answers[0]?.text]),
  )
  assert.is(codeOf(await patch(script, renamed('B'), version, headers)), '422 key-reused')
  const draft = await draftOf(script, relabelled(0, 'Start'))
  const twice = [1, 2].map(() =>
    script('POST', `${draft}/publish`, { headers: { 'idempotency-key': 'two' } }),
  )
  const [first, second] = await Promise.all(twice)
  assert.equal([first?.status, first?.text], [200, second?.text])
  assert.is(readdirSync(join(site.folder.dir, '.menuscript/versions')).length, 2)
  // What was refused may be tried again.
  const late = { 'idempotency-key': 'three' }
  assert.is((await patch(script, renamed('C'), version, late)).status, 412)
  assert.is((await patch(script, renamed('C'), await versionOf(script), late)).status, 200)
})

test('B14: a client that goes in the middle of its body changes nothing', async () => {
  const [script, site] = await openForScript()
  const body = JSON.stringify(renamed('A'))
  const { port } = new URL(site.url)
  const head = [
    `PATCH ${API}/menu?file=main.yaml HTTP/1.1`,
    ...['host: 127.0.0.1', `authorization: Bearer ${ADMIN}`, 'content-type: application/json'],
    ...[`if-match: ${await versionOf(script)}`, `content-length: ${body.length}`],
  ].join('\r\n')
  for (const length of [0, 1, body.length - 1]) {
    const socket = connect(Number(port), '127.0.0.1')
    await new Promise<void>((sent) => socket.write(`${head}\r\n\r\n${body.slice(0, length)}`, () => sent()))
    socket.destroy()
  }
  await eventually(async () => assert.is((await site.ask('/livez')).status, 200))
  assert.is(textOf(site), MENU)
  assert.is((await patch(script, renamed('A'), await versionOf(script))).status, 200)
})

/** The texts in which the label of the second item is over several lines. */
const OVER_LINES = ['folded.yaml', 'literal.yaml', 'quotes-over-lines.yaml']

test('B15: in each nasty text, a new label of an item changes one line', async () => {
  const names = readdirSync(FIXTURES).filter((name) => name.endsWith('.yaml'))
  const read = (name: string) => readFileSync(join(FIXTURES, name), 'utf8')
  const menus = Object.fromEntries(
    names.map((name, at) => [name, read(name).replace(/(code"?: *)(["']?)[\w.-]+\2/, `$1$2m${at}$2`)]),
  )
  const off = { git: { commit: 'off' } }
  const site = closing(
    await openSite(menus, { adminToken: ADMIN, hasDashboard: true, prepare: commitMenus, config: off }),
  )
  const script = scriptOf(site)
  const { menus: all } = (await script('GET', '/menus')).json() as {
    menus: { file: string; state: string }[]
  }
  const served = all.filter(({ state }) => state === 'served').map(({ file }) => file)
  assert.ok(served.length > 25)
  for (const name of served) {
    const version = (await script('GET', `/menu?file=${name}`)).headers['etag'] ?? ''
    const item = OVER_LINES.includes(name) ? '/items/2/children/1' : '/items/1'
    const body = [{ op: 'replace', path: `${item}/label`, value: 'Novelties' }]
    const answer = await script('PATCH', `/menu?file=${name}`, { body, version })
    assert.is(answer.status, 200, `${name}: ${answer.text}`)
  }
  const counts = gitIn(site.folder.dir, 'diff', '--numstat')
  const lines = counts.trim().split('\n')
  assert.equal([lines.length, lines.filter((line) => !line.startsWith('1\t1\t'))], [served.length, []])
})

test('What is over the size limit is refused with its size and the limit', async () => {
  const menus = { 'main.yaml': MENU, 'large.yaml': `${MENU}${'#'.repeat(1_200_000)}` }
  const [script] = await openForScript({ menus })
  const version = await versionOf(script)
  const put = { body: MENU, type: 'text/yaml', version }
  const answers = [
    await script('GET', '/menu?file=large.yaml'),
    await script('GET', '/source?file=large.yaml'),
    await script('POST', '/drafts?file=large.yaml'),
    await script('PUT', '/source?file=large.yaml', put),
    await patch(script, renamed('x'.repeat(1_200_000)), version),
  ]
  for (const answer of answers) {
    assert.is(answer.status, 422, answer.text)
    assert.match((answer.json() as { detail: string }).detail, / 12\d{5} bytes, and 1048576 are allowed\./)
  }
  assert.is((await script('GET', '/history?file=large.yaml')).status, 200)
})

test.run()
