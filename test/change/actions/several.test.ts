import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { actOnAll, type SharedAction } from '../../../src/change/actions/several.js'
import { readItems } from '../../../src/change/items.js'
import { applyOperations } from '../../../src/change/operations/apply.js'
import type { Json } from '../../../src/model/json.js'
import { homeOf, type Named, namesIn, toMenu, toTree, trees, withoutName, withPut } from './model.js'

const WIDE = { items: 2_000, levels: 32 }

function after(value: Json, names: readonly string[], action: SharedAction, limits = WIDE): Json | string {
  const items = readItems(value)
  const pointers = items.all.filter(({ item }) => names.includes(nameOf(item))).map(({ pointer }) => pointer)
  const { value: acted, fault } = actOnAll(items, pointers, action, limits)
  if (fault !== null) return `${fault.reason} ${fault.item ? nameOf(fault.item.item) : ''}`.trim()
  const applied = applyOperations(value, acted.operations)
  assert.is(applied.fault, null, JSON.stringify(acted.operations))
  return applied.value?.value ?? null
}

const nameOf = (item: { readonly [key: string]: unknown }): string => String(item['label'] ?? item['x-name'])

/** The chosen names in reading order, without those below another one. */
function outermost(tree: readonly Named[], chosen: readonly string[]): readonly Named[] {
  return tree.flatMap((each) => (chosen.includes(each.name) ? [each] : outermost(each.below, chosen)))
}

test('Several items that are deleted are gone, and all others stay', () => {
  fc.assert(
    fc.property(trees, fc.infiniteStream(fc.boolean()), (tree, picks) => {
      const chosen = namesIn(tree).filter(() => picks.next().value)
      const left = chosen.reduce(withoutName, tree)
      const value = after(toMenu(tree), chosen, { kind: 'remove' })
      if (chosen.length === 0) assert.is(value, 'gone')
      else assert.equal(toTree(value as Json), left)
      // No item keeps an empty list.
      assert.not.match(JSON.stringify(value), '"children":[]')
    }),
  )
})

test('Several items that are moved follow each other in their order at the place, and all others stay', () => {
  fc.assert(
    fc.property(trees, fc.infiniteStream(fc.nat(5)), fc.nat(), fc.nat(9), (tree, dice, to, position) => {
      const chosen = namesIn(tree).filter(() => dice.next().value < 2)
      const moving = outermost(tree, chosen)
      const rest = moving.reduce((left, { name }) => withoutName(left, name), tree)
      const parents = [null, ...namesIn(rest).filter((name) => !name.startsWith('-'))]
      const parent = parents[to % parents.length] ?? null
      if (moving.length === 0) return
      const below =
        parent === null
          ? rest
          : (homeOf(rest, parent)?.list.find((each) => each.name === parent)?.below ?? [])
      const place = Math.min(position, below.length)
      const wanted = moving.reduce((now, each, offset) => withPut(now, parent, place + offset, each), rest)
      const target = parent === null ? '' : pointerTo(tree, parent)
      const value = after(toMenu(tree), chosen, { kind: 'move', parent: target, position })
      if (value === 'same') assert.equal(wanted, tree)
      else assert.equal(toTree(value as Json), wanted)
    }),
    { numRuns: 400 },
  )
})

function pointerTo(tree: readonly Named[], name: string): string {
  return readItems(toMenu(tree)).all.find(({ item }) => nameOf(item) === name)?.pointer ?? ''
}

const tree: readonly Named[] = [
  { name: '0', below: [{ name: '1', below: [] }] },
  { name: '2', below: [] },
  { name: '-3', below: [] },
]

test('Either all items are changed or none, and the refusal names the one that prevents it', () => {
  const value = toMenu(tree)
  const move = (parent: string): SharedAction => ({ kind: 'move', parent, position: 0 })
  assert.is(after(value, ['2', '0'], move('/items/0/children/0')), 'itself 0')
  assert.is(after(value, ['2', '-3'], move('/items/0/children/0'), { ...WIDE, levels: 2 }), 'levels 2')
  assert.is(after(value, ['0', '2'], move('/items/2')), 'divider 0')
  assert.is(after(value, ['9'], { kind: 'hide' }), 'gone')
  const many = { items: Array.from({ length: 501 }, (_, place) => ({ label: `${place}`, url: '/' })) }
  assert.is(
    after(
      many,
      many.items.map(({ label }) => label),
      { kind: 'hide' },
    ),
    'too-many',
  )
})

test('Hiding, showing and permissions leave alone what is so already', () => {
  const hidden = after(toMenu(tree), ['0', '1', '2'], { kind: 'hide' }) as Json
  assert.match(JSON.stringify(hidden), /"0".*"hidden":true.*"2".*"hidden":true/)
  assert.is(
    JSON.stringify(hidden).match(/"hidden"/g)?.length,
    2,
    'what is below one of them is not changed itself',
  )
  assert.is(after(hidden, ['2', '0'], { kind: 'hide' }), 'same')
  assert.equal(after(hidden, ['0', '2'], { kind: 'show' }), toMenu(tree))
  const permissions = ['staff']
  const guarded = after(toMenu(tree), ['0', '2'], { kind: 'permissions', permissions, isAny: true }) as Json
  assert.match(JSON.stringify(guarded), '"permissions":["staff"],"permissionMode":"any"')
  assert.equal(
    after(guarded, ['0', '2'], { kind: 'permissions', permissions: [], isAny: true }),
    toMenu(tree),
  )
})

test.run()
