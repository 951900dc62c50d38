import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Parser } from 'yaml'
import type { ParsedFile } from '../../../src/document/parse.js'
import { readYamlMap } from '../../../src/document/read/read-yaml.js'
import { toYamlLimits, type YamlLimits } from '../../../src/model/limits.js'
import { isError } from '../../../src/model/problem.js'
import { parse, toLines } from '../../document/parsing.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { assertRatio, assertTime, timeOf } from '../../support/times.js'

const PROMISED = 50
const HEAD = 'version: 1\ncode: main\nname: Main\n'
const FREE = `${HEAD}items: []\nx-a:`
const LARGE = { limits: { bytes: 8 * 1_048_576, items: 4_000 } }

/** Reads a text up to its nodes, which the place of a problem needs. */
function nodesOf(bytes: Uint8Array, limits: YamlLimits): void {
  const yaml = readYamlMap('menu.yaml', bytes, limits)
  assert.ok(yaml.value !== null && yaml.root)
}

const rows = (count: number, row: (place: number) => string): string =>
  Array.from({ length: count }, (_, place) => row(place)).join('')

/** Texts that hold too much, and for what they are refused. */
const TOO_MUCH: readonly (readonly [name: string, code: string, text: string])[] = [
  ['40,000 keys in block style', 'yaml-nodes', `${FREE}\n${rows(40_000, (n) => `  k${n}: 1\n`)}`],
  ['40,000 keys in flow style', 'yaml-nodes', `${FREE} {${rows(40_000, (n) => `k${n}: 1, `)}}\n`],
  ['40,000 keys without values', 'yaml-nodes', `${FREE} {${rows(40_000, (n) => `k${n}, `)}}\n`],
  ['20,000 anchors', 'yaml-alias', `${FREE}\n${rows(20_000, (n) => `  - &a${n} 1\n`)}`],
  ['20,000 aliases', 'yaml-alias', `${FREE}\n  - &a 1\n${'  - *a\n'.repeat(20_000)}`],
  ['200,000 nodes in a block list', 'yaml-nodes', `${FREE}\n${'- a\n'.repeat(200_000)}`],
  ['200,000 nodes in a flow list', 'yaml-nodes', `${FREE} [${'a,'.repeat(200_000)}]\n`],
  ['200,000 nodes in flow maps', 'yaml-nodes', `${FREE} [${'{a: 1},'.repeat(70_000)}]\n`],
  ['200,000 nodes without a value', 'yaml-nodes', `${FREE}\n${'-\n'.repeat(200_000)}`],
  ['200,000 nodes of lists in lists', 'yaml-nodes', `${FREE}\n${'- - - a\n'.repeat(70_000)}`],
  ['200,000 nodes in block maps', 'yaml-nodes', `${FREE}\n${'- a: 1\n  b: 2\n'.repeat(50_000)}`],
]

for (const [name, code, text] of TOO_MUCH) {
  test(`C3: ${name} are refused sooner than the package yaml alone has parsed them`, () => {
    const bytes = Buffer.from(text)
    assertRatio(`C3, ${name}`, 1, {
      measured: () => {
        const { menu, problems } = parse(bytes)
        assert.is(menu, null)
        assert.is(problems[0]?.code, code)
        assert.ok(problems.every((problem) => problem.code === code && problem.line >= 5))
      },
      baseline: () => assert.ok([...new Parser().parse(text)].length > 0),
    })
  })
}

/** Texts with 100,000 errors of form, in as few bytes as that takes and in the form of a menu. */
const ILL_FORMED: readonly (readonly [name: string, text: string])[] = [
  [
    'unknown keys',
    `${HEAD}items:\n${rows(2_000, () => `- {label: A, url: /${rows(50, (n) => `, z${n}: 1`)}}\n`)}`,
  ],
  [
    'permissions that are numbers',
    `${HEAD}items:\n- {label: A, url: /, permissions: [${'1,'.repeat(100_000)}]}\n`,
  ],
]

function assertFirst50({ menu, problems, omitted, omittedErrors }: ParsedFile): void {
  assert.is(menu, null)
  assert.equal([problems.length, omitted, omittedErrors], [50, 99_950, 99_950])
  assert.ok(problems.every(isError))
  const places = toLines(problems)
  assert.equal(places, [...new Set(places)])
}

for (const [name, text] of ILL_FORMED) {
  test(`C12: among 100,000 ${name} the first 50 are reported and all are counted, in little time beyond the reading`, () => {
    const bytes = Buffer.from(text)
    const limits = toYamlLimits({ ...DEFAULT_LIMITS, ...LARGE.limits })
    assertTime(`C12, 100,000 ${name}, beyond the reading of YAML`, PROMISED, () => {
      const reading = timeOf(() => nodesOf(bytes, limits))
      return timeOf(() => assertFirst50(parse(bytes, LARGE))) - reading
    })
  })
}

test('C12: among 60,000 warnings the first 50 are reported and all are counted', () => {
  const tags = Array.from(
    { length: 40 },
    (_, n) => `a${String.fromCharCode(97 + (n % 26))}-${n < 26 ? 'DE' : 'FR'}`,
  )
  const label = `{en: A, ${tags.map((tag) => `${tag}: A`).join(', ')}}`
  const bytes = Buffer.from(`${HEAD}items:\n${`- {label: ${label}, url: /}\n`.repeat(1_500)}`)
  const { menu, problems, omitted, omittedErrors } = parse(bytes)
  assert.is(menu?.items.length, 1_500)
  assert.equal([problems.length, omitted, omittedErrors], [50, 59_950, 0])
})

test.run()
