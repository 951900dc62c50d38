import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { malformedPercentAt } from '../../src/web/percent.js'
import { sized } from '../support/figures.js'

const hex = (byte: number): string => `%${byte.toString(16).padStart(2, '0')}`

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

test('Every sequence of up to two bytes, and of three and four at the edges, is malformed where the engine cannot decode it', () => {
  const edges = [
    0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4,
    0xf5, 0xff,
  ]
  const check = (bytes: readonly number[]): void => {
    const text = bytes.map(hex).join('')
    assert.is(malformedPercentAt(text) === null, decodes(text), text)
  }
  for (let first = 0; first < 256; first++) {
    check([first])
    for (let second = 0; second < 256; second++) check([first, second])
  }
  for (const first of edges) {
    for (const second of edges) {
      for (const third of edges) {
        check([first, second, third])
        for (const fourth of edges) check([first, second, third, fourth])
      }
    }
  }
})

test('The text before the first malformed % can be decoded, and nothing behind it', () => {
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom('%', '%4', '%g0', '%41', '%c3', '%A9', '%e2', '%82', '%AC', 'é', 'a'),
        fc.string({ maxLength: 2 }),
      ),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (each) => {
      const at = malformedPercentAt(each)
      assert.is(at === null, decodes(each))
      if (at === null) return
      assert.is(each[at], '%')
      assert.ok(decodes(each.slice(0, at)))
      for (const length of [3, 6, 9, 12]) assert.not(decodes(each.slice(at, at + length)))
    }),
    { numRuns: sized(1_500, 15_000) },
  )
})

test.run()
