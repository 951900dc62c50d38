import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { TreeNode } from '../../src/model/tree.js'
import { STYLES } from '../../src/render/display.js'
import { toMenuHtml } from '../../src/render/html.js'
import { configOf, node, treeOn } from './pages.js'

function htmlOf(nodes: readonly TreeNode[], display: Readonly<Record<string, unknown>> = {}): string {
  return toMenuHtml(treeOn('/a', nodes), { config: configOf(display), label: null })
}

test('A menu is a list in a navigation that bears its name', () => {
  assert.is(
    htmlOf([node('/a'), node('/b')]),
    '<nav aria-label="Main &quot;menu&quot;"><ul><li><a href="/a" aria-current="page">/a</a></li><li><a href="/b">/b</a></li></ul></nav>',
  )
})

test('An empty tree is nothing at all', () => assert.is(htmlOf([]), ''))

test('Labels, icons and attributes are text, with any content', () => {
  const evil = `"><script>alert('1')</script>&`
  const html = htmlOf([node('/b', { label: evil, icon: evil, attributes: { title: evil, class: evil } })])
  assert.not.match(html, /<script|"[^"=]*'[^"]*"1/)
  assert.is(html.match(/&quot;&gt;&lt;script&gt;/g)?.length, 4)
})

test('A foldable menu folds without a script, and is open by default', () => {
  assert.match(
    htmlOf([node('/b')], { collapsible: true }),
    '<details open><summary>Main &quot;menu&quot;</summary>',
  )
  assert.match(htmlOf([node('/b')], { collapsible: true, collapsibleExpanded: false }), '<details><summary>')
})

test('Foldable branches are open where the current page is, and a link before one still works', () => {
  const nodes = [node('/b', { children: [node('/a')] }), node('#', { label: 'T', children: [node('/c')] })]
  const html = htmlOf(nodes, { nestedCollapsible: true })
  assert.match(html, '<a href="/b">/b</a><details open><summary aria-label="/b"></summary>')
  assert.match(html, '<details><summary><span>T</span></summary>')
})

test('Attributes are on the link; those that are for links only are not on a text', () => {
  const attributes = {
    target: '_blank',
    rel: 'noopener',
    'data-x': '1',
    download: true,
    'aria-hidden': false,
  }
  assert.match(
    htmlOf([node('/b', { attributes })]),
    '<a href="/b" target="_blank" rel="noopener" data-x="1" download aria-hidden="false">',
  )
  assert.match(htmlOf([node('#', { attributes })]), '<span data-x="1" aria-hidden="false">')
})

const BRANCHES = [
  node('/b', { children: [node('/a'), node('/b/1', { children: [node('/b/2')] })] }),
  node('#', { itemType: 'section', label: 'T', children: [node('/c')] }),
]

test('The style list is the HTML of a menu without one', () => {
  for (const display of [{}, { collapsible: true }, { nestedCollapsible: true }])
    assert.is(htmlOf(BRANCHES, { ...display, style: 'list' }), htmlOf(BRANCHES, display))
})

test('The style details is a list whose branches fold, and says its name', () => {
  const html = htmlOf(BRANCHES, { style: 'details' })
  assert.match(html, '<nav aria-label="Main &quot;menu&quot;" data-menu-style="details"><ul>')
  assert.is(html.replace(' data-menu-style="details"', ''), htmlOf(BRANCHES, { nestedCollapsible: true }))
})

test('The style disclosure folds the branches of the top level, closed and one at a time', () => {
  const html = htmlOf(BRANCHES, { style: 'disclosure' })
  assert.match(html, '<a href="/b">/b</a><details name="menu-main"><summary aria-label="/b"></summary><ul>')
  assert.match(html, '<details name="menu-main"><summary><span>T</span></summary><ul>')
  assert.match(html, '<li><a href="/b/1">/b/1</a><ul>')
  const nested = htmlOf(BRANCHES, { style: 'disclosure', nestedCollapsible: true })
  assert.match(nested, '<li><a href="/b/1">/b/1</a><details><summary aria-label="/b/1"></summary><ul>')
})

test('The style tabs has a row for each level of the open branch', () => {
  const html = htmlOf(BRANCHES, { style: 'tabs' })
  const top = '<ul><li><a href="/b" aria-current="true">/b</a></li><li><a href="/c">T</a></li></ul>'
  const below =
    '<ul aria-label="/b"><li><a href="/a" aria-current="page">/a</a></li><li><a href="/b/1">/b/1</a></li></ul>'
  assert.is(html, `<nav aria-label="Main &quot;menu&quot;" data-menu-style="tabs">${top}${below}</nav>`)
  assert.ok(!htmlOf(BRANCHES, { style: 'tabs', depthLimit: 1 }).includes(below))
})

test('A branch that no page of the site would open has its items in the row of tabs', () => {
  const outside = [node('https://a.example/'), node('mailto:a@b.example')]
  const tree = [
    node('#', { label: 'More', children: outside }),
    node('https://c.example', { children: [node('#x')] }),
  ]
  const hrefs = [...htmlOf(tree, { style: 'tabs' }).matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  assert.equal(hrefs, ['https://a.example/', 'mailto:a@b.example', 'https://c.example', '#x'])
  assert.match(htmlOf(tree, { style: 'tabs', depthLimit: 1 }), '<span>More</span>')
})

test('An icon is its drawing where there is one, and otherwise a name', () => {
  const icons = [node('/b', { icon: 'a:b' }), node('/c', { icon: 'a:<c>' })]
  const toSvg = (icon: string): string | null => (icon === 'a:b' ? '<svg></svg>' : null)
  const html = toMenuHtml(treeOn('/a', icons), { config: configOf(), label: null, toSvg })
  assert.match(html, '<a href="/b"><svg></svg>/b</a>')
  assert.match(html, '<span data-icon="a:&lt;c&gt;" aria-hidden="true"></span>')
})

test('What a page marks is not on the next: one tree gives each page what a tree of its own would', () => {
  const below = [node('/b/1', { children: [node('/a'), node('?tab=1')] }), node('/b/2?x=1'), node('/b/2')]
  const tree = [node('/b', { children: below }), node('#', { itemType: 'section', children: [node('./1')] })]
  const configs = [
    {},
    { depthLimit: 2 },
    { nestedCollapsible: true, classes: { current: 'now', branch: 'open' } },
    { style: 'tabs' },
  ]
  for (const config of configs.map(configOf)) {
    for (const address of ['/a', '/x', '/b/2?x=1&y=2', '/b/1?tab=1', '/b', '/b/2', '/b/1', '/x', '/a']) {
      for (const style of [null, ...STYLES]) {
        const html = (nodes: readonly TreeNode[]): string =>
          toMenuHtml(treeOn(address, nodes), { config, label: null, style })
        assert.is(html(tree), html(structuredClone(tree)), address)
      }
    }
  }
  assert.equal(treeOn('/a', tree), treeOn('/a', structuredClone(tree)))
})

test.run()
