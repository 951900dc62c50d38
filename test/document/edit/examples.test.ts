import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../src/model/json.js'
import { yaml } from '../../support/yaml.js'
import { edit, meaningOf } from './reading.js'

interface Items {
  readonly items: readonly Json[]
}

/** The text after its items became others. */
function withItems(text: string, change: (items: readonly Json[]) => readonly Json[]): string {
  const value = meaningOf(text) as unknown as Items
  return edit(text, { ...value, items: change(value.items) })
}

const A = { label: 'A', url: '/a' }
const B = { label: 'B', url: '/b' }

const TWO = yaml`
  items:
    # of the list

    # of a
    - label: A # label
      url: /a  # url

    # of b
    - label: B
      url: /b
`

test('Text separated from the first item by a blank line stays at the head, whichever item comes first', () => {
  assert.is(
    withItems(TWO, ([a, b]) => [b ?? null, a ?? null]),
    yaml`
      items:
        # of the list

        # of b
        - label: B
          url: /b

        # of a
        - label: A # label
          url: /a  # url
    `,
  )
})

test('A new list is indented like a neighbouring list', () => {
  const text = yaml`
    items:
      - label: S
        children:
            - label: A
              url: /a
      - label: T
        url: /t
  `
  assert.is(
    withItems(text, ([s]) => [s ?? null, { label: 'T', url: '/t', children: [B] }]),
    `${text}    children:\n        - label: B\n          url: /b\n`,
  )
})

test('A new item is as far from its dash as its neighbour', () => {
  const text = yaml`
    items:
      - label: S
        children:
          -   label: A
              url: /a
  `
  assert.is(
    withItems(text, () => [{ label: 'S', children: [A, B] }]),
    `${text}      -   label: B\n          url: /b\n`,
  )
})

test('Items moved below a new one bring their lines along, and a new one looks like its neighbours', () => {
  assert.is(
    withItems(TWO, () => [{ type: 'section', label: 'Both', children: [A, B] }]),
    yaml`
      items:
        # of the list

        - type: section
          label: Both
          children:
            # of a
            - label: A # label
              url: /a  # url
            # of b
            - label: B
              url: /b
    `,
  )
})

test('An item with another label that leads elsewhere, in the place of the old one, is that one', () => {
  assert.is(
    withItems(TWO, () => [{ label: 'New', routeName: 'new' }, B]),
    TWO.replace('label: A', 'label: New').replace('url: /a ', 'routeName: new '),
  )
})

test('A comment goes with its item alone: of a key that goes, it stays', () => {
  assert.is(
    withItems(TWO, () => [{ label: 'A' }, B]),
    TWO.replace('    url: /a  # url\n', '    # url\n'),
  )
  assert.is(
    withItems(TWO, () => [B]),
    TWO.replace(/ {2}# of a\n(?: {2}.*\n){2}\n/, ''),
  )
  assert.is(
    edit('items: # all\n  # head\n\n  # of a\n  - label: A\n', { items: [] }),
    'items: [] # all\n  # head\n',
  )
})

test('The lines of an item are its own, with the comments directly above it, behind it and below it', () => {
  const c = '      - label: c\n        url: |\n          /c\n'
  const a = '  # of a\n  - label: a # too\n    # and this\n'
  const b = `  # directly above b\n  - type: section\n    children:\n${c}    # of b\n`
  const foot = '  # at the foot of the list\nx-a: 1\n'
  const text = `items:\n  # of the list\n\n${a}  # of b\n\n${b}${foot}`
  assert.is(
    withItems(text, ([, second]) => [second ?? null]),
    `items:\n  # of the list\n  # of b\n\n${b}${foot}`,
  )
  assert.is(
    withItems(text, ([first]) => [first ?? null]),
    `items:\n  # of the list\n\n${a}  # of b\n${foot}`,
  )
})

test('In brackets, an item goes with the comments directly above it, and what is above a blank line stays', () => {
  const text = 'items: [\n  { label: A },\n  # loose\n\n  # of b\n  { label: B },\n  { label: C }\n]\n'
  const rest = text.replace('\n\n  # of b\n  { label: B },', '')
  for (const eol of ['\n', '\r\n'])
    assert.is(
      withItems(text.replaceAll('\n', eol), ([a, , c]) => [a ?? null, c ?? null]),
      rest.replaceAll('\n', eol),
    )
})

test('A new line ends as most lines of the text do', () => {
  const [most, few] = ['version: 1\r\nitems:\r\n', '  - label: A\n']
  assert.is(
    withItems(most + few, ([a]) => [a ?? null, { label: 'B' }]),
    `${most}${few}  - label: B\r\n`,
  )
  const [old, added] = ['version: 1\r\n', 'items:\n  - label: A\n']
  assert.is(
    withItems(old + added, ([a]) => [a ?? null, { label: 'B' }]),
    `${old}${added}  - label: B\n`,
  )
})

test('The first item of an empty list looks like those of other lists in the file, in lines if there are none', () => {
  assert.is(edit('items: [] # none\n', { items: [A] }), 'items: # none\n  - label: A\n    url: /a\n')
  const json = '{"items": [\n  {"label": "A"}\n]}\n'
  assert.is(
    edit(json, { items: [{ label: 'A', children: [B] }] }),
    json.replace('"A"', '"A", "children": [{"label": "B", "url": "/b"}]'),
  )
})

test('A new item in brackets has blanks at its ends where its neighbour has them at both', () => {
  for (const [open, close, blank] of [
    ['{ ', ' }', ' '],
    ['{ ', '}', ''],
    ['{', ' }', ''],
  ] as const) {
    const text = `items:\n  - ${open}label: A${close}\n`
    assert.is(
      withItems(text, ([a]) => [a ?? null, { label: 'B' }]),
      `${text}  - {${blank}label: B${blank}}\n`,
    )
  }
})

test('A new item is as far below the one before as most items are, and as near as half of them', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((label) => `  - label: ${label}\n`)
  for (const [list, blank] of [
    [`${a}\n${b}${c}${d}`, ''],
    [`${a}${b}\n${c}\n${d}`, '\n'],
    [`${a}${b}\n${c}`, ''],
    [`${a}\n${b}${c}`, ''],
  ]) {
    const text = `items:\n${list}`
    assert.is(
      withItems(text, (items) => [...items, { label: 'e' }]),
      `${text}${blank}  - label: e\n`,
    )
  }
})

test('A menu that lost all its keys is an empty map, and keeps its comments', () => {
  assert.is(edit('# head\na: 1 # one\n# foot\n', {}), '# head\n# one\n# foot\n{}\n')
})

test('A destination that comes while another key goes gets a line of its own', () => {
  const text = yaml`
    items:
      - type: section
        label: A
        icon: x:y # looks
        children: []
  `
  assert.is(
    withItems(text, () => [{ type: 'section', label: 'A', routeName: 'a', children: [] }]),
    text.replace('    icon: x:y # looks\n', '    routeName: a\n    # looks\n'),
  )
})

test('An added key goes to its customary place, and adds one line', () => {
  const text = 'items:\n  - label: A\n    url: /a\n    children: []\nversion: 1\n'
  const item = { label: 'A', url: '/a', children: [], hidden: true, type: 'link', 'x-a': 1 }
  assert.is(
    edit(text, { version: 1, items: [item], name: 'M' }),
    'items:\n  - label: A\n    type: link\n    url: /a\n    hidden: true\n    x-a: 1\n    children: []\nversion: 1\nname: M\n',
  )
})

test('A label turns into a map and back, and its comment stays', () => {
  const map = edit('items:\n  - label: A # c\n', { items: [{ label: { en: 'A', es: 'B' } }] })
  assert.is(map, 'items:\n  - label: { en: A, es: B } # c\n')
  assert.is(edit(map, { items: [{ label: 'A' }] }), 'items:\n  - label: A # c\n')
})

test('A text in lines of its own stays as deep as it is, with an indicator as well', () => {
  for (const header of ['|', '|4']) {
    const text = `items:\n  - label: ${header}\n        One\n        two\n    url: /a\n`
    assert.is(
      withItems(text, () => [{ label: 'One\nthree\n', url: '/a' }]),
      text.replace('two', 'three'),
    )
  }
})

test('A comment behind the header of a text in lines of its own stays behind another value', () => {
  const text = 'items:\n  - label: | # why\n      A\n    url: /a\n'
  for (const [label, written] of [
    [7, '7 # why\n'],
    ['B\n', '| # why\n      B\n'],
  ] as const)
    assert.is(
      withItems(text, () => [{ label, url: '/a' }]),
      text.replace('| # why\n      A\n', written),
    )
})

test('A key behind a question mark gets its new name there, and a comment between the two stays there alone', () => {
  const text = 'items:\n  - ? label\n    : A\n    ? url\n    : /a\n'
  assert.is(
    edit(text, { items: [{ label: 'A', routeName: 'a' }] }),
    text.replace('url', 'routeName').replace('/a', 'a'),
  )
  const commented = 'items:\n  - ? # why\n      label\n    : A\n'
  assert.is(
    edit(commented, { items: [{ label: { en: 'A', es: 'B' } }] }),
    commented.replace(': A', ': { en: A, es: B }'),
  )
})

test('A time window is written, in quotes, before the children of an item and before the items of a menu', () => {
  const text = yaml`
    version: 1
    code: main
    name: Main
    items:
      - label: A
        url: /a
        children: []
  `
  const value = meaningOf(text) as unknown as Items
  const [first] = value.items as unknown as readonly [object]
  const visibleFrom = '2026-12-01T00:00:00+01:00'
  const items = [{ ...first, visibleFrom, visibleUntil: '2027-01-01T00:00:00Z' }]
  assert.is(
    edit(text, { ...value, items, visibleFrom } as unknown as Json),
    yaml`
      version: 1
      code: main
      name: Main
      visibleFrom: "2026-12-01T00:00:00+01:00"
      items:
        - label: A
          url: /a
          visibleFrom: "2026-12-01T00:00:00+01:00"
          visibleUntil: "2027-01-01T00:00:00Z"
          children: []
    `,
  )
})

test.run()
