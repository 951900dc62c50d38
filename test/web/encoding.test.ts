import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { acceptedCodings } from '../../src/web/encoding.js'

test('Among equally welcome codings the smaller comes first, the plain one last', () => {
  for (const header of ['gzip, deflate, br, zstd', 'br, gzip', '*', 'gzip;q=0.5, br;q=0.5'])
    assert.equal(acceptedCodings(header), ['br', 'gzip', 'identity'], header)
})

test('The weights of the client go before our taste', () => {
  assert.equal(acceptedCodings('br;q=0.1, gzip;q=0.9'), ['gzip', 'br', 'identity'])
  assert.equal(acceptedCodings('identity, gzip;q=0.5'), ['identity', 'gzip'])
})

test('A coding of weight 0, or one that is not ours, is not sent', () => {
  assert.equal(acceptedCodings('br;q=0, gzip;q=0'), ['identity'])
  assert.equal(acceptedCodings('br;q=0, *'), ['gzip', 'identity'])
  assert.equal(acceptedCodings('identity;q=0, gzip'), ['gzip'])
  assert.equal(acceptedCodings('deflate, zstd, __proto__'), ['identity'])
})

test('Plain is the last resort for clients that accept nothing, and for unknown ones', () => {
  for (const header of [undefined, '', 'identity;q=0', '*;q=0', 'gzip,'.repeat(1_000), ';;=,'])
    assert.equal(acceptedCodings(header), ['identity'], header)
})

test.run()
