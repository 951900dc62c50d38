import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse, stringify } from 'yaml'
import { applyOperations } from '../../../src/change/operations/apply.js'
import type { Operation } from '../../../src/change/operations/operation.js'
import type { Json } from '../../../src/model/json.js'
import { drafts, menuOf } from '../../change/menu-changes.js'
import { readAt } from '../../change/menu-model.js'
import { pointersInto } from '../../change/operations.js'
import { sized } from '../../support/figures.js'
import { meaningOf, write } from './reading.js'

const RUNS = { numRuns: sized(200, 5_000) }

/** An item by its number: its comments and, where it has one, its id follow from that, its label also from how often it changed. */
interface Numbered {
  readonly number: number
  edits: number
  readonly below: Numbered[]
}

interface Wish {
  readonly kind: 'take' | 'back' | 'move' | 'all' | 'below' | 'edit'
  readonly which: number
  readonly target: number
  readonly place: number
}

const trees: fc.Arbitrary<Numbered[]> = fc
  .array(fc.array(fc.nat({ max: 2 }), { maxLength: 3 }), { minLength: 1, maxLength: 4 })
  .map((shape) => {
    let number = 0
    const next = (below: Numbered[] = []): Numbered => ({ number: number++, edits: 0, below })
    return shape.map((list) => next(list.map((count) => next(Array.from({ length: count }, () => next())))))
  })

const wishes = fc.array(
  fc.record<Wish>({
    kind: fc.constantFrom('take', 'take', 'back', 'back', 'move', 'all', 'below', 'edit', 'edit'),
    which: fc.nat(),
    target: fc.nat(),
    place: fc.nat(),
  }),
  { maxLength: 10 },
)

const labelOf = ({ number, edits }: Numbered): string => `L${number}${'x'.repeat(edits)}`

const toValue = (item: Numbered, hasIds: boolean): object => ({
  ...(hasIds && { id: `i${item.number}` }),
  label: labelOf(item),
  url: `/${item.number % 3}`,
  ...(item.below.length > 0 && { children: item.below.map((each) => toValue(each, hasIds)) }),
})

function toText(items: readonly Numbered[], hasIds: boolean): string {
  const linesOf = (item: Numbered, indent: string): string => {
    const { number, below } = item
    return [
      `${indent}# above ${number}.\n`,
      `${indent}- ${hasIds ? `id: i${number}\n${indent}  ` : ''}label: ${labelOf(item)} # behind ${number}.\n`,
      `${indent}  url: /${number % 3}\n`,
      ...(below.length > 0 ? [`${indent}  children:\n`] : []),
      ...below.map((each) => linesOf(each, `${indent}    `)),
    ].join('')
  }
  return `version: 1\ncode: main\nname: Main\nitems:\n${items.map((each) => linesOf(each, '  ')).join('')}`
}

/** A program that edits items, takes them away and puts them back, by a model of numbers, with the items that it leaves. */
function programOf(items: readonly Numbered[], steps: readonly Wish[], hasIds: boolean) {
  const root: Numbered = { number: -1, edits: 0, below: structuredClone(items) as Numbered[] }
  const operations: Operation[] = []
  const away: Numbered[] = []
  const all = (
    around: Numbered,
    at: string,
  ): { list: Numbered[]; place: number; path: string; item: Numbered }[] =>
    around.below.flatMap((item, place) => [
      { list: around.below, place, path: `${at}/${place}`, item },
      ...all(item, `${at}/${place}/children`),
    ])
  const put = (item: Numbered, { target, place }: Wish): string => {
    const homes = [
      { item: root, path: '' },
      ...all(root, '/items').filter((each) => each.item.below.length > 0),
    ]
    const home = homes[target % homes.length] ?? { item: root, path: '' }
    const at = place % (home.item.below.length + 1)
    home.item.below.splice(at, 0, item)
    return `${home.path}/${home.path === '' ? 'items' : 'children'}/${at}`
  }
  const take = (which: number): { item: Numbered; path: string } | null => {
    const places = all(root, '/items').filter(({ list }) => list === root.below || list.length > 1)
    const found = places[which % Math.max(1, places.length)]
    if (found === undefined) return null
    found.list.splice(found.place, 1)
    return found
  }
  for (const wish of steps) {
    const values = (list: readonly Numbered[]) => list.map((each) => toValue(each, hasIds)) as never
    if (wish.kind === 'take') {
      const found = take(wish.which)
      if (found === null) continue
      operations.push({ op: 'remove', path: found.path })
      away.push(found.item)
    } else if (wish.kind === 'back') {
      const [item] = away.splice(wish.which % Math.max(1, away.length), 1)
      if (item === undefined) continue
      operations.push({ op: 'add', path: put(item, wish), value: toValue(item, hasIds) as never })
    } else if (wish.kind === 'move') {
      const found = take(wish.which)
      if (found === null) continue
      const [from, path] = [found.path, put(found.item, wish)]
      // What takes its place cannot be named before it is gone.
      if (!path.startsWith(`${from}/`)) operations.push({ op: 'move', from, path })
      else
        operations.push(
          { op: 'remove', path: from },
          { op: 'add', path, value: toValue(found.item, hasIds) as never },
        )
    } else if (wish.kind === 'edit') {
      const places = all(root, '/items')
      const found = places[wish.which % Math.max(1, places.length)]
      if (found === undefined) continue
      found.item.edits++
      operations.push({ op: 'replace', path: `${found.path}/label`, value: labelOf(found.item) })
    } else if (wish.kind === 'all') {
      root.below.push(...away.splice(0, 1))
      root.below.reverse()
      operations.push({ op: 'replace', path: '/items', value: values(root.below) })
    } else {
      const homes = all(root, '/items').filter(({ item }) => item.below.length > 0)
      const home = homes[wish.which % Math.max(1, homes.length)]
      if (home === undefined) continue
      home.item.below.push(...away.splice(0, 1))
      operations.push({ op: 'replace', path: `${home.path}/children`, value: values(home.item.below) })
    }
  }
  return { operations, left: root.below }
}

for (const hasIds of [true, false]) {
  test(`Whatever is edited, taken away and put back, each item that is left has its lines and comments${hasIds ? ', by its id' : ''}`, () => {
    let returned = 0
    fc.assert(
      fc.property(trees, wishes, (items, steps) => {
        const before = toText(items, hasIds)
        const { operations, left } = programOf(items, steps, hasIds)
        const change = applyOperations(meaningOf(before), operations)
        if (change.fault !== null) throw new Error(change.fault.reason)
        const after = write(before, change.value)
        if (operations.some(({ op }) => op === 'add')) returned++
        assert.equal(
          parse(after).items,
          left.map((each) => toValue(each, hasIds)),
        )
        if (left.length > 0) assert.is(after, toText(left, hasIds))
      }),
      RUNS,
    )
    assert.ok(returned > RUNS.numRuns / 20, `${returned} programs put something back`)
  })
}

test('What is taken away and put back where it was leaves no difference, however alike the items are', () => {
  fc.assert(
    fc.property(drafts, fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 8 }), (items, wishes) => {
      let number = 0
      const before = stringify(menuOf(items)).replace(
        /^( *)- /gm,
        (dash, indent) => `${indent}# ${number++}\n${dash}`,
      )
      const operations: Operation[] = []
      const undoing: Operation[] = []
      let now: Json = meaningOf(before)
      for (const [which, isTwin] of wishes) {
        const paths = pointersInto(now, false).filter((each) => /(items|children)\/\d+$/.test(each))
        const path = paths[which % Math.max(1, paths.length)]
        if (path === undefined) continue
        const value = readAt(now, path) as Json
        const [operation, inverse]: readonly Operation[] = isTwin
          ? [
              { op: 'add', path, value },
              { op: 'remove', path },
            ]
          : [
              { op: 'remove', path },
              { op: 'add', path, value },
            ]
        if (operation === undefined || inverse === undefined) continue
        operations.push(operation)
        undoing.unshift(inverse)
        now = applyOperations(now, [operation]).value?.value ?? now
      }
      const change = applyOperations(meaningOf(before), [...operations, ...undoing])
      if (change.fault !== null) throw new Error(change.fault.reason)
      assert.is(write(before, change.value), before)
    }),
    RUNS,
  )
})

test.run()
