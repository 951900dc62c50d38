import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseMarkdown } from '../readme/markdown.js'

const TESTS = join(import.meta.dirname, '..')
const { tables } = parseMarkdown(readFileSync(join(import.meta.dirname, 'CASES.md'), 'utf8'))
const rows = tables.flatMap((table) => table.rows)

/** The cases: so many of files, of saving, of content and of HTTP, those of who may enter that there are, and the traps of the libraries. */
const CASES = [
  ...Array.from({ length: 29 }, (_, place) => `A${place + 1}`),
  ...Array.from({ length: 16 }, (_, place) => `B${place + 1}`),
  ...Array.from({ length: 16 }, (_, place) => `C${place + 1}`),
  ...Array.from({ length: 29 }, (_, place) => `D${place + 1}`),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22, 23, 24].map(
    (number) => `E${number}`,
  ),
  ...Array.from({ length: 8 }, (_, place) => `Trap ${place + 1}`),
]

/** The cases whose number begins the title of a test. */
function testedCases(): ReadonlySet<string> {
  const paths = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  const texts = paths
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(TESTS, path), 'utf8'))
  const lists = texts.flatMap((text) => [
    ...text.matchAll(/['"`]((?:(?:[A-E]\d+|Trap \d)(?:, | and )?)+): /g),
  ])
  return new Set(lists.flatMap(([, list = '']) => list.split(/, | and /)))
}

test('Every case has a row, in order, and no row is of another', () => {
  assert.equal(
    rows.map(([name]) => name),
    CASES,
  )
})

test('Every case has a test, or its row explains why it cannot have one', () => {
  const tested = testedCases()
  for (const [name = '', what = ''] of rows)
    assert.is(/ Not reachable: ./.test(what), !tested.has(name), name)
})

test.run()
