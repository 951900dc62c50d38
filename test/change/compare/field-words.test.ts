import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  describeField,
  describeMove,
  FIELD_WORDS,
  toNewPlace,
  toSummary,
} from '../../../src/change/compare/field-words.js'
import type { Json } from '../../../src/model/json.js'
import { differencesBetween, type Item, link, menu, section } from '../menus.js'

const summary = (before: Json, after: Json): string => toSummary(differencesBetween(before, after))

test('A change of a menu fits in a line', () => {
  const before = menu(
    { label: { en: 'Blog', es: 'Blog' }, url: '/blog' },
    link('Sale'),
    section('Shop', [link('Lamps')]),
  )
  const after = menu(
    { label: { en: 'News', es: 'Blog' }, url: '/blog' },
    section('Shop', [link('Lamps'), link('Sale')]),
    link('Help'),
  )
  assert.is(summary(before, after), '3 items: “News” relabelled (en), “Sale” moved under “Shop”, 1 added')
})

test('One item is named, however it changed', () => {
  const from = (...items: readonly Item[]): string => summary(menu(link('a')), menu(...items))
  assert.is(from(link('a')), 'nothing changed')
  assert.is(from(), '“a” removed')
  assert.is(from(link('a'), link('b')), '“b” added')
  assert.is(from(link('a', { hidden: true })), '“a” hidden')
  assert.is(from(link('a', { permissions: ['k'] })), '“a” seen by fewer')
  assert.is(from(link('a', { url: '/new', icon: 'i:i' })), '“a” leads elsewhere and icon changed')
  assert.is(summary(menu(link('a', { permissions: ['k'] })), menu(link('a'))), '“a” seen by more')
  assert.is(
    summary(menu(link('a', { permissions: ['k'] })), menu(link('a', { permissions: ['l'] }))),
    '“a” seen by more and by fewer',
  )
})

test('A move within a list is said to be one where the list has another name or another place, too', () => {
  const [a, b, c, d] = [link('a'), link('b'), link('c'), link('d')]
  const before = menu(section('s', [a, b, c, d]))
  const moved = [d, a, b, c]
  assert.is(summary(before, menu(section('t', moved))), '2 items: “t” relabelled, “d” moved to place 1')
  assert.is(summary(before, menu(link('x'), section('s', moved))), '2 items: “d” moved to place 1, 1 added')
})

test('The first three of many items are named, starting with those that more viewers see', () => {
  const items = ['a', 'b', 'c', 'd', 'e'].map((label) => link(label, { permissions: ['k'] }))
  const next = items.map((item, place) =>
    place === 4 ? { ...item, permissions: [] } : { ...item, icon: 'i:i' },
  )
  assert.is(
    summary(menu(...items), menu(...next)),
    '5 items: “e” seen by more, “a” icon changed, “b” icon changed, 2 more changed',
  )
  assert.is(
    summary(menu(...items.slice(0, 3)), menu(...next.slice(0, 3))),
    '3 items: “a” icon changed, “b” icon changed, “c” icon changed',
  )
})

test('What changed of the menu itself comes first', () => {
  assert.is(
    summary(menu(), { ...(menu(link('a')) as Item), name: 'New', context: { p: 1 } }),
    'name changed, context changed; “a” added',
  )
})

test('Values are put in words, and missing ones by their meaning', () => {
  const tell = (before: Item, after: Item): unknown[] =>
    differencesBetween(menu(before), menu(after)).items.flatMap(({ fields }) =>
      fields.map((field) => describeField(field)).map(({ what, from, to }) => [what, from, to]),
    )
  assert.equal(tell(link('a'), link('a', { hidden: true })), [['hidden', 'no', 'yes']])
  assert.equal(tell(link('a', { permissions: ['k', 'l'] }), link('a', { permissions: [] })), [
    ['permissions', 'k, l', null],
  ])
  assert.equal(
    tell({ label: 'a', routeName: 'r', routeParams: { id: 3, tags: ['x'] } }, { label: 'a', routeName: 'r' }),
    [['route parameters', '{id: 3, tags: ["x"]}', null]],
  )
  assert.equal(
    tell(
      { label: 'a', routeName: 'r', routeParams: {} },
      { label: 'a', routeName: 'r', routeParams: { id: 3 } },
    ),
    [['route parameters', null, '{id: 3}']],
  )
  assert.equal(tell({ label: { en: 'A' }, url: '/' }, { label: { en: 'B' }, url: '/' }), [
    ['label (en)', 'A', 'B'],
  ])
})

test('A move is reported by the names above and the place in the list', () => {
  const [moved] = differencesBetween(
    menu(section('Shop', [link('a')])),
    menu(section('Shop', []), link('a')),
  ).items
  if (moved?.before == null || moved.after === null) throw new Error('nothing moved')
  assert.equal(describeMove(moved.before, moved.after), {
    what: 'moved',
    from: 'Shop, place 1',
    to: 'top level, place 2',
  })
})

test('The new place of an item is the first, the last or a number in its list, with the names above another list', () => {
  const newPlace = (before: Json, after: Json): string => {
    const [moved] = differencesBetween(before, after).items.filter((each) => each.moved)
    if (moved?.before == null || moved.after === null) throw new Error('nothing moved')
    return toNewPlace(moved.before, moved.after, FIELD_WORDS)
  }
  const all = (...labels: string[]): Json => menu(...labels.map((each) => link(each)))
  assert.is(newPlace(all('a', 'b', 'c', 'd'), all('d', 'a', 'b', 'c')), 'first place')
  assert.is(newPlace(all('a', 'b', 'c', 'd'), all('b', 'c', 'd', 'a')), 'last place')
  assert.is(newPlace(all('a', 'b', 'c', 'd'), all('b', 'c', 'a', 'd')), 'place 3 of 4')
  const [before, after] = [
    menu(link('a'), section('Shop', [link('b')])),
    menu(section('Shop', [link('b'), link('a')])),
  ]
  assert.is(newPlace(before, after), 'Shop, last place')
  assert.is(newPlace(after, before), 'top level, first place')
})

test.run()
