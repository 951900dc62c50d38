import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createApiHandler } from '../../src/http/handler.js'
import { SILENT_LOG } from '../../src/service/log.js'
import { patterns, routeParams } from '../service/arbitraries.js'
import { hrefOf } from '../service/oracle.js'
import { sized } from '../support/figures.js'
import { get } from '../support/http.js'
import { menu, type OpenPages, type Pages, type PagesOptions, rule } from './pages.js'
import { withServer } from './with-server.js'

// Route parameters of the page stand in for those that an item does not give: in templates, never at the endpoint.

const ITEMS = [
  { label: 'Bare', routeName: 'edit' },
  { label: 'Own', routeName: 'edit', routeParams: { id: 'own', q: 'x y' } },
  { label: 'Both', routeName: 'both', routeParams: { id: 1 } },
  { label: 'Language', routeName: 'language' },
  { label: 'Rest', routeName: 'rest' },
]
const OPTIONS: PagesOptions = {
  options: {
    routes: {
      edit: '/users/:id/edit',
      both: '/:tenant/users/:id',
      language: '/:_locale/news/:page?',
      rest: '/files/*',
    },
  },
}

function openShop(open: OpenPages): Pages {
  return open({ 'main.yaml': menu('main', ITEMS) }, OPTIONS)
}

function hrefsWith({ tree }: Pages, params: unknown): readonly string[] {
  const request = { url: '/', headers: {}, params }
  return tree("dashboard_menu_tree('main')", { request }).map(({ href }) => href)
}

rule(
  'An item that lacks a required parameter takes it from the page, one of its own goes first, and nothing else is added',
  (open) => {
    const params = { id: 7, tenant: 'acme', page: '2', '*': 'a/b', other: 'x', _locale: 'xx', q: 'z' }
    assert.equal(hrefsWith(openShop(open), params), [
      '/users/7/edit',
      '/users/own/edit?q=x%20y',
      '/acme/users/1',
      '/en/news',
      '/files/',
    ])
  },
)

rule('A parameter that cannot be used counts as none, and one that can is encoded', (open) => {
  const pages = openShop(open)
  const editWith = (id: unknown) => hrefsWith(pages, { id })[0]
  for (const id of ['', null, undefined, {}, ['7'], '.', '..', () => '7', Symbol('7')])
    assert.is(editWith(id), '#', typeof id)

  assert.is(editWith('../../admin'), '/users/..%2F..%2Fadmin/edit')
  assert.is(editWith('a?b#c'), '/users/a%3Fb%23c/edit')
  assert.is(editWith('ñ'), '/users/%C3%B1/edit')
})

rule('Without parameters of the page such an item leads nowhere, and its siblings are intact', (open) => {
  const without = ['#', '/users/own/edit?q=x%20y', '#', '/en/news']
  for (const params of [undefined, null, {}, 'id', 7, [], Object.create({ id: 'inherited' })]) {
    assert.equal(hrefsWith(openShop(open), params).slice(0, 4), without)
  }
})

rule('An item that lacks a parameter is logged once, however many pages lack it', (open) => {
  const pages = openShop(open)
  for (let times = 0; times < 50; times++) hrefsWith(pages, { id: `visitor-${times}` })
  assert.is(pages.events.length, 1, JSON.stringify(pages.events))
  assert.match(JSON.stringify(pages.events), '"both"')
})

rule('Parameters without a prototype, as Express makes them, are taken as well', (open) => {
  const params = Object.assign(Object.create(null), { id: '7' })
  assert.is(hrefsWith(openShop(open), params)[0], '/users/7/edit')
})

rule('No visitor sees anything of another, in any order', (open) => {
  const ids = fc.option(fc.constantFrom('1', '2', '3'))
  const holds = fc.property(fc.array(ids, { minLength: 2, maxLength: 12 }), (visitors) => {
    const pages = openShop(open)
    for (const id of visitors) {
      const expected = id === null ? '#' : `/users/${id}/edit`
      assert.is(hrefsWith(pages, id === null ? {} : { id })[0], expected)
      assert.is(hrefsWith(pages, undefined)[0], '#')
      const html = pages.render("{{ dashboard_menu_html('main') }}", {
        request: { url: '/', headers: {}, params: { id } },
      })
      assert.is(html.includes('href="/users/'), true)
      assert.is(html.includes(`href="/users/${id}/edit"`), id !== null)
    }
  })
  fc.assert(holds, { numRuns: sized(10, 100) })
})

rule('The endpoint never takes its own parameters, before or after a template did', async (open) => {
  const pages = openShop(open)
  const handler = createApiHandler(pages.service, SILENT_LOG)
  const withParams = (request: IncomingMessage) => Object.assign(request, { params: { id: 'evil' } })
  await withServer(
    (request, response) => handler(withParams(request), response),
    async (url) => {
      const before = await get(`${url}/api/menu/main?id=evil`)
      assert.is((before.json() as { href: string }[])[0]?.href, '#')
      assert.is(hrefsWith(pages, { id: 7 })[0], '/users/7/edit')
      assert.is((await get(`${url}/api/menu/main?id=evil`)).text, before.text)
    },
  )
})

rule('Items and pages with random parameters give the address of the contract', (open) => {
  const { tree, publish } = open({}, { options: { routes: ROUTES } })
  const pages = fc.array(routeParams, { minLength: 1, maxLength: 4 })
  const given = fc.record({ place: fc.nat(ROUTE_LIST.length - 1), params: routeParams, pages })
  const holds = fc.property(given, ({ place, params, pages: hosts }) => {
    const filed = JSON.parse(JSON.stringify(params).replace(/\\ud[89a-f]../g, ''))
    const item = { label: 'L', routeName: `r${place}`, routeParams: filed }
    publish({ 'main.yaml': menu('main', [item]) })
    for (const host of hosts) {
      const request = { url: '/', headers: {}, params: host }
      const pattern = ROUTE_LIST[place] ?? '/'
      const expected = hrefOf({ pattern, params: filed, host, locale: 'en' }) ?? '#'
      assert.is(tree("dashboard_menu_tree('main')", { request })[0]?.href, expected)
    }
  })
  fc.assert(holds, { numRuns: sized(70, 700) })
})

const ROUTE_LIST: readonly string[] = [...new Set(fc.sample(patterns, { numRuns: 60, seed: 7 }))]
const ROUTES: Readonly<Record<string, string>> = Object.fromEntries(
  ROUTE_LIST.map((pattern, place) => [`r${place}`, pattern]),
)

test.run()
