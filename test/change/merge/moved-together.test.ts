import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mergeMenus } from '../../../src/change/merge/merge.js'
import { type Item, link, menu, section } from '../menus.js'

const [A, B, C, D] = [link('A'), link('B'), link('C'), link('D')]
const LAST = link('Last')

/** What both sides together give, whichever of them is whose. */
function assertMerged(
  base: readonly Item[],
  one: readonly Item[],
  other: readonly Item[],
  merged: readonly Item[],
): void {
  for (const [mine, theirs] of [
    [one, other],
    [other, one],
  ] as const) {
    const { value, conflicts } = mergeMenus(menu(...base), menu(...mine), menu(...theirs))
    assert.equal(conflicts, [])
    assert.equal(value, menu(...merged))
  }
}

test('What one side wraps in a section is there in the order that the other side gave it', () => {
  assertMerged([A, B, LAST], [section('New', [A, B]), LAST], [B, A, LAST], [section('New', [B, A]), LAST])
  assertMerged([A, B, C, D], [section('New', [A, B, C, D])], [D, C, B, A], [section('New', [D, C, B, A])])
})

test('What one side takes out of a section is there in the order that the other side gave it', () => {
  assertMerged([section('Old', [A, B]), LAST], [A, B, LAST], [section('Old', [B, A]), LAST], [B, A, LAST])
})

test('What one side moves to another section is there in the order that the other side gave it', () => {
  const of = (first: readonly Item[], second: readonly Item[]): readonly Item[] => [
    section('One', first),
    section('Two', second),
  ]
  assertMerged(of([A, B], [C]), of([], [A, C, B]), of([B, A], [C]), of([], [B, C, A]))
})

test('Items that come from different lists stay as the side has them that put them together', () => {
  const marked = { ...A, icon: 'a:b' }
  const of = (first: readonly Item[], second: readonly Item[], ...more: readonly Item[]): readonly Item[] => [
    section('One', first),
    section('Two', second),
    ...more,
  ]
  assertMerged(of([A], [B]), of([], [], B, A), of([marked], [B]), of([], [], B, marked))
})

test.run()
