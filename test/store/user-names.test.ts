import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toUserKey } from '../../src/store/user-names.js'
import { SEED } from '../support/figures.js'

test('E21: the key of a name is its own key, and that of the name in upper and in lower case', () => {
  const name = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(name, (text) => {
      const key = toUserKey(text)
      assert.is(toUserKey(key), key)
      for (const form of ['NFC', 'NFD'] as const) assert.is(toUserKey(text.normalize(form)), key)
      assert.is(toUserKey(text.toLowerCase()), key)
      if (/^[ -~]*$/.test(text)) assert.is(toUserKey(text.toUpperCase()), key)
    }),
    { seed: SEED, numRuns: 5_000 },
  )
})

test('E21: names that only look alike stay apart', () => {
  const names = ['ana', '\u0430na', '\uFF41na', 'an\u1D43', 'ana\u0301']
  assert.is(new Set(names.map(toUserKey)).size, names.length)
})

test.run()
