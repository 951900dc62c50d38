import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { menuText, type OpenSite, openSite, type SiteOptions, withSite } from '../../http/sites.js'
import { eventually } from '../../support/eventually.js'
import { figure } from '../../support/figures.js'
import { get, type HttpAnswer } from '../../support/http.js'
import { closing, test } from '../../support/test.js'
import { TOKEN } from './built-service.js'
import { behindNginx } from './nginx.js'
import { visitDuring } from './visitor.js'

const OPEN = Array.from({ length: 40 }, (_, place) => ({
  label: { en: `Entry ${place}`, es: `Entrada ${place}` },
  url: `/${place}`,
}))
const menu = (code: string, items: unknown) => JSON.stringify({ version: 1, code, name: code, items })
const MENUS = {
  'open.yaml': menu('open', OPEN),
  'guarded.yaml': menu('guarded', [...OPEN, { label: 'Office', url: '/office', permissions: ['office'] }]),
  'broken.yaml': 'version: 1\ncode: broken\n',
}
const CONFIG = { locales: ['en', 'es'], server: { trusted_proxies: ['127.0.0.1'] } }

type Ask = (path: string, headers?: Readonly<Record<string, string>>) => Promise<HttpAnswer>

/** A site behind nginx. */
function proxied(
  options: SiteOptions,
  work: (ask: Ask, site: OpenSite, url: string) => Promise<void>,
): Promise<void> {
  const all = { adminToken: TOKEN, ...options, config: { ...CONFIG, ...options.config } }
  return withSite(MENUS, all, (site) =>
    behindNginx(site.url, (url) => work((path, headers = {}) => get(url + path, { headers }), site, url)),
  )
}

const cacheOf = ({ headers }: HttpAnswer): string | undefined => headers['x-cache']

test('D17, D18: behind nginx an open menu is kept and an entity tag gives 304, from the cache, too', () =>
  proxied({}, async (ask) => {
    const first = await ask('/api/menu/open?_locale=en')
    const again = await ask('/api/menu/open?_locale=en')
    assert.equal([cacheOf(first), cacheOf(again)], ['MISS', 'HIT'])
    assert.is(again.text, first.text)
    const same = await ask('/api/menu/open?_locale=en', { 'if-none-match': first.headers['etag'] ?? '' })
    assert.equal([same.status, same.body.length, cacheOf(same)], [304, 0, 'HIT'])
    assert.is(same.headers['etag'], first.headers['etag'])
  }))

test('D19: behind nginx each visitor gets the language that the browser asks for, and the cache helps', () =>
  proxied({}, async (ask) => {
    let hits = 0
    for (let turn = 0; turn < 4; turn++) {
      for (const language of ['en', 'es', 'es-MX, en;q=0.5', 'de']) {
        const answer = await ask('/api/menu/open', { 'accept-language': language })
        const expected = language.startsWith('es') ? 'es' : 'en'
        assert.is(answer.headers['content-language'], expected)
        assert.match(answer.text, expected === 'es' ? '"Entrada 0"' : '"Entry 0"')
        if (cacheOf(answer) === 'HIT') hits++
      }
    }
    assert.ok(hits >= 8, `${hits}`)
  }))

test('D18: behind nginx a menu with permissions, and any menu with hooks, is asked for each time', async () => {
  await proxied({}, async (ask) => {
    for (let turn = 0; turn < 3; turn++) assert.is(cacheOf(await ask('/api/menu/guarded')), 'MISS')
  })
  const policies = `export const resolveViewer = ({ headers }) => ({ id: null, permissions: [headers['x-permission'] ?? ''] })`
  const officeIn = async (ask: Ask, permission: string) =>
    (await ask('/api/menu/guarded', { 'x-permission': permission })).text.includes('"Office"')
  await proxied({ policies }, async (ask) => {
    for (let turn = 0; turn < 3; turn++)
      assert.equal([await officeIn(ask, 'office'), await officeIn(ask, 'none')], [true, false])
    assert.is(cacheOf(await ask('/api/menu/open')), 'MISS')
  })
  await proxied({ policies: `${policies}\nexport const varyOn = ['X-Permission']` }, async (ask) => {
    for (let turn = 0; turn < 3; turn++)
      assert.equal([await officeIn(ask, 'office'), await officeIn(ask, 'none')], [true, false])
    assert.is(cacheOf(await ask('/api/menu/guarded', { 'x-permission': 'none' })), 'HIT')
  })
})

/** A site with tenants and sessions that mounts the handler, behind nginx. */
const hosted = (work: (ask: Ask) => Promise<void>): Promise<void> =>
  withSite(
    { 'a.yaml': menuText('a', 'Menu of A'), 'b.yaml': menuText('b', 'Menu of B') },
    {},
    async (site) => {
      const host = createServer((request, response) => {
        const { tenant = 'a', visitor } = request.headers
        response.setHeader('Vary', 'Tenant')
        if (visitor !== undefined) response.setHeader('Set-Cookie', `sid=${visitor}`)
        if (request.url?.startsWith('/api/menu/') === true) request.url = `/api/menu/${tenant}`
        site.handler(request, response, () => response.end())
      })
      await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
      const { port } = host.address() as AddressInfo
      try {
        await behindNginx(`http://127.0.0.1:${port}`, (url) =>
          work((path, headers = {}) => get(url + path, { headers })),
        )
      } finally {
        host.closeAllConnections()
        await new Promise((resolve) => host.close(resolve))
      }
    },
  )

test('D18: behind nginx an item comes and goes to the second, whatever was kept', async () => {
  const base = Math.ceil(Date.now() / 1000) * 1000
  const [from, until] = [base + 4_000, base + 7_000]
  const isoOf = (time: number): string => new Date(time).toISOString()
  const sale = { label: 'Sale', url: '/sale', visibleFrom: isoOf(from), visibleUntil: isoOf(until) }
  const site = { ...MENUS, 'timed.yaml': menu('timed', [...OPEN, sale]) }
  await withSite(site, { config: CONFIG }, ({ url }) =>
    behindNginx(url, async (proxy) => {
      const seen: { readonly before: number; readonly after: number; readonly has: boolean; hit: boolean }[] =
        []
      while (Date.now() < until + 1_500) {
        const before = Date.now()
        const answer = await get(`${proxy}/api/menu/timed?_locale=en`)
        seen.push({
          before,
          after: Date.now(),
          has: /Sale/.test(answer.text),
          hit: cacheOf(answer) === 'HIT',
        })
        await sleep(50)
      }
      const isRight = ({ before, after, has }: (typeof seen)[number]): boolean =>
        has ? after >= from && before < until + 1_000 : before < from + 1_000 || after >= until
      assert.equal(
        seen.filter((each) => !isRight(each)),
        [],
      )
      assert.ok(seen.some(({ hit, has }) => hit && has) && seen.some(({ hit, has }) => hit && !has))
      const first = seen.find(({ has }) => has)
      const last = seen.findLast(({ has }) => has)
      figure('appeared after', `${(first?.before ?? 0) - from} ms`, 'less than a second')
      figure('gone after', `${(last?.after ?? 0) - until} ms`, 'less than a second')
    }),
  )
})

test('D24: behind nginx tenant B never gets the menu of tenant A when the host sets Vary', () =>
  hosted(async (ask) => {
    const seen: (string | undefined)[] = []
    for (let turn = 0; turn < 3; turn++) {
      for (const tenant of ['a', 'b']) {
        const answer = await ask('/api/menu/mine', { tenant })
        assert.match(answer.text, `Menu of ${tenant.toUpperCase()}`)
        seen.push(cacheOf(answer))
      }
    }
    assert.equal(seen, ['MISS', 'MISS', 'HIT', 'HIT', 'HIT', 'HIT'])
  }))

test('D24: behind nginx no client gets an answer with the cookie of another', () =>
  hosted(async (ask) => {
    for (const visitor of ['ann', 'bob', 'ann']) {
      const answer = await ask('/api/menu/own', { visitor })
      assert.equal([answer.headers['set-cookie'], cacheOf(answer)], [`sid=${visitor}`, 'MISS'])
      assert.match(answer.headers['cache-control'] ?? '', /^private/)
    }
  }))

test('D18: behind nginx a coding goes only to clients that accept it', () =>
  proxied({}, async (ask) => {
    const gzip = { 'accept-encoding': 'gzip' }
    const zipped = await eventually(async () => {
      // What was kept plain stays until its time is over, or is asked for by another path.
      const answer = await ask(`/api/menu/open?_locale=en&t=${performance.now()}`, gzip)
      assert.is(answer.headers['content-encoding'], 'gzip')
      return answer
    })
    const plain = await ask('/api/menu/open?_locale=en')
    assert.is(plain.headers['content-encoding'], undefined)
    assert.is(gunzipSync(zipped.body).toString(), plain.text)
  }))

test('D18: behind nginx what was kept plain is compressed once its time is over', () =>
  proxied({ config: { cache: { ttl: 1 } } }, async (ask) => {
    const gzip = { 'accept-encoding': 'gzip' }
    assert.is((await ask('/api/menu/open', gzip)).headers['content-encoding'], undefined)
    await eventually(
      async () => assert.is((await ask('/api/menu/open', gzip)).headers['content-encoding'], 'gzip'),
      { every: 200 },
    )
  }))

test('D27: behind nginx no client counts as local, whichever headers a trusted hop sends, and /metrics needs the token', () =>
  proxied({}, async (ask, site) => {
    const problemsOf = ({ json }: HttpAnswer) => (json() as { problems?: unknown }).problems
    assert.not.equal(
      problemsOf(await site.ask('/readyz', { headers: { authorization: `Bearer ${TOKEN}` } })),
      undefined,
    )
    for (const chain of ['203.0.113.7', '203.0.113.7, 10.0.0.1', '127.0.0.1'])
      assert.is(problemsOf(await ask('/readyz', { 'x-forwarded-for': chain })), undefined, chain)
    assert.is((await ask('/metrics')).status, 401)
    const metrics = await ask('/metrics', { authorization: `Bearer ${TOKEN}` })
    assert.equal([metrics.status, cacheOf(metrics)], [200, 'MISS'])
    assert.is((await ask('/metrics')).status, 401)
  }))

test('D27: without trusted proxies a client behind nginx gets no places, even from this machine', () =>
  proxied({ config: { server: {} } }, async (ask) => {
    const readiness = (await ask('/readyz')).json() as { status: string; problems?: unknown }
    assert.equal([readiness.status, readiness.problems], ['degraded', undefined])
  }))

test('D27: behind an nginx that says nothing of its visitors, they get no places, with and without a browser', async () => {
  const site = closing(await openSite(MENUS))
  await behindNginx(
    site.url,
    async (url) => {
      for (const headers of [
        {},
        { 'user-agent': 'curl/8.5.0', accept: '*/*' },
        { 'sec-fetch-site': 'none' },
      ]) {
        const { status, text } = await get(`${url}/readyz`, { headers })
        assert.equal([status, text.includes('problems'), text.includes('version')], [200, false, false])
      }
      assert.match((await site.ask('/readyz')).text, /"problems"/)
    },
    { isBare: true },
  )
})

test('R0: behind nginx a failure is reported under the id that nginx gave, and odd targets arrive as they are', () =>
  proxied(
    { policies: "export const resolveMenuCode = (_, hint) => { if (hint === 'bad') throw 1; return hint }" },
    async (ask, site) => {
      const { status, json } = await ask('/api/menu/bad')
      const { id } = json() as { id: string }
      assert.equal([status, /^[0-9a-f]{32}$/.test(id)], [500, true])
      assert.ok(site.events.some(({ event, fields }) => event === 'request_failed' && fields['id'] === id))
      assert.is((await ask('/api/menu/..%2fopen')).text, '[]')
      assert.is((await ask('/api/menu/%zz')).status, 400)
      const sets = encodeURIComponent('[{"a":"ñ & +"},null]')
      assert.match((await ask(`/api/menu/open?_context_sets=${sets}`)).text, '"Entry 0"')
    },
  ))

test('D5: behind nginx HEAD has the headers of GET, and no menu is [] that is not kept', () =>
  proxied({}, async (ask, _, url) => {
    const full = await ask('/api/menu/guarded')
    const head = await get(`${url}/api/menu/guarded`, { method: 'HEAD' })
    for (const name of ['etag', 'content-length', 'cache-control', 'vary'])
      assert.is(head.headers[name], full.headers[name])
    for (let turn = 0; turn < 2; turn++) {
      const none = await ask('/api/menu/none')
      assert.equal([none.text, cacheOf(none)], ['[]', 'MISS'])
    }
  }))

test('R0: a connection of nginx that is kept for longer than it is used causes no error', () =>
  proxied({ config: { cache: { ttl: 1 } } }, async (_, __, url) => {
    const { times, failures } = await visitDuring(`${url}/api/menu/guarded`, () => sleep(1_500), { pause: 5 })
    figure('behind nginx, requests passed on', `${times.length}, ${failures.length} failed`, '0 failed')
    assert.equal(failures, [])
  }))

test('D19: behind nginx an edit is live once the time of the kept answer is over, and never before without it being served whole', () =>
  proxied({ config: { cache: { ttl: 1 } } }, async (ask, site) => {
    assert.match((await ask('/api/menu/open')).text, '"Entry 0"')
    site.folder.write('menus/open.yaml', menuText('open', 'Edited'))
    await get(`${site.url}/-/reload`, { method: 'POST', headers: { authorization: `Bearer ${TOKEN}` } })
    await eventually(async () => assert.match((await ask('/api/menu/open')).text, '"Edited"'), { every: 100 })
  }))

test.run()
