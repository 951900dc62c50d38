import { get as nodeGet } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import type { HttpAnswer } from '../support/http.js'
import { runProcess } from '../support/process.js'
import { closing, test } from '../support/test.js'
import { HELD, withHeld } from './held.js'
import { menuText, type OpenSite, openSite } from './sites.js'

const TOKEN = 'a-token-of-at-least-thirty-two-characters'
const ADMIN = { headers: { authorization: `Bearer ${TOKEN}` } }
const MENUS = { 'main.yaml': menuText('main', 'Home') }

/** A counter or a gauge of `/metrics`, by its name with its labels; 0 when it is not there. */
async function metricOf({ ask }: OpenSite, name: string): Promise<number> {
  const { text } = await ask('/metrics', ADMIN)
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1) ?? 0,
  )
}

/** The statuses of the answers about menus, as the log tells them at the level `debug`. */
function answeredOf({ events }: OpenSite): readonly unknown[] {
  return events
    .filter(({ event, fields }) => event === 'request_answered' && String(fields['url']).startsWith('/api/'))
    .map(({ fields }) => fields['status'])
}

test('E12: what the admin token opens does not exist without one, and is closed to clients without it', async () => {
  const without = closing(await openSite(MENUS))
  assert.is((await without.ask('/metrics')).status, 404)
  assert.is((await without.ask('/-/reload', { method: 'POST' })).status, 404)
  const { ask } = closing(await openSite(MENUS, { adminToken: TOKEN }))
  const wrong = { headers: { authorization: `Bearer ${TOKEN}x` } }
  for (const options of [{}, wrong, { headers: { authorization: TOKEN } }]) {
    for (const [path, method] of [
      ['/metrics', 'GET'],
      ['/-/reload', 'POST'],
    ] as const) {
      const answer = await ask(path, { ...options, method })
      assert.equal([answer.status, answer.headers['www-authenticate']], [401, 'Bearer'])
    }
  }
})

test('E12: metrics are in the format of Prometheus, and count answers by status', async () => {
  const site = closing(await openSite(MENUS, { adminToken: TOKEN }))
  for (const path of ['/api/menu/main', '/api/menu/none', '/nowhere', '/api/menu/%']) await site.ask(path)
  const { headers, text } = await site.ask('/metrics', ADMIN)
  assert.match(headers['content-type'] ?? '', 'text/plain; version=0.0.4')
  assert.match(text, /^# TYPE menu_requests_total counter$/m)
  for (const [status, count] of [
    [200, 2],
    [404, 1],
    [400, 1],
  ])
    assert.match(text, new RegExp(`^menu_requests_total\\{status="${status}"\\} ${count}$`, 'm'))
  assert.match(text, /^menu_files 1$/m)
  assert.match(text, /^menuscript_build_info\{version="0\.0\.0"\} 1$/m)
  assert.match(text, /^process_resident_memory_bytes \d+$/m)
  assert.ok((await metricOf(site, 'menu_snapshot_age_seconds')) < 60)
})

test('Only counters have names that end in _total, as Prometheus wants it', async () => {
  const { text } = await closing(await openSite(MENUS, { adminToken: TOKEN })).ask('/metrics', ADMIN)
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  const totals = types.filter(([, name]) => name?.endsWith('_total'))
  assert.equal([...new Set(totals.map(([, , type]) => type))], ['counter'])
  assert.match(text, /^nodejs_active_handles\{/m)
})

test('Requests are timed by kind and class of status, but not the streams that last as long as their clients', async () => {
  const site = closing(await openSite(MENUS, { adminToken: TOKEN, hasDashboard: true }))
  const events = nodeGet(`${site.url}/admin/menus/api/events`, { agent: false, ...ADMIN })
  events.on('error', () => {})
  await new Promise<void>((resolve) => {
    events.once('response', (message) => message.once('data', resolve))
  })
  events.destroy()
  const paths = ['/api/menu/main', '/api/menu/main?_locale=%', '/api/menu/none', '/admin/menus', '/admin']
  for (const path of [...paths, '/admin/menusx', '/admin/menus/api/menus']) await site.ask(path)
  await site.ask('/admin/menus/api/menus', ADMIN)
  const name = 'menu_request_duration_seconds'
  const countOf = (labels: string): Promise<number> => metricOf(site, `${name}_count{${labels}}`)
  assert.is(await countOf('kind="menu",status="2xx"'), 2)
  assert.is(await countOf('kind="menu",status="4xx"'), 1)
  assert.is(await countOf('kind="other",status="4xx"'), 2)
  assert.is(await countOf('kind="dashboard",status="2xx"'), 1)
  assert.is(await countOf('kind="dashboard",status="4xx"'), 2)
  assert.is(await metricOf(site, `${name}_bucket{kind="menu",status="2xx",le="+Inf"}`), 2)
  assert.ok((await metricOf(site, `${name}_sum{kind="menu",status="2xx"}`)) > 0)
  const { text } = await site.ask('/metrics', ADMIN)
  assert.match(text, new RegExp(`^# TYPE ${name} histogram$`, 'm'))
  const names = text.match(/^[a-z]\w*(?:\{.*\})?(?= )/gm) ?? []
  assert.is(new Set(names).size, names.length)
})

test('Metrics name the revision that is served, and the commit and the delay of a remote repository if there is one', async () => {
  const site = closing(await openSite(MENUS, { adminToken: TOKEN }))
  const { revision } = (await site.ask('/readyz')).json() as { revision: string }
  const info = (commit: string) => `menuscript_revision_info{revision="${revision}",commit="${commit}"}`
  assert.is(await metricOf(site, info('')), 1)
  const { text } = await site.ask('/metrics', ADMIN)
  assert.not.match(text, /^menu_(?:replica_behind_seconds|remote_reachable) /m)
  const commit = 'f'.repeat(40)
  const remote = { commit, behindSeconds: 12.5, reason: null as string | null }
  site.counting.follow(() => remote)
  const read = (): Promise<readonly number[]> =>
    Promise.all(
      [info(commit), 'menu_replica_behind_seconds', 'menu_remote_reachable', 'menu_degraded'].map((name) =>
        metricOf(site, name),
      ),
    )
  assert.equal(await read(), [1, 12.5, 1, 0])
  remote.reason = 'no route to host'
  assert.equal(await read(), [1, 12.5, 0, 1])
})

test('A request whose client leaves before the answer counts as 499, whichever answer was due', async () => {
  const policies = `
    export const prepareRequest = async ({ url }) => {
      if (!url.includes('wait')) return
      await ${HELD}
      if (url.includes('throw')) throw new Error('late')
    }`
  const options = { policies, adminToken: TOKEN, config: { log: { level: 'debug' } } }
  const site = closing(await openSite(MENUS, options))
  await withHeld(async (held) => {
    for (const [place, query] of ['?wait', '?wait&throw'].entries()) {
      const sent = nodeGet(`${site.url}/api/menu/main${query}`, { agent: false }).on('error', () => {})
      await eventually(() => assert.is(held.length, place + 1))
      sent.destroy()
      const isCounted = async (): Promise<void> =>
        assert.is(await metricOf(site, 'menu_requests_total{status="499"}'), place + 1)
      await eventually(isCounted)
      held[place]?.()
    }
    await site.ask('/api/menu/main')
    await sleep(200)
    assert.is(await metricOf(site, 'menu_requests_total{status="500"}'), 0)
    assert.equal(answeredOf(site), [499, 499, 200])
  })
})

test('An answer whose client goes half-way keeps its status', async () => {
  const items = Array.from({ length: 2_000 }, (_, i) => ({ label: `${i} ${'x'.repeat(1_000)}`, url: '/' }))
  const big = JSON.stringify({ version: 1, code: 'big', name: 'Big', items })
  const config = { limits: { bytes: 4_000_000 }, log: { level: 'debug' } }
  const site = closing(await openSite({ 'big.yaml': big }, { adminToken: TOKEN, config }))
  await new Promise<void>((resolve, reject) => {
    const asked = nodeGet(`${site.url}/api/menu/big`, { agent: false }, (message) => {
      message.once('data', () => message.destroy()).once('close', resolve)
      message.on('error', () => {})
    })
    asked.on('error', reject)
  })
  await eventually(() => assert.equal(answeredOf(site), [200]))
  assert.is(await metricOf(site, 'menu_requests_total{status="200"}'), 1)
})

test('A1: each broken version of a file moves the counter of failures, and a fixed one the gauge', async () => {
  const site = closing(await openSite(MENUS, { adminToken: TOKEN }))
  const write = async (text: string): Promise<HttpAnswer> => {
    site.folder.write('menus/main.yaml', text)
    return site.ask('/-/reload', { ...ADMIN, method: 'POST' })
  }
  for (const [place, text] of ['a: [', 'version: 2', 'x: 1'].entries()) {
    const { status } = (await write(text)).json() as { status: string }
    assert.equal([status, await metricOf(site, 'menu_reload_failed_total')], ['degraded', place + 1])
    assert.equal(
      [await metricOf(site, 'menu_files_invalid'), await metricOf(site, 'menu_menus_stale')],
      [1, 1],
    )
  }
  await write(menuText('main', 'Fixed'))
  assert.equal([await metricOf(site, 'menu_files_invalid'), await metricOf(site, 'menu_menus_stale')], [0, 0])
  assert.is(await metricOf(site, 'menu_reloads_total'), 4)
  assert.is((await metricOf(site, 'menu_events_total{level="error",event="menu_problem"}')) > 2, true)
})

test('POST /-/reload answers once the files on disk are served', async () => {
  const { ask, folder } = closing(await openSite(MENUS, { adminToken: TOKEN }))
  folder.write('menus/main.yaml', menuText('main', 'Changed'))
  const answer = await ask('/-/reload', { ...ADMIN, method: 'POST', body: 'ignored' })
  assert.equal([answer.status, (answer.json() as { menus: number }).menus], [200, 1])
  assert.match((await ask('/api/menu/main')).text, 'Changed')
  const other = await ask('/-/reload', ADMIN)
  assert.equal([other.status, other.headers['allow']], [405, 'POST, OPTIONS'])
})

test('A failure is reported under the id that a proxy gave the request, if that is only an id', async () => {
  const policies = "export const resolveMenuCode = () => { throw new Error('no') }"
  const { ask, events } = closing(await openSite(MENUS, { policies }))
  const idOf = async (id: string) =>
    ((await ask('/api/menu/main', { headers: { 'x-request-id': id } })).json() as { id: string }).id
  assert.is(await idOf('abc-123'), 'abc-123')
  assert.match(await idOf('a b'), /^[0-9a-f-]{36}$/)
  assert.ok(events.some(({ event, fields }) => event === 'request_failed' && fields['id'] === 'abc-123'))
})

test('D16: a service that is overloaded reports it at once, and still answers /livez', async () => {
  const policies = `
    export const canView = () => { const end = performance.now() + 120; while (performance.now() < end); return true }`
  const { url, ask } = closing(await openSite(MENUS, { policies }))
  const clients = join(import.meta.dirname, 'busy-clients.mjs')
  const { stdout } = await runProcess('node', [clients, `${url}/api/menu/main`])
  assert.is(stdout, '1')
  assert.is((await ask('/livez')).status, 200)
  await eventually(async () => assert.is((await ask('/api/menu/main')).status, 200))
})

test.run()
