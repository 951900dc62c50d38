import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Element, outlineOf } from './outline.js'
import { type Context, menu, type OpenPages, requestFor, rule } from './pages.js'

const ITEMS = [
  {
    id: 'shop',
    label: 'Shop',
    url: '/shop',
    children: [
      { label: 'Shoes', url: '/shop/shoes', children: [{ label: 'Boots', url: '/shop/shoes/boots' }] },
    ],
  },
  { type: 'divider' },
  {
    type: 'section',
    label: 'Help',
    children: [{ label: 'Terms', url: '/terms', attributes: { target: '_blank', class: 'external' } }],
  },
]

const CALL = "{{ dashboard_menu_html('main') }}"

/** The elements of the menu on the page of an address. */
function elementsOn(open: OpenPages, url: string, display: Context = {}, call = CALL): readonly Element[] {
  const { render } = open({ 'main.yaml': menu('main', ITEMS, { display }) })
  return outlineOf(render(call, { request: requestFor(url) }))
}

function named(elements: readonly Element[], name: string): readonly Element[] {
  return elements.filter((element) => element.name === name)
}

function textsOf(elements: readonly Element[]): readonly string[] {
  return elements.map(({ text }) => text)
}

rule('A menu is one nav of nested lists with a link for each item that leads somewhere', (open) => {
  const elements = elementsOn(open, '/')
  assert.is(elements[0]?.name, 'nav')
  assert.is(named(elements, 'nav').length, 1)
  assert.is(named(elements, 'ul').length, 4)
  const links = named(elements, 'a')
  assert.equal(textsOf(links), ['Shop', 'Shoes', 'Boots', 'Terms'])
  const depths = links.map(({ within }) => within.filter((name) => name === 'ul').length)
  assert.equal(depths, [1, 2, 3, 2])
  for (const { within } of named(elements, 'li')) assert.is(within.at(-1), 'ul')
  assert.match(JSON.stringify(elements), '"Help"')
})

/** How many elements bear a class. */
function countOf(elements: readonly Element[], name: string): number {
  return elements.filter(({ attributes }) =>
    String(attributes['class'] ?? '')
      .split(' ')
      .includes(name),
  ).length
}

rule(
  'The classes of the display are on their parts, and the open branch and the page have theirs',
  (open) => {
    const classes = {
      menu: 'm',
      item: 'i',
      link: 'l',
      children: 'c',
      section: 's',
      divider: 'd',
      current: 'now',
      branch: 'open',
    }
    const elements = elementsOn(open, '/shop/shoes', { classes, htmlId: 'side' })
    const counts = Object.values(classes).map((name) => [name, countOf(elements, name)])
    assert.equal(Object.fromEntries(counts), { m: 1, i: 6, l: 4, c: 3, s: 1, d: 1, now: 1, open: 1 })
    assert.is(elements.filter(({ attributes }) => attributes['id'] === 'side').length, 1)
    const elsewhere = elementsOn(open, '/elsewhere', { classes })
    assert.equal([countOf(elsewhere, 'now'), countOf(elsewhere, 'open')], [0, 0])
  },
)

rule('Without a display no class and no empty attribute is written', (open) => {
  const elements = elementsOn(open, '/elsewhere')
  for (const { attributes, text } of elements) {
    assert.is(attributes['class'], text === 'Terms' ? 'external' : undefined)
    for (const value of Object.values(attributes)) assert.is.not(value, '')
  }
})

rule(
  'Ids and attributes of items are in the HTML, with any endpoint setting, and _blank has its noopener',
  (open) => {
    const elements = elementsOn(open, '/')
    assert.is(elements.filter(({ attributes }) => attributes['id'] === 'shop').length, 1)
    const terms = named(elements, 'a').find(({ text }) => text === 'Terms')
    const { target, rel, href } = terms?.attributes ?? {}
    assert.equal({ target, rel, href }, { target: '_blank', rel: 'noopener', href: '/terms' })
  },
)

rule('depthLimit cuts the HTML and neither the tree nor the breadcrumbs', (open) => {
  const { render, tree } = open({ 'main.yaml': menu('main', ITEMS, { display: { depthLimit: 1 } }) })
  const request = requestFor('/shop/shoes/boots')
  assert.equal(textsOf(named(outlineOf(render(CALL, { request })), 'a')), ['Shop'])
  assert.is(tree("dashboard_menu_tree('main')", { request })[0]?.children[0]?.children[0]?.label, 'Boots')
  assert.match(render("{{ dashboard_menu_breadcrumbs('main') }}", { request }), 'Boots')
  const two = elementsOn(open, '/', { depthLimit: 2 })
  assert.equal(textsOf(named(two, 'a')), ['Shop', 'Shoes', 'Terms'])
})

rule('A menu folds only where its display sets it, open or closed, as a whole or by branch', (open) => {
  const folds = (url: string, display: Context) =>
    named(elementsOn(open, url, display), 'details').map(({ attributes }) => 'open' in attributes)
  assert.equal(folds('/', {}), [])
  assert.equal(folds('/', { collapsible: true }), [true])
  assert.equal(folds('/', { collapsible: true, collapsibleExpanded: false }), [false])
  assert.equal(folds('/elsewhere', { nestedCollapsible: true }), [false, false, false])
  assert.equal(folds('/shop/shoes/boots', { nestedCollapsible: true }), [true, true, false])
  const summaries = named(elementsOn(open, '/', { collapsible: true, nestedCollapsible: true }), 'summary')
  for (const { within } of summaries) assert.is(within.at(-1), 'details')
  assert.is(summaries.length, 4)
})

rule('The nav is named after the menu, or by the template', (open) => {
  assert.is(elementsOn(open, '/')[0]?.attributes['aria-label'], 'The main menu')
  const call = "{{ dashboard_menu_html('main', label='Where to') }}"
  assert.is(elementsOn(open, '/', {}, call)[0]?.attributes['aria-label'], 'Where to')
})

rule(
  'A name that the template lacks is that of the menu, and one that is not a text shows no menu',
  (open) => {
    const nameWith = (label: string) => {
      const macro = '{% macro name() %}Where to{% endmacro %}'
      const call = `${macro}{{ dashboard_menu_html('main', label=${label}) }}`
      return elementsOn(open, '/', {}, call)[0]?.attributes['aria-label']
    }
    for (const label of ['none', 'undefined', "''"]) assert.is(nameWith(label), 'The main menu')
    assert.is(nameWith('name()'), 'Where to')
    for (const label of ['42', '[]', '{}', 'true']) assert.is(nameWith(label), undefined)
  },
)

rule(
  'The tree has the same members whether HTML, which needs more of them, was made before or after',
  (open) => {
    const { render, tree } = open({ 'main.yaml': menu('main', ITEMS) })
    const members = () => Object.keys(tree("dashboard_menu_tree('main')")[0] ?? {}).join(' ')
    const before = members()
    assert.is(before, 'label href routeName icon itemType children isCurrent hasCurrentInBranch')
    assert.match(render(CALL), 'id="shop"')
    assert.is(members(), before)
    assert.match(render(CALL), 'id="shop"')
  },
)

rule('HTML speaks the language and is of the variant that the template asks for', (open) => {
  const label = { en: 'Hello', es: 'Hola' }
  const { render } = open({
    'main.yaml': menu('main', [{ label, url: '/' }]),
    'main.3.yaml': menu('main', [{ label, url: '/3' }], { context: { partnerId: 3 } }),
  })
  const html = render("{{ dashboard_menu_html('main', 'es', [{ partnerId: 3 }]) }}")
  assert.equal(textsOf(named(outlineOf(html), 'a')), ['Hola'])
  assert.is(named(outlineOf(html), 'a')[0]?.attributes['href'], '/3')
})

rule(
  'A menu of nothing, or of nothing for this visitor, or that does not exist, has no HTML at all',
  (open) => {
    const { render } = open({
      'empty.yaml': menu('empty', [], { display: { collapsible: true, htmlId: 'x' } }),
      'secret.yaml': menu('secret', [{ label: 'S', url: '/', permissions: ['secret'] }]),
    })
    for (const code of ['empty', 'secret', 'unknown']) {
      assert.is(render(`[{{ dashboard_menu_html('${code}') }}]`), '[]')
      assert.is(render(`{{ 'some' if dashboard_menu_tree('${code}') | length else 'none' }}`), 'none')
    }
  },
)

rule('A template may ask whether there is any HTML', (open) => {
  const { render } = open({ 'main.yaml': menu('main', ITEMS) })
  for (const name of ['dashboard_menu_html', 'dashboard_menu_breadcrumbs']) {
    const anyOf = (code: string) =>
      render(`{% set html = ${name}('${code}') %}{% if html %}some{% else %}none{% endif %}`, {
        request: requestFor('/shop'),
      })
    assert.equal([name, anyOf('main'), anyOf('unknown'), anyOf('')], [name, 'some', 'none', 'none'])
  }
})

test.run()
