import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ParsedFile } from '../../src/document/parse.js'
import { type Deviation, menuOf, onlyProblem, parse, toLines } from './parsing.js'

function parseContext(context: string, deviation: Deviation = {}): ParsedFile {
  return parse(`version: 1\ncode: main\nname: Main\ncontext: ${context}\nitems: []\n`, deviation)
}

test('a context holds scalars under keys of any form', () => {
  const file = parseContext('{a: 1, "b c": x, ä: true, d: null, e: , f: -0.5, "": "", x-g: 2}')
  assert.equal(file.problems, [])
  assert.equal(menuOf(file).context, {
    a: 1,
    'b c': 'x',
    ä: true,
    d: null,
    e: null,
    f: -0.5,
    '': '',
    'x-g': 2,
  })
})

test('lists and maps in a context are errors, each at its place', () => {
  const file = parseContext('{a: [1], b: {c: 1}, d: 1}')
  assert.equal(toLines(file.problems), ['4:14 error wrong-type', '4:22 error wrong-type'])
})

test('a context that is no map is an error', () => {
  for (const context of ['[]', '[{a: 1}]', 'partner', '3', 'true']) {
    assert.is(onlyProblem(parseContext(context)).code, 'wrong-type')
  }
})

test('an empty context counts as none, with a warning that the key has no effect', () => {
  for (const context of ['{}', 'null', '']) {
    const file = parseContext(context)
    assert.equal(toLines(file.problems), ['4:1 warning unused-context'])
    assert.equal(menuOf(file).context, {})
  }
})

test('numbers of a context are finite and within ±(2^53−1); others must be quoted', () => {
  const good = '{a: 9007199254740991, b: -9007199254740991, c: 0.1, d: 1.0, e: 1e3, f: -0}'
  assert.equal(parseContext(good).problems, [])
  for (const number of [
    '9007199254740992',
    '9007199254740993',
    '-9007199254740992',
    '1e400',
    '-1e400',
    '1e16',
    '0x20000000000000',
    '.inf',
    '-.Inf',
    '.nan',
  ]) {
    const file = parseContext(`{a: 1, b: ${number}}`)
    const problem = onlyProblem(file)
    assert.is(file.menu, null)
    assert.equal([problem.code, problem.pointer], ['unsafe-number', '/context/b'], number)
    assert.match(problem.todo, 'Quote')
    assert.equal(menuOf(parseContext(`{a: 1, b: "${number}"}`)).context['b'], number)
  }
})

test('a context has at most as many keys as a request may name', () => {
  const keys = (count: number) =>
    `{${Array.from({ length: count }, (_, place) => `k${place}: 1`).join(', ')}}`
  assert.equal(parseContext(keys(16)).problems, [])
  assert.is(onlyProblem(parseContext(keys(17))).code, 'context-limit')
  assert.equal(parseContext(keys(17), { limits: { context_keys: 17 } }).problems, [])
})

test('a context too long for any query is an error: no request could name it', () => {
  assert.equal(parseContext(`{a: ${'x'.repeat(900)}}`).problems, [])
  const umlauts = parseContext(`{${['a', 'b'].map((key) => `${key}: ${'ä'.repeat(900)}`).join(', ')}}`)
  assert.is(onlyProblem(umlauts).code, 'context-limit')
  assert.is(umlauts.menu, null)
})

test('the longest context that fits a query is the longest that loads', () => {
  // `_context_sets=[{"a":"…"}]`, encoded.
  const around = '_context_sets='.length + encodeURIComponent('[{"a":""}]').length
  const of = (bytes: number) =>
    parseContext(`{a: ${'x'.repeat(bytes - around)}}`, { limits: { query_bytes: bytes } })
  assert.equal(of(200).problems, [])
  const over = parseContext(`{a: ${'x'.repeat(201 - around)}}`, { limits: { query_bytes: 200 } })
  assert.is(onlyProblem(over).code, 'context-limit')
})

test.run()
