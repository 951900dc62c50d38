import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { outlineOf } from './outline.js'
import { menu, type OpenPages, requestFor, rule } from './pages.js'

const ITEMS = [
  { label: 'Home', url: '/' },
  {
    label: 'Shop',
    url: '/shop',
    children: [
      { type: 'section', label: 'Wear', children: [{ label: 'Shoes', url: '/shop/shoes?kind=all' }] },
      { type: 'divider' },
    ],
  },
]

/** What each crumb says, with where it leads. */
function crumbsOn(open: OpenPages, url: string, items: readonly object[] = ITEMS): unknown[] {
  const { render } = open({ 'main.yaml': menu('main', items) })
  const html = render("{{ dashboard_menu_breadcrumbs('main') }}", { request: requestFor(url) })
  return outlineOf(html)
    .filter(({ text }) => text !== '')
    .map(({ text, attributes: { href = null, 'aria-current': current = null } }) => [text, href, current])
}

rule('The trail leads from the top to the page, which is marked and no link', (open) => {
  assert.equal(crumbsOn(open, '/shop/shoes?kind=all&page=2'), [
    ['Shop', '/shop', null],
    ['Wear', null, null],
    ['Shoes', null, 'page'],
  ])
  assert.equal(crumbsOn(open, '/shop'), [['Shop', null, 'page']])
  assert.equal(crumbsOn(open, '/'), [['Home', null, 'page']])
})

rule('A trail is a nav around an ordered list, named apart from the menu', (open) => {
  const { render } = open({ 'main.yaml': menu('main', ITEMS) })
  const request = requestFor('/shop')
  const [nav, list, item] = outlineOf(render("{{ dashboard_menu_breadcrumbs('main') }}", { request }))
  assert.equal([nav?.name, list?.name, item?.name], ['nav', 'ol', 'li'])
  const name = nav?.attributes['aria-label']
  assert.ok(typeof name === 'string' && name !== '' && name !== 'The main menu')
  const told = render("{{ dashboard_menu_breadcrumbs('main', label='Migas') }}", { request })
  assert.is(outlineOf(told)[0]?.attributes['aria-label'], 'Migas')
})

rule('A page that is not in the menu, or not for this visitor, has no trail at all', (open) => {
  assert.equal(crumbsOn(open, '/elsewhere'), [])
  assert.equal(crumbsOn(open, '/shop/shoes'), [])
  const { render } = open({
    'main.yaml': menu('main', [{ label: 'S', url: '/s', permissions: ['secret'] }]),
  })
  for (const code of ['main', 'unknown']) {
    const html = render(`[{{ dashboard_menu_breadcrumbs('${code}') }}]`, { request: requestFor('/s') })
    assert.is(html, '[]')
  }
})

rule('A page that appears in the menu twice has one trail', (open) => {
  const twice = [
    { label: 'A', url: '/a', children: [{ label: 'Page', url: '/page' }] },
    { label: 'B', url: '/b', children: [{ label: 'Page', url: '/page' }] },
  ]
  const crumbs = crumbsOn(open, '/page', twice)
  assert.is(crumbs.length, 2)
  assert.equal(crumbs[1], ['Page', null, 'page'])
})

rule('A trail speaks the language of the page and is of its variant', (open) => {
  const label = { en: 'Hello', es: 'Hola' }
  const { render } = open({
    'main.yaml': menu('main', [{ label: 'Wrong', url: '/' }]),
    'main.3.yaml': menu('main', [{ label, url: '/' }], { context: { partnerId: 3 } }),
  })
  const call = "{{ dashboard_menu_breadcrumbs('main', contextSets=[{ partnerId: 3 }]) }}"
  const html = render(call, { request: requestFor('/', { 'accept-language': 'es' }) })
  assert.is(outlineOf(html).at(-1)?.text, 'Hola')
})

const SERVER = { host: '127.0.0.1', port: 0, public_url: null, trusted_proxies: [], static: null }

/** The JSON-LD of a page, and what the log says of it. */
function jsonLdOn(
  open: OpenPages,
  url: string,
  items: readonly object[],
  publicUrl: string | null = 'https://a.example/x',
) {
  const options = { server: { ...SERVER, public_url: publicUrl } }
  const { render, events } = open({ 'main.yaml': menu('main', items) }, { options })
  const html = render("{{ dashboard_menu_breadcrumbs('main', jsonLd=true) }}", { request: requestFor(url) })
  const [, json] = /<script type="application\/ld\+json">(.*)<\/script>$/.exec(html) ?? []
  const { itemListElement } = json === undefined ? { itemListElement: null } : JSON.parse(json)
  return { html, pages: itemListElement as { name: string; item?: string }[] | null, events }
}

rule(
  'JSON-LD has the pages of the trail with absolute addresses, the last one without, and no sections',
  (open) => {
    const { pages } = jsonLdOn(open, '/shop/shoes?kind=all', ITEMS)
    assert.equal(pages, [
      { '@type': 'ListItem', position: 1, name: 'Shop', item: 'https://a.example/shop' },
      { '@type': 'ListItem', position: 2, name: 'Shoes' },
    ])
    const odd = ['./near?x=1', '?y=2', 'https://b.example/', 'mailto:a@b.example', '#here']
    const nested = odd.reduceRight<object>((below, url) => ({ label: url, url, children: [below] }), {
      label: 'P',
      url: '/p/q',
    })
    assert.equal(
      jsonLdOn(open, '/p/q?z=3', [nested]).pages?.map(({ item }) => item),
      ['https://a.example/p/near?x=1', 'https://a.example/p/q?y=2', 'https://b.example/', undefined],
    )
  },
)

rule(
  'JSON-LD needs two pages and an address: without, only the trail is there, and the log asks for the address',
  (open) => {
    for (const [url, publicUrl] of [
      ['/shop', 'https://a.example'],
      ['/shop/shoes?kind=all', null],
    ] as const) {
      const { html, events } = jsonLdOn(open, url, ITEMS, publicUrl)
      assert.match(html, /^<nav .*<\/nav>$/)
      assert.equal(
        events.map(({ event }) => event),
        publicUrl === null ? ['json_ld_without_address'] : [],
      )
    }
    assert.equal(jsonLdOn(open, '/elsewhere', ITEMS, null), { html: '', pages: null, events: [] })
  },
)

rule('No address of a request leads JSON-LD to another host', (open) => {
  const items = [{ label: 'A', url: './near', children: [{ label: 'B', url: '?x=1' }] }]
  const itemsOn = (url: string) => jsonLdOn(open, url, items).pages?.map(({ item }) => item)
  assert.equal(itemsOn('//evil.example/shop?x=1'), ['https://a.example//evil.example/near', undefined])
  assert.equal(itemsOn('@evil.example/shop?x=1'), undefined)
})

test.run()
