import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toStricter } from '../../src/web/cache-control.js'

test('The shorter time of a directive that appears twice counts, whether or not it is in quotes', () => {
  for (const header of ['max-age="7", max-age=5', 'max-age=5, max-age="7"', 'max-age=7, max-age="5"'])
    assert.is(toStricter(header, 'max-age=60'), 'max-age=5', header)
})

test('What either of two headers forbids is forbidden, and what only one allows is not allowed', () => {
  assert.is(toStricter('public, max-age=0, s-maxage=60', 'private'), 'private, max-age=0')
  assert.is(toStricter('public, s-maxage=60', 'public, max-age=30'), 'public, max-age=30, s-maxage=30')
  assert.is(toStricter('no-cache, max-age=9', 'public, immutable'), 'no-cache')
})

test.run()
