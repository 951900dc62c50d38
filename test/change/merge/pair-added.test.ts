import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mergeMenus } from '../../../src/change/merge/merge.js'
import { isList, isMap, type Json } from '../../../src/model/json.js'
import { type Item, link, menu } from '../menus.js'

const PLACES = [...Array(10_000).keys()]

function lengthOf(value: Json): number {
  const items = isMap(value) ? value['items'] : null
  return isList(items) ? items.length : 0
}

test('Ten thousand items that both sides added are merged once, in no time, also where all are equal', () => {
  const [own, equal] = [PLACES.map((place) => link(`${place}`)), PLACES.map(() => link('same'))]
  for (const items of [own, equal]) {
    const { value, conflicts } = mergeMenus(menu(), menu(...items), menu(...items))
    assert.is(conflicts.length, 0)
    assert.equal(value, menu(...items))
  }
})

test('Ten thousand dividers that each side changed in its way are merged in no time, and all of them stay', () => {
  const all = (side: string): readonly Item[] =>
    PLACES.map((place) => ({ type: 'divider', 'x-note': `${side} ${place}` }))
  const { value } = mergeMenus(menu(...all('base')), menu(...all('mine')), menu(...all('theirs')))
  assert.is(lengthOf(value), 20_000)
})

test.run()
