import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { matchAll } from '../../../src/change/compare/match-left.js'
import { readItems } from '../../../src/change/items.js'
import { type Item, link, menu } from '../menus.js'

/** Where each item of the first menu is in the second, as pairs of places at the top. */
function matched(olds: readonly Item[], news: readonly Item[]): string[] {
  const short = (pointer: string) => pointer.replace('/items/', '')
  return [...matchAll(readItems(menu(...olds)), readItems(menu(...news))).toAfter].map(
    ([a, b]) => `${short(a)} ${short(b)}`,
  )
}

const divider = (note: string | number): Item => ({ type: 'divider', 'x-note': note })

test('A divider with other fields is the one between the same neighbours, at the ends as well', () => {
  const [a, b] = [link('a'), link('b')]
  const olds = [divider(1), a, divider(2), b, divider(3)]
  const news = [divider(4), a, divider(5), b, link('new'), divider(6)]
  assert.equal(matched(olds, news).sort(), ['0 0', '1 1', '2 2', '3 3'])
})

test('A divider among others that changed, too, is a new one', () => {
  assert.equal(matched([divider(1), divider(2)], [divider(3), divider(4)]), [])
})

test('Ten thousand changed dividers are matched quickly', () => {
  const places = [...Array(10_000).keys()]
  const all = (side: string) => places.map((place) => divider(`${side} ${place}`))
  assert.equal(matched(all('old'), all('new')), [])
  const between = (side: string) =>
    places.map((place) => (place % 2 === 0 ? link(`${place}`) : divider(`${side} ${place}`)))
  assert.is(matched(between('old'), between('new')).length, 10_000)
  const same = (note: string) => places.map(() => divider(note))
  assert.equal(matched(same('old'), same('new')), [])
})

test.run()
