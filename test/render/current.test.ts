import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isCurrentOn, node, treeOn } from './pages.js'

type Case = readonly [href: string, address: string, current: boolean]

const ADDRESSES: Readonly<Record<string, readonly Case[]>> = {
  'A path equals itself, a trailing slash aside': [
    ['/a', '/a', true],
    ['/a', '/a/', true],
    ['/a/', '/a', true],
    ['/a', '/a/?x=1', true],
    ['/', '/', true],
    ['/', '/?x=1', true],
    ['/', '/a', false],
    ['/a', '/a/b', false],
    ['/a/b', '/a', false],
    ['/a', '/A', false],
    ['/caf%C3%A9', '/caf%C3%A9', true],
    ['/caf%C3%A9', '/caf%c3%a9', true],
  ],
  'Each query parameter of a link is in the request': [
    ['/a?x=1', '/a?x=1', true],
    ['/a?x=1', '/a?y=2&x=1', true],
    ['/a?x=1&y=2', '/a?y=2&x=1', true],
    ['/a?x=1', '/a', false],
    ['/a?x=1', '/a?x=2', false],
    ['/a?x=1', '/a?y=1', false],
    ['/a?x=1&y=2', '/a?x=1', false],
    ['/a?x=', '/a?x=', true],
    ['/a?x=', '/a', false],
    ['/a?q=a%20b', '/a?q=a+b', true],
    ['/a?__proto__=1', '/a', false],
    ['/a?constructor=1', '/a?constructor=1', true],
  ],
  'Lists are compared as lists': [
    ['/a?x=1&x=2', '/a?x=1&x=2', true],
    ['/a?x=1&x=2', '/a?x=1&y=0&x=2', true],
    ['/a?x=1&x=2', '/a?x=1', false],
    ['/a?x=1', '/a?x=1&x=2', false],
  ],
  'A fragment does not count, and is no page of its own': [
    ['/a#part', '/a', true],
    ['#part', '/', false],
    ['#', '/', false],
  ],
  'A link that is no page is never current': [
    ['mailto:a@shop.example', '/', false],
    ['tel:123', '/', false],
    ['mailto:/a', '/a', false],
  ],
  'A link to a host is current on that host alone': [
    ['https://shop.example/a', '/a', true],
    ['http://shop.example/a', '/a', true],
    ['https://SHOP.example/a', '/a', true],
    ['https://shop.example', '/', true],
    ['https://www.shop.example/a', '/a', false],
    ['https://shop.example.evil.example/a', '/a', false],
    ['https://shop.example:8443/a', '/a', false],
    ['https://other.example/a', '/a', false],
  ],
  'A character of a page is never taken for the slash between two segments': [
    ['/a/b', '/a%00b', false],
    ['/a/b', '/a%2Fb', false],
    ['/a/b', '/a%5Cb', false],
    ['/a/b', '/a%7Fb', false],
    ['/a/b', '/a%0Ab', false],
  ],
  'A link is compared as a browser resolves it on the page': [
    ['/a%20b', '/a b', true],
    ['/a%2Fb', '/a/b', false],
    ['?x=1', '/a?x=1', true],
    ['./b', '/a/c', false],
    ['./b', '/a/b', true],
    ['/%zz', '/%zz', true],
    ['/a%00b', '/a%00b', true],
    ['/a/b', '/a%22,%22b', false],
    ['http://page.invalid/a', '/a', false],
  ],
}

for (const [title, cases] of Object.entries(ADDRESSES)) {
  test(title, () => {
    for (const [href, address, current] of cases)
      assert.is(isCurrentOn(href, address), current, `${href} on ${address}`)
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
  const members = 'label href routeName icon itemType children isCurrent hasCurrentInBranch'.split(' ')
  assert.equal(Object.keys(page ?? {}), members)
  assert.ok(Object.isFrozen(page) && Object.isFrozen(page?.children) && Object.isFrozen(page?.children[0]))
})

test.run()
