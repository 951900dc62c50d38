import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import polka from 'polka'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { get } from '../support/http.js'
import { menuText, openSite } from './sites.js'

const site = await openSite({ 'main.yaml': menuText('main', 'Home') })
test.after(() => site.close())

/** Listens, does something with the address, and stops. */
async function withServer(server: Server, work: (url: string) => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

test('A mounted handler answers what is its own and calls next for every other path', async () => {
  const server = createServer((request, response) => {
    site.handler(request, response, () => response.end(`host: ${request.url}`))
  })
  await withServer(server, async (url) => {
    assert.is((await get(`${url}/api/menu/main`)).text, (await site.ask('/api/menu/main')).text)
    for (const path of [
      '/',
      '/livez',
      '/readyz',
      '/openapi.json',
      '/api',
      '/api/menu',
      '/api/menus/x',
      '/x?/api/menu/main',
    ])
      assert.is((await get(url, { target: path })).text, `host: ${path}`)
  })
})

test('Inside its prefix a mounted handler answers everything itself', async () => {
  const server = createServer((request, response) => {
    site.handler(request, response, () => response.end('host'))
  })
  await withServer(server, async (url) => {
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
})

test('Mounted without a next, other paths are not found', async () => {
  const server = createServer((request, response) => site.handler(request, response))
  await withServer(server, async (url) => assert.is((await get(`${url}/x`)).status, 404))
})

test('It mounts in Polka as a middleware', async () => {
  const app = polka().use((request, response, next) => site.handler(request, response, next))
  app.get('/own', (_, response) => void response.end('own'))
  const server = createServer((request, response) => {
    app.handler(request as never, response, undefined as never)
  })
  await withServer(server, async (url) => {
    assert.is((await get(`${url}/own`)).text, 'own')
    assert.is((await get(`${url}/api/menu/main?_locale=en`)).status, 200)
  })
})

test.run()
