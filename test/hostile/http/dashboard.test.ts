import { existsSync, readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startMenuscript } from '../../cli/command.js'
import { listenTo } from '../../dashboard/listening.js'
import { statusesOf } from '../../http/raw.js'
import { menuText } from '../../http/sites.js'
import { eventually } from '../../support/eventually.js'
import { figure, quantile, sized } from '../../support/figures.js'
import { get, type HttpOptions } from '../../support/http.js'
import { megabytes, metricOf, startService, TOKEN, withService } from './built-service.js'
import { openSockets } from './sockets.js'
import { statusOf, visitDuring } from './visitor.js'

const API = '/admin/menus/api'
const MENU = menuText('main', 'Home')
const authorization = `Bearer ${TOKEN}`
const json = { authorization, 'content-type': 'application/json' }

test('E5: while thousands of wrong passwords come in, from anywhere and for anybody, menus are answered', async () => {
  const count = sized(500, 10_000)
  const config = 'server: { trusted_proxies: [127.0.0.1] }\n'
  const files = { 'menus/main.yaml': MENU, 'menuscript.config.yaml': config }
  await withService(files, async ({ url }) => {
    const statuses = new Map<number, number>()
    let sent = 0
    /** Guesses on and on: ten wait for hashes, and the others are refused at once. */
    const guess = async (): Promise<void> => {
      for (let at = sent++; at < count; at = sent++) {
        const headers = {
          ...{ origin: url, 'content-type': 'application/json' },
          'x-forwarded-for': `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`,
        }
        const body = JSON.stringify({ user: `user-${at}`, password: 'wrong' })
        const answer = await get(`${url}${API}/session`, { method: 'POST', headers, body })
        if (answer.status === 429) assert.ok(Number(answer.headers['retry-after']) > 0)
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      }
    }
    const { times, failures } = await visitDuring(`${url}/api/menu/main`, async () => {
      await Promise.all(Array.from({ length: 40 }, guess))
    })
    assert.equal(failures, [])
    assert.equal([...statuses.keys()].sort(), [401, 429])
    const p99 = `p99 ${quantile(times, 0.99).toFixed(1)} ms, ${statuses.get(401)} hashed`
    figure(`${count} wrong passwords, menus meanwhile`, p99, '50 ms')
  })
})

/** Behind a proxy that names any user. */
const PROXIED = {
  'menus/main.yaml': MENU,
  'menuscript.config.yaml':
    'server: { trusted_proxies: [127.0.0.1] }\ndashboard: { proxy_user_header: X-User }\n',
}
const MAX_GROWTH = 120 * 1_048_576

test('D13 and D14: slow, cut off and pipelined bodies, and readers of no event, delay no visitor and take little memory', async () => {
  await withService(PROXIED, async (service) => {
    const { url, port } = service
    const head = (method: string, path: string, more: readonly string[] = []): string =>
      [`${method} ${API}${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...more, '', ''].join('\r\n')
    const asUser = (at: number) => `X-User: user-${at % 100}`
    const sending = (length: number) => [
      ...[`Authorization: Bearer ${TOKEN}`, 'Content-Type: application/json', `Content-Length: ${length}`],
    ]
    await visitDuring(`${url}/api/menu/main`, () => sleep(1_000), { pause: 0 })
    const attacks: Readonly<Record<string, () => Promise<void>>> = {
      '200 bodies of a byte a second': async () => {
        const sockets = await openSockets(port, 200)
        for (const socket of sockets) socket.write(head('POST', '/import', sending(1_000_000)))
        for (let at = 0; at < 3; at++) {
          for (const socket of sockets) socket.write(' ')
          await sleep(1_000)
        }
        for (const socket of sockets) socket.destroy()
      },
      '60 bodies of 4 MB that are cut off': async () => {
        const part = Buffer.from(head('POST', '/import', sending(4_000_001)) + ' '.repeat(4_000_000))
        const sockets = await openSockets(port, 60)
        await Promise.all(sockets.map((socket) => new Promise((sent) => socket.write(part, sent))))
        for (const socket of sockets) socket.destroy()
      },
      '64 patches sent ahead on one connection': async () => {
        const body = '[{"op":"test","path":"/name","value":"no"}]'
        const one = head('PATCH', '/menu?file=main.yaml', [...sending(body.length), 'If-Match: "0"']) + body
        const [socket] = await openSockets(port, 1)
        let text = ''
        socket?.on('data', (data) => (text += data)).write(one.repeat(64))
        try {
          await eventually(() => assert.is(statusesOf({ text, milliseconds: 0 }).length, 64), {
            within: 30_000,
          })
          for (const status of statusesOf({ text, milliseconds: 0 }))
            assert.ok(status === 412 || status === 503, text)
        } finally {
          socket?.destroy()
        }
      },
      '1,000 event streams that read nothing': async () => {
        const sockets = await openSockets(port, 1_000)
        for (const [at, socket] of sockets.entries())
          socket.pause().write(head('GET', '/events', [asUser(at)]))
        await sleep(500)
        assert.ok((await metricOf(service, 'menu_event_streams')) <= 100)
        const { headers } = await get(`${url}${API}/menu?file=main.yaml`, { headers: { authorization } })
        const body = JSON.stringify([{ op: 'replace', path: '/name', value: 'Front' }])
        const written = { ...json, 'if-match': headers['etag'] ?? '' }
        const file = `${url}${API}/menu?file=main.yaml`
        assert.is((await get(file, { method: 'PATCH', headers: written, body })).status, 200)
        for (const socket of sockets) socket.destroy()
      },
    }
    for (const [name, attack] of Object.entries(attacks)) {
      const before = service.resident()
      let most = before
      const weighing = setInterval(() => (most = Math.max(most, service.resident())), 50)
      const { times, failures } = await visitDuring(`${url}/api/menu/main`, attack)
      clearInterval(weighing)
      // A machine that holds us up makes it an overload.
      assert.equal(
        failures.filter((failure) => failure !== '503'),
        [],
        name,
      )
      assert.ok(most - before < MAX_GROWTH, `${name}: ${megabytes(most - before)}`)
      const p99 = `menu p99 ${quantile(times, 0.99).toFixed(1)} ms, memory + ${megabytes(most - before)}`
      figure(name, p99, `50 ms, + ${megabytes(MAX_GROWTH)}`)
    }
  })
})

test('E13: SIGTERM while somebody listens to events and a publish waits for git: the publish is finished, the end is soon', async () => {
  const service = await startService({ 'menus/main.yaml': MENU, '.git/HEAD': '', '.git/index.lock': '' })
  const { url, folder } = service
  const stream = await listenTo(`${url}${API}/events`, { authorization })
  await stream.next('drafts')
  const file = `${url}${API}/menu?file=main.yaml`
  const version = (await get(file, { headers: { authorization } })).headers['etag'] ?? ''
  const patch: HttpOptions = {
    ...{ method: 'PATCH', headers: { ...json, 'if-match': version } },
    body: JSON.stringify([{ op: 'replace', path: '/name', value: 'Front' }]),
  }
  const published = get(file, patch)
  await sleep(100)
  service.send('SIGTERM')
  const begun = performance.now()
  assert.is(await stream.ended, true)
  folder.remove('.git/index.lock')
  assert.is((await published).status, 200)
  assert.equal(await service.ended, { code: 0, signal: null })
  figure('SIGTERM with an event stream and a publish', `${Math.round(performance.now() - begun)} ms`, '10 s')
  assert.match(readFileSync(join(folder.dir, 'menus/main.yaml'), 'utf8'), 'Front')
  assert.match(readFileSync(join(folder.dir, '.menuscript/audit.log'), 'utf8'), /"file":"main.yaml"/)
  folder.close()
})

test('E14: after an error that nobody catches, what an operator had typed is there again, and so is the way in', async () => {
  const hook = `export const prepareRequest = ({ url }) => {
    if (url.includes('boom')) setTimeout(() => { throw new Error('the reason') }, 20)
  }`
  const service = await startService({
    ...{ 'menus/main.yaml': MENU, 'p.mjs': hook },
    'menuscript.config.yaml': 'policies: ./p.mjs\n',
  })
  const { folder } = service
  const open = (url: string) =>
    get(`${url}${API}/drafts?file=main.yaml`, { method: 'POST', headers: { authorization } })
  const { id } = (await open(service.url)).json() as { id: string }
  const body = JSON.stringify([{ op: 'replace', path: '/name', value: 'Typed' }])
  await get(`${service.url}${API}/drafts/${id}`, { method: 'PATCH', headers: json, body })
  await statusOf(`${service.url}/api/menu/main?boom`, new Agent())
  assert.equal(await service.ended, { code: 70, signal: null })
  assert.ok(existsSync(join(folder.dir, '.menuscript/address')))
  const env = { MENUSCRIPT_ADMIN_TOKEN: TOKEN }
  const again = startMenuscript(['serve', '--port', '0'], { cwd: folder.dir, env })
  const [, url = ''] = await again.waitFor(/^listening on (\S+)$/m)
  const draft = (await open(url)).json() as { id: string; menu: { name: string } }
  assert.equal([draft.id, draft.menu.name], [id, 'Typed'])
  assert.match(readFileSync(join(folder.dir, '.menuscript/address'), 'utf8'), url)
  assert.is(await again.stop(), 0)
  folder.close()
})

test.run()
