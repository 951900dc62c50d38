import { isDeepStrictEqual } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseAllDocuments } from 'yaml'
import { readYamlMap } from '../../../src/document/read/read-yaml.js'
import { toYamlLimits } from '../../../src/model/limits.js'
import { parse } from '../../document/parsing.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { SUITE } from './corpus.js'
import { judge } from './sound.js'

const MENU = 'version: 1\ncode: main\nname: Main\nitems: []\n'
/** What we refuse although it is YAML: a menu is one map with keys of text, and says nothing twice. */
const REFUSED_BY_DESIGN = [
  ...['not-a-menu', 'empty-file', 'key-not-text', 'duplicate-key'],
  ...['yaml-alias', 'yaml-merge-key', 'yaml-tag', 'yaml-directive', 'yaml-documents', 'control-character'],
]

/** What a text holds for us: its value, or the problems for which it is refused. */
function ours(text: string): { readonly value: unknown; readonly codes: readonly string[] } {
  const { value, problems } = readYamlMap('a.yaml', Buffer.from(text), toYamlLimits(DEFAULT_LIMITS))
  return { value: problems.length === 0 ? value : null, codes: problems.map(({ code }) => code) }
}

/** What a text holds for the library; undefined where it is several documents, or has an error. */
function theirs(text: string): { readonly value: unknown } | undefined {
  const documents = parseAllDocuments(text, { logLevel: 'silent' })
  const [document, second] = Array.isArray(documents) ? documents : []
  if (document === undefined || second !== undefined || document.errors.length > 0) return undefined
  return { value: document.toJS() }
}

/** The text of a file as the value of a free key; what frames a document has no place there. */
const asValue = (yaml: string): string => `${MENU}x-suite:\n${yaml.replace(/^(?=[^\n])/gm, '  ')}`

test('The YAML test suite is here, whole', () => {
  const ids = new Set(SUITE.map(({ id }) => id))
  assert.equal([ids.size, SUITE.length], [350, 402])
})

test('Trap 1: no file of the YAML test suite, alone or as a value in a menu, is a surprise', () => {
  for (const { id, yaml } of SUITE) {
    assert.is(judge(Buffer.from(yaml)).fault, null, id)
    assert.is(judge(Buffer.from(asValue(yaml))).fault, null, `${id} as a value`)
  }
})

test('Trap 1: a file of the YAML test suite that is not YAML is refused as such, or for another reason', () => {
  for (const { id, yaml, fail } of SUITE) {
    if (fail !== true) continue
    const { value, codes } = ours(yaml)
    assert.is(value, null, id)
    const known = codes.every((code) => code === 'yaml-syntax' || REFUSED_BY_DESIGN.includes(code))
    assert.ok(codes.length > 0 && known, `${id}: ${codes}`)
  }
})

test('Trap 1: our reading of the YAML test suite matches the library and the suite', () => {
  let read = 0
  for (const { id, yaml, json } of SUITE) {
    const { value, codes } = ours(yaml)
    const other = theirs(yaml)
    if (value === null) {
      const known = other === undefined || codes.every((code) => REFUSED_BY_DESIGN.includes(code))
      assert.ok(known, `${id}: ${codes}`)
      continue
    }
    read++
    assert.ok(isDeepStrictEqual(plain(value), plain(other?.value)), id)
    if (json !== undefined) assert.ok(isDeepStrictEqual(plain(value), JSON.parse(json)), `${id}: ${json}`)
  }
  assert.is(read, 89)
})

test('Trap 1: as a value in a menu, what we read of the YAML test suite is what the library reads', () => {
  let read = 0
  for (const { id, yaml, fail } of SUITE) {
    const text = asValue(yaml)
    const file = parse(Buffer.from(text))
    const other = theirs(text)
    if (file.menu === null) continue
    read++
    assert.not.ok(fail === true && other === undefined, id)
    assert.ok(isDeepStrictEqual(plain(ours(text).value), plain(other?.value)), id)
  }
  assert.ok(read > 150, `${read} read`)
})

/** As JSON says it: the order of keys and the prototypes of maps do not count. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

test.run()
