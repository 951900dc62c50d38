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
  ...Array.from({ length: 27 }, (_, place) => `D${place + 1}`),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17].map((number) => `E${number}`),
  ...Array.from({ length: 8 }, (_, place) => `Trap ${place + 1}`),
]

/** The files with a test whose title begins with the number of a case, by case. */
function filesByCase(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const paths = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.test.ts'),
  )
  for (const path of paths.sort()) {
    const text = readFileSync(join(TESTS, path), 'utf8')
    for (const [, list = ''] of text.matchAll(/['"`]((?:(?:[A-E]\d+|Trap \d)(?:, | and )?)+): /g)) {
      for (const name of list.split(/, | and /)) {
        const files = found.get(name) ?? []
        if (!files.includes(path)) found.set(name, [...files, path])
      }
    }
  }
  return found
}

test('Every case has a row, in order, and no row is of another', () => {
  assert.equal(
    rows.map(([name]) => name),
    CASES,
  )
})

test('A row names all files whose tests have its number, or explains why there can be none yet', () => {
  const found = filesByCase()
  for (const [name = '', , where = ''] of rows) {
    const files = [...where.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path]) => path)
    assert.equal(files, found.get(name) ?? [], name)
    if (files.length === 0) assert.match(where, /^not yet: ./, name)
  }
})

test.run()
