import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../src/model/json.js'
import { changeBetween } from './between.js'
import { link, menu, section } from './menus.js'

/** Where each known item is now, and where it was, as pairs of pointers without their `/items`. */
function known(before: Json, after: Json): readonly string[] {
  const short = (pointer: string): string => pointer.replaceAll('/items', '').replaceAll('/children', '')
  const { origins } = changeBetween(before, after)
  return [...origins].map(([now, { pointer }]) => `${short(now)} ${short(pointer)}`).sort()
}

test('Items that match are the same', () => {
  assert.equal(known(menu(link('a'), link('b')), menu(link('b'), link('new'), link('a'))), ['/0 /1', '/2 /0'])
})

test('An item that took the place of another between the same neighbours is that item', () => {
  const before = menu(link('a'), link('b'), link('c'))
  assert.equal(known(before, menu(link('a'), link('new'), link('c'))), ['/0 /0', '/1 /1', '/2 /2'])
})

test('An item of another type, or with another id, is new even there', () => {
  const before = menu(link('a'), link('b', { id: 'x' }), section('s', []))
  const after = menu(link('a'), link('c', { id: 'y' }), link('d'))
  assert.equal(known(before, after), ['/0 /0'])
})

test('Where there is one more or less between the neighbours, only items with something in common match', () => {
  const before = menu(link('a'), link('b', { icon: 'i:b' }), link('c'))
  const after = menu(link('a'), link('new'), link('other', { icon: 'i:b' }), link('c'))
  assert.equal(known(before, after), ['/0 /0', '/2 /1', '/3 /2'])
})

test('Each item matches at most one, and later ones match behind it', () => {
  const [first, second] = [link('b', { icon: 'i:b' }), link('c', { icon: 'i:b' })]
  const after = menu(link('new'), link('x', { icon: 'i:b' }), link('y', { icon: 'i:b' }))
  assert.equal(known(menu(first, second), after), ['/1 /0', '/2 /1'])
  const turned = menu({ type: 'section', label: 'x' }, link('y'))
  assert.equal(known(menu(first, section('s', [])), turned), [])
})

test('Neighbours that stayed separate the places, and moved items are in none', () => {
  const before = menu(link('a'), link('x'), link('b'), link('y'))
  const after = menu(link('a'), link('p'), link('b'), link('q'), link('r'))
  assert.equal(known(before, after), ['/0 /0', '/1 /1', '/2 /2'])
  const moved = menu(link('b'), link('a'), link('p'), link('y'))
  assert.equal(known(before, moved), ['/0 /2', '/1 /0', '/2 /1', '/3 /3'])
})

test('What took a place in a branch that took a place is known, too', () => {
  const before = menu(section('s', [link('a')]), link('end'))
  const after = menu(section('t', [link('b')]), link('end'))
  assert.equal(known(before, after), ['/0 /0', '/0/0 /0/0', '/1 /1'])
})

test.run()
