import type { IncomingMessage } from 'node:http'
import * as assert from 'uvu/assert'
import { createCors } from '../../src/http/cors.js'
import type { HttpOptions } from '../support/http.js'
import { closing, test } from '../support/test.js'
import { menuText, type OpenSite, openSite, withSite } from './sites.js'

const MENUS = { 'main.yaml': menuText('main', 'Home') }
const ORIGIN = 'https://shop.example'
const PREFLIGHT: HttpOptions = {
  method: 'OPTIONS',
  headers: {
    origin: ORIGIN,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'x-y',
  },
}

const open = await openSite(MENUS)
test.after(() => open.close())

function withOrigins(origins: readonly string[], work: (site: OpenSite) => Promise<void>): Promise<void> {
  return withSite(MENUS, { config: { api: { cors_origins: origins } } }, work)
}

const allowed = async ({ ask }: OpenSite, origin: string, path = '/api/menu/main') =>
  (await ask(path, { headers: { origin } })).headers['access-control-allow-origin']

test('Pages of any origin may read the endpoint, its problems included', async () => {
  for (const path of ['/api/menu/main', '/api/menu/x', '/api/menu/main?_context_sets=x', '/api/menu/%zz'])
    assert.is(await allowed(open, ORIGIN, path), '*', path)
})

test('Pages may read what validates and names an answer, and never send credentials', async () => {
  const { headers } = await open.ask('/api/menu/main', { headers: { origin: ORIGIN } })
  const exposed = (headers['access-control-expose-headers'] ?? '').toLowerCase().split(/, */)
  for (const name of ['etag', 'menu-version', 'content-language']) assert.ok(exposed.includes(name), name)
  assert.not(Object.hasOwn(headers, 'access-control-allow-credentials'))
})

test('A preflight lists the methods and headers', async () => {
  const { status, headers, body } = await open.ask('/api/menu/main', PREFLIGHT)
  assert.equal([status, body.length], [204, 0])
  assert.is(headers['access-control-allow-origin'], '*')
  assert.match(headers['access-control-allow-methods'] ?? '', /GET/)
  assert.match(headers['access-control-allow-headers'] ?? '', /If-None-Match/i)
})

test('With a list, the origins of the list alone may read, and answers vary by origin', async () => {
  await withOrigins([ORIGIN, 'https://other.example'], async (site) => {
    assert.is(await allowed(site, ORIGIN), ORIGIN)
    assert.is(await allowed(site, 'https://other.example'), 'https://other.example')
    for (const origin of [
      'https://evil.example',
      'null',
      `${ORIGIN}.evil.example`,
      `${ORIGIN}:8443`,
      'http://shop.example',
    ])
      assert.is(await allowed(site, origin), undefined, origin)
    for (const headers of [{}, { origin: ORIGIN }, { origin: 'https://evil.example' }])
      assert.match((await site.ask('/api/menu/main', { headers })).headers['vary'] ?? '', /Origin/)
  })
})

test('With a list, a preflight of a foreign page is answered without permission', async () => {
  await withOrigins(['https://other.example'], async ({ ask }) => {
    const { status, headers } = await ask('/api/menu/main', PREFLIGHT)
    assert.is(status, 204)
    assert.not(Object.hasOwn(headers, 'access-control-allow-origin'))
  })
})

test('With a list, answers that are not modified still name who may read them', async () => {
  await withOrigins([ORIGIN], async ({ ask }) => {
    const { status, headers } = await ask('/api/menu/main', {
      headers: { origin: ORIGIN, 'if-none-match': '*' },
    })
    assert.equal([status, headers['access-control-allow-origin']], [304, ORIGIN])
    assert.match(headers['vary'] ?? '', /Origin/)
  })
})

test('D29: with a list, the headers for an origin are made once, and so are those for all others', () => {
  const { headers } = createCors(['https://Shop.example', 'https://other.example'])
  const of = (origin?: string) => headers({ headers: { origin } } as IncomingMessage)
  assert.is(of('https://shop.example')['Access-Control-Allow-Origin'], ORIGIN)
  assert.is(of(ORIGIN), of(ORIGIN))
  assert.is(of('https://evil.example'), of())
  assert.equal(of(), {})
})

test('With an empty list no page of another origin may read', async () => {
  await withOrigins([], async (site) => {
    assert.is(await allowed(site, ORIGIN), undefined)
    assert.is((await site.ask('/api/menu/main')).status, 200)
  })
})

test('A preflight allows the headers that the hooks of the deployment vary by', async () => {
  const policies = "export const canView = () => true\nexport const varyOn = ['X-Tenant', 'X-Partner']"
  const { ask } = closing(await openSite(MENUS, { policies }))
  const { headers } = await ask('/api/menu/main', PREFLIGHT)
  const names = (headers['access-control-allow-headers'] ?? '').split(/, */)
  for (const name of ['X-Tenant', 'X-Partner', 'If-None-Match']) assert.ok(names.includes(name), name)
})

test('A preflight varies by origin exactly where the origins are a list', async () => {
  assert.is((await open.ask('/api/menu/main', PREFLIGHT)).headers['vary'], undefined)
  for (const origins of [[ORIGIN], ['https://other.example'], []]) {
    await withOrigins(origins, async ({ ask }) =>
      assert.is((await ask('/api/menu/main', PREFLIGHT)).headers['vary'], 'Origin'),
    )
  }
})

test.run()
