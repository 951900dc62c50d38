import { createRequire } from 'node:module'
import * as assert from 'uvu/assert'
import type { Handler } from '../../src/http/handler.js'
import { get, type HttpAnswer, type HttpOptions } from '../support/http.js'
import { closing, test } from '../support/test.js'
import { openSite } from './sites.js'

interface Reply {
  readonly header: (name: string, value: string) => void
}
interface FastifyApp {
  readonly addHook: (name: 'onRequest', hook: unknown) => void
  readonly decorateRequest: (name: string, value: unknown) => void
  readonly get: (path: string, work: () => string) => void
  readonly listen: (options: object) => Promise<string>
  readonly close: () => Promise<void>
}
const fastify = createRequire(import.meta.url)('fastify') as () => FastifyApp

const MENUS = {
  'main.yaml': JSON.stringify({
    version: 1,
    code: 'main',
    name: 'Main',
    items: [
      { label: 'Home', url: '/' },
      { label: 'Office', url: '/office', permissions: ['office'] },
    ],
  }),
}

type Ask = (path: string, options?: HttpOptions) => Promise<HttpAnswer>

/** A Fastify with the handler as a hook, behind what the site does with each request. */
async function openFastify(handler: Handler, prepare: (app: FastifyApp) => void = () => {}): Promise<Ask> {
  const app = fastify()
  prepare(app)
  app.addHook('onRequest', handler)
  app.get('/own', () => 'own')
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  closing({ close: () => app.close() })
  return (target, options) => get(url, { target, ...options })
}

const SIGN_IN = (app: FastifyApp): void => {
  app.decorateRequest('user', null)
  app.addHook('onRequest', async (request: { headers: Record<string, string>; user: unknown }) => {
    const permission = request.headers['x-permission']
    if (permission !== undefined) request.user = { id: 1, permissions: [permission] }
  })
}

for (const [when, prepare] of [
  ['', ''],
  [
    ', also behind a preparation',
    'export const prepareRequest = async (request) => { request.user.seen = true }',
  ],
] as const) {
  test(`The hooks of the endpoint see the user that a site on Fastify puts on its request${when}`, async () => {
    const policies = `export const resolveViewer = ({ user }) => user ?? { id: null, permissions: [] }\n${prepare}`
    const { handler } = closing(await openSite(MENUS, { policies }))
    const ask = await openFastify(handler, SIGN_IN)
    const headers = { 'x-permission': 'office' }
    const { text, headers: sent } = await ask('/api/menu/main', { headers })
    assert.match(text, 'Office')
    assert.is(sent['cache-control'], 'private, no-cache')
    if (prepare === '') assert.not.match((await ask('/api/menu/main')).text, 'Office')
    assert.is((await ask('/own')).text, 'own')
  })
}

test('D24: what a site on Fastify has set on its reply is added to, and never loosened', async () => {
  const { handler } = closing(await openSite(MENUS))
  const prepare = (app: FastifyApp): void =>
    app.addHook('onRequest', async (_: unknown, reply: Reply) => {
      reply.header('vary', 'X-Tenant')
      reply.header('cache-control', 'no-store')
      reply.header('set-cookie', 'a=1')
      reply.header('x-host', 'yes')
    })
  const ask = await openFastify(handler, prepare)
  for (const path of ['/api/menu/main', '/api/menu/main?_context_sets=x', '/api/menu/a/b']) {
    const { headers } = await ask(path)
    assert.match(headers['vary'] ?? '', 'X-Tenant')
    assert.match(headers['cache-control'] ?? '', /^no-store/)
    assert.equal([headers['set-cookie'], headers['x-host']], ['a=1', 'yes'])
  }
  const { headers } = await ask('/own')
  assert.equal([headers['vary'], headers['x-host']], ['X-Tenant', 'yes'])
})

test('The lines with which the raw request is handed on go on working', async () => {
  const { handler } = closing(await openSite(MENUS))
  const raw = (request: { raw: never }, reply: { raw: never }, done: () => void): void =>
    handler(request.raw, reply.raw, done)
  const ask = await openFastify(raw as never)
  assert.is((await ask('/api/menu/main')).status, 200)
  assert.is((await ask('/api/menu/main', { method: 'HEAD' })).text, '')
  assert.is((await ask('/own')).text, 'own')
})

test.run()
