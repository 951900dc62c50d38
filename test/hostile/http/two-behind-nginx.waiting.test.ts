import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startMenuscript } from '../../cli/command.js'
import { figure, SEED, sized } from '../../support/figures.js'
import { createMenusFolder, type MenusFolder } from '../../support/menus-folder.js'
import type { Running } from '../../support/process.js'
import { createRandom } from '../yaml/random.js'
import { behindNginx } from './nginx.js'

const TTL_S = 1
const TENANTS = ['a', 'b', 'c'] as const
const LOCALES = ['en', 'es'] as const
/** What a viewer may see; `''` is everybody. */
const VIEWERS = ['', 'office', 'shop'] as const
const REQUESTS = sized(6_000, 100_000)
const AT_ONCE = 16

const CONFIG = `locales: [en, es]
cache: { ttl: ${TTL_S} }
policies: ./policies.mjs
`
const POLICIES = `export const varyOn = ['X-Tenant', 'X-Permission']
export const resolveMenuCode = ({ headers }, hint) => hint === 'open' ? hint : \`\${hint}-\${headers['x-tenant']}\`
export const resolveViewer = ({ headers }) => ({ id: null, permissions: [headers['x-permission'] ?? ''] })
`

/** The menu of a tenant, whose name is in every label, so that a response to another tenant is noticed. */
function tenantMenu(tenant: string, edition: number): string {
  const link = (what: string, permissions: readonly string[] = []) => ({
    label: { en: `${tenant} en ${what} ${edition}`, es: `${tenant} es ${what} ${edition}` },
    url: '/',
    ...(permissions.length > 0 && { permissions }),
  })
  const items = [link('all'), link('office', ['office']), link('shop', ['shop'])]
  return JSON.stringify({ version: 1, code: `main-${tenant}`, name: tenant, items })
}

interface Wanted {
  readonly tenant: (typeof TENANTS)[number]
  readonly locale: (typeof LOCALES)[number]
  readonly viewer: (typeof VIEWERS)[number]
}

interface Got {
  readonly status: number
  readonly text: string
  readonly tag: string
  readonly cache: string
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

function ask(url: string, { tenant, locale, viewer }: Wanted, tag: string = ''): Promise<Got> {
  const headers = {
    'X-Tenant': tenant,
    'Accept-Language': locale,
    ...(viewer !== '' && { 'X-Permission': viewer }),
    ...(tag !== '' && { 'If-None-Match': tag }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/menu/main`, { agent, headers }, (message) => {
      let text = ''
      message.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      message.on('error', reject).on('end', () => {
        const { etag = '', 'x-cache': cache = '' } = message.headers
        resolve({ status: message.statusCode ?? 0, text, tag: etag, cache: String(cache) })
      })
    })
    sent.on('error', reject).end()
  })
}

/** The labels that are right for a viewer; the edition is any. */
function isRight({ tenant, locale, viewer }: Wanted, text: string): boolean {
  const labels = (JSON.parse(text) as { label: string }[]).map(({ label }) => label.replace(/ \d+$/, ''))
  const expected = ['all', viewer].filter((what) => what !== '').map((what) => `${tenant} ${locale} ${what}`)
  return JSON.stringify(labels) === JSON.stringify(expected)
}

/** Two services over one folder, behind one nginx with the configuration of the documentation. */
async function withTwo(
  work: (url: string, folder: MenusFolder, services: readonly Running[]) => Promise<void>,
): Promise<void> {
  const menus = Object.fromEntries(TENANTS.map((tenant) => [`menus/${tenant}.yaml`, tenantMenu(tenant, 1)]))
  const folder = createMenusFolder({ ...menus, 'menuscript.config.yaml': CONFIG, 'policies.mjs': POLICIES })
  const services = [1, 2].map(() => startMenuscript(['serve', '--port', '0'], { cwd: folder.dir, env: {} }))
  try {
    const urls = await Promise.all(
      services.map(async (each) => (await each.waitFor(/^listening on (\S+)$/m))[1] ?? ''),
    )
    await behindNginx(urls, (url) => work(url, folder, services))
  } finally {
    await Promise.all(services.map((each) => each.stop()))
    folder.close()
  }
}

test('D18, D19: behind nginx, of two services over one folder, no viewer, tenant or language gets what is another’s', () =>
  withTwo(async (url, folder, services) => {
    const { pick: one, below } = createRandom(SEED, 0)
    const tags = new Map<string, string>()
    const count = { HIT: 0, 304: 0, foreign: 0, failed: 0 }
    let left = REQUESTS
    const visit = async (): Promise<void> => {
      while (left-- > 0) {
        // An edit now and then, of which the caches know nothing.
        if (left % 1_000 === 500) folder.write('menus/a.yaml', tenantMenu('a', left))
        const wanted = { tenant: one(TENANTS), locale: one(LOCALES), viewer: one(VIEWERS) }
        const key = JSON.stringify(wanted)
        const { status, text, tag, cache } = await ask(
          url,
          wanted,
          below(4) === 0 ? (tags.get(key) ?? '') : '',
        )
        if (cache === 'HIT') count.HIT++
        if (status === 304) count[304]++
        else if (status !== 200) count.failed++
        else if (!isRight(wanted, text)) count.foreign++
        else tags.set(key, tag)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, visit))
    const share = (part: number) => `${Math.round((100 * part) / REQUESTS)} %`
    figure(
      'two services behind nginx',
      `${REQUESTS} requests, ${share(count.HIT)} from the cache, ${share(count[304])} 304`,
      'no goal',
    )
    assert.equal([count.foreign, count.failed], [0, 0], `seed ${SEED}`)
    assert.ok(count.HIT > REQUESTS / 2 && count[304] > REQUESTS / 20, JSON.stringify(count))

    const wanted = { tenant: 'b', locale: 'es', viewer: 'office' } as const
    folder.write('menus/b.yaml', tenantMenu('b', 2))
    const since = performance.now()
    for (let text = ''; !text.includes('b es office 2'); await sleep(20)) {
      assert.ok(performance.now() - since < 30_000, text)
      text = (await ask(url, wanted)).text
    }
    figure('an edit, until nginx serves it', `${Math.round(performance.now() - since)} ms`, `ttl ${TTL_S} s`)

    // One service fewer changes nothing; without any, what was kept is served on.
    await services[0]?.stop()
    for (let turn = 0; turn < 100; turn++) {
      const every = { tenant: one(TENANTS), locale: one(LOCALES), viewer: one(VIEWERS) }
      const { status, text } = await ask(url, every)
      assert.equal([status, isRight(every, text)], [200, true])
    }
    await ask(url, wanted)
    await services[1]?.stop()
    await sleep(TTL_S * 1_500)
    const { status, text, cache } = await ask(url, wanted)
    assert.equal([status, isRight(wanted, text)], [200, true])
    assert.ok(['STALE', 'UPDATING', 'HIT'].includes(cache), cache)
  }))

test.after(() => agent.destroy())
test.run()
