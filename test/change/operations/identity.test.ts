import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { applyOperations } from '../../../src/change/operations/apply.js'
import type { Operation } from '../../../src/change/operations/operation.js'
import { isList, isMap, type Json, type JsonMap } from '../../../src/model/json.js'
import { drafts, menuOf, placesIn } from '../menu-changes.js'
import { readAt } from '../menu-model.js'
import { link, menu, section } from '../menus.js'
import { pointersInto } from '../operations.js'

/** Where each item is, and where it was, as pairs of pointers without their `/items`. */
function followed(before: Json, operations: readonly Operation[]): readonly string[] {
  const applied = applyOperations(before, operations)
  if (applied.fault !== null) throw new Error(applied.fault.reason)
  const short = (pointer: string): string => pointer.replaceAll('/items', '').replaceAll('/children', '')
  return [...applied.value.origins].map(([now, { pointer }]) => `${short(now)} ${short(pointer)}`)
}

const MENU = menu(link('a'), section('s', [link('b'), link('c')]), { type: 'divider' })

test('Without operations each item is where it was', () => {
  assert.equal(followed(MENU, []), ['/0 /0', '/1 /1', '/1/0 /1/0', '/1/1 /1/1', '/2 /2'])
})

test('A moved branch keeps its items, and those behind it move on', () => {
  const operations: Operation[] = [{ op: 'move', from: '/items/1', path: '/items/0' }]
  assert.equal(followed(MENU, operations), ['/0 /1', '/0/0 /1/0', '/0/1 /1/1', '/1 /0', '/2 /2'])
})

test('What is added is new, and so is a copy', () => {
  const operations: Operation[] = [
    { op: 'add', path: '/items/0', value: link('a') },
    { op: 'copy', from: '/items/2', path: '/items/-' },
  ]
  assert.equal(followed(MENU, operations), ['/1 /0', '/2 /1', '/2/0 /1/0', '/2/1 /1/1', '/3 /2'])
})

test('What one step takes away and another puts back, before or after, is the same item, with all below it', () => {
  const value = section('s', [link('b'), link('c')])
  const back = ['/0 /1', '/0/0 /1/0', '/0/1 /1/1', '/1 /0', '/2 /2']
  const [remove, add] = [
    { op: 'remove', path: '/items/1' },
    { op: 'add', path: '/items/0', value },
  ] as const
  assert.equal(followed(MENU, [remove, add]), back)
  assert.equal(followed(MENU, [add, { op: 'remove', path: '/items/2' }]), back)
  assert.equal(followed(MENU, [remove, { ...add, path: '/items/1' }]), followed(MENU, []))
})

test('What was edited before it was taken away, or after it was put back, is the same item', () => {
  const rename = { op: 'replace', path: '/items/0/label', value: 'new' } as const
  const away = { op: 'remove', path: '/items/0' } as const
  const back = (label: string): Operation => ({ op: 'add', path: '/items/0', value: { ...link('a'), label } })
  assert.equal(followed(MENU, [rename, away, back('new')]), followed(MENU, []))
  assert.equal(followed(MENU, [away, back('a'), rename]), followed(MENU, []))
  assert.is(followed(MENU, [rename, away, back('other')]).includes('/0 /0'), false)
})

test('What comes back with its id is the same item, whatever else it says', () => {
  const before = menu(link('a', { id: 'x' }), link('b'))
  const operations: Operation[] = [
    { op: 'remove', path: '/items/0' },
    { op: 'add', path: '/items/-', value: section('new', [], { id: 'x' }) },
  ]
  assert.equal(followed(before, operations), ['/0 /1', '/1 /0'])
})

test('What comes back with a list that is replaced as a whole is the same item', () => {
  const operations: Operation[] = [
    { op: 'remove', path: '/items/1' },
    { op: 'replace', path: '/items', value: [section('s', [link('b'), link('c')]), link('new')] },
  ]
  assert.equal(followed(MENU, operations), ['/0 /1', '/0/0 /1/0', '/0/1 /1/1'])
})

test('What takes the place of a missing item with other content is new', () => {
  const operations: Operation[] = [
    { op: 'remove', path: '/items/0' },
    { op: 'add', path: '/items/0', value: link('other') },
  ]
  assert.equal(followed(MENU, operations).includes('/0 /0'), false)
})

test('An item that another value replaced is the same item, with those below it that match', () => {
  const value = section('other', [link('new'), link('c'), link('b')])
  assert.equal(followed(MENU, [{ op: 'replace', path: '/items/1', value }]), [
    '/0 /0',
    '/1 /1',
    '/1/1 /1/1',
    '/1/2 /1/0',
    '/2 /2',
  ])
})

test('In a list that was replaced, what matches is the same item', () => {
  const value = [link('c'), link('b')]
  for (const op of ['replace', 'add'] as const) {
    assert.equal(followed(MENU, [{ op, path: '/items/1/children', value }]).slice(2, 4), [
      '/1/0 /1/1',
      '/1/1 /1/0',
    ])
  }
})

test('In a menu that was replaced as a whole, what matches is the same item', () => {
  const value = menu(link('new'), link('a'))
  assert.equal(followed(MENU, [{ op: 'replace', path: '', value }]), ['/1 /0'])
})

test('A list that replaces another by a move keeps its own items', () => {
  const before = menu(section('s', [link('a')]), section('t', [link('b')]))
  const operations: Operation[] = [{ op: 'move', from: '/items/0/children', path: '/items/1/children' }]
  assert.equal(followed(before, operations), ['/0 /0', '/1 /1', '/1/0 /0/0'])
})

test('Equal items that share one object are separate items', () => {
  const divider = { type: 'divider' }
  const before = menu(divider, link('a'), divider)
  const operations: Operation[] = [{ op: 'move', from: '/items/2', path: '/items/0' }]
  assert.equal(followed(before, operations), ['/0 /2', '/1 /0', '/2 /1'])
})

test('A number carried by each item agrees with the origins, after any operations', () => {
  fc.assert(
    fc.property(
      drafts,
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 8 }),
      (items, wishes) => {
        for (const [number, { item }] of placesIn(items).entries()) item['x-number'] = number
        const before = menuOf(items)
        const operations: Operation[] = []
        let now: Json = before
        for (const wish of wishes) {
          const operation = toOperation(now, ...wish)
          const applied = applyOperations(now, [operation])
          if (applied.fault !== null) continue
          operations.push(operation)
          now = applied.value.value
        }
        const applied = applyOperations(before, operations)
        assert.is(applied.fault, null)
        if (applied.fault !== null) return
        const { value, origins } = applied.value
        assert.equal(value, now)
        for (const pointer of itemPointers(value)) {
          const number = (readAt(value, pointer) as JsonMap)['x-number']
          const origin = origins.get(pointer)
          if (number === undefined) assert.is(origin, undefined)
          else assert.is((readAt(before, origin?.pointer ?? '') as JsonMap)['x-number'], number)
        }
      },
    ),
    { numRuns: 150 },
  )
})

/** Adds, removes or moves an item, copies one without its number, or changes a field of one. */
function toOperation(value: Json, kind: number, first: number, second: number): Operation {
  const pick = (list: readonly string[], place: number): string => list[place % list.length] ?? ''
  const path = pick(itemPointers(value), first)
  const target = pick(slotsOf(value), second)
  const copy = JSON.parse(JSON.stringify(readAt(value, path) ?? {}), (key, each) =>
    key === 'x-number' ? undefined : each,
  )
  const all: readonly Operation[] = [
    { op: 'add', path: target, value: link('new') },
    { op: 'add', path: target, value: copy },
    { op: 'remove', path },
    { op: 'move', from: path, path: target },
    { op: 'move', from: path, path: target },
    { op: 'add', path: `${path}/icon`, value: 'lucide:star' },
  ]
  return all[kind % all.length] as Operation
}

function itemPointers(value: Json): readonly string[] {
  return pointersInto(value, false).filter(
    (pointer) => /(items|children)\/\d+$/.test(pointer) && isMap(readAt(value, pointer)),
  )
}

/** Where an item can be added. */
function slotsOf(value: Json): readonly string[] {
  return pointersInto(value, true).filter(
    (pointer) =>
      /(items|children)\/(\d+|-)$/.test(pointer) &&
      isList(readAt(value, pointer.slice(0, pointer.lastIndexOf('/')))),
  )
}

test.run()
