import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readContext, readContexts, readParams } from '../../src/cli/flag-values.js'
import { Refusal } from '../../src/review/refusal.js'
import { toKeys } from '../../src/service/hooks.js'
import { DEFAULT_LIMITS } from '../support/limits.js'

/** What a refused value is told. */
function messageOf(read: () => unknown): string {
  try {
    read()
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.reason === 'usage') return thrown.message
    throw thrown
  }
  return ''
}

test('An empty flag is treated as absent, and so is null if a context is optional', () => {
  assert.equal([readContext(''), readContext('null'), readParams('')], [{}, {}, {}])
  const sets = ['', 'null', '""', '[]', '[null, []]'].map((text) => readContexts(text, DEFAULT_LIMITS))
  assert.equal(sets, [[], [], [], [], [{}, {}]])
})

test('Values are what the JSON says', () => {
  assert.equal(readContext('{"a": 1, "b": true}'), { a: 1, b: true })
  assert.equal(readContexts('[{"a": 1}, null]', DEFAULT_LIMITS), [{ a: 1 }, {}])
  assert.equal(readParams('{"id": [1]}'), { id: [1] })
  assert.equal(toKeys(' a, b ,,c'), ['a', 'b', 'c'])
})

test('A value that is not JSON, or not valid for the flag, is reported with an example', () => {
  assert.match(
    messageOf(() => readContext('{')),
    /^--context is not JSON \(.*\); write it like --context '\{/,
  )
  assert.match(
    messageOf(() => readContexts('{', DEFAULT_LIMITS)),
    /^--context-sets is not JSON \(.*\)\. Write it like/,
  )
  assert.match(
    messageOf(() => readParams('{')),
    /^--params is not JSON \(.*\)\. Write it like --params/,
  )
  for (const text of ['[]', '3', '{"a": {}}'])
    assert.match(
      messageOf(() => readContext(text)),
      /^--context must be a flat object/,
      text,
    )
  assert.match(
    messageOf(() => readContext('{"a": 1e300}')),
    /^--context has a number beyond/,
  )
  assert.match(
    messageOf(() => readContexts('3', DEFAULT_LIMITS)),
    /^--context-sets: It must be a list/,
  )
  for (const text of ['[]', '3', 'null'])
    assert.match(
      messageOf(() => readParams(text)),
      /^--params must be an object/,
    )
})

test('A key that appears twice in an object of a flag is refused with its place, as in files', () => {
  assert.match(
    messageOf(() => readContext('{"a": 1, "a": 2}')),
    /^--context has a key twice in one object, at character 10;/,
  )
  assert.match(
    messageOf(() => readContexts('[{"a":1},{"a":1,"a":1}]', DEFAULT_LIMITS)),
    /^--context-sets has a key twice .* 17\./,
  )
  assert.match(
    messageOf(() => readParams('{"id":1,"id":2}')),
    /^--params has a key twice .* 9\./,
  )
})

test.run()
