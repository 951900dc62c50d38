import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Action, act, SIMPLE_ACTIONS } from '../../../src/change/actions/action.js'
import { readItems } from '../../../src/change/items.js'
import { applyOperations } from '../../../src/change/operations/apply.js'
import type { Json, JsonMap } from '../../../src/model/json.js'
import { sized } from '../../support/figures.js'
import { homeOf, type Named, namesIn, toMenu, toTree, trees, withoutName, withPut } from './model.js'

const WIDE = { items: 2_000, levels: 32 }

/** The tree after an action on the item of a name, or the reason why not. */
function acted(
  tree: readonly Named[],
  name: string,
  action: Action,
  limits = WIDE,
): readonly Named[] | string {
  const after = actedOn(toMenu(tree), pointerTo(tree, name), action, limits)
  return typeof after === 'string' ? after : toTree(after.value)
}

function actedOn(value: Json, pointer: string, action: Action, limits = WIDE) {
  const { value: done, fault } = act(readItems(value), pointer, action, limits)
  if (fault !== null) return fault.reason
  const applied = applyOperations(value, done.operations)
  assert.is(applied.fault, null, JSON.stringify(done.operations))
  return { value: applied.value?.value ?? null, pointer: done.pointer }
}

function pointerTo(tree: readonly Named[], name: string, at = '/items'): string {
  for (const [place, each] of tree.entries()) {
    if (each.name === name) return `${at}/${place}`
    const found = pointerTo(each.below, name, `${at}/${place}/children`)
    if (found !== '') return found
  }
  return ''
}

/** What the words of an action promise, by the tree of names alone; null where it is impossible. */
function promised(tree: readonly Named[], name: string, kind: string): readonly Named[] | null {
  const home = homeOf(tree, name)
  if (home === null) return null
  const { list, parent } = home
  const place = list.findIndex((each) => each.name === name)
  const branch = list[place] as Named
  const put = (to: string | null, at: number) => withPut(withoutName(tree, name), to, at, branch)
  const here = parent?.name ?? null
  if (kind === 'up') return place === 0 ? null : put(here, place - 1)
  if (kind === 'top') return place === 0 ? null : put(here, 0)
  if (kind === 'down') return place === list.length - 1 ? null : put(here, place + 1)
  if (kind === 'remove') return withoutName(tree, name)
  if (kind === 'nest') {
    const before = list[place - 1]
    return before === undefined || before.name.startsWith('-') ? null : put(before.name, before.below.length)
  }
  if (parent === null) return null
  const outer = homeOf(tree, parent.name)
  const behind = (outer?.list ?? []).findIndex((each) => each.name === parent.name) + 1
  return put(outer?.parent?.name ?? null, behind)
}

for (const kind of ['up', 'down', 'top', 'nest', 'unnest', 'remove'] as const)
  test(`${kind} gives the tree that the word promises, or a reason`, () => {
    const law = fc.property(trees, fc.nat(), (tree, pick) => {
      const names = namesIn(tree)
      const name = names[pick % names.length]
      if (name === undefined) return
      const after = acted(tree, name, { kind })
      const wanted = promised(tree, name, kind)
      if (wanted === null) assert.type(after, 'string')
      else assert.equal(after, wanted)
    })
    fc.assert(law, { numRuns: sized(100, 5_000) })
  })

test('A move to any parent and position lands there, never inside itself and never below a divider', () => {
  const law = fc.property(trees, fc.nat(), fc.nat(), fc.nat(9), (tree, pick, aim, position) => {
    const names = namesIn(tree)
    const name = names[pick % names.length]
    if (name === undefined) return
    const parent = [null, ...names][aim % (names.length + 1)] ?? null
    const to = parent === null ? '' : pointerTo(tree, parent)
    const after = acted(tree, name, { kind: 'move', parent: to, position })
    const home = homeOf(tree, name)
    const branch = home?.list.find((each) => each.name === name) as Named
    const isInside = parent !== null && namesIn([branch]).includes(parent)
    if (isInside || parent?.startsWith('-')) return assert.type(after, 'string')
    const rest = withoutName(tree, name)
    const list =
      parent === null ? rest : (homeOf(rest, parent)?.list.find((each) => each.name === parent)?.below ?? [])
    const wanted = withPut(rest, parent, Math.min(position, list.length), branch)
    if (JSON.stringify(wanted) === JSON.stringify(tree)) assert.is(after, 'same')
    else assert.equal(after, wanted)
  })
  fc.assert(law, { numRuns: sized(200, 10_000) })
})

test('An action answers where the item is, and what was undone by the opposite one is as it was', () => {
  const law = fc.property(trees, fc.nat(), fc.constantFrom('up', 'down', 'nest'), (tree, pick, kind) => {
    const names = namesIn(tree)
    const name = names[pick % names.length]
    if (name === undefined) return
    const menu = toMenu(tree)
    const there = actedOn(menu, pointerTo(tree, name), { kind } as Action)
    if (typeof there === 'string') return
    assert.is(there.pointer, pointerTo(toTree(there.value), name))
    const back = ({ up: 'down', down: 'up', nest: 'unnest' } as const)[kind as 'up']
    assert.equal(actedOn(there.value, there.pointer, { kind: back }), {
      value: menu,
      pointer: pointerTo(tree, name),
    })
  })
  fc.assert(law, { numRuns: sized(150, 5_000) })
})

test('A duplicate stands behind its item, and repeats no id', () => {
  const menu = { items: [{ id: 'a', label: 'A', url: '/', children: [{ id: 'b', label: 'B', url: '/' }] }] }
  const after = actedOn(menu, '/items/0', { kind: 'duplicate' })
  const copy = { label: 'A', url: '/', children: [{ label: 'B', url: '/' }] }
  assert.equal(after, { value: { items: [menu.items[0], copy] }, pointer: '/items/1' })
})

test('A new item goes before, behind or inside another one, and into an empty menu', () => {
  const item = { label: 'new', url: '/' }
  const tree = [
    { name: '0', below: [] },
    { name: '-1', below: [] },
  ]
  const add = (where: 'before' | 'after' | 'inside', name: string) => {
    const after = acted(tree, name, { kind: 'add', where, item })
    return typeof after === 'string' ? after : namesIn(after).join(' ')
  }
  assert.is(add('before', '0'), 'new 0 -1')
  assert.is(add('after', '0'), '0 new -1')
  assert.is(add('inside', '0'), '0 new -1')
  assert.is(add('inside', '-1'), 'divider')
  assert.equal(actedOn({ items: [] }, '', { kind: 'add', where: 'inside', item }), {
    value: { items: [item] },
    pointer: '/items/0',
  })
})

test('An item keeps its other fields when some are set; what is below it stays', () => {
  const menu = { items: [{ label: 'A', url: '/', 'x-y': 1, children: [{ label: 'B', url: '/' }] }] }
  const set = (fields: JsonMap) => actedOn(menu, '/items/0', { kind: 'set', fields })
  assert.equal(set({ label: 'A', url: '/b', 'x-y': 1 }), {
    value: { items: [{ ...menu.items[0], url: '/b' }] },
    pointer: '/items/0',
  })
  assert.is(set({ 'x-y': 1, url: '/', label: 'A' }), 'same')
  assert.is(set({ type: 'divider' }), 'has-items')
})

test('Hiding and showing an item gives the menu as it was', () => {
  const menu = toMenu([{ name: '0', below: [] }])
  const hidden = actedOn(menu, '/items/0', { kind: 'hide' })
  assert.is(actedOn(menu, '/items/0', { kind: 'show' }), 'same')
  if (typeof hidden === 'string') throw new Error(hidden)
  assert.is(actedOn(hidden.value, '/items/0', { kind: 'hide' }), 'same')
  assert.equal(actedOn(hidden.value, '/items/0', { kind: 'show' }), { value: menu, pointer: '/items/0' })
})

test('A menu at its limits takes no further item and no further level, but its items can be moved', () => {
  const tree = [
    { name: '0', below: [{ name: '1', below: [] }] },
    { name: '2', below: [] },
  ]
  const limits = { items: 3, levels: 2 }
  assert.is(acted(tree, '0', { kind: 'duplicate' }, limits), 'items')
  assert.is(acted(tree, '1', { kind: 'add', where: 'inside', item: {} }, limits), 'levels')
  assert.is(acted(tree, '0', { kind: 'move', parent: '/items/1', position: 0 }, limits), 'levels')
  assert.equal(namesIn(acted(tree, '0', { kind: 'down' }, limits) as Named[]), ['2', '0', '1'])
})

test('An item that is not there answers a reason for every action', () => {
  for (const pointer of ['/items/7', '/items', '/items/-1', 'x', '/items/0/children/0'])
    for (const kind of SIMPLE_ACTIONS)
      assert.is(
        act(readItems(toMenu([{ name: '0', below: [] }])), pointer, { kind }, WIDE).fault?.reason,
        'gone',
      )
})

test.run()
