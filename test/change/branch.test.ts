import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { branchAt, graft, restoreItem, withFreeIds } from '../../src/change/branch.js'
import { readItems } from '../../src/change/items.js'
import { isList, isMap, type Json, valueAt } from '../../src/model/json.js'
import { sized } from '../support/figures.js'
import { changed, type Draft, drafts, menuOf, placesIn, wishes, withIds } from './menu-changes.js'
import { link, menu, section } from './menus.js'

/** The pointers of all items by their ids. */
function pointersIn(value: Json, at = '/items', found = new Map<string, string>()): Map<string, string> {
  const items = valueAt(value, at.slice(1).split('/'))
  for (const [place, item] of (isList(items) ? items : []).entries()) {
    if (isMap(item)) found.set(String(item['id']), `${at}/${place}`)
    pointersIn(value, `${at}/${place}/children`, found)
  }
  return found
}

/** The id of the item above a pointer; null at the top. */
function aboveOf(value: Json, pointer: string): string | null {
  const above = pointer.replace(/\/(items|children)\/\d+$/, '')
  return above === '' ? null : String(valueAt(value, [...above.slice(1).split('/'), 'id']))
}

const itemsOf = (value: Json): Draft[] => JSON.parse(JSON.stringify((value as { items: Json }).items))
const withoutChildren = ({ children: _, ...own }: Draft): object => own

test('A restored item has its earlier fields, everything else is as it was, and its place is behind its old neighbours', () => {
  const law = fc.property(drafts, wishes, (items, changes) => {
    const before = menuOf(withIds(items))
    const now = menuOf(changed(itemsOf(before), changes, 'new', true))
    const [old, present] = [pointersIn(before), pointersIn(now)]
    for (const [id, pointer] of old) {
      const { value: change, fault } = restoreItem(before, now, pointer)
      const above = aboveOf(before, pointer)
      if (!present.has(id) && above !== null && !present.has(above)) {
        assert.is(fault, 'parent-gone')
        continue
      }
      assert.ok(change)
      const after = pointersIn(change.value)
      for (const [each, at] of after) {
        const origin = change.origins.get(at)
        const expected = present.has(each)
          ? { side: 'base', pointer: present.get(each) }
          : { side: 'theirs', pointer: old.get(each) }
        assert.equal(origin, expected)
      }
      const places = placesIn(itemsOf(change.value))
      const place = places.find(({ item }) => item['id'] === id)
      const earlier = placesIn(itemsOf(before)).find(({ item }) => item['id'] === id)
      assert.ok(place && earlier)
      assert.equal(withoutChildren(place.item), withoutChildren(earlier.item))
      if (!present.has(id)) assert.is(aboveOf(change.value, after.get(id) ?? ''), above)
      assert.equal(restOf(change.value, id, present), restOf(now, id, present))
    }
  })
  fc.assert(law, { numRuns: sized(60, 5_000) })
})

/** All items but one, with where they are; those that came back below it are left out. */
function restOf(value: Json, id: string, present: ReadonlyMap<string, string>): object[] {
  const rest = placesIn(itemsOf(value)).filter(({ item }) => present.has(String(item['id'])))
  const pointers = pointersIn(value)
  return rest.map(({ item, list }) => ({
    ...(item['id'] === id ? { id } : withoutChildren(item)),
    above: aboveOf(value, pointers.get(String(item['id'])) ?? ''),
    beside: list.map((each) => each['id']).filter((each) => present.has(String(each))),
  }))
}

test('An item comes back behind its nearest neighbour that is left, else before the next one, else at its place', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((label) => link(label, { url: `/${label}` }))
  assert.ok(a && b && c && d)
  const restored = (before: Json, now: Json, pointer: string): unknown =>
    itemsOf(restoreItem(before, now, pointer).value?.value ?? menu()).map((item) => item['label'])
  assert.equal(restored(menu(a, b, c), menu(a, d, c), '/items/1'), ['a', 'b', 'd', 'c'])
  assert.equal(restored(menu(a, b, c), menu(d, c), '/items/0'), ['d', 'a', 'c'])
  assert.equal(restored(menu(a, b), menu(c, d), '/items/1'), ['c', 'b', 'd'])
  assert.equal(restored(menu(a), menu(), '/items/0'), ['a'])
  assert.is(restoreItem(menu(a), menu(), '/items/1').fault, 'no-item')
  assert.is(restoreItem(menu(a), menu(), '').fault, 'no-item')
})

test('What is still there is not put back a second time with the branch that it was in', () => {
  const [inner, gone] = [link('inner', { url: '/in' }), link('gone', { url: '/gone' })]
  const before = menu(section('Branch', [inner, gone]))
  const { value: change } = restoreItem(before, menu(inner), '/items/0')
  assert.ok(change)
  assert.equal(change.value, menu(section('Branch', [gone]), inner))
})

test('A branch is put into a list that does not exist yet, at its end, and nowhere else', () => {
  const from = menu(section('Branch', [link('a'), link('b')]))
  const branch = branchAt(from, '/items/0')
  assert.ok(branch)
  assert.is(branchAt(from, '/items/0/label'), null)
  const into = menu(link('c'))
  const { value: change } = graft(into, branch, '/items/0/children/-')
  assert.equal(change?.value, menu(link('c', { children: [section('Branch', [link('a'), link('b')])] })))
  assert.equal(change?.origins.get('/items/0/children/0/children/1'), {
    side: 'theirs',
    pointer: '/items/0/children/1',
  })
  assert.ok(graft(into, branch, '/items/5').fault)
  assert.ok(graft(into, branch, '/items/3/children/0').fault)
})

test('A branch for another menu leaves behind the ids that are taken there, and nothing else', () => {
  const law = fc.property(drafts, drafts, (ours, theirs) => {
    const [from, into] = [menuOf(withIds(ours)), menuOf(withIds(theirs))]
    const taken = new Set(pointersIn(into).keys())
    for (const branch of readItems(from).all) {
      const expected = JSON.parse(JSON.stringify(branch.item), (key, value: unknown) =>
        key === 'id' && taken.has(String(value)) ? undefined : value,
      )
      assert.equal(withFreeIds(branch, readItems(into)), expected)
    }
  })
  fc.assert(law, { numRuns: sized(60, 5_000) })
})

test.run()
