import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { factsOf } from '../../../src/change/compare/item-facts.js'
import { differencesBetween, type Item, link, menu, section } from '../menus.js'

function lines(before: readonly Item[], after: readonly Item[]): readonly string[] {
  const { items } = differencesBetween(menu(...before), menu(...after))
  return items.flatMap((item) => factsOf(item).map(({ what, to }) => `${what}: ${to}`))
}

test('The facts of an added link are its destination and everything beside its label', () => {
  assert.equal(lines([], [link('a')]), ['leads to: /a'])
  assert.equal(lines([], [link('a', { id: 'k', icon: '' })]), ['leads to: /a', 'id: k'])
})

test('The facts of an added section are its type, each language, who sees it, and the rest', () => {
  const more = { permissions: ['p', 'q'], permissionMode: 'any', icon: 'i:a', hidden: false }
  assert.equal(
    lines([], [section('', [], { ...more, label: { en: 's', es: 't' }, attributes: { rel: 'x' } })]),
    [
      'type: section',
      'label (en): s',
      'label (es): t',
      'seen by: viewers with p or q',
      'icon: i:a',
      'attribute rel: x',
    ],
  )
})

test('The time window of an added item is among its facts', () => {
  const window = { visibleFrom: '2026-12-01T00:00:00Z', visibleUntil: '2027-01-01T00:00:00Z' }
  assert.equal(lines([], [link('a', window)]), [
    'leads to: /a',
    'visible from: 2026-12-01T00:00:00Z',
    'visible until: 2027-01-01T00:00:00Z',
  ])
})

test('Where more than its own keys decide who sees an item, its keys are listed as well', () => {
  assert.equal(lines([], [link('a', { hidden: true, permissions: ['p'] })]), [
    'leads to: /a',
    'seen by: nobody',
    'permissions: p',
    'hidden: yes',
  ])
  const guarded = section('s', [], { permissions: ['s'] })
  const added = link('a', { permissions: ['p', 'q'], permissionMode: 'any' })
  assert.equal(lines([guarded], [{ ...guarded, children: [added] }]), [
    'leads to: /a',
    'seen by: viewers with s, and with p or q',
    'permissions: p or q',
  ])
})

test('The fact of a removed item is its destination, if any', () => {
  assert.equal(lines([link('a'), section('s', [])], []), ['led to: /a'])
})

test.run()
