import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Menu } from '../../src/model/menu.js'
import { buildSnapshot, type Snapshot } from '../../src/model/snapshot.js'
import type { PageNode } from '../../src/render/current.js'
import { STYLES } from '../../src/render/display.js'
import { sized } from '../support/figures.js'
import { divider, link, section, UNTIMED } from '../support/items.js'
import { toHash } from '../support/snapshot-of.js'
import { outlineOf } from './outline.js'
import { menu, requestFor, rule } from './pages.js'

// Menus past the parser, which would refuse much of this: what renders must not rely on it.

const EVIL = [
  '"><script>alert(1)</script>',
  "' onmouseover='alert(1)",
  '" autofocus onfocus="alert(1)',
  '</span></a></li></ul></nav><img src=x onerror=alert(1)>',
  '--><svg/onload=alert(1)>',
  '&lt;b&gt; &amp;amp; &#39;',
  '{{ 7 * 7 }}{% raw %}',
  '\u0000<\u2028`=/\\',
]
const texts = fc.oneof(
  fc.constantFrom(...EVIL),
  fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', ';', '=', ' ', 'a', '/', '#39') }),
)
const evilMenus = fc.record({
  name: texts,
  label: texts,
  icon: fc.option(texts),
  title: texts,
  htmlId: fc.option(texts),
  classes: fc.dictionary(
    fc.constantFrom('menu', 'item', 'link', 'children', 'section', 'divider', 'current', 'branch'),
    texts,
  ),
  folds: fc.boolean(),
  style: fc.constantFrom(...STYLES),
})
type EvilMenu = typeof evilMenus extends fc.Arbitrary<infer T> ? T : never

function snapshotWith({ label, icon, title, name, htmlId, classes, folds, style }: EvilMenu): Snapshot {
  const look = { icon, id: title, attributes: { class: title, title, 'data-x': title, download: true } }
  const inner = [
    link(label, { url: '/a', ...look }),
    divider({ attributes: { class: title } }),
    link(label, { url: '#', ...look }),
  ]
  const items = [section(label, inner, look), link(label, { url: '/b?"=<', ...look, children: inner })]
  const display = { htmlId, classes, style, collapsible: folds, nestedCollapsible: folds }
  const main: Menu = { line: 1, code: 'main', name, context: {}, display, items, ...UNTIMED }
  const file = { path: 'main.yaml', version: 'v', menu: main, problems: [] }
  return buildSnapshot({ files: [file], previous: null, folderProblems: [], hash: toHash })
}

const TAGS = ['nav', 'ul', 'ol', 'li', 'a', 'span', 'hr', 'details', 'summary']
const ATTRIBUTES =
  /^(id|class|href|open|name|title|download|data-(x|icon|menu-style)|role|aria-(current|label|hidden|level))$/

rule('No text of a menu or of a template breaks out of its place', (open) => {
  const template =
    "{{ dashboard_menu_html('main', label=name) }}{{ dashboard_menu_html('main') }}" +
    "{{ dashboard_menu_breadcrumbs('main', label=name) }}{{ dashboard_menu_breadcrumbs('main') }}"
  const start = snapshotWith({ ...EMPTY, label: 'x' })
  const { render, publish } = open(start)
  const holds = fc.property(evilMenus, texts, (evil, name) => {
    publish(snapshotWith(evil))
    const elements = outlineOf(render(template, { request: requestFor('/a'), name }))
    for (const element of elements) {
      assert.ok(TAGS.includes(element.name), element.name)
      for (const attribute of Object.keys(element.attributes)) assert.match(attribute, ATTRIBUTES)
    }
    const heads = elements.filter((element) => element.name === 'a')
    assert.ok(heads.length >= (evil.style === 'tabs' ? 3 : 4))
    for (const { text, attributes } of heads) {
      assert.is(text, evil.label)
      assert.is(attributes['title'] ?? evil.title, evil.title)
    }
  })
  fc.assert(holds, { numRuns: sized(100, 1_000) })
})

const EMPTY: EvilMenu = {
  name: 'N',
  label: '',
  icon: null,
  title: 't',
  htmlId: null,
  classes: {},
  folds: false,
  style: 'list',
}

rule(
  'C16: HTML is escaped once and the same, with autoescape on or off, as it is, through a variable, a macro or safe',
  (open) => {
    const evil = snapshotWith({ ...EMPTY, label: '<b> & "Q"', name: "<i>'N'" })
    const globals = ["dashboard_menu_html('main')", "dashboard_menu_breadcrumbs('main', label='<u>')"]
    for (const call of globals) {
      const ways = [
        `{{ ${call} }}`,
        `{{ ${call} | safe }}`,
        `{% set x = ${call} %}{{ x }}`,
        `{% macro m() %}{{ ${call} }}{% endmacro %}{{ m() }}`,
        `{% set x %}{{ ${call} }}{% endset %}{{ x | safe }}`,
        `{{ ${call} if true }}`,
      ]
      const results = [true, false].flatMap((autoescape) => {
        const { render } = open(evil, { autoescape })
        return ways.map((way) => render(way, { request: requestFor('/a') }))
      })
      assert.match(results[0] ?? '', '&lt;b&gt; &amp; &quot;Q&quot;')
      assert.not.match(results[0] ?? '', /&amp;(lt|quot|amp);/)
      assert.equal([...new Set(results)], [results[0]])
    }
  },
)

rule(
  'C13: breadcrumbs are JSON-LD that no label ends, and a call of a wrong style or kind shows nothing',
  (open) => {
    const label = '</script><script>alert(1)</script>\u2028&'
    const tree = menu('main', [{ label, url: '/a?"<=', children: [{ label, url: '/b' }] }])
    const server = {
      host: '127.0.0.1',
      port: 0,
      public_url: 'https://shop.example',
      trusted_proxies: [],
      static: null,
    }
    const { render } = open({ 'main.yaml': tree }, { options: { server } })
    const html = render("{{ dashboard_menu_breadcrumbs('main', jsonLd=true) }}", {
      request: requestFor('/b'),
    })
    const [, json = ''] =
      /^<nav .*<\/nav><script type="application\/ld\+json">([^<>&\u2028]*)<\/script>$/s.exec(html) ?? []
    const { itemListElement } = JSON.parse(json)
    assert.equal(itemListElement, [
      { '@type': 'ListItem', position: 1, name: label, item: 'https://shop.example/a?%22%3C=' },
      { '@type': 'ListItem', position: 2, name: label },
    ])
    for (const keyword of ['style="tabs&quot;"', 'style=1', 'icons="png"', 'jsonLd="true"'])
      assert.is(render(`{{ dashboard_menu_html('main', ${keyword}) }}`), '', keyword)
  },
)

rule('A label is data: the engine escapes it where it escapes anything, once', (open) => {
  const menus = { 'main.yaml': menu('main', [{ label: '<b> & "Q"', url: '/a?x=1&y=2' }]) }
  const template = "{% for node in dashboard_menu_tree('main') %}{{ node.label }} {{ node.href }}{% endfor %}"
  const escaped = open(menus).render(template)
  assert.is(escaped, '&lt;b&gt; &amp; &quot;Q&quot; /a?x=1&amp;y=2')
  assert.is(open(menus, { autoescape: false }).render(template), '<b> & "Q" /a?x=1&y=2')
})

rule('Nothing of a menu is a template', (open) => {
  const menus = { 'main.yaml': menu('main', [{ label: '{{ 7 * 7 }}', url: '/a' }]) }
  assert.match(open(menus).render("{{ dashboard_menu_html('main') }}"), '>{{ 7 * 7 }}</a>')
})

rule('A path of a hook or of a visitor stays an address', (open) => {
  const items = ['a', 'b', 'c', 'd', 'e'].map((routeName) => ({ label: routeName, routeName }))
  const paths: Readonly<Record<string, string>> = {
    a: 'javascript:alert(1)',
    b: '//evil.example',
    c: '/x"><script>',
    d: 'java\nscript:alert(1)',
    e: '/\\evil.example',
  }
  const policies = { generatePath: (name: string) => paths[name] ?? null }
  const { render, tree } = open({ 'main.yaml': menu('main', items) }, { policies })
  const hrefs = tree("dashboard_menu_tree('main')").map(({ href }: PageNode) => href)
  assert.equal([hrefs[0], hrefs[1], hrefs[3], hrefs[4]], ['#', '#', '#', '#'])
  outlineOf(render("{{ dashboard_menu_html('main') }}"))

  const routes = { product: '/products/:id' }
  const product = menu('main', [{ label: 'P', routeName: 'product' }])
  const site = open({ 'main.yaml': product }, { options: { routes } })
  const request = { ...requestFor('/'), params: { id: '"><script>' } }
  const [, , , anchor] = outlineOf(site.render("{{ dashboard_menu_html('main') }}", { request }))
  assert.equal(anchor?.attributes, { href: '/products/%22%3E%3Cscript%3E' })
})

test.run()
