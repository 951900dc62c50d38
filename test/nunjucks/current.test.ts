import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PageNode } from '../../src/render/current.js'
import { menu, type OpenPages, type PagesOptions, requestFor, rule } from './pages.js'

/** Whether a link to `url` is current on the page of a request. */
function isCurrent(open: OpenPages, url: string, request: unknown): boolean | undefined {
  const { tree } = open({ 'main.yaml': menu('main', [{ label: 'A', url }]) })
  return tree("dashboard_menu_tree('main')", { request })[0]?.isCurrent
}

const ODD: readonly (readonly [href: string, address: string, current: boolean])[] = [
  ['/a', '/a?%zz=%', true],
  ['/a', '/%zz', false],
  ['/a', '', false],
  ['/a', '//evil.example/a', false],
  ['/a', '*', false],
  ['/a', '?', false],
]

rule('A page that is written oddly is no reason to fail', (open) => {
  for (const [href, address, current] of ODD)
    assert.is(isCurrent(open, href, requestFor(address)), current, `${href} on ${address}`)
})

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
  rule(`${href} is ${current ? '' : 'not '}current: ${what} (${JSON.stringify(changes)})`, (open) =>
    assert.is(isCurrent(open, href, { ...requestFor('/a'), ...changes }), current),
  )
}

// RFC 9112, section 3.2.2: a server ignores Host when the target is absolute.
rule('The host of an absolute target goes before the header', (open) => {
  const request = { url: 'http://shop.example/a', headers: { host: 'other.example' } }
  assert.is(isCurrent(open, HERE, request), true)
  assert.is(isCurrent(open, 'https://other.example/a', request), false)
})

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

rule(
  'A section is never current even where its route leads, a divider never, and the branch above a page is marked',
  (open) => {
    const { tree } = open({ 'main.yaml': menu('main', NESTED) }, OPTIONS)
    assert.equal(marksOf(tree("dashboard_menu_tree('main')", { request: requestFor('/a') })), [
      ['S', false, true],
      ['A', true, true],
      ['', false, false],
      ['B', false, false],
      ['C', false, false],
      ['D', false, false],
    ])
  },
)

rule('A link with children may be current itself, or have the current page below it', (open) => {
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
})

rule('A page that the visitor may not see in the menu opens no branch', (open) => {
  const secret = { label: 'A', url: '/a', permissions: ['secret'] }
  const main = menu('main', [{ label: 'P', url: '/p', children: [secret] }])
  const { tree } = open({ 'main.yaml': main })
  const marks = marksOf(tree("dashboard_menu_tree('main')", { request: requestFor('/a') }))
  assert.equal(marks, [['P', false, false]])
})

rule('Each visitor has marks of their own, in any order', (open) => {
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
})

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
  rule(`With ${what}, nothing is current, not even the home page`, (open) => {
    const urls = ['/', '/?', 'https://shop.example/', './', '?', '?x=1', '/a']
    for (const url of urls) assert.is(isCurrent(open, url, request), false, url)
    const { render } = open({ 'main.yaml': menu('main', [{ label: 'Home', url: '/' }]) })
    const html = render("{{ dashboard_menu_html('main') }}{{ dashboard_menu_breadcrumbs('main') }}", {
      request,
    })
    assert.match(html, '<a href="/">Home</a>')
    assert.not.match(html, 'Breadcrumb')
  })
}

rule(
  'In an imported macro, which sees no context, nothing is current unless the request is passed',
  (open) => {
    const nav = (rest: string) =>
      `{% macro nav(request) %}{{ dashboard_menu_html('main'${rest}) }}{% endmacro %}`
    const templates = { 'without.njk': nav(''), 'with.njk': nav(', request=request') }
    const { render } = open({ 'main.yaml': menu('main', [{ label: 'Home', url: '/' }]) }, { templates })
    const shown = (name: string) => render(`{% from '${name}' import nav %}{{ nav(request) }}`)
    assert.not.match(shown('without.njk'), 'aria-current')
    assert.match(shown('with.njk'), 'aria-current')
  },
)

test.run()
