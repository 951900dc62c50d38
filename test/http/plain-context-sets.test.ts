import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readPlainSets } from '../../src/http/plain-context-sets.js'
import { repeatedKeyAt } from '../../src/model/json-text.js'
import { readContextSets } from '../../src/service/context-sets.js'
import { sized } from '../support/figures.js'
import { DEFAULT_LIMITS } from '../support/limits.js'

const LIMITS = { ...DEFAULT_LIMITS, context_sets: 4, context_keys: 3 }

/** What `JSON.parse` makes of a text; null where it is not a list of contexts. */
function parsed(text: string): readonly string[] | null {
  try {
    const { value } = readContextSets(JSON.parse(text), LIMITS)
    return repeatedKeyAt(text) === null ? value : null
  } catch {
    return null
  }
}

const key = fc.constantFrom(
  'a',
  'b',
  'a!',
  'ab',
  '',
  '10',
  '9',
  '__proto__',
  'é',
  '\ud83d',
  '"',
  'a\\',
  '\u0007',
)
const value = fc.oneof(
  key,
  fc.constantFrom(null, true, false, 0, -0, 1, -1, 1.5, 1e21, 2 ** 53, 999_999_999_999_999, []),
  fc.double(),
  fc.string({ unit: 'binary' }),
)
const context = fc.array(fc.tuple(key, value), { maxLength: 4 }).map((pairs) => {
  const texts = pairs.map((pair) => pair.map((each) => JSON.stringify(each)).join(':'))
  return `{${texts.join()}}`
})
const sets = fc.array(fc.oneof(context, fc.constantFrom('null', '[]', '1')), { maxLength: 5 })
const written = sets.map((texts) => `[${texts.join()}]`)
const scraps = fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', ' ', '0', '1', '-', '.', 'e9', 'null')
/** A text with some characters of it replaced. */
const torn = fc
  .tuple(written, fc.array(fc.tuple(fc.nat(60), fc.nat(2), scraps), { maxLength: 3 }))
  .map(([text, cuts]) =>
    cuts.reduce((rest, [at, size, scrap]) => rest.slice(0, at) + scrap + rest.slice(at + size), text),
  )

test('Context sets that are read in one pass are those that JSON.parse reads, for every text', () => {
  const holds = (text: string): void => {
    const plain = readPlainSets(text, LIMITS)
    if (plain !== null) assert.equal(plain, parsed(text), text)
  }
  fc.assert(fc.property(fc.oneof(written, torn), holds), { numRuns: sized(5_000, 500_000) })
})

test('What clients write is read in one pass, with its keys in any order', () => {
  const contexts = [
    { region: 'north', partner: 3 },
    { partner: -3, trial: true, 'a b': null },
    { città: 'Zürich' },
    {},
  ]
  const text = JSON.stringify(contexts)
  assert.equal(readPlainSets(text, LIMITS), parsed(text))
  assert.is(readPlainSets(text, LIMITS)?.[0], '"partner":3,"region":"north"')
})

test('More contexts or keys than are allowed, a key twice, escapes and other numbers are left to JSON.parse', () => {
  for (const text of [
    '[{},{},{},{},{}]',
    '[{"a":1,"b":2,"c":3,"d":4}]',
    '[{"a":1,"a":1}]',
    '[{"b":1,"a":1,"b":1}]',
    '[{"a":"\\u0061"}]',
    '[{"a":1.0}]',
    '[{"a":-0}]',
    '[{"a":01}]',
    '[{"a":1}]]',
    '[{"a":1},]',
    '[{"a":1',
    '',
  ])
    assert.is(readPlainSets(text, LIMITS), null, text)
})

test.run()
