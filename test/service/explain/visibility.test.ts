import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Policies } from '../../../src/service/hooks.js'
import { type Asked, explainItems, explainOn, fatesOf, itemOf } from './explaining.js'

// Section 4 of the contract: why an item is on the tree, or is not.

/** What becomes of these items, in short. */
function fates(items: readonly string[], asked: Asked = {}): readonly string[] {
  return fatesOf(explainItems(items, asked).items)
}

/** The only item `A` of a menu, explained. */
function explainA(item: string, asked: Asked = {}) {
  return itemOf(explainItems([item], asked), 'A')
}

test('An item without permissions is for everyone', () => {
  const { fate, why, permissions } = explainA('{ label: A, url: / }')
  assert.equal([fate, permissions], ['shown', null])
  assert.match(why, 'everybody')
})

test('An item hidden by the file is explained as such, for any viewer', () => {
  const { fate, why } = explainA('{ label: A, url: /, hidden: true, permissions: [a] }', {
    permissions: ['a'],
  })
  assert.is(fate, 'hidden')
  assert.match(why, 'hidden: true')
})

/** The permissions of an item and of the viewer; what becomes of it, what is missing, and what is said. */
const PERMITTED: readonly (readonly [
  needs: string,
  has: readonly string[],
  fate: string,
  missing: readonly string[],
  said: RegExp,
])[] = [
  ['permissions: [a]', ['a', 'b'], 'shown', [], /viewer has a$/],
  ['permissions: [a]', [], 'denied', ['a'], /needs a, .*lacks/],
  ['permissions: [a, b]', ['b', 'a'], 'shown', [], /viewer has a, b$/],
  ['permissions: [a, b, c]', ['b'], 'denied', ['a', 'c'], /needs all of a, b, c.*lacks a, c$/],
  ['permissions: [a, b], permissionMode: any', ['b'], 'shown', ['a'], /has b.*any one of a, b/],
  ['permissions: [a, b], permissionMode: any', ['c'], 'denied', ['a', 'b'], /needs any one of a, b/],
  ['permissions: [users.view]', ['Users.View', 'users'], 'denied', ['users.view'], /needs users\.view/],
  ['permissions: [], permissionMode: any', [], 'shown', [], /everybody/],
]

for (const [needs, has, fate, missing, said] of PERMITTED) {
  test(`With ${needs} and a viewer who has [${has}], the item is ${fate}, and the explanation shows why`, () => {
    const told = explainA(`{ label: A, url: /, ${needs} }`, { permissions: has })
    assert.is(told.fate, fate)
    assert.match(told.why, said)
    assert.equal(told.permissions?.missing ?? [], missing)
    if (told.permissions !== null) {
      assert.is(told.permissions.mode, needs.includes('any') ? 'any' : 'all')
      assert.is(`permissions: [${told.permissions.needs.join(', ')}]`, needs.split(', permissionMode')[0])
    }
  })
}

test('Items below an item that goes, go with it, and are explained so to the deepest level', () => {
  const items = [
    '{ label: Top, url: /, permissions: [a], children: [{ label: Sub, url: /, hidden: true, children: [{ label: Leaf, url: / }] }, { type: divider }] }',
    '{ label: Hidden, type: section, hidden: true, children: [{ label: Under, url: / }] }',
  ]
  assert.equal(fates(items), [
    'denied Top',
    '  below Sub',
    '    below Leaf',
    '  below ---',
    'hidden Hidden',
    '  below Under',
  ])
  assert.match(itemOf(explainItems(items), 'Leaf').why, 'item above it is not shown')
})

test('A section that lost all it had is emptied, from the deepest level up', () => {
  const items = [
    '{ label: Outer, type: section, children: [{ label: Inner, type: section, children: [{ label: A, url: /, permissions: [a] }] }, { type: divider }] }',
  ]
  const asked: Asked = {}
  assert.equal(fates(items, asked), ['emptied Outer', '  emptied Inner', '    denied A', '  loose ---'])
  assert.match(itemOf(explainItems(items), 'Outer').why, /section .*only dividers left/)
  assert.equal(fates(items, { permissions: ['a'] }), [
    'shown Outer',
    '  shown Inner',
    '    shown A',
    '  shown ---',
  ])
})

test('A section with nothing but dividers goes, and the dividers are reported to go with it', () => {
  const items = ['{ label: Lines, type: section, children: [{ type: divider }, { type: divider }] }']
  assert.equal(fates(items), ['emptied Lines', '  below ---', '  below ---'])
})

test('A section that never had children is there', () => {
  assert.equal(fates(['{ label: Heading, type: section }']), ['shown Heading'])
})

test('A link that lost all items below it stays, as the explanation shows', () => {
  const items = [
    '{ label: A, url: /a, children: [{ label: B, url: /, permissions: [b] }, { type: divider }] }',
  ]
  const told = itemOf(explainItems(items), 'A')
  assert.equal(fatesOf([told]), ['shown A', '  denied B', '  loose ---'])
  assert.is(told.href?.value, '/a')
  assert.match(told.why, /everything below it is gone.*link stays/)
  assert.not.match(itemOf(explainItems(items, { permissions: ['b'] }), 'A').why, 'went')
})

test('In a list that lost an item, dividers that lead, trail or repeat are loose, and one of a row stays', () => {
  const gone = '{ label: Gone, url: /, hidden: true }'
  const items = ['{ type: divider }', gone, '{ label: A, url: / }', '{ type: divider }', gone]
  const rest = ['{ type: divider }', '{ label: B, url: / }', '{ type: divider }']
  const explanation = explainItems([...items, ...rest])
  assert.equal(fatesOf(explanation.items), [
    'loose ---',
    'hidden Gone',
    'shown A',
    'shown ---',
    'hidden Gone',
    'loose ---',
    'shown B',
    'loose ---',
  ])
  assert.match(explanation.items[0]?.why ?? '', /divider that no longer separates anything/)
})

test('A list that lost nothing keeps its dividers as written, even if its neighbours lost items', () => {
  const row = '{ type: divider }, { type: divider }, { label: B, url: / }, { type: divider }'
  const items = [`{ label: A, url: /, children: [${row}] }`, '{ label: Gone, url: /, hidden: true }']
  assert.equal(fates(items), [
    'shown A',
    '  shown ---',
    '  shown ---',
    '  shown B',
    '  shown ---',
    'hidden Gone',
  ])
})

test('A divider that the viewer may not see is denied, and not loose', () => {
  const items = ['{ label: A, url: / }', '{ type: divider, permissions: [a] }', '{ label: B, url: / }']
  const { items: told } = explainItems(items)
  assert.equal(fatesOf(told), ['shown A', 'denied ---', 'shown B'])
  assert.match(told[1]?.why ?? '', 'needs a')
})

test('The hook canView decides alone, and both its yes and its no are explained with the hook', () => {
  const policies: Policies = { canView: (item) => item.permissions.length > 0 }
  const yes = explainA('{ label: A, url: /, permissions: [a] }', { policies })
  const no = explainA('{ label: A, url: / }', { policies })
  assert.equal([yes.fate, no.fate], ['shown', 'denied'])
  assert.match(yes.why, 'canView')
  assert.match(no.why, 'canView')
  assert.not.match(yes.why, 'viewer has')
})

/** What the hook canView may do that is no answer. */
const NO_ANSWER: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw new Error('a secret')
  },
  'answers a text': () => 'yes',
  'answers a promise': () => Promise.resolve(true),
}

for (const [rule, fault] of Object.entries(NO_ANSWER)) {
  test(`An item for which the hook canView ${rule} is denied, and the hook is named`, () => {
    const canView = fault as () => boolean
    const { fate, why, href } = explainA('{ label: A, url: / }', { policies: { canView } })
    assert.equal([fate, href], ['denied', null])
    assert.match(why, 'canView')
    assert.not.match(why, 'secret')
  })
}

test('An item is reported with its id and its type, and with the line that it begins on', () => {
  const text = [
    'version: 1',
    'code: main',
    'name: Main',
    'items:',
    '  # A comment stands between.',
    '  - url: /',
    '    label: A',
    '    id: first',
    '    children:',
    '      - type: divider',
    '',
    '      - { type: section, label: B }',
  ]
  const { items } = explainOn({ 'main.yaml': `${text.join('\n')}\n` })
  const [first] = items
  assert.equal([first?.line, first?.id, first?.itemType], [6, 'first', 'link'])
  assert.equal(
    first?.children.map(({ line, id, itemType }) => [line, id, itemType]),
    [
      [10, null, 'divider'],
      [12, null, 'section'],
    ],
  )
})

test('An item outside its window is explained by the window, and one in it names its end', () => {
  const [from, until] = ['2026-12-01T00:00:00+01:00', '2027-01-01T00:00:00+01:00']
  const items = [
    `{ label: A, url: /, visibleFrom: "${from}", visibleUntil: "${until}", children: [{ label: B, url: /b }] }`,
    '{ type: divider }',
    '{ label: C, url: /, hidden: true, visibleUntil: "2020-01-01T00:00:00Z" }',
  ]
  const [before, within] = [from, until].map((time) => explainItems(items, { now: Date.parse(time) - 1 }))
  if (before === undefined || within === undefined) throw new Error('Nothing is explained.')
  assert.equal(fatesOf(before.items), ['outside A', '  below B', 'loose ---', 'hidden C'])
  assert.is(itemOf(before, 'A').why, `it is visible only from ${from} until ${until}`)
  assert.is(itemOf(before, 'A').href, null)
  assert.equal(fatesOf(within.items), ['shown A', '  shown B', 'loose ---', 'hidden C'])
  assert.is(itemOf(within, 'A').why, `it is for everybody, from ${from} until ${until}`)
  assert.equal([before.asOf, explainItems(items).asOf], ['2026-11-30T22:59:59.999Z', null])
})

test.run()
