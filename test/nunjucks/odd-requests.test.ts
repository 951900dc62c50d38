import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { labelsOf, menu, type OpenPages, type Pages, type PagesOptions, rule } from './pages.js'

// Whatever stands in the place of the request, a page is rendered, and nobody sees what is not theirs.

const ITEMS = [
  { label: 'Free', url: '/', children: [{ label: 'Below', url: '/below' }] },
  { label: 'Secret', url: '/secret', permissions: ['secret'] },
  { label: 'Route', routeName: 'report' },
]
const OPTIONS: PagesOptions = { options: { routes: { report: '/reports/:id?' } } }
const ALL =
  "{{ dashboard_menu_tree('main') | join(' ', 'label') }}{{ dashboard_menu_html('main') }}" +
  "{{ dashboard_menu_breadcrumbs('main') }}{{ dashboard_menu_config('main').code }} and the rest"

function openShop(open: OpenPages): Pages {
  return open({ 'main.yaml': menu('main', ITEMS) }, OPTIONS)
}

function throwing(...names: readonly string[]): object {
  const request: object = { url: '/', headers: { host: 'shop.example' } }
  for (const name of names) {
    const get = () => {
      throw new Error(`${name} is not to be read`)
    }
    Object.defineProperty(request, name, { get, configurable: true })
  }
  return request
}

function trap(): object {
  const refuse = () => {
    throw new Error('a trap')
  }
  return new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse })
}

const ODD: Readonly<Record<string, unknown>> = {
  'a number': 42,
  'a text': '/main',
  'a truth': true,
  null: null,
  'a symbol': Symbol('request'),
  'a function': () => '/',
  'a list': [],
  'an empty object': {},
  'an object without a prototype': Object.create(null),
  'headers that are null': { url: '/', headers: null },
  'headers that are a text': { url: '/', headers: 'host: x' },
  'headers of a browser': { url: '/', headers: new Headers({ host: 'shop.example' }) },
  'a request of the web': new Request('http://shop.example/'),
  'an address that is a number': { url: 42, headers: {} },
  'an address that is an object': { url: new URL('http://shop.example/'), headers: {} },
  'an address that is null': { url: null, originalUrl: null, headers: {} },
  'a host that is a list': { url: '/', headers: { host: ['a', 'b'] } },
  'a host that is a number': { url: '/', host: 7, headers: { host: 7 } },
  'languages that are a list': { url: '/', headers: { 'accept-language': ['es', 'en'] } },
  'languages that are a number': { url: '/', headers: { 'accept-language': 7 } },
  'parameters that are null': { url: '/', headers: {}, params: null },
  'parameters that are a text': { url: '/', headers: {}, params: 'id' },
  'parameters that are a list': { url: '/', headers: {}, params: [7] },
  'headers that are not to be read': throwing('headers'),
  'an address that is not to be read': throwing('url', 'originalUrl'),
  'parameters that are not to be read': throwing('params'),
  'a locale that is not to be read': throwing('locale'),
  'nothing that may be read': throwing('url', 'headers', 'params', 'locale', 'host', 'originalUrl'),
  'a trap': trap(),
  'frozen things': Object.freeze({ url: '/', headers: Object.freeze({}) }),
}

for (const [what, request] of Object.entries(ODD)) {
  rule(
    `A request with or of ${what} takes no page down, and the log does not grow with every page`,
    (open) => {
      const { render, events } = openShop(open)
      const html = render(ALL, { request })
      assert.match(html, / and the rest$/)
      assert.not.match(html, 'Secret')
      const told = events.length
      for (let times = 0; times < 5; times++) assert.is(render(ALL, { request }), html)
      assert.is(events.length, told)
      assert.ok(told <= 5, JSON.stringify(events))
    },
  )
}

rule('The configuration names the code that was asked for, even when the request cannot be read', (open) => {
  for (const request of [throwing('headers'), trap()]) {
    const { config } = openShop(open)
    assert.is(config("dashboard_menu_config('main')", { request }).code, 'main')
  }
})

rule('Without a request the viewer is anonymous, and the log has advice once', (open) => {
  const { tree, events } = openShop(open)
  for (const request of [undefined, null, 42, 'x']) {
    const nodes = tree("dashboard_menu_tree('main')", { request })
    assert.equal(labelsOf(nodes), ['Free', ['Below'], 'Route'])
  }
  assert.is(events.length, 1)
  assert.match(JSON.stringify(events), 'request=')
})

rule('A build, which has a locale and an address and nothing else, has nothing to complain of', (open) => {
  const { tree, events } = openShop(open)
  const request = { url: '/below/', locale: 'es', headers: {}, params: {} }
  const nodes = tree("dashboard_menu_tree('main')", { request })
  assert.is(nodes[0]?.hasCurrentInBranch, true)
  assert.is(nodes[0]?.children[0]?.isCurrent, true)
  assert.equal(events, [])
})

rule('What cannot be read of a request is logged', (open) => {
  for (const name of ['headers', 'url', 'params']) {
    const { tree, events } = openShop(open)
    assert.equal(tree("dashboard_menu_tree('main')", { request: throwing(name) }), [], name)
    assert.is(events.length, 1, name)
    assert.match(JSON.stringify(events), name)
  }
})

test.run()
