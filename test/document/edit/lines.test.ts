import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { applyOperations } from '../../../src/change/operations/apply.js'
import type { Operation } from '../../../src/change/operations/operation.js'
import { writeChange } from '../../../src/document/edit/write-change.js'
import { documentOf, meaningOf } from './reading.js'

const FIXTURES = fileURLToPath(new URL('../../fixtures/edits/', import.meta.url))

/** The edits that every file is tried with, those that another takes the place of, and how many lines each changes. */
interface Table {
  readonly edits: Readonly<Record<string, readonly Operation[]>>
  readonly instead: Readonly<Record<string, Readonly<Record<string, readonly Operation[]>>>>
  readonly lines: Readonly<
    Record<string, Readonly<Record<string, readonly [added: number, removed: number]>>>
  >
}

const table: Table = JSON.parse(readFileSync(join(FIXTURES, 'lines.json'), 'utf8'))

/** What git counts between the files of two folders, by the names of the files. */
function numstat(folder: string): Promise<ReadonlyMap<string, readonly number[]>> {
  const args = '-c core.safecrlf=false diff --no-index --no-renames --numstat -z a b'.split(' ')
  return new Promise((resolve, reject) => {
    execFile('git', args, { cwd: folder, maxBuffer: 1 << 24 }, (error, stdout) => {
      // 1 says that there are differences.
      if (error !== null && error.code !== 1) return reject(error)
      const counts = new Map<string, readonly number[]>()
      const fields = stdout.split('\0')
      for (let place = 0; place + 2 < fields.length; place += 3) {
        const [added, removed] = (fields[place] ?? '').split('\t').map(Number)
        counts.set((fields[place + 2] ?? '').replace(/^b\//, ''), [added ?? 0, removed ?? 0])
      }
      resolve(counts)
    })
  })
}

test('Each edit of each nasty file changes as many lines as the table lists, counted by git', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'menuscript-edits-'))
  try {
    for (const side of ['a', 'b']) mkdirSync(join(folder, side))
    const expected = new Map<string, readonly number[]>()
    for (const [story, lines] of Object.entries(table.lines)) {
      const text = readFileSync(join(FIXTURES, `${story}.yaml`), 'utf8')
      const all = { ...table.edits, ...table.instead[story] }
      for (const [name, count] of Object.entries(lines)) {
        const change = applyOperations(meaningOf(text), all[name] ?? [])
        if (change.fault !== null) throw new Error(`${story}: ${name}: ${change.fault.reason}`)
        const edited = writeChange(documentOf(text), change.value)
        assert.is(edited.fault, null, `${story}: ${name}`)
        const file = `${story}: ${name}`.replaceAll(/[ :]+/g, '-')
        writeFileSync(join(folder, 'a', file), text)
        writeFileSync(join(folder, 'b', file), (edited.value?.mark ?? '') + (edited.value?.text ?? ''))
        expected.set(file, count)
      }
    }
    const counted = await numstat(folder)
    for (const [file, count] of expected) assert.equal(counted.get(file), count, file)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('Every file is in the table, with a relabelling and all other edits that it can have', () => {
  const stories = readdirSync(FIXTURES).flatMap((name) => (name.endsWith('.yaml') ? [name.slice(0, -5)] : []))
  assert.equal(stories.sort(), Object.keys(table.lines).sort())
  assert.ok(stories.length >= 20)
  for (const [story, lines] of Object.entries(table.lines)) {
    assert.equal(
      Object.keys(table.edits).filter((name) => lines[name] === undefined),
      [],
      story,
    )
  }
})

test('Every relabelling changes one line', () => {
  for (const [story, lines] of Object.entries(table.lines)) {
    for (const [name, count] of Object.entries(lines)) {
      if (name.startsWith('relabel')) assert.equal(count, [1, 1], `${story}: ${name}`)
    }
  }
})

test.run()
