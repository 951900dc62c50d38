import { existsSync, readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startMenuscript } from '../../cli/command.js'
import { listenTo } from '../../dashboard/listening.js'
import { menuText } from '../../http/sites.js'
import { figure, quantile, sized } from '../../support/figures.js'
import { get, type HttpOptions } from '../../support/http.js'
import { startService, TOKEN, withService } from './built-service.js'
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
