import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import polka from 'polka'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { get } from '../support/http.js'
import { requireUntyped } from './engines.js'
import { menu, type OpenPages, type Pages, type PagesOptions, rule } from './pages.js'
import { withServer } from './with-server.js'

// Requests as the frameworks make them, on real sockets.

type Work = (request: unknown, response: Answer) => void
type Answer = ServerResponse & {
  readonly locals: Record<string, unknown>
  readonly render: (view: string) => void
}
interface ExpressApp {
  (request: IncomingMessage, response: ServerResponse): void
  readonly get: (path: string, work: Work) => void
  readonly set: (name: string, value: unknown) => void
  readonly use: (first: unknown, second?: unknown) => void
}
interface FastifyApp {
  readonly get: (path: string, work: (request: object) => string) => void
  readonly register: (plugin: (app: FastifyApp) => Promise<void>, options: object) => void
  readonly listen: (options: object) => Promise<string>
  readonly close: () => Promise<void>
}
const express = requireUntyped('express') as () => ExpressApp
const fastify = requireUntyped('fastify') as () => FastifyApp

const MENU = menu('main', [
  { label: 'Mounted', url: '/shop/products/7' },
  { label: 'Inside', url: '/products/7' },
  { label: 'Edit', routeName: 'edit' },
  { label: 'Absolute', url: 'https://shop.example:8443/shop/products/7' },
])
const OPTIONS: PagesOptions = {
  options: { routes: { edit: '/shop/products/:product/edit' } },
  templates: { 'page.njk': "{% for node in dashboard_menu_tree('main') %}{{ node.href }} {% endfor %}" },
}
const CURRENT =
  "{% for n in dashboard_menu_tree('main') %}{{ n.label if n.isCurrent }} {{ n.href }};{% endfor %}"
const SEEN =
  'Mounted /shop/products/7; /products/7; /shop/products/7/edit;Absolute https://shop.example:8443/shop/products/7;'

function openShop(open: OpenPages): Pages {
  return open({ 'main.yaml': MENU }, OPTIONS)
}

/** What a server answers to a request for a product at `shop.example:8443`. */
function ask(listener: RequestListener): Promise<string> {
  const options = { target: '/shop/products/7?x=1', headers: { host: 'shop.example:8443' } }
  return withServer(listener, async (url) => (await get(url, options)).text)
}

rule('In a mounted router of Express a page knows where it is, and gives its parameters', async (open) => {
  const { render } = openShop(open)
  const [app, router] = [express(), express()]
  router.get('/products/:product', (request, response) => response.end(render(CURRENT, { request })))
  app.use('/shop', router)
  assert.is(await ask(app), SEEN)
})

rule('So it does in a mounted app of Polka', async (open) => {
  const { render } = openShop(open)
  const router = polka().get('/products/:product', (request, response) => {
    response.end(render(CURRENT, { request }))
  })
  const app = polka().use('/shop', router)
  assert.is(
    await ask((request, response) => void app.handler(request as never, response, undefined as never)),
    SEEN,
  )
})

rule('So it does in a plugin of Fastify with a prefix', async (open) => {
  const { render } = openShop(open)
  const app = fastify()
  const plugin = async (inner: FastifyApp) => {
    inner.get('/products/:product', (request) => render(CURRENT, { request }))
  }
  app.register(plugin, { prefix: '/shop' })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const answer = await get(url, { target: '/shop/products/7', headers: { host: 'shop.example:8443' } })
  await app.close()
  assert.is(answer.text, SEEN)
})

rule('A view of Express sees the request that a middleware put into res.locals', async (open) => {
  const { environment } = openShop(open)
  const app = express()
  environment.express(app)
  app.use((request: unknown, response: Answer, next: () => void) => {
    response.locals['request'] = request
    next()
  })
  app.get('/shop/products/:product', (_request, response) => response.render('page.njk'))
  assert.match(await ask(app), ' /shop/products/7/edit ')
})

test.run()
