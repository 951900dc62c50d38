import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Element, outlineOf } from '../../nunjucks/outline.js'
import { menu, type OpenPages, type Pages, REQUEST, rule } from '../../nunjucks/pages.js'
import { settingsOf } from '../../service/services.js'
import { ITEMS, type ItemField, only } from './fields.js'
import { NAUGHTY, shown } from './naughty.js'
import { takenAs } from './taken.js'

// The figure "strings", from files and templates to pages. A reader far stricter than a browser (`outlineOf`) throws for
// anything but the elements and the escaped texts that we mean to write.

const TAGS = ['nav', 'ul', 'ol', 'li', 'a', 'span', 'details', 'summary']
const ATTRIBUTES =
  /^(id|class|href|open|title|lang|rel|target|download|data-x|data-icon|role|aria-(current|label|hidden|level))$/

/** The elements of HTML that is ours alone, with attributes that we mean to write. */
function ours(html: string): readonly Element[] {
  const elements = outlineOf(html)
  for (const { name, attributes } of elements) {
    assert.ok(TAGS.includes(name), name)
    for (const attribute of Object.keys(attributes)) assert.match(attribute, ATTRIBUTES)
  }
  return elements
}

/** The links of a menu, and what stands for links that lead nowhere. */
const headsOf = (elements: readonly Element[]): readonly Element[] =>
  elements.filter(({ name, attributes }) => /^(a|span)$/.test(name) && attributes['data-icon'] === undefined)

/** Where a text of an item stands in HTML; fields that are not named here do not show. */
const SHOWN: Readonly<Record<string, (elements: readonly Element[]) => readonly unknown[]>> = {
  label: (elements) => headsOf(elements).map(({ text }) => text),
  url: (elements) => headsOf(elements).map(({ attributes }) => attributes['href'] ?? '#'),
  icon: (elements) => attributesOf(elements, 'data-icon'),
  id: (elements) => attributesOf(elements, 'id'),
  ...Object.fromEntries(
    ['title', 'class', 'target', 'rel', 'lang', 'download', 'data-x', 'aria-label'].map((name) => [
      `attribute ${name}`,
      (elements: readonly Element[]) => attributesOf(headsOf(elements), name),
    ]),
  ),
}

function attributesOf(elements: readonly Element[], name: string): readonly unknown[] {
  return elements.map(({ attributes }) => attributes[name]).filter((value) => value !== undefined)
}

const SITE = { options: { locales: ['en', 'es'], routes: { r: '/r' } } }

function menusOf(fields: readonly ItemField[]): Readonly<Record<string, string>> {
  const files = fields.map((field, place) => {
    return [`${place}.yaml`, menu(`item-${place}`, takenAs(field.name).map(field.item))] as const
  })
  return Object.fromEntries(files)
}

const MENUS = menusOf(ITEMS)

rule(
  'C9: no naughty string of an item is markup in our HTML, and each appears unchanged in its place',
  (open) => {
    const { render } = open(MENUS, SITE)
    for (const [place, { name }] of ITEMS.entries()) {
      const elements = ours(render(`{{ dashboard_menu_html('item-${place}', 'es') }}`))
      const texts = takenAs(name)
      if (SHOWN[name] === undefined) assert.ok(headsOf(elements).length <= texts.length, name)
      // An empty class is none, and so is an empty icon.
      else assert.equal(SHOWN[name](elements), /class|icon/.test(name) ? texts.filter(Boolean) : texts, name)
    }
  },
)

rule(
  'C10: an icon that could end its attribute is refused, and one of a menu past the parser is escaped',
  (open) => {
    for (const icon of ['"><script>', "a'b", 'a<b', 'a&b', 'a"b', '\u202ea', 'a\nb']) {
      assert.not.ok(takenAs('icon').includes(icon))
      const { render } = open({ 'main.yaml': menu('main', [{ label: 'A', url: '/', icon }]) })
      assert.is(render("{{ dashboard_menu_html('main') }}"), '')
    }
    // What the parser does not see is written by test/nunjucks/escaping.test.ts.
    const prefixes = { icon_library_prefix_map: { a: '"><script>' } }
    const { render } = open(MENUS, { options: { ...SITE.options, ...prefixes } })
    ours(render("{{ dashboard_menu_html('item-3') }}"))
  },
)

/** Nunjucks escapes two characters more than we do. */
const asWeDo = (html: string) => html.replace(/&#(96|92);/g, (_, code) => String.fromCharCode(Number(code)))

rule('C9: a naughty string is escaped where a template shows a node itself', (open) => {
  const { render } = open(MENUS, SITE)
  const node = '<li title="{{ node.label }}" id="{{ node.href }}">{{ node.label }}</li>'
  const html = render(`{% for node in dashboard_menu_tree('item-0') %}${node}{% endfor %}`)
  const elements = outlineOf(asWeDo(html))
  assert.equal(
    elements.map(({ text }) => text),
    takenAs('label'),
  )
  assert.equal(attributesOf(elements, 'title'), takenAs('label'))
})

/** A menu for each of these texts, whose code is `n` and the place of its text. */
function menuForEach(
  texts: readonly string[],
  rest: (text: string) => Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const items = [{ label: 'A', url: '/' }]
  return Object.fromEntries(
    texts.map((text, place) => [`${place}.yaml`, menu(`n${place}`, items, rest(text))]),
  )
}

const names = takenAs('name')
const NAMED = menuForEach(names, (name) => ({ name, display: { collapsible: true, 'x-name': name } }))

rule('C9: a naughty string as the name of a menu names its navigation, and as a keyword too', (open) => {
  const { render, config } = open(NAMED)
  const calls = ['html(code)', "html('n0', label=name)", "breadcrumbs('n0', label=name)"]
  const page = calls.map((call) => `{{ dashboard_menu_${call} }}`).join('')
  for (const [place, name] of names.entries()) {
    const code = `n${place}`
    const html = ours(render(page, { code, name }))
    const labels = attributesOf(html, 'aria-label')
    assert.equal(labels, [name, name, name], shown(name))
    assert.is(html.find((element) => element.name === 'summary')?.text, name, shown(name))
    const told = config('dashboard_menu_config(code)', { code }) as unknown as Readonly<
      Record<string, unknown>
    >
    assert.equal([told['name'], told['x-name']], [name, name], shown(name))
  }
})

const MENU = '{{ dashboard_menu_html(code) }}'
const labels = takenAs('label of the menu')
const LABELLED = menuForEach(labels, (label) => ({ display: { label, collapsible: true } }))

rule('C9: a naughty string as the label of a menu names its navigation', (open) => {
  const { render } = open(LABELLED)
  for (const [place, label] of labels.entries()) {
    const [nav, , summary] = ours(render(MENU, { code: `n${place}` }))
    assert.equal([nav?.attributes['aria-label'], summary?.text], [label, label], shown(label))
  }
})

const classes = takenAs('classes').filter(Boolean)
const ids = takenAs('htmlId').filter(Boolean)
const CLASSED = menuForEach(classes, (text) => ({ display: { classes: { menu: text, link: text } } }))
const IDENTIFIED = menuForEach(ids, (htmlId) => ({ display: { htmlId } }))

rule('C9: naughty classes and ids appear in their places', (open) => {
  for (const [attribute, texts, menus] of [
    ['class', classes, CLASSED],
    ['id', ids, IDENTIFIED],
  ] as const) {
    const { render } = open(menus)
    for (const [place, text] of texts.entries()) {
      const [, list] = ours(render(MENU, { code: `n${place}` }))
      assert.is(list?.attributes[attribute], text)
    }
  }
})

rule(
  'C9: a naughty string that a template asks with is a page without that menu, and never a page that fails',
  (open) => {
    const { render } = openSmall(open)
    const ways = [
      'text',
      "'main', text",
      "'main', none, text",
      "'main', none, [{ k: text }]",
      "'main', none, [sets]",
    ]
    const asking = ways.flatMap((way) => [
      `{{ dashboard_menu_html(${way}) }}`,
      `{{ dashboard_menu_breadcrumbs(${way}) }}`,
    ])
    const asked = "{{ dashboard_menu_html('main') }}{{ dashboard_menu_breadcrumbs('main') }}"
    for (const text of NAUGHTY) {
      ours(render(asking.join(''), { text, sets: only(text, 1) }))
      const request = { ...REQUEST, url: text, headers: { host: text, 'accept-language': text } }
      ours(render(asked, { request }))
    }
  },
)

function openSmall(open: OpenPages): Pages {
  const items = [{ label: 'A', url: '/', children: [{ label: 'B', url: '/b?c=d' }] }]
  assert.equal(settingsOf().locales.locales, ['en', 'es'])
  return open({ 'main.yaml': menu('main', items), 'k.yaml': menu('main', items, { context: { k: 'v' } }) })
}

test.run()
