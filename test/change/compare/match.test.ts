import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Match, matchItems, matchMenus, toPointers } from '../../../src/change/compare/match.js'
import { placedItems, readItems } from '../../../src/change/items.js'
import type { Json } from '../../../src/model/json.js'
import { timeOf } from '../../support/times.js'

type Item = Readonly<Record<string, Json>>

const menu = (...items: readonly Item[]): Json => ({ version: 1, code: 'main', name: 'Main', items })
const link = (label: string, more: Item = {}): Item => ({ label, url: `/${label}`, ...more })
const section = (label: string, ...children: readonly Item[]): Item => ({ type: 'section', label, children })

/** The pointers of the items that are the same, without the menus themselves. */
function pairsOf(pairs: Match['toAfter']): readonly (readonly [string, string])[] {
  return [...toPointers(pairs)].filter(([pointer]) => pointer !== '').sort()
}

/** Where each item of the first menu is in the second, as pairs of pointers without their `/items`. */
function matched(before: Json, after: Json): string[] {
  const short = (pointer: string) => pointer.replaceAll('/items', '').replaceAll('/children', '')
  const { toAfter } = matchItems(readItems(before), readItems(after))
  return pairsOf(toAfter).map(([a, b]) => `${short(a)} ${short(b)}`)
}

test('An item with an id is the one with that id, even if everything else changed', () => {
  const before = menu(link('a', { id: 'x' }), link('b'))
  const after = menu(link('b'), section('s', { id: 'x', label: 'New', url: '/new' }))
  assert.equal(matched(before, after), ['/0 /1/0', '/1 /0'])
})

test('Without an id, equal content goes before an equal destination, and that before an equal label', () => {
  const before = menu(link('a'), link('b'), link('c'))
  const after = menu({ label: 'B', url: '/b' }, { label: 'c', url: '/new' }, link('a'))
  assert.equal(matched(before, after), ['/0 /2', '/1 /0', '/2 /1'])
})

test('Among several the nearest in reading order is the one', () => {
  const divider: Item = { type: 'divider' }
  const before = menu(divider, link('a'), divider, link('b'))
  const after = menu(link('new'), divider, link('a'), divider, link('b'))
  assert.equal(matched(before, after), ['/0 /1', '/1 /2', '/2 /3', '/3 /4'])
})

test('What was removed at the top moves none of the equal items behind it', () => {
  const divider: Item = { type: 'divider' }
  const rest = [divider, link('d'), link('e'), divider, link('f'), link('g'), divider, link('h')]
  const before = menu(link('a'), link('b'), link('c'), ...rest)
  assert.equal(matched(before, menu(...rest)), rest.map((_, place) => `/${place + 3} /${place}`).sort())
})

test('An equal item of a list that belongs to it goes before a nearer one', () => {
  const divider: Item = { type: 'divider' }
  const left = section('s', link('a'), divider, link('b'), link('c'), link('d'))
  const right = section('t', link('e'), divider, link('f'))
  const now = section('s', link('d'))
  assert.equal(matched(menu(left, right), menu(now, right)).at(-2), '/1/1 /1/1')
})

test('A branch stays the same under another name, and so does the branch around it', () => {
  const inner = (label: string) => section(label, link('a'), link('b'))
  const before = menu(section('Reports', inner('Sales'), link('c')), link('d'))
  const after = menu(link('d'), section('Figures', inner('Money'), link('c')))
  assert.equal(matched(before, after), [
    '/0 /1',
    '/0/0 /1/0',
    '/0/0/0 /1/0/0',
    '/0/0/1 /1/0/1',
    '/0/1 /1/1',
    '/1 /0',
  ])
})

test('A branch that kept less than half of its items is another one', () => {
  const before = menu(section('s', link('a'), link('b'), link('c')))
  assert.equal(matched(before, menu(section('t', link('a'), link('x'), link('y')))), ['/0/0 /0/0'])
})

test('A branch whose items were parted is not taken for one that is known already', () => {
  const known = (...children: readonly Item[]) => ({ ...section('known', ...children), id: 'x' })
  const before = menu(section('s', link('a'), link('b')), known(link('c')))
  const after = menu(known(link('a')), section('t', link('b')))
  assert.equal(matched(before, after), ['/0 /1', '/0/0 /0/0', '/0/1 /1/0', '/1 /0'])
})

test('A label that changed in one language is known by the other one', () => {
  const before = menu(
    { type: 'section', label: { en: 'Help', es: 'Ayuda' } },
    { type: 'section', label: 'Shop' },
  )
  const after = menu(
    { type: 'section', label: { en: 'Shop', es: 'Tienda' } },
    { type: 'section', label: { en: 'Help', es: 'Auxilio' } },
  )
  assert.equal(matched(before, after), ['/0 /1', '/1 /0'])
})

test('Among several items with a text of its label, the one with most of them matches, then the nearest', () => {
  const texts = (...list: readonly string[]): Item => ({
    type: 'section',
    label: Object.fromEntries(list.map((text, place) => [['en', 'es', 'fr'][place], text])),
  })
  const before = menu(texts('a', 'b', 'c'))
  assert.equal(matched(before, menu(texts('a', '1', '2'), texts('3', 'b', 'c'))), ['/0 /1'])
  const [old, y, z] = [texts('a', 'b'), link('y'), link('z')]
  const after = menu(texts('a', '1'), y, z, texts('2', 'b'))
  assert.equal(matched(menu(y, z, old), after), ['/0 /1', '/1 /2', '/2 /3'])
  assert.equal(matched(menu(y, old, z), menu(texts('a', '1'), y, texts('2', 'b'), z)), [
    '/0 /1',
    '/1 /0',
    '/2 /3',
  ])
})

test('Items with different ids are never the same', () => {
  assert.equal(matched(menu(link('a', { id: 'x' })), menu(link('a', { id: 'y' }))), [])
})

test('A section that lost a child is matched by its label, and its children by themselves', () => {
  const before = menu(section('s', link('a'), link('b')))
  assert.equal(matched(before, menu(section('s', link('b')))), ['/0 /0', '/0/1 /0/0'])
})

test('Branches that are equal are matched with all that is below them, though others have equal items', () => {
  const first = section('s', link('overview'), link('a'))
  const second = section('t', link('overview'), link('b'))
  const before = menu(first, second)
  assert.equal(matched(before, menu(second, first)), [
    '/0 /1',
    '/0/0 /1/0',
    '/0/1 /1/1',
    '/1 /0',
    '/1/0 /0/0',
    '/1/1 /0/1',
  ])
})

test('Ten thousand items that are all alike are matched in no time', () => {
  const before = menu(...Array.from({ length: 10_000 }, (): Item => ({ type: 'divider' })))
  let size = 0
  const took = timeOf(() => {
    size = pairsOf(matchMenus(before, before).toAfter).length
  })
  assert.is(size, 10_000)
  assert.ok(took < 3_000, `${took} ms`)
})

const divider = (note: string | number): Item => ({ type: 'divider', 'x-note': note })

test('A divider with other fields is the one between the same neighbours, at the ends as well', () => {
  const [a, b] = [link('a'), link('b')]
  const olds = menu(divider(1), a, divider(2), b, divider(3))
  const news = menu(divider(4), a, divider(5), b, link('new'), divider(6))
  assert.equal(matched(olds, news), ['/0 /0', '/1 /1', '/2 /2', '/3 /3'])
})

test('A divider among others that changed, too, is a new one', () => {
  assert.equal(matched(menu(divider(1), divider(2)), menu(divider(3), divider(4))), [])
})

test('An item of another type is the same where it is the only one with its label', () => {
  const [a, heading] = [link('a'), section('a', link('b'))]
  assert.equal(matched(menu(a), menu(heading)), ['/0 /0'])
  assert.equal(matched(menu(a), menu(heading, section('a'))), [])
  assert.equal(matched(menu({ type: 'divider', label: 'a' }, a), menu(heading)), [])
})

test('Ten thousand changed dividers are matched quickly', () => {
  const places = [...Array(10_000).keys()]
  const all = (side: string) => menu(...places.map((place) => divider(`${side} ${place}`)))
  assert.equal(matched(all('old'), all('new')), [])
  const between = (side: string) =>
    menu(...places.map((place) => (place % 2 === 0 ? link(`${place}`) : divider(`${side} ${place}`))))
  assert.is(matched(between('old'), between('new')).length, 10_000)
  const same = (note: string) => menu(...places.map(() => divider(note)))
  assert.equal(matched(same('old'), same('new')), [])
})

const items: fc.Arbitrary<readonly Item[]> = fc.letrec<{ list: Item[] }>((tie) => ({
  list: fc.array(
    fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc.constantFrom(
        link('a'),
        link('b'),
        link('a', { id: 'x' }),
        { type: 'divider' },
        { label: 'a', routeName: 'r' },
      ),
      fc.tuple(fc.constantFrom('s', 't'), tie('list')).map(([label, list]) => section(label, ...list)),
    ),
    { maxLength: 5 },
  ),
})).list

test('A menu matches itself, item by item', () => {
  fc.assert(
    fc.property(items, (list) => {
      // Two items with one id are refused by the format.
      const value = menu(...list.filter((item) => item['id'] === undefined))
      const pointers = placedItems(value).map(({ pointer }) => pointer)
      fc.pre(new Set(placedItems(value).map(({ item }) => item['id'])).size === 1)
      assert.equal(
        pairsOf(matchMenus(value, value).toAfter),
        pointers.map((pointer) => [pointer, pointer]).sort(),
      )
    }),
  )
})

test('No item is matched twice, and both directions agree', () => {
  fc.assert(
    fc.property(items, items, (a, b) => {
      const { toAfter, toBefore } = matchMenus(menu(...a), menu(...b))
      assert.is(toAfter.size, toBefore.size)
      for (const [before, after] of toAfter) assert.is(toBefore.get(after), before)
      assert.equal(pairsOf(matchMenus(menu(...b), menu(...a)).toAfter), pairsOf(toBefore))
    }),
  )
})

test.run()
