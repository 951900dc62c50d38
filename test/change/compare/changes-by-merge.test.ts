import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { changesByMerge } from '../../../src/change/compare/changes-by-merge.js'
import { type Item, link, menu, section } from '../menus.js'

const [a, b, c] = [link('a'), link('b'), link('c')]

/** What a merge of two lists of items did by itself, a line for each change. */
function ownChanges(
  mine: readonly Item[],
  theirs: readonly Item[],
  merged: readonly Item[],
): readonly string[] {
  const { fields, items } = changesByMerge([menu(...mine), menu(...theirs)], menu(...merged), [])
  assert.equal(fields, [])
  return items.map(({ kind, before, after, moved, fields, ...flags }) => {
    const names = [
      ...fields.map(({ key, part }) => (part === null ? key : `${key}.${part}`)),
      ...(moved ? ['moved'] : []),
    ]
    const seen = [
      flags.widens ? 'wider' : '',
      flags.narrows ? 'narrower' : '',
      flags.exposes ? 'exposed' : '',
    ]
    return [kind, (after ?? before)?.name, ...(kind === 'changed' ? names : []), ...seen]
      .filter((word) => word !== '')
      .join(' ')
  })
}

test('What each side brought into a merge is not its own', () => {
  assert.equal(ownChanges([link('a', { icon: 'i:a' }), b], [a, b, c], [link('a', { icon: 'i:a' }), b, c]), [])
  assert.equal(ownChanges([a], [b, a, c], [a, c]), [], 'what one side deleted')
  assert.equal(ownChanges([a, b, c], [c, a, b], [c, a, b]), [], 'what one side moved')
})

test('Items that no side has, and those that all have and the merge has not, are its own change', () => {
  assert.equal(ownChanges([a, b], [a, b, c], [a, link('new')]), ['added new', 'removed b'])
})

test('A field that no side has so is of the merge, and the others are not', () => {
  const mine = link('a', { label: { en: 'a', es: 'x' }, icon: 'i:a' })
  const theirs = link('a', { label: { en: 'a', es: 'y' } })
  const merged = link('a', { label: { en: 'a', es: 'z' }, icon: 'i:a' })
  assert.equal(ownChanges([mine], [theirs], [merged]), ['changed a label.es'])
  assert.equal(ownChanges([mine], [theirs], [link('a', { label: 'z' })]), ['changed z label'])
})

test('A place is of the merge when it is one on no side', () => {
  const items = [a, b, c, link('d')]
  assert.equal(ownChanges(items, [...items, link('e')], [link('d'), a, b, c, link('e')]), ['changed d moved'])
  assert.equal(ownChanges(items, [link('d'), a, b, c], [link('d'), a, b, c]), [])
})

test('An item that one side alone knows is held against that side', () => {
  const added = link('new', { icon: 'i:a' })
  assert.equal(ownChanges([a], [a, added], [a, added]), [])
  assert.equal(ownChanges([a], [a, added], [a, link('new', { icon: 'i:b' })]), ['changed new icon'])
})

test('More or fewer viewers are of the merge when they are more or fewer than on each side', () => {
  const guarded = (permissions: string[], more: Item = {}) => section('s', [], { permissions, ...more })
  const [mine, theirs] = [guarded(['p', 'q']), guarded(['p'])]
  assert.equal(ownChanges([mine], [theirs], [guarded([])]), ['changed s permissions wider'])
  assert.equal(ownChanges([mine], [theirs], [guarded(['p', 'q', 'r'])]), ['changed s permissions narrower'])
  assert.equal(ownChanges([guarded(['p'])], [guarded(['q'])], [guarded(['p', 'q'])]), [
    'changed s permissions narrower',
  ])
  assert.equal(ownChanges([mine], [guarded([])], [guarded(['q'])]), ['changed s permissions'])
})

test('A key of the menu that no side has so is of the merge', () => {
  const named = (name: string) => ({ version: 1, code: 'main', name, items: [] })
  const fieldsOf = (merged: string) =>
    changesByMerge([named('Mine'), named('Theirs')], named(merged), []).fields.map(({ key, to }) => [key, to])
  assert.equal(fieldsOf('Theirs'), [])
  assert.equal(fieldsOf('Third'), [['name', 'Third']])
})

test('All three sides are considered', () => {
  const befores = [
    [a, b],
    [a, c],
    [a, b, c],
  ].map((items) => menu(...items))
  const { items } = changesByMerge(befores, menu(link('a', { icon: 'i:a' })), [])
  assert.equal(
    items.map(({ kind, after }) => [kind, after?.name]),
    [['changed', 'a']],
  )
})

test.run()
