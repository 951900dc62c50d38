import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Conflict } from '../../../src/change/merge/conflict.js'
import { mergeMenus } from '../../../src/change/merge/merge.js'
import type { Json, JsonMap } from '../../../src/model/json.js'
import { type Item, link, menu, section } from '../menus.js'

/** Where the items are whose viewers a merge asks about, and what becomes of the menu with either choice. */
function askedIn(base: Json, mine: Json, theirs: Json) {
  const { conflicts, value, choosing } = mergeMenus(base, mine, theirs)
  assert.equal(new Set(conflicts.map(({ kind }) => kind)), new Set(conflicts.length === 0 ? [] : ['viewers']))
  return {
    asked: conflicts.map((each) => [each.mine, each.theirs]),
    mine: value,
    theirs: choosing(() => 'theirs').value,
  }
}

const staff = (more: Item, ...children: readonly Item[]): Item => section('Staff', children, more)
const A: Item = { permissions: ['a'] }
const B: Item = { permissions: ['b'] }

test('An item opened in its section, which the other side opened, is asked about, and either choice is that side', () => {
  const base = menu(staff({ permissions: ['a', 'b'] }, link('x', B)))
  const mine = menu(staff({ permissions: ['a', 'b'] }, link('x')))
  const theirs = menu(staff(A, link('x', B)))
  assert.equal(askedIn(base, mine, theirs), {
    asked: [['/items/0/children/0', '/items/0/children/0']],
    mine,
    theirs,
  })
})

test('An item opened in its place by one side and taken out by the other is asked about', () => {
  const base = menu(staff(A, link('x', B), link('y')))
  const mine = menu(staff(A, link('x'), link('y')))
  const theirs = menu(staff(A, link('y')), link('x', B))
  assert.equal(askedIn(base, mine, theirs), { asked: [['/items/0/children/0', '/items/1']], mine, theirs })
})

test('What was added to a section for few, which the other side opened, is asked about, and absent with that side', () => {
  const base = menu(staff(A, link('y')))
  const mine = menu(staff(A, link('y'), link('x', { children: [link('z')] })))
  const theirs = menu(staff({}, link('y')))
  assert.equal(askedIn(base, mine, theirs), { asked: [['/items/0/children/1', null]], mine, theirs })
})

test('What was added to a branch that the other side moved out of a section for few, which it deleted, is asked about', () => {
  const branch = (...children: readonly Item[]): Item => section('Branch', children, { id: 'branch' })
  const base = menu(staff(A, branch(link('y'))))
  const mine = menu(staff(A, branch(link('y'), link('x'))))
  const theirs = menu(branch(link('y')))
  const { asked, ...chosen } = askedIn(base, mine, theirs)
  assert.equal(asked, [['/items/0/children/0/children/1', null]])
  assert.equal(chosen, { mine, theirs })
})

test('An item shown by one side in a section that the other side shows is asked about', () => {
  const base = menu(staff({ hidden: true }, link('x', { hidden: true }), link('y', B)))
  const mine = menu(staff({ hidden: true }, link('x'), link('y', B)))
  const theirs = menu(staff({}, link('x', { hidden: true }), link('y', B)))
  assert.equal(askedIn(base, mine, theirs).asked, [['/items/0/children/0', '/items/0/children/0']])
})

test('A permission mode and a section opened by different sides are asked about', () => {
  const both = { permissions: ['a', 'b'] }
  const base = menu(staff(A, link('x', both)))
  const mine = menu(staff(A, link('x', { ...both, permissionMode: 'any' })))
  assert.is(askedIn(base, mine, menu(staff({}, link('x', both)))).asked.length, 1)
})

test('What each side added to a section that both guarded anew cannot be kept together', () => {
  const base = menu(staff({ permissions: ['a', 'b'] }, link('z')))
  const mine = menu(staff(A, link('z'), link('x')))
  const theirs = menu(staff(B, link('z'), link('y')))
  const labelOf = ({ values }: Conflict): string =>
    ((values.mine ?? values.theirs) as JsonMap)['label'] as string
  const { contradictory } = mergeMenus(base, mine, theirs, (conflict) =>
    conflict.kind === 'edit' || labelOf(conflict) === 'x' ? 'mine' : 'theirs',
  )
  assert.equal(contradictory.map(labelOf), ['x'])
})

test('A divider shows nothing, so no one sees an item on the side where it is a divider', () => {
  const base = menu(link('x', { ...A, id: 'x' }), link('y'))
  const mine = menu({ type: 'divider', id: 'x' }, link('y'))
  const theirs = menu(link('x', { ...A, id: 'x', url: '/other' }), link('y'))
  const merged = mergeMenus(base, mine, theirs, ({ kind }) => (kind === 'edit' ? 'theirs' : 'mine'))
  assert.ok(merged.conflicts.some(({ kind }) => kind === 'viewers'))
})

test('What only one side shows to more viewers is not a conflict', () => {
  const base = menu(link('x', A), link('y'))
  assert.equal(mergeMenus(base, menu(link('x'), link('y')), menu(link('y'), link('x', A))).conflicts, [])
  assert.equal(mergeMenus(base, base, base).conflicts, [])
})

test.run()
