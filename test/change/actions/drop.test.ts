import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { act } from '../../../src/change/actions/action.js'
import { dropAt } from '../../../src/change/actions/drop.js'
import { type PlacedItem, readItems } from '../../../src/change/items.js'
import { applyOperations } from '../../../src/change/operations/apply.js'
import { sized } from '../../support/figures.js'
import { type Named, namesIn, toMenu, toTree, trees } from './model.js'

const nameOf = ({ item }: PlacedItem): string => String(item['label'] ?? item['x-name'])

/** The rows of a tree in which some branches are closed, with their levels. */
function rowsIn(
  tree: readonly Named[],
  closed: ReadonlySet<string>,
  level = 1,
): (readonly [string, number])[] {
  return tree.flatMap(({ name, below }) => [
    [name, level] as const,
    ...(closed.has(name) ? [] : rowsIn(below, closed, level + 1)),
  ])
}

test('A dragged item lands in the slot and at the level that are shown, with all below it', () => {
  const law = fc.property(
    trees,
    fc.nat(),
    fc.array(fc.nat(8), { maxLength: 3 }),
    fc.nat(9),
    fc.nat(5),
    (tree, pick, shut, slot, level) => {
      const closed = new Set(shut.map(String))
      const shown = rowsIn(tree, closed)
      const dragged = shown[pick % Math.max(1, shown.length)]?.[0]
      if (dragged === undefined) return
      const value = toMenu(tree)
      const items = readItems(value)
      const rows = shown.flatMap(([name]) => items.all.find((each) => nameOf(each) === name) ?? [])
      const item = rows.find((each) => nameOf(each) === dragged) as PlacedItem
      const { value: drop } = dropAt(without(rows, item), item, { slot, level }, { items: 99, levels: 99 })
      if (drop === null) throw new Error('there is always a place')
      const move = { kind: 'move', parent: drop.parent.pointer, position: drop.position } as const
      const { value: acted, fault } = act(items, item.pointer, move, { items: 99, levels: 99 })
      if (fault !== null) assert.is(fault.reason, 'same')
      const after = toTree(applyOperations(value, acted?.operations ?? []).value?.value ?? null)
      const branch = namesIn([find(tree, dragged)])
      assert.equal(namesIn(after).sort(), namesIn(tree).sort())
      assert.equal(namesIn([find(after, dragged)]), branch)
      // What is shown afterwards: the item is in its slot, at its level; the others are in their order.
      const now = rowsIn(after, new Set([...closed].filter((name) => name !== nameOf(drop.parent))))
      const rest = shown.filter(([name]) => !branch.includes(name))
      const seen = now.filter(([name]) => !branch.includes(name) && rest.some(([other]) => other === name))
      assert.equal(seen, rest)
      assert.is(now.find(([name]) => name === dragged)?.[1], drop.level)
      const order = now
        .map(([name]) => name)
        .filter((name) => name === dragged || rest.some(([other]) => other === name))
      assert.is(order.indexOf(dragged), Math.min(slot, rest.length))
    },
  )
  fc.assert(law, { numRuns: sized(250, 20_000) })
})

/** Rows without those of an item and of what is below it, told by their pointers. */
function without(rows: readonly PlacedItem[], { pointer }: PlacedItem): readonly PlacedItem[] {
  return rows.filter((row) => !`${row.pointer}/`.startsWith(`${pointer}/`))
}

function find(tree: readonly Named[], name: string): Named {
  const [found] = tree.flatMap((each) =>
    each.name === name ? [each] : namesIn(each.below).includes(name) ? [find(each.below, name)] : [],
  )
  return found ?? { name: 'none', below: [] }
}

test('The level is clamped to what is possible in a slot, and a limit on levels answers a reason', () => {
  const items = readItems(
    toMenu([
      { name: '0', below: [{ name: '1', below: [] }] },
      { name: '-2', below: [] },
      { name: '3', below: [{ name: '4', below: [] }] },
    ]),
  )
  const item = (name: string) => items.all.find((each) => nameOf(each) === name) as PlacedItem
  const levelAt = (name: string, slot: number, level: number, levels = 9) => {
    const { value, fault } = dropAt(
      without(items.all, item(name)),
      item(name),
      { slot, level },
      { items: 99, levels },
    )
    return value?.level ?? fault?.reason
  }
  assert.is(levelAt('-2', 1, 1), 2, 'in front of a child one is in the same list')
  assert.is(levelAt('3', 3, 9), 1, 'nothing is below a divider')
  assert.is(levelAt('3', 2, 9), 3)
  assert.is(levelAt('3', 2, 9, 3), 2)
  assert.is(levelAt('3', 1, 9, 2), 'levels')
})

test.run()
