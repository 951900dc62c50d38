import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseDocument } from 'yaml'
import { onlyProblem, parse, toLines } from '../../document/parsing.js'
import { timeOf } from '../../support/times.js'

// What the YAML library makes of these texts when it is asked the way its documentation asks it, and what we make of them.
// That deep nesting may end a process is not shown on the library itself: it may, or it may not (see nesting.test.ts).

const MENU = 'version: 1\ncode: main\nname: Main\nitems: []\n'

/** What the library reads, and whether it reports an error. */
function naive(text: string): { readonly value: Readonly<Record<string, unknown>>; readonly errors: number } {
  const document = parseDocument(text, { logLevel: 'silent' })
  return { value: document.toJS() as Readonly<Record<string, unknown>>, errors: document.errors.length }
}

test('Trap 1: an alias of itself, which the library makes a value of without an end, is refused with its place', () => {
  const text = `${MENU}x-a: &a [*a]\n`
  const { value, errors } = naive(text)
  const list = value['x-a'] as readonly unknown[]
  assert.is(errors, 0)
  assert.is(list[0], list)
  assert.throws(() => JSON.stringify(value), /circular/)
  assert.equal(toLines(parse(text).problems), ['5:6 error yaml-alias', '5:10 error yaml-alias'])
})

test('Trap 1: aliases of aliases, on which the library throws, are refused with their places', () => {
  const names = 'bcdefghij'.split('')
  const rows = names.map((name, place) => {
    const before = place === 0 ? 'a' : names[place - 1]
    return `x-${name}: &${name} [*${before}, *${before}, *${before}, *${before}]\n`
  })
  const text = `${MENU}x-a: &a [a]\n${rows.join('')}`
  assert.throws(() => naive(text), /Excessive alias count/)
  const { menu, problems } = parse(text)
  assert.is(menu, null)
  assert.is(problems.length, 46)
  assert.ok(problems.every(({ code, line }) => code === 'yaml-alias' && line > 4))
})

test('Trap 1: a tag that the library does not know, and only warns of, is refused with its place', () => {
  const text = `${MENU}x-a: !!js/function "x"\n`
  const { value, errors } = naive(text)
  assert.equal([value['x-a'], errors], ['x', 0])
  assert.equal(toLines(parse(text).problems), ['5:6 error yaml-tag'])
})

test('Trap 1: a merge key, which the library keeps as a key of that name, is refused with its place', () => {
  const text = `${MENU}x-a: {<<: {a: 1}}\n`
  const { value, errors } = naive(text)
  assert.equal([value['x-a'], errors], [{ '<<': { a: 1 } }, 0])
  assert.equal(toLines(parse(text).problems), ['5:7 error yaml-merge-key'])
})

test('Trap 1: a directive, by which the library reads "no" as false, is refused with its place', () => {
  const text = `%YAML 1.1\n---\n${MENU}x-a: no\n`
  const { value, errors } = naive(text)
  assert.equal([value['x-a'], errors], [false, 0])
  assert.equal(toLines(parse(text).problems), ['1:1 error yaml-directive'])
})

test('Trap 1: bytes that are not UTF-8, which a plain decoder replaces, are refused with their place', () => {
  const bytes = Buffer.from(`${MENU}x-a: caf\xe9\n`, 'latin1')
  const { value, errors } = naive(bytes.toString('utf8'))
  assert.equal([value['x-a'], errors], ['caf\ufffd', 0])
  assert.equal(toLines(parse(bytes).problems), ['5:9 error not-utf8'])
})

test('Trap 1: many keys of one map, each of which the library compares with all others, are refused at once', () => {
  const text = `${MENU}${Array.from({ length: 8_000 }, (_, place) => `x-${place}: 1\n`).join('')}`
  const theirs = timeOf(() => naive(text))
  const ours = timeOf(() => parse(text))
  console.log(`    8,000 keys: the library ${theirs.toFixed(0)} ms, the guard ${ours.toFixed(1)} ms`)
  assert.ok(theirs > 5 * ours)
  assert.is(onlyProblem(parse(text)).code, 'yaml-nodes')
})

test.run()
