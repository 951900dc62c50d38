import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import { openMenus } from '../../src/index.js'
import { SILENT_LOG } from '../../src/service/log.js'
import { get } from '../support/http.js'
import { listening } from '../support/listening.js'
import { closing, test } from '../support/test.js'
import { menuText, openSite } from './sites.js'

const site = await openSite({ 'main.yaml': menuText('main', 'Home') })
test.after(() => site.close())

test('A mounted handler answers its own paths and calls next for every other path', async () => {
  const url = await listening((request, response) => {
    site.handler(request, response, () => response.end(`host: ${request.url}`))
  })
  assert.is((await get(`${url}/api/menu/main`)).text, (await site.ask('/api/menu/main')).text)
  const others = ['/', '/livez', '/readyz', '/openapi.json', '/api', '/api/menu', '/api/menus/x']
  for (const path of [...others, '/x?/api/menu/main'])
    assert.is((await get(url, { target: path })).text, `host: ${path}`)
})

test('D29: over HTTP/2 a mounted handler sends the same headers, alone or with headers of the host', async () => {
  const server = createHttp2Server((request, response) => {
    if (request.url.includes('host')) response.setHeader('Vary', 'X-Tenant')
    site.handler(request as unknown as IncomingMessage, response as unknown as ServerResponse)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const ask = async (path: string) => {
    const [headers] = await once(client.request({ ':path': path }).resume(), 'response')
    const { ':status': status, date, ...rest } = headers
    return { status, rest }
  }
  const { date, connection, 'keep-alive': kept, ...expected } = (await site.ask('/api/menu/main')).headers
  assert.equal(await ask('/api/menu/main'), { status: 200, rest: expected })
  const { vary = '' } = (await ask('/api/menu/main?host')).rest
  assert.equal(vary, `X-Tenant, ${expected['vary']}`)
  client.close()
  await new Promise((resolve) => server.close(resolve))
})

test('A hook that an object has from its class finds no parameters on a host that has none, and does not fail', async () => {
  const policies = new (class {
    resolveLocale({ params }: { readonly params?: object }): string {
      return Object.keys(params as object).length === 0 ? 'es' : 'en'
    }
  })()
  const { dir } = site.folder
  const environment = { MENUSCRIPT_LOCALES: 'en,es' }
  const menus = await openMenus({ folder: dir, environment, watch: false, log: SILENT_LOG, policies })
  closing(menus)
  const url = await listening((request, response) => menus.handler(request, response))
  assert.is((await get(`${url}/api/menu/main`)).headers['content-language'], 'es')
})

test('Inside its prefix a mounted handler answers everything itself', async () => {
  const url = await listening((request, response) => {
    site.handler(request, response, () => response.end('host'))
  })
  for (const [path, status] of [
    ['/api/menu/', 404],
    ['/api/menu/a/b', 404],
    ['/api/menu/%', 400],
    ['/api/menu/none', 200],
  ] as const) {
    const answer = await get(url, { target: path })
    assert.is(answer.status, status, path)
    assert.is.not(answer.text, 'host')
  }
  assert.is((await get(`${url}/api/menu/main`, { method: 'POST' })).status, 405)
})

test('Mounted without a next, other paths are not found', async () => {
  const url = await listening((request, response) => site.handler(request, response))
  assert.is((await get(`${url}/x`)).status, 404)
})

type Sent = Readonly<Record<string, string>>

/** `writeHead` as the middleware of hosts replaces it: what it gets is set header by header, and more with it. */
const REPLACED: Readonly<Record<string, (response: ServerResponse, sent: unknown) => void>> = {
  // compression, express-session and cookie-session, by on-headers before 1.1: a list is one of pairs.
  'on-headers': (response, sent) => {
    if (Array.isArray(sent)) for (const pair of sent) response.setHeader(pair[0], pair[1])
    else for (const [name, value] of Object.entries(sent as Sent)) response.setHeader(name, value)
  },
  // @polka/compression
  polka: (response, sent) => {
    for (const name in sent as Sent) response.setHeader(name, (sent as Sent)[name] ?? '')
  },
}

for (const [kind, set] of Object.entries(REPLACED)) {
  test(`Behind middleware that replaces writeHead, the headers are the same, and the answer is private: ${kind}`, async () => {
    const url = await listening((request, response) => {
      const { writeHead } = response
      const replaced = (status: number, sent: Record<string, string>): ServerResponse => {
        set(response, sent)
        // Whoever writes into what it was given touches no other answer.
        if (!Array.isArray(sent)) sent['X-Visitor'] = 'somebody'
        return writeHead.call(response, status)
      }
      if (request.headers['x-plain'] === undefined) response.writeHead = replaced as never
      site.handler(request, response)
    })
    const target = '/api/menu/main?_locale=en'
    const plain = { 'x-plain': '1' }
    const expected = await get(url, { target, headers: plain })
    const names = ['content-type', 'etag', 'vary', 'menu-version', 'content-language']
    for (const status of [200, 304]) {
      const tag = status === 304 ? { 'if-none-match': expected.headers['etag'] } : {}
      const without = await get(url, { target, headers: { ...plain, ...tag } })
      const answer = await get(url, { target, headers: tag })
      assert.is(answer.status, status)
      assert.is(answer.text, without.text)
      assert.is(answer.headers['cache-control'], 'private, no-cache')
      for (const name of names) assert.is(answer.headers[name], without.headers[name], `${status} ${name}`)
      const after = await get(url, { target, headers: { ...plain, ...tag } })
      assert.is(after.headers['x-visitor'], undefined)
    }
  })
}

test('A host that has answered before a preparation ends keeps its answer', async () => {
  const policies = `export const prepareRequest = ({ headers }) =>
    new Promise((resolve, reject) => setTimeout(headers['x-fails'] ? reject : resolve, 150))`
  const { handler, events } = closing(await openSite({ 'main.yaml': menuText('main', 'Home') }, { policies }))
  const url = await listening((request, response) => {
    handler(request, response)
    response.writeHead(503)
    response.write('too ')
    setTimeout(() => response.end('late'), 400)
  })
  const target = '/api/menu/main'
  assert.is((await get(url, { target })).text, 'too late')
  assert.equal(events.filter(({ event }) => event === 'request_failed').length, 0)
  assert.is((await get(url, { target, headers: { 'x-fails': '1' } })).text, 'too late')
  assert.equal(events.filter(({ event }) => event === 'request_failed').length, 1)
})

test.run()
