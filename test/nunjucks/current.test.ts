import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PageNode } from '../../src/render/current.js'
import { menu, type OpenPages, overEngines, type PagesOptions, requestFor } from './pages.js'

/** Whether a link to `url` is current on the page of a request. */
function isCurrent(open: OpenPages, url: string, request: unknown): boolean | undefined {
  const { tree } = open({ 'main.yaml': menu('main', [{ label: 'A', url }]) })
  return tree("dashboard_menu_tree('main')", { request })[0]?.isCurrent
}

type Case = readonly [href: string, address: string, current: boolean]

const ADDRESSES: Readonly<Record<string, readonly Case[]>> = {
  'A path equals itself, a trailing slash aside': [
    ['/a', '/a', true],
    ['/a', '/a/', true],
    ['/a/', '/a', true],
    ['/a', '/a/?x=1', true],
    ['/', '/', true],
    ['/', '/?x=1', true],
    ['/', '/a', false],
    ['/a', '/a/b', false],
    ['/a/b', '/a', false],
    ['/a', '/A', false],
    ['/caf%C3%A9', '/caf%C3%A9', true],
    ['/caf%C3%A9', '/caf%c3%a9', true],
  ],
  'Each query parameter of a link is in the request': [
    ['/a?x=1', '/a?x=1', true],
    ['/a?x=1', '/a?y=2&x=1', true],
    ['/a?x=1&y=2', '/a?y=2&x=1', true],
    ['/a?x=1', '/a', false],
    ['/a?x=1', '/a?x=2', false],
    ['/a?x=1', '/a?y=1', false],
    ['/a?x=1&y=2', '/a?x=1', false],
    ['/a?x=', '/a?x=', true],
    ['/a?x=', '/a', false],
    ['/a?q=a%20b', '/a?q=a+b', true],
    ['/a?__proto__=1', '/a', false],
    ['/a?constructor=1', '/a?constructor=1', true],
  ],
  'Lists are compared as lists': [
    ['/a?x=1&x=2', '/a?x=1&x=2', true],
    ['/a?x=1&x=2', '/a?x=1&y=0&x=2', true],
    ['/a?x=1&x=2', '/a?x=1', false],
    ['/a?x=1', '/a?x=1&x=2', false],
  ],
  'A fragment does not count, and is no page of its own': [
    ['/a#part', '/a', true],
    ['#part', '/', false],
    ['#', '/', false],
  ],
  'A link that is no page is never current': [
    ['mailto:a@shop.example', '/', false],
    ['tel:123', '/', false],
    ['mailto:/a', '/a', false],
  ],
  'A link to a host is current on that host alone': [
    ['https://shop.example/a', '/a', true],
    ['http://shop.example/a', '/a', true],
    ['https://SHOP.example/a', '/a', true],
    ['https://shop.example', '/', true],
    ['https://www.shop.example/a', '/a', false],
    ['https://shop.example.evil.example/a', '/a', false],
    ['https://shop.example:8443/a', '/a', false],
    ['https://other.example/a', '/a', false],
  ],
  'A character of a page is never taken for the slash between two segments': [
    ['/a/b', '/a%00b', false],
    ['/a/b', '/a%2Fb', false],
    ['/a/b', '/a%5Cb', false],
    ['/a/b', '/a%7Fb', false],
    ['/a/b', '/a%0Ab', false],
  ],
  'A page that is written oddly is no reason to fail': [
    ['/a', '/a?%zz=%', true],
    ['/a', '/%zz', false],
    ['/a', '', false],
    ['/a', '//evil.example/a', false],
    ['/a', '*', false],
    ['/a', '?', false],
  ],
}

for (const [rule, cases] of Object.entries(ADDRESSES)) {
  test(
    rule,
    overEngines((open) => {
      for (const [href, address, current] of cases) {
        const seen = isCurrent(open, href, requestFor(address))
        assert.is(seen, current, `${href} on ${address}`)
      }
    }),
  )
}

const HERE = 'https://shop.example/a'
const REQUESTS: readonly (readonly [what: string, href: string, request: object, current: boolean])[] = [
  ['a mounted router took its part off', '/admin/a', { url: '/a', originalUrl: '/admin/a' }, true],
  ['a mounted router took its part off', '/a', { url: '/a', originalUrl: '/admin/a' }, false],
  ['the framework says the host', HERE, { host: 'shop.example', headers: { host: '10.0.0.7:80' } }, true],
  ['the framework says the host', HERE, { host: 'x.example', headers: { host: 'shop.example' } }, false],
  ['the host is in capitals', HERE, { headers: { host: 'SHOP.Example' } }, true],
  ['another port', 'http://localhost:4400/a', { headers: { host: 'localhost:4400' } }, true],
  ['another port', 'http://localhost:4400/a', { headers: { host: 'localhost:4401' } }, false],
  ['the port that goes without saying', 'http://shop.example:80/a', {}, true],
  ['the port that goes without saying', HERE, { headers: { host: 'shop.example:443' } }, true],
  ['an address of six numbers', 'http://[::1]:4400/a', { headers: { host: '[::1]:4400' } }, true],
  ['a request over HTTP/2', HERE, { headers: { ':authority': 'shop.example' } }, true],
  ['an absolute target', '/a', { url: 'http://shop.example/a?x=1' }, true],
  ['an absolute target', HERE, { url: 'http://shop.example/a' }, true],
  ['an absolute target', 'https://other.example/a', { url: 'http://shop.example/a' }, false],
  ['an absolute target with a query', '/a?x=1', { url: 'http://shop.example/a?x=1' }, true],
  ['an absolute target without a path', '/', { url: 'http://shop.example' }, true],
  ['an absolute target that says another host', '/a', { url: 'http://other.example/a' }, true],
  ['a build, which has no host', '/a', { headers: {}, locale: 'en', params: {} }, true],
  ['a build, which has no host', HERE, { headers: {}, locale: 'en', params: {} }, false],
  ['no headers at all', '/a', { headers: undefined }, true],
  ['a host that is none', HERE, { headers: { host: 'not a host' } }, false],
  ['a host that is none', '/a', { headers: { host: 'not a host' } }, true],
]

for (const [what, href, changes, current] of REQUESTS) {
  test(
    `${href} is ${current ? '' : 'not '}current: ${what} (${JSON.stringify(changes)})`,
    overEngines((open) => assert.is(isCurrent(open, href, { ...requestFor('/a'), ...changes }), current)),
  )
}

// RFC 9112, section 3.2.2: a server ignores Host when the target is absolute.
test(
  'The host of an absolute target goes before the header',
  overEngines((open) => {
    const request = { url: 'http://shop.example/a', headers: { host: 'other.example' } }
    assert.is(isCurrent(open, HERE, request), true)
    assert.is(isCurrent(open, 'https://other.example/a', request), false)
  }),
)

type Marks = readonly [label: string, isCurrent: boolean, hasCurrentInBranch: boolean]

function marksOf(nodes: readonly PageNode[]): Marks[] {
  return nodes.flatMap((node) => [
    [node.label, node.isCurrent, node.hasCurrentInBranch] as const,
    ...marksOf(node.children),
  ])
}

const NESTED = [
  {
    type: 'section',
    label: 'S',
    routeName: 'a',
    children: [{ label: 'A', url: '/a' }, { type: 'divider' }, { label: 'B', url: '/b' }],
  },
  { label: 'C', url: '/c', children: [{ label: 'D', url: '/c/d' }] },
]
const OPTIONS: PagesOptions = { options: { routes: { a: '/a' } } }

test(
  'A section is never current even where its route leads, a divider never, and the branch above a page is marked',
  overEngines((open) => {
    const { tree } = open({ 'main.yaml': menu('main', NESTED) }, OPTIONS)
    assert.equal(marksOf(tree("dashboard_menu_tree('main')", { request: requestFor('/a') })), [
      ['S', false, true],
      ['A', true, true],
      ['', false, false],
      ['B', false, false],
      ['C', false, false],
      ['D', false, false],
    ])
  }),
)

test(
  'A link with children may be current itself, or have the current page below it',
  overEngines((open) => {
    const { tree } = open({ 'main.yaml': menu('main', NESTED) }, OPTIONS)
    const marksOn = (url: string) =>
      marksOf(tree("dashboard_menu_tree('main')", { request: requestFor(url) })).slice(4)
    assert.equal(marksOn('/c'), [
      ['C', true, true],
      ['D', false, false],
    ])
    assert.equal(marksOn('/c/d'), [
      ['C', false, true],
      ['D', true, true],
    ])
  }),
)

test(
  'A page that the visitor may not see in the menu opens no branch',
  overEngines((open) => {
    const secret = { label: 'A', url: '/a', permissions: ['secret'] }
    const main = menu('main', [{ label: 'P', url: '/p', children: [secret] }])
    const { tree } = open({ 'main.yaml': main })
    const marks = marksOf(tree("dashboard_menu_tree('main')", { request: requestFor('/a') }))
    assert.equal(marks, [['P', false, false]])
  }),
)

test(
  'Each visitor has marks of their own, in any order',
  overEngines((open) => {
    const { tree } = open({ 'main.yaml': menu('main', NESTED) }, OPTIONS)
    const currentOn = (url: string) =>
      marksOf(tree("dashboard_menu_tree('main')", { request: requestFor(url) }))
        .filter(([, isCurrentThere]) => isCurrentThere)
        .map(([label]) => label)
    for (const [url, labels] of [
      ['/a', ['A']],
      ['/b', ['B']],
      ['/x', []],
      ['/a', ['A']],
    ] as const)
      assert.equal(currentOn(url), labels)
  }),
)

/** Requests, and what is not known of them. */
const NOWHERE: Readonly<Record<string, unknown>> = {
  'no request': undefined,
  null: null,
  'a text': '/',
  'a request without an address': { headers: { host: 'shop.example' } },
  'an empty address': { url: '', headers: {} },
  'an address that is a number': { url: 7, headers: {} },
  'an address that is null': { url: null, headers: {} },
}

for (const [what, request] of Object.entries(NOWHERE)) {
  test(
    `With ${what}, nothing is current, not even the home page`,
    overEngines((open) => {
      const urls = ['/', '/?', 'https://shop.example/', './', '?', '?x=1', '/a']
      for (const url of urls) assert.is(isCurrent(open, url, request), false, url)
      const { render } = open({ 'main.yaml': menu('main', [{ label: 'Home', url: '/' }]) })
      const html = render("{{ dashboard_menu_html('main') }}{{ dashboard_menu_breadcrumbs('main') }}", {
        request,
      })
      assert.match(html, '<a href="/">Home</a>')
      assert.not.match(html, 'Breadcrumb')
    }),
  )
}

test(
  'In an imported macro, which sees no context, nothing is current unless the request is passed',
  overEngines((open) => {
    const nav = (rest: string) =>
      `{% macro nav(request) %}{{ dashboard_menu_html('main'${rest}) }}{% endmacro %}`
    const templates = { 'without.njk': nav(''), 'with.njk': nav(', request=request') }
    const { render } = open({ 'main.yaml': menu('main', [{ label: 'Home', url: '/' }]) }, { templates })
    const shown = (name: string) => render(`{% from '${name}' import nav %}{{ nav(request) }}`)
    assert.not.match(shown('without.njk'), 'aria-current')
    assert.match(shown('with.njk'), 'aria-current')
  }),
)

test.run()
