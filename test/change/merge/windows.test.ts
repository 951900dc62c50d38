import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mergeMenus } from '../../../src/change/merge/merge.js'
import type { Item } from '../menus.js'
import { link, menu } from '../menus.js'

const [MAY, JUNE, JULY, AUGUST] = ['05', '06', '07', '08'].map(
  (month) => `2027-${month}-01T00:00:00+02:00`,
) as [string, string, string, string]

type Window = readonly [from: string | null, until: string | null]

function item([visibleFrom, visibleUntil]: Window): Item {
  return link('a', {
    id: 'x',
    ...(visibleFrom !== null && { visibleFrom }),
    ...(visibleUntil !== null && { visibleUntil }),
  })
}

function merge(base: Window, mine: Window, theirs: Window) {
  const [before, ...sides] = [base, mine, theirs].map((window) => menu(item(window)))
  if (before === undefined || sides[0] === undefined || sides[1] === undefined) throw new Error('three')
  return mergeMenus(before, sides[0], sides[1])
}

test('A start that one side changed and an end that the other one changed combine', () => {
  for (const [mine, theirs] of [
    [
      [MAY, JULY],
      [JUNE, AUGUST],
    ],
    [
      [JUNE, AUGUST],
      [MAY, JULY],
    ],
  ] as const) {
    const { value, conflicts } = merge([JUNE, JULY], mine, theirs)
    assert.equal(conflicts, [])
    assert.equal(value, menu(item([MAY, AUGUST])))
  }
  assert.equal(merge([null, null], [MAY, null], [null, JULY]).value, menu(item([MAY, JULY])))
  assert.equal(merge([MAY, JULY], [null, JULY], [MAY, JULY]).value, menu(item([null, JULY])))
})

test('A start and an end that would be no window together are one decision', () => {
  const merged = merge([MAY, AUGUST], [JULY, AUGUST], [MAY, JUNE])
  assert.equal(
    merged.conflicts.map(({ kind, field }) => [kind, field]),
    [['edit', '/visibleFrom']],
  )
  assert.equal(merged.choosing(() => 'mine').value, menu(item([JULY, AUGUST])))
  assert.equal(merged.choosing(() => 'theirs').value, menu(item([MAY, JUNE])))
})

test('One end that both sides changed is a conflict of that field', () => {
  const merged = merge([MAY, JUNE], [MAY, JULY], [MAY, AUGUST])
  assert.equal(
    merged.conflicts.map(({ field, values }) => [field, values]),
    [['/visibleUntil', { base: JUNE, mine: JULY, theirs: AUGUST }]],
  )
  assert.equal(merged.choosing(() => 'theirs').value, menu(item([MAY, AUGUST])))
})

test('The window of a menu is merged by the same rules', () => {
  const base = { version: 1, code: 'main', name: 'Main', visibleUntil: JULY, items: [] }
  const merged = mergeMenus(base, { ...base, visibleFrom: MAY }, { ...base, visibleUntil: AUGUST })
  assert.equal(merged.conflicts, [])
  assert.equal(merged.value, { ...base, visibleFrom: MAY, visibleUntil: AUGUST })
})

test.run()
