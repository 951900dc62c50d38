import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { type OpenSite, openSite } from '../http/sites.js'
import { closing, test } from '../support/test.js'
import { ADMIN, API, codeOf, MENU, openForScript, renamed, scriptOf, textOf, versionOf } from './managing.js'

/** Another service that has the menus and the state.dir of a site. */
async function openBeside({ folder: { dir } }: OpenSite): Promise<OpenSite> {
  const config = {
    state: { dir: join(dir, '.menuscript') },
    storage: { connections: { default: join(dir, 'menus') } },
  }
  return closing(await openSite({ 'unused.yaml': MENU }, { adminToken: ADMIN, hasDashboard: true, config }))
}

const signIn = ({ ask, url }: OpenSite, link: string) =>
  ask(`${API}/session`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ link }),
  })

test('E1: of many that use one link at the same time at two services, one signs in, and a used link stays used', async () => {
  const [, site] = await openForScript()
  const other = await openBeside(site)
  const [, link = ''] = site.link().split('link=')
  // An address has ten attempts.
  const sites = Array.from({ length: 18 }, (_, at) => (at % 2 ? site : other))
  const answers = await Promise.all(sites.map((each) => signIn(each, link)))
  assert.equal(answers.map(({ status }) => status).filter((status) => status === 201).length, 1)
  for (const { status } of answers) assert.ok([201, 401].includes(status), String(status))
  const restarted = await openBeside(site)
  const [, next = ''] = site.link().split('link=')
  assert.is((await signIn(restarted, next)).status, 201)
  assert.is(codeOf(await signIn(restarted, next)), '401 wrong-link')
})

test('E4: a session of one service is one of the other, until it is ended at either', async () => {
  const [, site] = await openForScript()
  const other = await openBeside(site)
  const [, link = ''] = site.link().split('link=')
  const { headers: given } = await signIn(site, link)
  const [cookie = ''] = (given['set-cookie'] ?? '').split(';')
  const found = await other.ask(`${API}/session`, { headers: { cookie } })
  const { csrf } = found.json() as { csrf: string }
  const headers = { cookie, origin: other.url, 'x-csrf-token': csrf }
  assert.is((await other.ask(`${API}/session`, { method: 'DELETE', headers })).status, 204)
  for (const each of [site, other])
    assert.is(codeOf(await each.ask(`${API}/session`, { headers: { cookie } })), '401 unauthorized')
})

test('B7: steps of a draft that come to two services at once are all in it, or refused for its revision', async () => {
  const [script, site] = await openForScript()
  const other = await openBeside(site)
  const scripts = [script, scriptOf(other)]
  const { id } = (await script('POST', '/drafts?file=main.yaml')).json() as { id: string }
  const steps = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      scripts[at % 2]?.('PATCH', `/drafts/${id}`, { body: [{ op: 'add', path: `/x-${at}`, value: at }] }),
    ),
  )
  assert.equal(
    steps.map((answer) => answer?.status),
    Array(20).fill(200),
  )
  const outdated = { body: renamed('A'), version: '"0"' }
  assert.is(codeOf(await scriptOf(other)('PATCH', `/drafts/${id}`, outdated)), '412 draft-changed')
  const published = await Promise.all(scripts.map((each) => each('POST', `/drafts/${id}/publish`)))
  assert.ok(published.some(({ status }) => status === 200))
  for (const { status, text } of published) assert.ok([200, 404].includes(status), text)
  for (let at = 0; at < 20; at++) assert.match(textOf(site), `x-${at}: ${at}\n`)
  assert.is((await script('GET', `/drafts/${id}`)).status, 404)
})

test('B13: after a restart, a step sent again with its key counts once, and another step with that key is made', async () => {
  const [script, site] = await openForScript()
  const { id } = (await script('POST', '/drafts?file=main.yaml')).json() as { id: string }
  const restarted = scriptOf(await openBeside(site))
  const send = async (each: typeof script, name: string): Promise<number> => {
    const sent = { body: renamed(name), headers: { 'idempotency-key': 'k' } }
    return ((await each('PATCH', `/drafts/${id}`, sent)).json() as { revision: number }).revision
  }
  assert.equal([await send(script, 'A'), await send(restarted, 'A')], [1, 1])
  assert.equal([await send(scriptOf(await openBeside(site)), 'B')], [2])
})

test('A draft of what the file has by now, as an interrupted publish leaves one, is gone after a restart', async () => {
  const [script, site] = await openForScript({
    menus: { 'main.yaml': MENU, 'side.yaml': MENU.replace('main', 'side') },
  })
  for (const file of ['main.yaml', 'side.yaml']) {
    const { id } = (await script('POST', `/drafts?file=${file}`)).json() as { id: string }
    await script('PATCH', `/drafts/${id}`, { body: renamed('Other') })
  }
  site.folder.write('menus/main.yaml', MENU.replace('name: Main', 'name: Other'))
  const left = (await scriptOf(await openBeside(site))('GET', '/menus')).json() as {
    menus: { file: string; drafts: unknown[] }[]
  }
  assert.equal(
    left.menus.map(({ file, drafts }) => [file, drafts.length]),
    [
      ['main.yaml', 0],
      ['side.yaml', 1],
    ],
  )
})

test('B7: of two patches of one version at two services, one is written and the other is refused', async () => {
  const [script, site] = await openForScript()
  const other = await openBeside(site)
  const version = await versionOf(script)
  const patch = (at: number) => ({ body: renamed(`Name ${at}`), version })
  const answers = await Promise.all(
    [script, scriptOf(other)].map((each, at) => each('PATCH', '/menu?file=main.yaml', patch(at))),
  )
  assert.equal(answers.map(({ status }) => status).sort(), [200, 412])
})

test.run()
