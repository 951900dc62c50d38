import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Merged, mergeMenus } from '../../../src/change/merge/merge.js'
import type { Json, JsonMap } from '../../../src/model/json.js'
import { sized } from '../../support/figures.js'
import { changed, changedOwn, drafts, menuOf, ownWishes, wishes, withIds } from '../menu-changes.js'
import { isAlike, itemsIn, readAt, surelyMoved, together } from '../menu-model.js'

const RUNS = { numRuns: sized(100, 1_000) }

/** Menus in which every item has an id, so that a few lines can tell what a merge has to give. */
const threes = fc.tuple(drafts, wishes, wishes).map(([items, mine, theirs]) => {
  const base = withIds(items)
  return [base, changed(base, mine, 'm', true), changed(base, theirs, 't', true)].map(menuOf) as [
    JsonMap,
    JsonMap,
    JsonMap,
  ]
})

interface Known {
  readonly own: JsonMap
  readonly parent: string | null
}

type ById = ReadonlyMap<string, Known>

/** The items of a menu by id. */
function byId(value: Json): ById {
  const idOf = (item: JsonMap | undefined): string => String(item?.['id'])
  return new Map(
    itemsIn(value).map(({ item, own, parent }) => [
      idOf(item),
      { own, parent: parent === null ? null : idOf(parent.item) },
    ]),
  )
}

test('Without a conflict every item has the place and content of a field by field merge', () => {
  let clean = 0
  fc.assert(
    fc.property(threes, ([b, m, t]) => {
      const { value, conflicts } = mergeMenus(b, m, t)
      if (conflicts.length > 0) return
      clean++
      const [base, mine, theirs, merged] = [byId(b), byId(m), byId(t), byId(value)]
      assert.is(itemsIn(value).length, merged.size)
      for (const id of new Set([...base.keys(), ...mine.keys(), ...theirs.keys()])) {
        const sides = [base.get(id), mine.get(id), theirs.get(id)] as const
        const now = merged.get(id)
        const [was, here, there] = sides
        if (was !== undefined && (here === undefined || there === undefined)) {
          const rest = here ?? there
          const isOut =
            rest !== undefined && isRescued(id, base, here === undefined ? [theirs, mine] : [mine, theirs])
          assert.is(now !== undefined, isOut, `${id} goes unless it was moved out of what goes`)
          continue
        }
        assert.ok(now !== undefined, `${id} is lost`)
        const own = here ?? there
        if (was === undefined || here === undefined || there === undefined) {
          assert.equal([now.own, now.parent], [own?.own, own?.parent])
          continue
        }
        assert.is(now.parent, here.parent === was.parent ? there.parent : here.parent)
        for (const key of Object.keys({ ...was.own, ...here.own, ...there.own })) {
          const [old, ours, others, found] = [was, here, there, now].map(({ own }) => meant(own, key))
          const expected = together(old, ours, others)
          assert.equal(sortedKeys(found), sortedKeys(expected), `${id} ${key}`)
        }
      }
    }),
    RUNS,
  )
  assert.ok(clean > 50, `${clean} merges were without a conflict`)
})

/** What a key of an item says: what is not hidden may say so. */
function meant(own: JsonMap, key: string): Json | undefined {
  return key === 'hidden' && own[key] === false ? undefined : own[key]
}

/** The order of permission keys tells nothing. */
function sortedKeys(value: Json | undefined): Json | undefined {
  return Array.isArray(value) ? [...value].sort() : value
}

/** Whether an item that one side deleted, or something around it, was moved out of what goes on the other side. */
function isRescued(id: string, base: ById, [kept, deleted]: readonly [ById, ById]): boolean {
  for (let up: string | null = id; up !== null && !deleted.has(up); up = kept.get(up)?.parent ?? null) {
    if (kept.get(up)?.parent !== base.get(up)?.parent) return true
  }
  return false
}

test('Nothing is invented, nothing is dropped, and origins are true', () => {
  fc.assert(
    fc.property(threes, fc.constantFrom('mine', 'theirs'), ([b, m, t], side) => {
      const merged = mergeMenus(b, m, t, () => side)
      const [base, mine, theirs] = [byId(b), byId(m), byId(t)]
      const found = itemsIn(merged.value)
      assert.is(new Set(found.map(({ item }) => item['id'])).size, found.length)
      assert.is(merged.origins.size, found.length)
      for (const { item, own, pointer } of found) {
        const id = item['id'] as string
        const origin = merged.origins.get(pointer)
        for (const [value, at] of [
          [b, origin?.base],
          [m, origin?.mine],
          [t, origin?.theirs],
        ] as const) {
          if (at != null) assert.is((readAt(value, at) as JsonMap)['id'], id)
        }
        const sources = [base, mine, theirs].map((each) => each.get(id)?.own ?? {})
        assert.ok(isFrom(own, sources), JSON.stringify(item))
      }
      const kept = new Set(found.map(({ item }) => item['id']))
      for (const id of mine.keys()) if (theirs.has(id)) assert.ok(kept.has(id), id)
      if (merged.conflicts.some(({ kind }) => kind === 'delete' || kind === 'viewers')) return
      for (const id of [...mine.keys(), ...theirs.keys()]) if (!base.has(id)) assert.ok(kept.has(id), id)
    }),
    RUNS,
  )
})

/** Whether each single value stands in one of the sources at the same place; of lists, each entry. */
function isFrom(value: Json | undefined, sources: readonly (Json | undefined)[]): boolean {
  if (typeof value !== 'object' || value === null) return sources.some((each) => isAlike(each, value))
  if (Array.isArray(value)) {
    const entries = sources.flatMap((each) => (Array.isArray(each) ? each : []))
    return value.every((each) => entries.some((entry) => isAlike(entry, each)))
  }
  return Object.entries(value).every(([key, each]) =>
    isFrom(
      each,
      sources.map((source) => (typeof source === 'object' ? (source as JsonMap | null)?.[key] : undefined)),
    ),
  )
}

test('Every conflict has both sides, and they differ', () => {
  fc.assert(
    fc.property(threes, ([b, m, t]) => {
      for (const { kind, field, values, mine, theirs, base } of mergeMenus(b, m, t).conflicts) {
        assert.is(field === null, ['move', 'delete', 'insert', 'viewers'].includes(kind))
        if (kind === 'delete') assert.ok((mine === null) !== (theirs === null))
        else if (kind !== 'viewers') assert.ok(mine !== null && theirs !== null)
        if (kind === 'edit') {
          assert.not(isAlike(values.mine, values.theirs))
          assert.not(isAlike(values.mine, values.base))
          assert.not(isAlike(values.theirs, values.base))
        }
        for (const [value, at, says] of [
          [b, base, values.base],
          [m, mine, values.mine],
          [t, theirs, values.theirs],
        ] as const) {
          if (at === null) assert.is(says, undefined)
          else if (field === null) assert.equal(readAt(value, at), says)
          else if (typeof says === 'string') assert.is(readAt(value, at + field), says)
        }
      }
    }),
    RUNS,
  )
})

test('A list that both sides put in another order has each turn of either side, unless each moved one of two items or both one item', () => {
  const orders = fc.integer({ min: 2, max: 7 }).chain((length) => {
    const items = Array.from({ length }, (_, number) => number)
    return fc.tuple(fc.constant(items), swaps(items), swaps(items))
  })
  fc.assert(
    fc.property(orders, ([base, mine, theirs]) => {
      const menu = (order: readonly number[]) =>
        menuOf(order.map((number) => ({ id: `i${number}`, label: 'x', url: '/' })))
      const merged = mergeMenus(menu(base), menu(mine), menu(theirs))
      const order = itemsIn(merged.value).map(({ item }) => Number(String(item['id']).slice(1)))
      if (merged.conflicts.length > 0) return
      const isTurned = (list: readonly number[], a: number, b: number) => list.indexOf(b) < list.indexOf(a)
      const movers = toMovers(mine, theirs)
      for (const [at, a] of base.entries()) {
        for (const b of base.slice(at + 1)) {
          const [one, other] = [movers.get(a) ?? null, movers.get(b) ?? null]
          if (one !== null && other !== null && one !== other) continue
          if (isTurned(mine, a, b) || isTurned(theirs, a, b)) assert.ok(isTurned(order, a, b), `${a} ${b}`)
        }
      }
    }),
    RUNS,
  )
})

/** Of the items that one side alone has moved, that side. */
function toMovers(mine: readonly number[], theirs: readonly number[]): ReadonlyMap<number, string> {
  const [here, there] = [mine, theirs].map(surelyMoved)
  const found = new Map<number, string>()
  for (const item of mine) {
    const [isHere, isThere] = [here?.has(item), there?.has(item)]
    if (isHere !== isThere) found.set(item, isHere ? 'mine' : 'theirs')
  }
  return found
}

test('Items that no side swapped keep their order, as far as the swaps of both sides allow', () => {
  const orderOf = (value: Json) =>
    itemsIn(value)
      .map(({ item }) => String(item['id']).slice(1))
      .join('')
  const menu = (order: string) => menuOf([...order].map((name) => ({ id: `i${name}`, label: 'x', url: '/' })))
  for (const [mine, theirs, merged] of [
    ['01342', '04312', '04312'],
    ['01342', '30412', '30412'],
    ['01342', '20341', '34201'],
    ['01342', '14320', '14302'],
  ] as const) {
    assert.is(orderOf(mergeMenus(menu('01234'), menu(mine), menu(theirs)).value), merged)
    assert.is(orderOf(mergeMenus(menu('01234'), menu(theirs), menu(mine)).value), merged)
  }
})

test('Where each side moved another item, no two items are swapped that neither side swapped, except these two', () => {
  const moves = fc.integer({ min: 3, max: 8 }).chain((length) => {
    const place = fc.nat({ max: length - 1 })
    return fc.tuple(fc.constant(length), place, place, place, place)
  })
  fc.assert(
    fc.property(moves, ([length, from, to, otherFrom, otherTo]) => {
      fc.pre(from !== otherFrom)
      const base = Array.from({ length }, (_, number) => number)
      const moved = (item: number, place: number) => base.toSpliced(item, 1).toSpliced(place, 0, item)
      const [mine, theirs] = [moved(from, to), moved(otherFrom, otherTo)]
      // Of two neighbours that changed places, either may be the one that moved.
      fc.pre(Math.abs(from - to) !== 1 && Math.abs(otherFrom - otherTo) !== 1)
      const menu = (order: readonly number[]) =>
        menuOf(order.map((number) => ({ id: `i${number}`, label: 'x', url: '/' })))
      const merged = mergeMenus(menu(base), menu(mine), menu(theirs))
      assert.equal(merged.conflicts, [])
      const order = itemsIn(merged.value).map(({ item }) => Number(String(item['id']).slice(1)))
      const isTurned = (list: readonly number[], a: number, b: number) => list.indexOf(b) < list.indexOf(a)
      for (const [at, a] of base.entries()) {
        for (const b of base.slice(at + 1)) {
          // How the two that were moved stand to each other follows from all others.
          const either =
            isTurned(mine, a, b) ||
            isTurned(theirs, a, b) ||
            (from + otherFrom === a + b && (a === from || b === from))
          if (!either) assert.not(isTurned(order, a, b), `${order}: ${a} ${b}`)
        }
      }
    }),
    RUNS,
  )
})

function swaps(items: readonly number[]): fc.Arbitrary<readonly number[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length })
}

test('Changes of different items give the same in either order, without a conflict', () => {
  fc.assert(
    fc.property(drafts, ownWishes(0), ownWishes(1), (items, first, second) => {
      const base = withIds(items)
      const [b, m, t] = [
        menuOf(base),
        menuOf(changedOwn(base, first, 'm')),
        menuOf(changedOwn(base, second, 't')),
      ]
      const [one, other] = [mergeMenus(b, m, t), mergeMenus(b, t, m)]
      assert.equal(one.conflicts, [])
      assert.equal(other.conflicts, [])
      assert.equal(sorted(byId(one.value)), sorted(byId(other.value)))
      for (const parent of [null, ...byId(b).keys()]) {
        assert.equal(stayedIn(one, b, parent), stayedIn(other, b, parent))
      }
    }),
    RUNS,
  )
})

/** The order of the items below one that were there before: what two sides put at one place stands in either order. */
function stayedIn({ value }: Merged, base: Json, parent: string | null): readonly string[] {
  const before = byId(base)
  return [...byId(value)]
    .filter(([id, item]) => item.parent === parent && before.get(id)?.parent === parent)
    .map(([id]) => id)
}

function sorted(items: ById): readonly [string, Known][] {
  return [...items].sort(([a], [b]) => (a < b ? -1 : 1))
}

test.run()
