import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { TreeNode } from '../../src/model/tree.js'
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

test.run()
