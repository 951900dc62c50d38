import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { TreeNode } from '../../src/model/tree.js'
import { toBreadcrumbsHtml, toTrail } from '../../src/render/breadcrumbs.js'
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

test('Classes of the display are on their parts, the current page and its branch included', () => {
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
  const section = node('#', { label: 'S', itemType: 'section', children: [node('/a')] })
  const html = htmlOf([section, node('#', { itemType: 'divider', label: '' })], { classes, htmlId: 'side' })
  assert.match(html, '<nav aria-label="Main &quot;menu&quot;"><ul id="side" class="m">')
  assert.match(html, '<li class="i open"><span class="s">S</span><ul class="c">')
  assert.match(html, '<li class="i"><a href="/a" class="l now" aria-current="page">')
  assert.match(html, '<li class="i d"><hr></li>')
})

test('depthLimit cuts the HTML and nothing else', () => {
  const deep = [node('/b', { children: [node('/c', { children: [node('/d')] })] })]
  assert.not.match(htmlOf(deep, { depthLimit: 2 }), '/d')
  assert.match(htmlOf(deep, { depthLimit: 3 }), '/d')
  assert.match(htmlOf(deep), '/d')
})

test('A foldable menu folds without a script, and is open by default', () => {
  assert.match(
    htmlOf([node('/b')], { collapsible: true }),
    '<details open><summary>Main &quot;menu&quot;</summary>',
  )
  assert.match(htmlOf([node('/b')], { collapsible: true, collapsibleExpanded: false }), '<details><summary>')
})

test('Foldable branches are open where the current page is, and a link in front of one still leads somewhere', () => {
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

test('What a page marks is not on the next: one tree gives each page what a tree of its own would', () => {
  const below = [node('/b/1', { children: [node('/a'), node('?tab=1')] }), node('/b/2?x=1'), node('/b/2')]
  const tree = [node('/b', { children: below }), node('#', { itemType: 'section', children: [node('./1')] })]
  const configs = [
    {},
    { depthLimit: 2 },
    { nestedCollapsible: true, classes: { current: 'now', branch: 'open' } },
  ]
  for (const config of configs.map(configOf)) {
    for (const address of ['/a', '/x', '/b/2?x=1&y=2', '/b/1?tab=1', '/b', '/b/2', '/b/1', '/x', '/a']) {
      const html = (nodes: readonly TreeNode[]): string =>
        toMenuHtml(treeOn(address, nodes), { config, label: null })
      assert.is(html(tree), html(structuredClone(tree)), address)
    }
  }
  assert.equal(treeOn('/a', tree), treeOn('/a', structuredClone(tree)))
})

test('The trail leads from the top to the page, whose crumb is not a link', () => {
  const tree = treeOn('/a', [node('/b', { children: [node('/c', { children: [node('/a')] })] }), node('/a')])
  assert.equal(
    toTrail(tree).map(({ href }) => href),
    ['/b', '/c', '/a'],
  )
  assert.is(
    toBreadcrumbsHtml(toTrail(tree), 'Where you are'),
    '<nav aria-label="Where you are"><ol><li><a href="/b">/b</a></li><li><a href="/c">/c</a></li><li><span aria-current="page">/a</span></li></ol></nav>',
  )
  assert.is(toBreadcrumbsHtml(toTrail(treeOn('/x', [node('/b')])), 'x'), '')
})

test.run()
