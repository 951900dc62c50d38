import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readDocument } from '../../../src/document/menu-document.js'
import { type Claim, claimOf } from '../../../src/document/read/claim.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'

const of = (bytes: Uint8Array): Claim | null => claimOf(readDocument('', bytes, DEFAULT_LIMITS))
const claim = (text: string): Claim | null => of(new TextEncoder().encode(text))

test('A text claims the code and the context that it gives, even if it has other faults', () => {
  assert.equal(claim('code: main\n'), { code: 'main', context: {} })
  assert.equal(claim('code: main\ncontext: null\nitems: 7\n'), { code: 'main', context: {} })
  assert.equal(claim('{"code": "main", "context": {"a": 1}, "x": 1}'), { code: 'main', context: { a: 1 } })
  assert.equal(claim('code: main\ncontext: [1]\n'), { code: 'main', context: null })
})

test('In a text that is not YAML the line with the code counts, and its context is unknown', () => {
  assert.equal(claim('version: 1\ncode: "main"\n<<<<<<< ours\n'), { code: 'main', context: null })
  assert.equal(claim('{code: main, items: ['), { code: 'main', context: null })
})

test('A text without a code claims nothing', () => {
  for (const text of ['', 'a\n', 'code: 7\n', 'items:\n  - code: x\n', '\u0000'])
    assert.is(claim(text), null, text)
  assert.is(of(new Uint8Array([0xff, 0xfe, 0x63])), null)
})

test.run()
