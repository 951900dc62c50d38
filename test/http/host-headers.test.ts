import type { IncomingMessage, ServerResponse } from 'node:http'
import * as assert from 'uvu/assert'
import { get, type HttpAnswer, type HttpOptions } from '../support/http.js'
import { listening } from '../support/listening.js'
import { test } from '../support/test.js'
import { createSharedCache } from './shared-cache.js'
import { menuText, type OpenSite, openSite } from './sites.js'

const MENUS = {
  'a.yaml': menuText('a', 'Menu of A'),
  'b.yaml': menuText('b', 'Menu of B'),
  'guarded.yaml': JSON.stringify({
    version: 1,
    code: 'guarded',
    name: 'G',
    items: [{ label: 'Office', url: '/', permissions: ['office'] }],
  }),
}
const SHARED = 'public, max-age=0, s-maxage=60, stale-while-revalidate=10'

const site = await openSite(MENUS)
const narrow = await openSite(MENUS, { config: { api: { cors_origins: ['https://a.example'] } } })
test.after(async () => {
  await site.close()
  await narrow.close()
})

/** What a host does with an answer before it hands it to the handler. */
type Host = (response: ServerResponse, request: IncomingMessage) => void
type Ask = (path: string, options?: HttpOptions) => Promise<HttpAnswer>

/** A server of somebody else that mounts the handler, and how it is asked. */
async function mounted(host: Host, from: OpenSite = site): Promise<Ask> {
  const url = await listening((request, response) => {
    host(response, request)
    from.handler(request, response)
  })
  return (path, options) => get(url, { target: path, ...options })
}

/** The headers of an answer whose host has done something. */
async function headersFor(
  host: Host,
  path = '/api/menu/a?_locale=en',
  options: HttpOptions = {},
): Promise<Readonly<Record<string, string>>> {
  const ask = await mounted(host)
  return (await ask(path, options)).headers
}

const setting =
  (name: string, value: string | string[]): Host =>
  (response) =>
    void response.setHeader(name, value)

/** Middleware that replaces writeHead and does its work there, as late as can be: sessions, compression and the like. */
const late =
  (host: Host, onHeaders = true): Host =>
  (response, request) => {
    const { writeHead } = response
    response.writeHead = ((status: number, sent: Readonly<Record<string, string>> = {}) => {
      if (onHeaders) for (const [name, value] of Object.entries(sent)) response.setHeader(name, value)
      host(response, request)
      return onHeaders ? writeHead.call(response, status) : writeHead.call(response, status, { ...sent })
    }) as never
  }

/** As @polka/compression: the head is written no sooner than at the end. */
const atEnd =
  (host: Host): Host =>
  (response, request) => {
    const { writeHead, end } = response
    let code = 200
    response.writeHead = ((status: number, sent: Readonly<Record<string, string>> = {}) => {
      for (const name in sent) response.setHeader(name, sent[name] ?? '')
      code = status
      return response
    }) as never
    response.end = ((body?: unknown) => {
      host(response, request)
      writeHead.call(response, code)
      return end.call(response, body as never, 'utf8')
    }) as never
  }

/** When the host sets something that no code of ours can see. */
const LATE: readonly (readonly [name: string, wrap: (host: Host) => Host])[] = [
  ['in a writeHead of its own', (host) => late(host)],
  ['in a writeHead that hands the headers on', (host) => late(host, false)],
  ['at the end', atEnd],
]
const WAYS = [['before the handler', (host: Host) => host] as const, ...LATE]

const listOf = (text = ''): string[] =>
  text
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .sort()

for (const [when, wrap] of WAYS) {
  test(`D24: behind a shared cache tenant B never gets the menu of tenant A when the host sets Vary ${when}`, async () => {
    const host: Host = (response, request) => {
      response.setHeader('Vary', 'X-Tenant')
      if (!request.url?.startsWith('/api/menu/mine')) return
      request.url = `/api/menu/${request.headers['x-tenant']}`
    }
    const ask = await mounted((response, request) => {
      wrap(host)(response, request)
      // Which menu it is, is decided before in any case.
      if (request.url === '/api/menu/mine') request.url = `/api/menu/${request.headers['x-tenant']}`
    })
    const cache = createSharedCache(({ path, headers }) => ask(path, { headers }), { now: () => 0 })
    for (let round = 0; round < 5; round++) {
      for (const tenant of ['a', 'b']) {
        const { text } = await cache.ask({ path: '/api/menu/mine', headers: { 'x-tenant': tenant } })
        assert.match(text, `Menu of ${tenant.toUpperCase()}`)
      }
    }
    // What is set late makes an answer private.
    assert.is(cache.counts.hits, when === 'before the handler' ? 8 : 0)
  })

  test(`D24: an answer with a cookie that the host sets ${when} is kept by no shared cache`, async () => {
    const cookie = wrap(setting('Set-Cookie', ['sid=1; HttpOnly', 'b=2']))
    for (const [path, control] of [
      ['/api/menu/a', 'private, no-cache'],
      ['/api/menu/none', 'private, no-cache'],
      ['/api/menu/guarded', 'private, no-cache'],
      ['/api/menu/a?_context_sets=x', 'no-store'],
    ] as const) {
      const headers = await headersFor(cookie, path)
      assert.is(headers['cache-control'], control, path)
      assert.is(headers['set-cookie'], 'sid=1; HttpOnly, b=2')
    }
  })
}

test('D24: a Cache-Control that the host sets before the handler is never loosened', async () => {
  const cases = [
    ['private', 'private, max-age=0'],
    ['no-store', 'no-store'],
    ['no-cache', 'no-cache'],
    ['Private, Max-Age=600', 'private, max-age=0'],
    ['private="x-user"', 'private, max-age=0'],
    ['max-age=5', 'max-age=0, s-maxage=5'],
    ['public, s-maxage=7, max-age=900', 'public, max-age=0, s-maxage=7'],
    ['public, max-age=86400, immutable', 'public, max-age=0, s-maxage=60'],
    ['must-revalidate', 'must-revalidate, max-age=0, s-maxage=60'],
    ['no-transform, public', 'public, no-transform, max-age=0, s-maxage=60'],
  ] as const
  for (const [theirs, joined] of cases)
    assert.is((await headersFor(setting('Cache-Control', theirs)))['cache-control'], joined, theirs)
  const list = setting('Cache-Control', ['max-age=9', 'private'])
  assert.is((await headersFor(list))['cache-control'], 'private, max-age=0')
})

test('D24: a private answer of ours stays private, even if the host has allowed more', async () => {
  for (const theirs of ['public, max-age=86400', 's-maxage=600', 'max-age=60, stale-while-revalidate=60'])
    assert.is(
      (await headersFor(setting('Cache-Control', theirs), '/api/menu/guarded'))['cache-control'],
      'private, no-cache',
    )
})

test('D24: a host that forbids to keep an answer in the words of HTTP/1.0 is heeded', async () => {
  const old = new Date(0).toUTCString()
  assert.is((await headersFor(setting('Pragma', 'no-cache')))['cache-control'], 'no-cache')
  assert.is((await headersFor(setting('Expires', old)))['cache-control'], 'max-age=0, s-maxage=0')
  assert.is((await headersFor(setting('Expires', '0')))['cache-control'], 'max-age=0, s-maxage=0')
})

test('D24: Vary is extended: a name appears once in any case, and a star stays a star', async () => {
  const vary = async (value: string | string[], query = '') =>
    (await headersFor(setting('Vary', value), `/api/menu/a${query}`))['vary']
  assert.equal(listOf(await vary('X-Tenant')), ['accept-encoding', 'accept-language', 'x-tenant'])
  assert.equal(listOf(await vary('accept-encoding, Cookie', '?_locale=en')), ['accept-encoding', 'cookie'])
  assert.equal(listOf(await vary(['Origin', 'Cookie'], '?_locale=en')), [
    'accept-encoding',
    'cookie',
    'origin',
  ])
  assert.is(await vary('*'), '*')
  assert.is(await vary('X-Tenant, *'), '*')
})

test('D24: HEAD, 304, OPTIONS and problems add to the headers of the host as well', async () => {
  const ask = await mounted((response) => {
    response.setHeader('Vary', 'X-Tenant')
    response.setHeader('Cache-Control', 'private')
    response.setHeader('X-Host', 'yes')
  })
  const full = await ask('/api/menu/a')
  const tag = { 'if-none-match': full.headers['etag'] ?? '' }
  const answers = {
    GET: full,
    HEAD: await ask('/api/menu/a', { method: 'HEAD' }),
    'not modified': await ask('/api/menu/a', { headers: tag }),
    OPTIONS: await ask('/api/menu/a', { method: 'OPTIONS' }),
    'a bad request': await ask('/api/menu/a?_context_sets=x'),
    'no such path': await ask('/api/menu/a/b'),
    'a bad code': await ask('/api/menu/%'),
    'a bad method': await ask('/api/menu/a', { method: 'POST' }),
  }
  assert.is(answers['not modified'].status, 304)
  for (const [what, { headers }] of Object.entries(answers)) {
    assert.ok(listOf(headers['vary']).includes('x-tenant'), what)
    assert.match(headers['cache-control'] ?? '', /\b(private|no-store)\b/, what)
    assert.not.match(headers['cache-control'] ?? '', /public|s-maxage/, what)
    assert.is(headers['x-host'], 'yes', what)
  }
})

test('D24: a preflight varies by the origin and by the headers that the host names', async () => {
  const ask = await mounted(setting('Vary', 'X-Tenant'), narrow)
  const headers = { origin: 'https://a.example', 'access-control-request-method': 'GET' }
  const answer = await ask('/api/menu/a', { method: 'OPTIONS', headers })
  assert.equal(listOf(answer.headers['vary']), ['origin', 'x-tenant'])
})

test('D24: whom the host lets read across origins, the host decides; what scripts may read is added to', async () => {
  const host: Host = (response) => {
    response.setHeader('Access-Control-Allow-Origin', 'https://shop.example')
    response.setHeader('Access-Control-Allow-Credentials', 'true')
    response.setHeader('Access-Control-Expose-Headers', 'X-Total, etag')
  }
  for (const path of ['/api/menu/a', '/api/menu/a?_context_sets=x']) {
    const headers = await headersFor(host, path, { headers: { origin: 'https://evil.example' } })
    assert.is(headers['access-control-allow-origin'], 'https://shop.example')
    assert.is(headers['access-control-allow-credentials'], 'true')
    assert.equal(listOf(headers['access-control-expose-headers']), [
      'content-language',
      'etag',
      'menu-version',
      'x-total',
    ])
  }
})

test('D24: what describes the bytes is ours: type, length, language, tag', async () => {
  const plain = await site.ask('/api/menu/a?_locale=en')
  const headers = await headersFor((response) => {
    for (const [name, value] of Object.entries({
      'Content-Type': 'text/html',
      'content-length': '7',
      'Content-Language': 'fr',
      ETag: 'W/"host"',
    }))
      response.setHeader(name, value)
  })
  for (const name of ['content-type', 'content-length', 'content-language', 'etag'])
    assert.is(headers[name], plain.headers[name], name)
})

test('D24: a coding, a range or a date set by the host is not applied to our bytes', async () => {
  const of = (response: ServerResponse): void => {
    response.setHeader('Content-Encoding', 'br')
    response.setHeader('Content-Range', 'bytes 0-1/9')
    response.setHeader('Transfer-Encoding', 'chunked')
    response.setHeader('Last-Modified', 'Thu, 01 Jan 2026 00:00:00 GMT')
  }
  for (const path of ['/api/menu/a', '/api/menu/%']) {
    const headers = await headersFor(of, path)
    for (const name of ['content-encoding', 'content-range', 'last-modified', 'transfer-encoding'])
      assert.is(headers[name], undefined, `${path} ${name}`)
  }
})

test('D24: a host that sets nothing of it changes nothing, if it does not replace writeHead', async () => {
  for (const [when, wrap] of WAYS) {
    const headers = await headersFor(wrap(setting('X-Powered-By', 'a host')))
    assert.is(headers['cache-control'], when === 'before the handler' ? SHARED : 'private, no-cache')
    assert.is(headers['vary'], 'Accept-Encoding')
    assert.is(headers['x-powered-by'], 'a host')
  }
})

test.run()
