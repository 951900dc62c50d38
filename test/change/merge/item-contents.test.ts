import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mergeMenus } from '../../../src/change/merge/merge.js'
import type { Json } from '../../../src/model/json.js'
import { type Item, link, menu, section } from '../menus.js'

const ID = { id: 'x' }
const DIVIDER: Item = { type: 'divider', ...ID }
const EMPTY = section('s', [], ID)
const FULL = section('s', [link('a')], ID)

/** The fields that are asked for, and the item for each choice. */
function choices(
  base: Item,
  mine: Item,
  theirs: Item,
): { readonly asked: unknown; readonly chosen: readonly Json[] } {
  const merged = mergeMenus(menu(base), menu(mine), menu(theirs))
  const chosen = (['base', 'mine', 'theirs'] as const).map((side) => merged.choosing(() => side).value)
  return { asked: merged.conflicts.map(({ kind, field, values }) => [kind, field, values]), chosen }
}

test('Where one side makes a divider of what the other fills, a person decides', () => {
  const asked = (mine: string, theirs: string) => [['edit', '/type', { base: 'section', mine, theirs }]]
  assert.equal(choices(EMPTY, DIVIDER, FULL), {
    asked: asked('divider', 'section'),
    chosen: [FULL, DIVIDER, FULL].map((item) => menu(item)),
  })
  assert.equal(choices(EMPTY, FULL, DIVIDER), {
    asked: asked('section', 'divider'),
    chosen: [FULL, FULL, DIVIDER].map((item) => menu(item)),
  })
})

test('A divider that both sides made something else is asked about once for each field', () => {
  const { asked, chosen } = choices(DIVIDER, FULL, link('t', ID))
  assert.equal(
    (asked as unknown[][]).map(([, field]) => field),
    ['/type', '/label'],
  )
  assert.equal(chosen[0], menu(DIVIDER))
  assert.equal(chosen[1], menu(FULL))
  assert.equal(chosen[2], menu({ ...link('t', ID), children: [link('a')] }))
})

test('A destination is not in conflict where a side had none that fits its type before', () => {
  const [base, mine, theirs] = [
    link('a', ID),
    link('a', { ...ID, type: 'section' }),
    link('a', { ...ID, url: '/b' }),
  ]
  for (const [one, other] of [
    [mine, theirs],
    [theirs, mine],
  ] as const) {
    const merged = mergeMenus(menu(base), menu(one), menu(other))
    assert.equal(merged.conflicts, [])
    assert.equal(merged.value, menu(link('a', { ...ID, type: 'section', url: '/b' })))
  }
})

test('What each side did to a route and to the type is a question where it does not fit together', () => {
  const route: Item = { label: 'a', routeName: 'r', ...ID }
  const headed: Item = { ...route, type: 'section' }
  const bare: Item = { label: 'a', type: 'section', ...ID }
  for (const [base, mine, theirs] of [
    [headed, route, bare],
    [headed, bare, route],
    [route, headed, link('a', ID)],
    [route, link('a', ID), headed],
  ] as const) {
    const { asked, chosen } = choices(base, mine, theirs)
    assert.equal(
      (asked as unknown[][]).map(([kind, field]) => [kind, field]),
      [['edit', '/type']],
    )
    assert.equal(
      chosen,
      [base, mine, theirs].map((item) => menu(item)),
    )
  }
})

test('A default that one side writes and the other leaves out is no conflict, and neither are two spellings of nothing', () => {
  const two = { permissions: ['a', 'b'] }
  for (const [base, mine, theirs] of [
    [{ ...two, permissionMode: 'any' }, { ...two, permissionMode: 'all' }, two],
    [{ hidden: true }, { hidden: false }, {}],
    [{ type: 'section', url: '/a' }, { type: 'link' }, {}],
    [{ permissions: ['a'] }, { permissions: [] }, {}],
    [{ icon: 'i:a' }, { icon: '' }, {}],
    [{ routeParams: { id: 1 } }, { routeParams: {} }, {}],
    [{ label: { en: 'a', es: 'b' } }, { label: { en: 'a', es: '' } }, { label: { en: 'a' } }],
  ] as const) {
    const [one, other] = [link('a', { ...ID, ...mine }), link('a', { ...ID, ...theirs })]
    const { conflicts, value } = mergeMenus(menu(link('a', { ...ID, ...base })), menu(one), menu(other))
    assert.equal([conflicts, value], [[], menu(one)])
  }
})

test('A value in a custom key is never a default', () => {
  const [base, mine, theirs] = [{ 'x-a': 1 }, { 'x-a': '' }, {}].map((own) =>
    menu(link('a', { ...ID, ...own })),
  )
  assert.is(mergeMenus(base ?? null, mine ?? null, theirs ?? null).conflicts.length, 1)
})

test('Permissions that are not lists on every side are not combined', () => {
  const item = (permissions: Json) => menu(link('a', { ...ID, permissions }))
  for (const values of [
    ['p', ['q'], ['r']],
    [['p'], 'q', ['r']],
    [['p'], ['q'], 'r'],
  ] as const) {
    const [base, mine, theirs] = values
    const { conflicts, value } = mergeMenus(item(base), item(mine), item(theirs))
    assert.equal(
      conflicts.map(({ field, ...each }) => [field, each.values]),
      [['/permissions', { base, mine, theirs }]],
    )
    assert.equal(value, item(mine))
  }
})

test('A destination in conflict is one value where one key holds it, and both keys where two do', () => {
  const conflictOf = (mine: Item, theirs: Item) => {
    const { conflicts } = mergeMenus(menu(link('a', ID)), menu(mine), menu(theirs))
    return conflicts.map(({ field, values }) => [field, values])
  }
  const route: Item = { label: 'a', routeName: 'r', ...ID }
  assert.equal(conflictOf(link('a', { ...ID, url: '/m' }), link('a', { ...ID, url: '/t' })), [
    ['/url', { base: '/a', mine: '/m', theirs: '/t' }],
  ])
  assert.equal(conflictOf(route, link('a', { ...ID, url: '/t' })), [
    ['/routeName', { base: { url: '/a' }, mine: { routeName: 'r' }, theirs: { url: '/t' } }],
  ])
})

test('Where both sides gave an item another kind of destination, undoing both brings back the one before', () => {
  const [mine, theirs] = ['r', 's'].map((routeName): Item => ({ label: 'a', routeName, ...ID }))
  const { chosen } = choices(link('a', ID), mine as Item, theirs as Item)
  assert.equal(
    chosen,
    [link('a', ID), mine, theirs].map((item) => menu(item as Item)),
  )
})

test('Both sides put an item between the same neighbours also where one side moved another away', () => {
  const [x, ...list] = ['x', 'a', 'b', 'c', 'd'].map((name) => link(name, { id: name }))
  const [a, b, c, d] = list
  const menuOf = (...items: readonly (Item | undefined)[]) => menu(section('s', items as Item[]))
  const base = menu(section('s', list), x as Item)
  const { conflicts, value } = mergeMenus(base, menuOf(a, x, b, c, d), menuOf(x, b, c, d, a))
  assert.equal(conflicts, [])
  assert.equal(value, menuOf(x, b, c, d, a))
})

test.run()
