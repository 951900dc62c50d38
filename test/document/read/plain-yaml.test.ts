import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Document, parseDocument } from 'yaml'
import type { Found } from '../../../src/document/issue.js'
import { guardYaml } from '../../../src/document/read/guard.js'
import { readPlainYaml } from '../../../src/document/read/plain-yaml.js'
import { toNode } from '../../../src/document/read/to-node.js'
import { toSource } from '../../../src/document/source.js'
import { toYamlLimits, type YamlLimits } from '../../../src/model/limits.js'
import { OWN_FILES, SUITE } from '../../hostile/yaml/corpus.js'
import { mutant } from '../../hostile/yaml/mutants.js'
import { createRandom } from '../../hostile/yaml/random.js'
import { SEED, sized } from '../../support/figures.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'

const LIMITS = toYamlLimits(DEFAULT_LIMITS)

/**
 * What the plain reader gets wrong in a text, by the YAML library: null where both read the same, and where the plain reader
 * leaves the text to the library.
 */
function wrongIn(text: string, limits: YamlLimits = LIMITS): string | null {
  const plain = readPlainYaml(toSource('', text), limits)
  if (plain === null) return null
  const guarded = guardYaml(text, limits)
  if (guarded.tokens === null) return `the guard refuses it: ${guarded.refusals[0]?.code}`
  const document: Document.Parsed = parseDocument(text, { uniqueKeys: true, logLevel: 'silent' })
  const { contents, errors, warnings } = document
  if (errors.length + warnings.length > 0) return [...errors, ...warnings].join()
  if (!isDeepStrictEqual(plain.root.value, document.toJS())) return JSON.stringify(plain.root.value)
  const faults: Found[] = []
  const root = contents === null ? null : toNode(contents, text, faults)
  if (faults.length > 0) return String(faults[0]?.code)
  if (!isDeepStrictEqual(plain.root, root))
    return `${JSON.stringify(plain.root)} in place of ${JSON.stringify(root)}`
  return isDeepStrictEqual(plain.comments, guarded.comments) ? null : `comments at ${plain.comments.join()}`
}

test('The plain reader answers for each example menu, and reads it as the YAML library does', () => {
  const menus = join(import.meta.dirname, '../../../menus')
  const files = readdirSync(menus, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.yaml'),
  )
  assert.ok(files.length > 10)
  for (const path of files) {
    const text = readFileSync(join(menus, path), 'utf8')
    assert.ok(readPlainYaml(toSource('', text), LIMITS), path)
    assert.is(wrongIn(text), null, path)
  }
})

test('It reads its part of the YAML test suite and of our fixtures as the library does', () => {
  const texts = [...SUITE.map(({ yaml }) => yaml), ...OWN_FILES]
  for (const text of texts) assert.is(wrongIn(text), null, text)
  const answered = OWN_FILES.filter((text) => readPlainYaml(toSource('', text), LIMITS) !== null)
  assert.ok(answered.length > 0.8 * OWN_FILES.length, `${answered.length} of ${OWN_FILES.length}`)
})

test('Brackets count towards the depth that is allowed', () => {
  const text = 'a:\n- a: [{ a: 1 }, { b: [c] }]\n'
  for (const depth of [5, 6, 7, 8, 9, 10]) assert.is(wrongIn(text, { ...LIMITS, depth }), null, `${depth}`)
  assert.ok(readPlainYaml(toSource('', text), LIMITS))
})

test('Law: of a mutated file it reads the same as the library, or nothing', () => {
  const utf8 = new TextDecoder('utf-8')
  for (let place = 0; place < sized(3_000, 200_000); place++) {
    const text = utf8.decode(mutant(createRandom(SEED, place)))
    assert.is(wrongIn(text), null, `seed ${SEED}, place ${place}: ${text.slice(0, 500)}`)
  }
})

/** Texts that are separated by ` ¦ `. */
const listed = (text: string): readonly string[] => text.split(' ¦ ')
const KEYS = listed(`a ¦ b ¦ c ¦ es-MX ¦ a.b ¦ 'q' ¦ "w w" ¦ null ¦ true ¦ yes ¦ 1 ¦ ~ ¦ '<<' ¦ << ¦ a b`)
const ODD_KEYS = [...listed("__proto__ ¦ -a ¦ a:b ¦ ? ¦ 'a''b' ¦ &a a"), 'k ', '"\\n"']
const VALUES = [
  ...['', ''],
  ...listed(`1 ¦ text ¦ two words ¦ 'q' ¦ 'it''s' ¦ "d" ¦ { a: 1 } ¦ {} ¦ [] ¦ [a, "b"] ¦ true`),
]
const ODD_VALUES = [
  ...listed('007 ¦ -1 ¦ -0 ¦ +1 ¦ 1.50 ¦ .5 ¦ 5. ¦ 1e3 ¦ 0x1 ¦ 1_000 ¦ 12:30 ¦ 2024-01-01 ¦ .inf ¦ 1-2 ¦ 3D'),
  ...listed(
    'a: b ¦ a:b ¦ a: ¦ a :b ¦ : a ¦ a #b ¦ a # b ¦ a#b ¦ #c ¦ # c ¦ http://x/y?z#q ¦ /a:b ¦ !t a ¦ &a b',
  ),
  ...listed('- a ¦ - ¦ -a ¦ --- a ¦ --- ¦ ... ¦ *a ¦ | ¦ > ¦ |- ¦ %a ¦ @a ¦ `a ¦ ? a ¦ = ¦ <a ¦ ,a ¦ } ¦ ]'),
  ...listed(
    `"a" b ¦ " ¦ ' ¦ '' ¦ { ¦ [ ¦ {a: 1} ¦ { a } ¦ { a: } ¦ { a: 1, } ¦ { a: b: c } ¦ [a,,b] ¦ [a: b]`,
  ),
  ...listed('{ a: b#c, d: e #f } ¦ [{ a: 1 }, {b: [c]}] ¦ "a": b ¦ [a]: b ¦ {a: 1}: b ¦ { a: http://x }'),
  ...listed('{ a: 1, a: 2 } ¦ { "a":1 } ¦ [-1, - a] ¦ a  b ¦ null ¦ ~ ¦ é ü ¦ 🍰'),
  ...['"\\n"', 'a ', '\u00a0a', '{ a:\u00a01 }'],
]
const often = (usual: readonly string[], odd: readonly string[]) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  )
const row = fc.record({
  indent: often(['', '  ', '  ', '    '], [' ', '   ', '      ', '\t', '\u00a0']),
  dash: often(['', '', '', '', '- '], ['-  ', '-', '- - ']),
  key: fc.oneof({ weight: 9, arbitrary: often(KEYS, ODD_KEYS) }, { weight: 1, arbitrary: fc.constant('') }),
  colon: often([': '], [':', ':  ', ' : ']),
  value: often(VALUES, ODD_VALUES),
  end: often(['\n', '\n', ' # c\n'], ['', ' #c\n', '\n\n', '\n# c\n', '\n  # c\n', ' \n', '\r\n', '#\n']),
})
const texts = fc
  .array(row, { minLength: 1, maxLength: 8 })
  .map((rows) =>
    rows
      .map(({ indent, dash, key, colon, value, end }, place) =>
        [place === 0 ? '' : indent, dash, key === '' ? '' : key + colon, value, end].join(''),
      )
      .join(''),
  )
const limits = fc.record({
  depth: fc.constantFrom(5, 6, 7, 8, 12, 100),
  nodes: fc.constantFrom(2, 4, 8, 12, 500, 500),
  keysPerMap: fc.constantFrom(1, 2, 500, 500),
})

test('Law: of lines put together by chance, at any limits, it reads the same as the library, or nothing', () => {
  let answered = 0
  fc.assert(
    fc.property(texts, limits, (text, some) => {
      if (readPlainYaml(toSource('', text), some) !== null) answered++
      assert.is(wrongIn(text, some), null)
    }),
    { numRuns: sized(15_000, 500_000) },
  )
  assert.ok(answered > 200, `${answered}`)
})

test.run()
