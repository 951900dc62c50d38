import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toFates } from '../../../src/change/compare/item-fates.js'
import { matchMenus } from '../../../src/change/compare/match.js'
import type { Json } from '../../../src/model/json.js'
import { link, menu, section } from '../menus.js'

/** What became of each item, as `POINTER FATE`. */
function fates(before: Json, after: Json): string[] {
  return [...toFates(matchMenus(before, after))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([pointer, { before: old, edited, move }]) => {
      const what = old === null ? 'added' : [...edited, ...(move === null ? [] : [move])].join() || 'same'
      return `${pointer.replaceAll(/\/(items|children)/g, '')} ${what}`
    })
}

test('An item is edited by its own keys, labels by locale; not by what is below it', () => {
  const before = menu(section('S', [link('a', { label: { en: 'a', es: 'b' } })]), link('c', { icon: 'x:y' }))
  const after = menu(
    section('S', [link('a', { label: { en: 'a', es: 'c' } }), link('d')]),
    link('c', { hidden: true }),
  )
  assert.equal(fates(before, after), ['/0 same', '/0/0 label.es', '/0/1 added', '/1 hidden,icon'])
})

test('An item in another list moved, one of two that changed places may have, and one pushed aside did not', () => {
  const before = menu(link('a'), link('b'), link('c'), section('S', []))
  assert.equal(fates(before, menu(link('new'), link('c'), link('a'), section('S', [link('b')]))), [
    '/0 added',
    '/1 may-have',
    '/2 same',
    '/3 same',
    '/3/0 moved',
  ])
})

test('What can be seen by others because of what is above it is the same item', () => {
  const before = menu(section('S', [link('a')], { permissions: ['x'] }))
  assert.equal(fates(before, menu(section('S', [link('a')]))), ['/0 permissions', '/0/0 same'])
})

test.run()
