import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mergeMenus } from '../../../src/change/merge/merge.js'
import { widenedItems } from '../../../src/change/merge/widened.js'
import type { Json } from '../../../src/model/json.js'

type Item = Readonly<Record<string, Json>>

const menu = (...items: readonly Item[]): Json => ({ version: 1, code: 'main', name: 'Main', items })
const link = (label: string, more: Item = {}): Item => ({ label, url: `/${label}`, ...more })
const section = (more: Item, ...children: readonly Item[]): Item => ({
  type: 'section',
  label: 's',
  ...more,
  children,
})

function widened(base: Json, mine: Json, theirs: Json): readonly string[] {
  return widenedItems(mergeMenus(base, mine, theirs), mine, theirs)
}

test('An item opened in its place by one side and taken out by the other is seen by more viewers than on either side', () => {
  const base = menu(section({ permissions: ['a'] }, link('x', { permissions: ['b'] })))
  const mine = menu(section({ permissions: ['a'] }, link('x')))
  const theirs = menu(section({ permissions: ['a'] }), link('x', { permissions: ['b'] }))
  assert.equal(widened(base, mine, theirs), ['/items/1'])
})

test('What was added to a section for few, which the other side opened, is seen by more than its author meant', () => {
  const base = menu(section({ permissions: ['a'] }))
  const mine = menu(section({ permissions: ['a'] }, link('x', { children: [link('y')] })))
  assert.equal(widened(base, mine, menu(section({}))), ['/items/0/children/0'])
})

test('What one side shows to more viewers by itself is not called out again', () => {
  const base = menu(link('x', { permissions: ['a'] }), link('y'))
  assert.equal(
    widened(base, menu(link('x'), link('y')), menu(link('y'), link('x', { permissions: ['a'] }))),
    [],
  )
  assert.equal(widened(base, base, base), [])
})

test.run()
