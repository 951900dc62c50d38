import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { MenuItem } from '../../src/model/menu.js'
import { buildTree, type TreeNode, type TreeRules } from '../../src/model/tree.js'
import { divider, link, section } from '../support/items.js'
import { itemLists, RUNS } from './arbitraries.js'
import { type Left, prune } from './oracle.js'

const SIX = ['label', 'href', 'routeName', 'icon', 'itemType', 'children']

/** The tree under rules that show everything in English and find no route, unless told otherwise. */
function treeOf(items: readonly MenuItem[], rules: Partial<TreeRules> = {}): readonly TreeNode[] {
  return buildTree(items, {
    chain: ['en'],
    prefixes: new Map(),
    extraMembers: [],
    canSee: () => true,
    now: null,
    toPath: () => null,
    ...rules,
  })
}

function* everyNode(nodes: readonly TreeNode[]): Generator<TreeNode> {
  for (const node of nodes) {
    yield node
    yield* everyNode(node.children)
  }
}

test('A link to a URL becomes a node that carries that URL', () => {
  const item = link({ en: 'Help', es: 'Ayuda' }, { url: 'https://example.org/?a=b', icon: 'bi:question' })
  const node = {
    label: 'Ayuda',
    href: 'https://example.org/?a=b',
    routeName: null,
    icon: 'x:question',
    itemType: 'link',
    children: [],
  }
  assert.equal(treeOf([item], { chain: ['es', 'en'], prefixes: new Map([['bi', 'x']]) }), [node])
})

test('An item with a route gets the path made of it, and names the route', () => {
  const items = [link('a', { routeName: 'one' }), section('b', [], { routeName: 'two' })]
  const nodes = treeOf(items, { toPath: ({ routeName }) => `/made/${routeName}` })
  assert.equal(
    nodes.map(({ href, routeName }) => [href, routeName]),
    [
      ['/made/one', 'one'],
      ['/made/two', 'two'],
    ],
  )
})

test('A route without a path gives #, and leaves its siblings and children intact', () => {
  const lost = link('lost', { routeName: 'lost', children: [link('below')] })
  const toPath: TreeRules['toPath'] = ({ routeName }) => (routeName === 'lost' ? null : '/found')
  const [first, second] = treeOf([lost, link('next', { routeName: 'found' })], { toPath })
  assert.equal([first?.href, first?.routeName, first?.children[0]?.href], ['#', 'lost', '/below'])
  assert.is(second?.href, '/found')
})

test('An unsafe path from a hook gives #', () => {
  for (const path of ['javascript:alert(1)', '//evil.example', '/\\evil.example', 'evil.example', '']) {
    assert.is(treeOf([link('a', { routeName: 'r' })], { toPath: () => path })[0]?.href, '#', path)
  }
})

test('Sections without a route and dividers lead nowhere, and a divider has no text', () => {
  const nodes = treeOf([section('Reports', []), divider()])
  assert.equal(
    nodes.map(({ label, href, routeName, icon }) => ({ label, href, routeName, icon })),
    [
      { label: 'Reports', href: '#', routeName: null, icon: null },
      { label: '', href: '#', routeName: null, icon: null },
    ],
  )
})

test('A label is data: nothing of it is escaped, trimmed or changed', () => {
  const label = ' <b>"Q&A"</b> {{ 1 }} '
  assert.is(treeOf([link(label)])[0]?.label, label)
})

test('A link that lost its children keeps its destination', () => {
  const item = link('a', { url: '/a', children: [link('b', { hidden: true })] })
  assert.equal([treeOf([item])[0]?.href, treeOf([item])[0]?.children], ['/a', []])
})

test('A node of any type has exactly six members in their order', () => {
  const every = [link('a', { id: 'a', attributes: { class: 'x' } }), section('b', [link('c')]), divider()]
  for (const node of everyNode(treeOf(every))) assert.equal(Object.keys(node), SIX)
})

test('Further members follow the six, and only on request', () => {
  const items = [link('a', { id: 'home', attributes: { target: '_blank' } }), divider()]
  const [full, bare] = treeOf(items, { extraMembers: ['id', 'attributes'] })
  assert.equal(Object.keys(full ?? {}), [...SIX, 'id', 'attributes'])
  assert.equal([full?.id, full?.attributes], ['home', { target: '_blank' }])
  assert.equal([bare?.id, bare?.attributes], [null, null])
  assert.equal(Object.keys(treeOf(items, { extraMembers: ['id'] })[0] ?? {}), [...SIX, 'id'])
})

test('For any menu the tree has the shape that is left of it, of frozen nodes with six members and a safe address', () => {
  const canSee = (item: MenuItem) => !item.permissions.includes('no')
  type Shape = readonly [string, readonly Shape[]]
  const shapeOf = (nodes: readonly TreeNode[]): Shape[] =>
    nodes.map((node) => [node.itemType, shapeOf(node.children)])
  const leftOf = (left: readonly Left[]): Shape[] =>
    left.map(({ item, children }) => [item.type, leftOf(children)])
  const law = fc.property(itemLists, (items) => {
    const tree = treeOf(items, { canSee })
    assert.equal(shapeOf(tree), leftOf(prune(items, canSee)))
    assert.ok(Object.isFrozen(tree))
    for (const node of everyNode(tree)) {
      assert.equal(Object.keys(node), SIX)
      assert.ok(Object.isFrozen(node) && Object.isFrozen(node.children))
      assert.match(node.href, /^[#/]/)
    }
  })
  fc.assert(law, RUNS)
})

test.run()
