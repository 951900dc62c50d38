import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { changeInPlace } from '../../../src/change/change.js'
import { writeChange } from '../../../src/document/edit/write-change.js'
import { isEqual, type Json } from '../../../src/model/json.js'
import { anyText } from '../../support/any-text.js'
import { sized } from '../../support/figures.js'
import { yaml } from '../../support/yaml.js'
import { NASTY } from './changes.js'
import { documentOf, edit, meaningOf } from './reading.js'

/** Each way to write a text, once in lines and once in braces; X is what is written. */
const PLACES = [
  'a: x',
  "a: 'x'",
  'a: "x"',
  'a: |\n  x\n  y',
  'a: >-\n  x\n  y\nb: 1',
  'a: x\n  y',
  "a: 'x\n  y'",
  'a: "x\n  y"',
  'a: { b: x }',
  "a: [ 'x' ]",
  'a: {"b":x,c: 1}',
  'a:',
  'a: 1 # c',
  '- x'.replace('-', 'a:\n  -'),
  '? a\n: x',
]

/** A value with another text, or whatever it is, in the place of each single one. */
function withText(value: Json, text: Json): Json {
  if (Array.isArray(value)) return value.map((each) => withText(each, text))
  if (typeof value !== 'object' || value === null) return text
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withText(each, text)]))
}

const texts = fc.oneof(fc.constantFrom(...NASTY), anyText(), anyText())

test('Every text comes back as the same text, however the one before it was written', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PLACES), texts, (place, text) => {
      const after = withText(meaningOf(place), text)
      assert.ok(isEqual(meaningOf(edit(place, after)), after))
    }),
    { numRuns: sized(400, 3_000) },
  )
  for (const place of PLACES) {
    for (const text of NASTY) {
      const after = withText(meaningOf(place), text)
      assert.ok(isEqual(meaningOf(edit(place, after)), after), `${place}: ${text}`)
    }
  }
})

test('Every text comes back as a key', () => {
  for (const text of [...NASTY, 'x'.repeat(1500)]) {
    for (const before of ['a: 1\n', '{ a: 1 }\n', '"a": 1\n']) {
      const after = { a: 1, [text]: { [text]: 'x' } }
      assert.ok(isEqual(meaningOf(edit(before, after)), after), text.slice(0, 20))
    }
  }
})

test('Values of other types turn into one another', () => {
  const values: Json[] = [null, true, 0, -1.5, 1e21, 'null', '0', [], {}, ['a', [1]], { a: { b: [{}] } }]
  for (const from of values) {
    for (const to of values) {
      for (const style of [0, 1]) {
        const before = style === 0 ? `x: ${JSON.stringify(from)} # c\n` : edit('x: 1 # c\n', { x: from })
        const edited = edit(before, { x: to })
        assert.ok(isEqual(meaningOf(edited), { x: to }), `${before} to ${JSON.stringify(to)}`)
        assert.is(edited.split('# c').length, 2, edited)
      }
    }
  }
})

const QUOTED: readonly (readonly [before: string, text: string, after: string])[] = [
  ["a: 'x'", 'y', "a: 'y'"],
  ["a: 'x'", "it's", "a: 'it''s'"],
  ["a: 'x'", 'a\nb', 'a: "a\\nb"'],
  ['a: "x"', 'y', 'a: "y"'],
  ['a: x', 'no', 'a: "no"'],
  ["a: x\nb: 'y'", 'no', "a: 'no'\nb: 'no'"],
  ['a: x', 'a: b', 'a: "a: b"'],
  ['a: x # c', '#1', 'a: "#1" # c'],
  ['a: [x]', 'a, b', 'a: ["a, b"]'],
  ['a: x', 'a, b', 'a: a, b'],
  ['a: x', '😀 ü', 'a: 😀 ü'],
  ['a: |-\n  x\n  y', 'x\nz', 'a: |-\n  x\n  z'],
  ['a: |\n  x', 'x', 'a: |-\n  x'],
  ['a: >-\n  one two\n  three', 'one two four', 'a: >-\n  one two\n  four'],
  ['a: >-\n  one\n\n  two', 'one\n2', 'a: >-\n  one\n\n  2'],
  ['a: "one\n  two"', 'one 2', 'a: "one\n  2"'],
  ['a: one\n  two', 'none two', 'a: none\n  two'],
]

for (const [before, text, after] of QUOTED) {
  test(`${JSON.stringify(before)} with the text ${JSON.stringify(text)} is ${JSON.stringify(after)}`, () => {
    assert.is(edit(before, withText(meaningOf(before), text)), after)
  })
}

test('A single text that is edited and edited back is unchanged, byte by byte', () => {
  const word = fc.stringMatching(/^[a-z]{3,9}$/)
  const before = yaml`
    version: 1   # v
    items:
      - { label: 'a' , url: "/a" }   # behind

      - label: "b"
        url:   /b    # aligned
  `
  fc.assert(
    fc.property(
      word,
      fc.constantFrom('/items/0/label', '/items/0/url', '/items/1/label', '/items/1/url'),
      (text, at) => {
        const [, , place, key = ''] = at.split('/')
        const value = meaningOf(before) as { items: Record<string, string>[] }
        const after = structuredClone(value)
        Object.assign(after.items[Number(place)] ?? {}, { [key]: text })
        const edited = edit(before, after)
        const old = value.items[Number(place)]?.[key] ?? ''
        const [head = '', foot = ''] = before.split(
          place === '0' ? (key === 'label' ? "'a'" : '"/a"') : key === 'label' ? '"b"' : '/b ',
        )
        assert.ok(edited.startsWith(head) && edited.endsWith(foot.trimStart()), edited)
        assert.ok(old !== text && edited !== before)
        assert.is(edit(edited, value), before)
      },
    ),
  )
})

test('An unreadable text, or one that is not a menu, is reported', () => {
  const fault = (text: string, after: Json = {}) =>
    writeChange(documentOf(text), changeInPlace(after)).fault ?? ''
  assert.match(fault('a: &x 1'), 'Anchors are not allowed')
  assert.match(fault('a: [\n'), 'Line')
  assert.match(fault('a: 1\na: 2\n'), 'appears twice')
  assert.match(fault('1: 2\n'), 'not a string')
  assert.match(fault(''), 'no content')
  assert.match(fault('a: 1', []), 'A menu is a map')
})

test.run()
