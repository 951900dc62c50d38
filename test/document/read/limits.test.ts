import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ParsedFile } from '../../../src/document/parse.js'
import { everyItem } from '../../../src/model/menu.js'
import { LONG } from '../../support/figures.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { timeOf } from '../../support/times.js'
import { EIGHT_LOCALES, fullMenu } from '../full-menu.js'
import { DEEP } from '../hostile.js'
import { type Deviation, menuOf, onlyProblem, parse, parseItems, toLines } from '../parsing.js'

const MIB = 1_048_576
const LARGEST = { items: 10_000, levels: 64, bytes: 8 * MIB }
const HEAD = 'version: 1\ncode: main\nname: Main\nitems: []\n'

/** Parses and prints how long it took; tests assert no times but those of cases that say so. */
function timed(name: string, text: string, deviation: Deviation = {}): { file: ParsedFile; ms: number } {
  const bytes = Buffer.from(text)
  let file: ParsedFile | null = null
  const ms = timeOf(() => {
    file = parse(bytes, deviation)
  })
  if (file === null) throw new Error('nothing was parsed')
  console.log(`    ${name}: ${bytes.length} bytes in ${ms.toFixed(0)} ms`)
  return { file, ms }
}

const FULL = [
  { name: 'default', style: 'flow', limits: DEFAULT_LIMITS },
  { name: 'default', style: 'block', limits: DEFAULT_LIMITS },
  { name: 'largest', style: 'block', limits: LARGEST },
  // Read by the YAML library, which takes ten times as long.
  ...(LONG ? [{ name: 'largest', style: 'flow', limits: LARGEST } as const] : []),
] as const

for (const { name, style, limits } of FULL) {
  test(`a menu in ${style} style at all ${name} limits together, in eight locales, loads`, () => {
    const text = fullMenu(limits, style)
    assert.is(Buffer.byteLength(text), limits.bytes)
    const { file } = timed(`${name} limits, ${style}`, text, { limits, locales: EIGHT_LOCALES })
    assert.equal(toLines(file.problems), [])
    const all = [...everyItem(menuOf(file).items)]
    assert.is(all.length, limits.items)
    assert.is(all[limits.levels - 1]?.id, `i${limits.levels - 1}`)
    const full = all.filter(
      (item) => item.permissions.length === 8 && Object.keys(item.attributes ?? {}).length === 8,
    )
    assert.is(full.length, limits.items)
  })
}

test('A25: a file of as many bytes as are allowed loads, and one of one byte more does not', () => {
  const menu = `${HEAD}# `
  const of = (bytes: number) => parse(Buffer.from(menu.padEnd(bytes, 'x')), { limits: { bytes: 1_000 } })
  assert.equal(of(1_000).problems, [])
  assert.is(onlyProblem(of(1_001)).code, 'file-too-large')
  assert.is(of(1_001).menu, null)
})

test('the limit is one of bytes, not of characters', () => {
  const menu = `${HEAD}# ${'é'.repeat(10)}`
  assert.equal(parse(Buffer.from(menu), { limits: { bytes: menu.length + 10 } }).problems, [])
  assert.is(onlyProblem(parse(Buffer.from(menu), { limits: { bytes: menu.length } })).code, 'file-too-large')
})

test('as many items as are allowed load, all levels and types together, and one more does not', () => {
  const items =
    '- {label: A, url: /, hidden: true}\n- type: divider\n- {type: section, label: B, children: [{label: C, url: /}]}'
  assert.is(menuOf(parseItems(items, { limits: { items: 4 } })).items.length, 3)
  const problem = onlyProblem(parseItems(items, { limits: { items: 3 } }))
  assert.equal([problem.code, problem.pointer], ['too-many-items', '/items/2/children/0'])
})

test('as many levels as are allowed load, and one more does not', () => {
  const items = '- {label: A, url: /, children: [{label: B, url: /, children: [{label: C, url: /}]}]}'
  assert.is(menuOf(parseItems(items, { limits: { levels: 3 } })).items.length, 1)
  const problem = onlyProblem(parseItems(items, { limits: { levels: 2 } }))
  assert.equal([problem.code, problem.pointer], ['too-many-levels', '/items/0/children/0/children/0'])
})

test('an empty list of children opens no level', () => {
  assert.equal(parseItems('- {label: A, url: /, children: []}', { limits: { levels: 1 } }).problems, [])
})

test('C1: nesting deeper than any stack is refused, and the process lives', () => {
  for (const [name, text] of Object.entries(DEEP)) {
    const { file } = timed(name, text)
    assert.is(file.menu, null)
    assert.ok(['yaml-depth', 'too-many-levels'].includes(onlyProblem(file).code), name)
  }
})

const list = (count: number, row: (place: number) => string) =>
  Array.from({ length: count }, (_, place) => row(place)).join('')

test('C2: alias bombs, an alias of itself and aliases of aliases are refused before anything is made of them', () => {
  const bomb = list(
    9,
    (n) =>
      `x-${n + 1}: &a${n + 1} [${Array(9)
        .fill(n === 0 ? 'a' : `*a${n}`)
        .join(', ')}]\n`,
  )
  const texts = {
    bomb: `${HEAD}${bomb}`,
    'self alias': `${HEAD}x-a: &a [*a]\n`,
    'root alias': `&a\n${HEAD}x-a: *a\n`,
    quadratic: `${HEAD}x-a: &a [${'a, '.repeat(1_000)}]\nx-b: [${'*a, '.repeat(1_000)}]\n`,
  }
  for (const [name, text] of Object.entries(texts)) {
    const { file } = timed(name, text)
    assert.is(file.menu, null)
    assert.ok(
      file.problems.every(({ code }) => code === 'yaml-alias'),
      name,
    )
  }
})

test('as many keys in a map as are allowed load, whichever text follows the last one, and one more does not', () => {
  const menu = 'version: 1\ncode: main\nname: Main\nitems: []\n'
  const keys = (count: number): string[] => Array.from({ length: count }, (_, place) => `k${place}: 1`)
  const forms: ((count: number) => string)[] = [
    (count) =>
      `x-map:\n${keys(count)
        .map((key) => `  ${key}\n`)
        .join('')}`,
    (count) =>
      `x-map:\n${keys(count)
        .map((key) => `  # A key.\n\n  ${key}\n`)
        .join('')}  # The end.\n`,
    (count) => `x-map: { ${keys(count).join(', ')} }\n`,
    (count) => `x-map: { ${keys(count).join(', ')}, }\n`,
    (count) => `x-map: { ${keys(count).join(', ')}, # The end.\n }\n`,
  ]
  for (const form of forms) {
    assert.equal(parse(menu + form(500)).problems, [])
    assert.is(onlyProblem(parse(menu + form(501))).code, 'yaml-nodes')
  }
})

test('C12: a list of 100,000 wrong parameters is reported and counted as well', () => {
  const item = `- label: A\n  routeName: a\n  routeParams: {a: [${'.inf,'.repeat(100_000)}]}\n`
  const { file } = timed('wrong parameters', `version: 1\ncode: main\nname: Main\nitems:\n${item}`)
  assert.equal([file.problems.length, file.omitted], [50, 99_950])
})

test('C12: 100,000 entries that are no items are over the limit of items', () => {
  const { file } = timed('no items', `version: 1\ncode: main\nname: Main\nitems:\n${'- 1\n'.repeat(100_000)}`)
  assert.is(onlyProblem(file).code, 'too-many-items')
})

test('C11: patterns take linear time on texts made to slow them down', () => {
  const long = {
    class: 'a '.repeat(249),
    rel: 'a '.repeat(99),
    hreflang: 'aa-'.repeat(21),
    target: `A${'-'.repeat(62)}`,
    'data-a': 'x'.repeat(1_000),
  }
  const attributes = Object.entries(long).map(([name, value]) => `${name}: "${value}!"`)
  const rows = `- {label: A, url: "${'https://a/'.repeat(190)} ", permissions: ["${' a'.repeat(99)} "], icon: "${'a:'.repeat(60)}!", attributes: {${attributes.join(', ')}}}\n`
  const { file, ms } = timed('long values', `version: 1\ncode: main\nname: Main\nitems:\n${rows.repeat(200)}`)
  assert.is(file.menu, null)
  assert.ok(ms < 10_000, `${ms} ms`)
})

test.run()
