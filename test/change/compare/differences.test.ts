import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type ItemDifference, isUnchanged } from '../../../src/change/compare/differences.js'
import { placedItems } from '../../../src/change/items.js'
import { isEqual, isList, isMap, type Json } from '../../../src/model/json.js'
import { sized } from '../../support/figures.js'
import { changedMenus, differencesBetween, type Item, KEYS, link, menu, menus, section } from '../menus.js'

/** Each change of items as words and flags, for reading. */
function told(before: Json, after: Json): string[] {
  return differencesBetween(before, after).items.map((each) => {
    const changed = each.kind === 'changed' ? each.fields : []
    const fields = changed.map(({ kind, part }) => (part === null ? kind : `${kind} ${part}`))
    const flags = [
      ...(each.moved ? ['moved'] : []),
      ...(each.widens ? ['widens'] : []),
      ...(each.narrows ? ['narrows'] : []),
    ]
    const { path, name } = each.after ?? each.before ?? { path: [], name: '' }
    return `${[...path, name].join('/')}: ${[...(each.kind === 'changed' ? [] : [each.kind]), ...fields, ...flags].join(', ')}`
  })
}

test('Added, removed and relabelled items are reported one by one, removed ones where they were', () => {
  const before = menu(link('a'), link('b'), { label: { en: 'C', es: 'Ce' }, url: '/c' })
  const after = menu(link('a'), { label: { en: 'C', de: 'Tse' }, url: '/c' }, link('d'))
  assert.equal(told(before, after), ['b: removed', 'C: label de, label es', 'd: added'])
})

test('An added or removed item is reported with all its content, texts and attributes one by one', () => {
  const item = { label: { es: 'A', en: 'B' }, url: '/a', attributes: { rel: 'me' }, permissions: ['k'] }
  const fieldsOf = (before: Json, after: Json) =>
    differencesBetween(before, after).items[0]?.fields.map(({ key, part, from, to }) => [
      key,
      part,
      from ?? to,
    ])
  const all = [
    ['label', 'en', 'B'],
    ['label', 'es', 'A'],
    ['url', null, '/a'],
    ['permissions', null, ['k']],
    ['attributes', 'rel', 'me'],
  ]
  assert.equal([fieldsOf(menu(), menu(item)), fieldsOf(menu(item), menu())], [all, all])
})

test('Entries that only shifted did not move', () => {
  const rest = [link('b'), link('c'), link('d')]
  assert.equal(told(menu(link('a'), ...rest), menu(...rest)), ['a: removed'])
  assert.equal(told(menu(link('a'), ...rest), menu(...rest, link('a'))), ['a: moved'])
})

test('A move names its old and new place', () => {
  const [moved] = differencesBetween(
    menu(section('Shop', [link('a')]), section('Help', [link('b')])),
    menu(section('Shop', []), section('Help', [link('b'), link('a')])),
  ).items
  assert.equal([moved?.before?.path, moved?.before?.position], [['Shop'], 1])
  assert.equal([moved?.after?.path, moved?.after?.position], [['Help'], 2])
})

test('Moving an item out of a guarded branch lets more viewers see it, and all below it', () => {
  const branch = section('Branch', [link('a'), link('b', { permissions: ['own'] })])
  const before = menu(section('Office', [branch, link('c')], { permissions: ['staff'] }), link('d'))
  const after = menu(section('Office', [link('c')], { permissions: ['staff'] }), branch, link('d'))
  assert.equal(told(before, after), ['Branch: moved, widens', 'Branch/a: widens', 'Branch/b: widens'])
  assert.equal(told(after, before), [
    'Office/Branch: moved, narrows',
    'Office/Branch/a: narrows',
    'Office/Branch/b: narrows',
  ])
})

test('Fewer keys, any for all, no keys and no hiding let more viewers see an item', () => {
  const from = (gate: Item, next: Item): string[] => told(menu(link('x', gate)), menu(link('x', next)))
  assert.equal(from({ permissions: ['a', 'b'] }, { permissions: ['a'] }), ['x: permissions, widens'])
  assert.equal(from({ permissions: ['a', 'b'] }, { permissions: ['a', 'b'], permissionMode: 'any' }), [
    'x: permissions, widens',
  ])
  assert.equal(
    from({ permissions: ['a', 'b'], permissionMode: 'any' }, { permissions: ['a'], permissionMode: 'any' }),
    ['x: permissions, narrows'],
  )
  assert.equal(from({ permissions: ['a'] }, {}), ['x: permissions, widens'])
  assert.equal(from({ hidden: true }, {}), ['x: hidden, widens'])
  assert.equal(from({}, { hidden: true }), ['x: hidden, narrows'])
  assert.equal(from({ permissions: ['a'] }, { permissions: ['b'] }), ['x: permissions, widens, narrows'])
  assert.equal(from({ permissions: ['a'] }, { permissions: ['a'], permissionMode: 'any' }), [
    'x: permissions',
  ])
})

test('A guarded destination that an added or another item opens is reported', () => {
  const guarded = link('x', { permissions: ['a'] })
  const exposed = (before: Json, after: Json): unknown[] =>
    differencesBetween(before, after).items.map(({ kind, exposes }) => [kind, exposes])
  const open = { label: 'y', url: '/x' }
  assert.equal(exposed(menu(guarded), menu(guarded, open)), [['added', true]])
  assert.equal(exposed(menu(guarded), menu(guarded, { ...open, permissions: ['a', 'b'] })), [
    ['added', false],
  ])
  assert.equal(exposed(menu(guarded, link('y')), menu(guarded, open)), [['changed', true]])
  assert.equal(exposed(menu(guarded, open), menu(guarded, open, { ...open, label: 'z' })), [['added', false]])
})

test('An item that is guarded anyway by what is above it is not opened by losing its own keys', () => {
  const inside = (gate: Item): Json => menu(section('s', [link('x', gate)], { permissions: ['a'] }))
  assert.equal(told(inside({ permissions: ['a'] }), inside({})), ['s/x: permissions'])
})

test('Destinations, icons, types, attributes, ids and custom keys are reported, each by its key', () => {
  const before = menu({
    label: 'x',
    id: 'one',
    routeName: 'r',
    routeParams: { id: 1 },
    icon: 'i:a',
    attributes: { class: 'k' },
    'x-a': 1,
  })
  const after = menu({
    type: 'section',
    label: 'x',
    id: 'one',
    routeName: 's',
    routeParams: { id: 2 },
    icon: 'i:b',
    attributes: { class: 'l', rel: 'me' },
    'x-a': 2,
  })
  assert.equal(told(before, after), ['x: type, target, target, icon, attributes class, attributes rel, key'])
})

test('The name, code, context, display and custom keys of the menu are reported', () => {
  const before = { ...(menu() as Item), display: { depthLimit: 1 }, 'x-a': 1 }
  const after = {
    version: 1,
    code: 'other',
    name: 'Other',
    context: { p: 1 },
    display: { depthLimit: 2 },
    items: [],
  }
  assert.equal(
    differencesBetween(before, after).fields.map(({ key, part, from, to }) => [key, part, from, to]),
    [
      ['code', null, 'main', 'other'],
      ['name', null, 'Main', 'Other'],
      ['context', null, undefined, { p: 1 }],
      ['display', 'depthLimit', 1, 2],
      ['x-a', null, 1, undefined],
    ],
  )
})

test('Nothing throws, with any content of a broken file in place of items', () => {
  for (const items of [null, 5, 'a', [null, 'a', [], 7, { label: 3, children: 'no', permissions: 'a' }]]) {
    const odd = { version: 1, items } as Json
    assert.equal(told(odd, odd), [])
    differencesBetween(odd, menu(link('a')))
  }
})

test('There is no difference exactly when the values are equal, apart from empty children', () => {
  fc.assert(
    fc.property(changedMenus, ([before, after]) => {
      assert.is(
        isUnchanged(differencesBetween(before, after)),
        isEqual(withoutEmpty(before), withoutEmpty(after)),
      )
      assert.ok(isUnchanged(differencesBetween(before, shuffled(before))))
    }),
    { numRuns: sized(100, 1_000) },
  )
})

test('Each item is kept, added or removed, and what a viewer newly sees is flagged, as trying all viewers shows', () => {
  fc.assert(
    fc.property(changedMenus, ([before, after]) => {
      const { items } = differencesBetween(before, after)
      const [olds, news] = [seenBy(before), seenBy(after)]
      const added = items.filter(({ kind }) => kind === 'added').length
      const removed = items.filter(({ kind }) => kind === 'removed').length
      assert.is(olds.size - removed, news.size - added)
      for (const each of items) {
        const [was, is] = [olds.get(each.before?.pointer ?? ''), news.get(each.after?.pointer ?? '')]
        if (was === undefined || is === undefined) continue
        const isDivider = each.before?.type === 'divider' && each.after?.type === 'divider'
        assert.is(each.widens, !isDivider && is.some((sees, viewer) => sees && !was[viewer]))
        assert.is(each.narrows, !isDivider && was.some((sees, viewer) => sees && !is[viewer]))
      }
    }),
    { numRuns: sized(100, 1_000) },
  )
})

test('An item that is not reported has the same viewers as before', () => {
  fc.assert(
    fc.property(menus, fc.constantFrom<Item>({ permissions: ['a'] }, { hidden: true }), (value, gate) => {
      const guarded = menu(section('around', (value as { items: Item[] }).items, gate))
      const open = menu(section('around', (value as { items: Item[] }).items))
      const flagged = new Set(differencesBetween(guarded, open).items.map(({ after }) => after?.pointer))
      const [was, is] = [seenBy(guarded), seenBy(open)]
      for (const { item, pointer } of placedItems(open)) {
        const isWider = is.get(pointer)?.some((sees, viewer) => sees && !was.get(pointer)?.[viewer])
        if (item['type'] !== 'divider') assert.is(flagged.has(pointer), isWider)
      }
    }),
  )
})

test('The other direction reports the mirror image', () => {
  fc.assert(
    fc.property(changedMenus, ([before, after]) => {
      const there = differencesBetween(before, after)
      const back = differencesBetween(after, before)
      const keys = ({ fields }: { readonly fields: ItemDifference['fields'] }): unknown =>
        fields.map(({ key, part, from, to }) => [key, part, from, to])
      assert.equal(
        keys(there),
        back.fields.map(({ key, part, from, to }) => [key, part, to, from]),
      )
      // Of entries that changed places, either can be said to have moved.
      const still = ({ items }: typeof there): ItemDifference[] =>
        items.filter(
          ({ moved, fields, kind, widens, narrows }) =>
            kind !== 'changed' || fields.length > 0 || widens || narrows || !moved,
        )
      const line = (
        { kind, before, after, fields, widens, narrows }: ItemDifference,
        isMirrored: boolean,
      ): string =>
        JSON.stringify(
          isMirrored
            ? [
                { added: 'removed', removed: 'added', changed: 'changed' }[kind],
                after,
                before,
                narrows,
                widens,
                fields.map(({ key, part, from, to }) => [key, part, to, from]),
              ]
            : [
                kind,
                before,
                after,
                widens,
                narrows,
                fields.map(({ key, part, from, to }) => [key, part, from, to]),
              ],
        )
      assert.equal(
        still(there)
          .map((each) => line(each, false))
          .sort(),
        still(back)
          .map((each) => line(each, true))
          .sort(),
      )
      assert.is(
        there.items.filter(({ moved }) => moved).length,
        back.items.filter(({ moved }) => moved).length,
      )
    }),
    { numRuns: sized(100, 1_000) },
  )
})

test('A difference is plain data', () => {
  fc.assert(
    fc.property(changedMenus, ([before, after]) => {
      const found = differencesBetween(before, after)
      assert.ok(isEqual(JSON.parse(JSON.stringify(found)), found as unknown as Json))
    }),
    { numRuns: sized(25, 250) },
  )
})

/** Whether each viewer, a set of keys, may see each item, by its pointer: the definition, tried out. */
function seenBy(value: Json): ReadonlyMap<string, readonly boolean[]> {
  const seen = new Map<string, readonly boolean[]>()
  for (const { item, pointer, parent } of placedItems(value)) {
    const above = seen.get(parent?.pointer ?? '')
    const keys = (item['permissions'] ?? []) as readonly string[]
    const may = Array.from({ length: 2 ** KEYS.length }, (_, bits) => {
      const has = (key: string): boolean => ((bits >> KEYS.indexOf(key as (typeof KEYS)[number])) & 1) === 1
      const passes =
        keys.length === 0 || (item['permissionMode'] === 'any' ? keys.some(has) : keys.every(has))
      return item['hidden'] !== true && passes && (above?.[bits] ?? true)
    })
    seen.set(pointer, may)
  }
  return seen
}

function withoutEmpty(value: Json): Json {
  if (isList(value)) return value.map(withoutEmpty)
  if (!isMap(value)) return value
  const entries = Object.entries(value).filter(
    ([key, each]) => key !== 'children' || (isList(each) && each.length > 0),
  )
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutEmpty(each)]))
}

/** The same value with its keys in another order, and without empty children. */
function shuffled(value: Json): Json {
  if (isList(value)) return value.map(shuffled)
  if (!isMap(value)) return value
  const entries = Object.entries(value).map(([key, each]): [string, Json] => [
    key,
    isList(each) && each.length === 0 && key === 'children' ? null : shuffled(each),
  ])
  return Object.fromEntries(entries.reverse())
}

test.run()
