import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { describeContext, isScalar, toContextKey } from '../../src/model/context.js'
import type { Context } from '../../src/model/menu.js'
import { sized } from '../support/figures.js'
import { contexts, RUNS, reorderings, scalars } from './arbitraries.js'
import { sameContext } from './oracle.js'

/** Contexts come from JSON and YAML, where `__proto__` is a key like any other. */
function keyOf(json: string): string {
  return toContextKey(JSON.parse(json))
}

const EQUAL = [
  ['{"a":1,"b":2}', '{"b":2,"a":1}'],
  ['{"a":1}', '{"a":1.0}'],
  ['{"a":100}', '{"a":1e2}'],
  ['{"a":0}', '{"a":-0}'],
  ['{"10":1,"9":2}', '{"9":2,"10":1}'],
  ['{"a":"é"}', '{"a":"\\u00e9"}'],
  ['{"__proto__":1,"a":2}', '{"a":2,"__proto__":1}'],
]

for (const [a = '', b = ''] of EQUAL) {
  test(`${a} and ${b} are one context`, () => assert.is(keyOf(a), keyOf(b)))
}

const DIFFERENT = [
  ['{"a":1}', '{"a":"1"}'],
  ['{"a":1}', '{"a":true}'],
  ['{"a":0}', '{"a":false}'],
  ['{"a":0}', '{"a":null}'],
  ['{"a":null}', '{}'],
  ['{"a":null}', '{"a":"null"}'],
  ['{"a":""}', '{"a":null}'],
  ['{"":""}', '{}'],
  ['{"a":1}', '{"A":1}'],
  ['{"a":1}', '{"a":1,"b":null}'],
  ['{"a":1,"b":2}', '{"a":2,"b":1}'],
  ['{"a":"é"}', '{"a":"e\\u0301"}'],
  ['{"a":"x\\",\\"b\\":\\"y"}', '{"a":"x","b":"y"}'],
  ['{"__proto__":1}', '{}'],
  ['{"__proto__":null}', '{}'],
  ['{"constructor":null}', '{}'],
  ['{"a":9007199254740991}', '{"a":9007199254740990}'],
]

for (const [a = '', b = ''] of DIFFERENT) {
  test(`${a} and ${b} are two contexts`, () => assert.is.not(keyOf(a), keyOf(b)))
}

test('null and {} are both no context', () => {
  assert.is(toContextKey(null), toContextKey({}))
})

test('Any two contexts have one key exactly when they are equal', () => {
  const law = fc.property(contexts, contexts, (a, b) => {
    assert.is(toContextKey(a) === toContextKey(b), sameContext(a, b))
  })
  fc.assert(law, { ...RUNS, numRuns: sized(1_500, 15_000) })
})

test('Only a changed value makes another context, not the order of the keys', () => {
  const pairs = contexts.chain((context) => fc.tuple(fc.constant(context), reorderings(context), scalars))
  const law = fc.property(pairs, ([context, reordered, value]) => {
    assert.is(toContextKey(reordered), toContextKey(context))
    const [key] = Object.keys(context)
    if (key === undefined) return
    // Spread defines, where an assignment to `__proto__` would not.
    const changed: Context = { ...reordered, ...Object.fromEntries([[key, value]]) }
    assert.is(toContextKey(changed) === toContextKey(context), sameContext(changed, context))
  })
  fc.assert(law, { ...RUNS, numRuns: sized(1_500, 15_000) })
})

test('A context holds texts, booleans, null and numbers that have lost no digit', () => {
  for (const value of ['', 'a', true, false, null, 0, -1.5, 2 ** 53 - 1, 1 - 2 ** 53])
    assert.ok(isScalar(value))
  const wrong = [2 ** 53, -(2 ** 53), 1e300, Infinity, -Infinity, NaN, undefined, {}, [], [1], new Date(), 1n]
  for (const value of wrong) assert.not.ok(isScalar(value), String(value))
})

test('Contexts are shown to people as written', () => {
  assert.is(describeContext({ partnerId: 3, plan: 'pro' }), '{partnerId: 3, plan: "pro"}')
  assert.is(describeContext({}), 'no context')
})

test.run()
