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

test.run()
