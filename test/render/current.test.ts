import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isCurrentOn, node, treeOn } from './pages.js'

const RULES: readonly (readonly [href: string, address: string, current: boolean, why: string])[] = [
  ['/a', '/a', true, 'the same path'],
  ['/a', '/b', false, 'another path'],
  ['/a/', '/a', true, 'a trailing slash does not count'],
  ['/', '/', true, 'the root'],
  ['/', '/a', false, 'the root is no parent of all'],
  ['/a', '/a/b', false, 'a path below'],
  ['/a', '/a?x=1', true, 'the page may have more parameters'],
  ['/a?x=1', '/a', false, 'a parameter that the page lacks'],
  ['/a?x=1', '/a?y=2&x=1', true, 'each parameter is in the page, in any order'],
  ['/a?x=1', '/a?x=2', false, 'another value'],
  ['/a?x=1&x=2', '/a?x=1&x=2', true, 'lists as lists'],
  ['/a?x=1', '/a?x=1&x=2', false, 'a value is no list'],
  ['/a%20b', '/a b', true, 'encoded or not'],
  ['/a%2Fb', '/a/b', false, 'an encoded slash is no slash'],
  ['https://shop.example/a', '/a', true, 'our own host'],
  ['https://other.example/a', '/a', false, 'another host'],
  ['https://shop.example:8443/a', '/a', false, 'another port'],
  ['mailto:a@shop.example', '/', false, 'no page'],
  ['#', '/', false, 'nowhere'],
  ['#part', '/', false, 'a part of every page'],
  ['?x=1', '/a?x=1', true, 'a query of the page'],
  ['./b', '/a/c', false, 'a relative path to elsewhere'],
  ['./b', '/a/b', true, 'a relative path to here'],
  ['/%zz', '/%zz', true, 'a path that cannot be decoded'],
  ['/a/b', '/a%00b', false, 'a NUL is a character of a segment'],
  ['/a%00b', '/a%00b', true, 'a NUL is a character of a segment'],
  ['/a/b', '/a%22,%22b', false, 'no character of a segment ends it'],
  ['http://page.invalid/a', '/a', false, 'a host that nobody has'],
]

for (const [href, address, current, why] of RULES) {
  test(`${href} is ${current ? '' : 'not '}current on ${address}: ${why}`, () => {
    assert.is(isCurrentOn(href, address), current)
  })
}

test('Sections and dividers are never current, and the branch above the current page is marked', () => {
  const section = node('/a', { itemType: 'section', children: [node('/a'), node('/b')] })
  const [marked, divider] = treeOn('/a', [section, node('/a', { itemType: 'divider' })])
  assert.equal([marked?.isCurrent, marked?.hasCurrentInBranch], [false, true])
  assert.equal([divider?.isCurrent, divider?.hasCurrentInBranch], [false, false])
  assert.equal(
    marked?.children.map(({ hasCurrentInBranch }) => hasCurrentInBranch),
    [true, false],
  )
})

test('A relative link is judged anew on each page', () => {
  const nodes = [node('./b')]
  assert.equal(
    ['/a/b', '/x/c', '/x/b'].map((address) => treeOn(address, nodes)[0]?.isCurrent),
    [true, false, true],
  )
})

test('A page whose address is odd changes nothing on the pages after it', () => {
  for (const odd of [
    'ftp://x/a',
    '*',
    'a',
    '@evil.example',
    ':99999',
    '',
    '\\\\evil.example',
    '//evil.example',
  ]) {
    const nodes = [node('/a'), node('https://shop.example/a'), node('./a')]
    assert.not.ok(
      treeOn(odd, nodes).some(({ isCurrent }) => isCurrent),
      odd,
    )
    assert.ok(
      treeOn('/a', nodes).every(({ isCurrent }) => isCurrent),
      odd,
    )
  }
})

test('Page nodes have the members of tree nodes, then the two of their own, and are frozen', () => {
  const [page] = treeOn('/a', [node('/a', { children: [node('/b')] })])
  const members = [
    'label',
    'href',
    'routeName',
    'icon',
    'itemType',
    'children',
    'isCurrent',
    'hasCurrentInBranch',
  ]
  assert.equal(Object.keys(page ?? {}), members)
  assert.ok(Object.isFrozen(page) && Object.isFrozen(page?.children) && Object.isFrozen(page?.children[0]))
})

test.run()
