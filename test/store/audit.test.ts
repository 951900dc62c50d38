import { appendFileSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SILENT_LOG } from '../../src/service/log.js'
import { type AuditLimits, openAudit } from '../../src/store/audit.js'
import { createTally } from '../../src/store/audit-tally.js'
import { eventually } from '../support/eventually.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { startProcess } from '../support/process.js'
import { programOf } from '../support/programs.js'

const LIMITS: AuditLimits = { bytes: 1_000, files: 3, youngFiles: 6, age: 3_600_000 }

const recordOf = (line: number) => ({
  user: null,
  via: 'test',
  address: null,
  action: 'change' as const,
  line,
})

test('E10: the audit log is for its owner alone, and a line that was cut off costs no other line', () => {
  const folder = createMenusFolder()
  const file = join(folder.dir, 'audit.log')
  const audit = openAudit(folder.dir, SILENT_LOG)
  audit.record(recordOf(1))
  appendFileSync(file, '{"li')
  audit.record(recordOf(3))
  const [first = '', cut, third = '', end] = readFileSync(file, 'utf8').split('\n')
  assert.equal([JSON.parse(first).line, cut, JSON.parse(third).line, end], [1, '{"li', 3, ''])
  assert.is(statSync(file).mode & 0o777, 0o600)
  folder.close()
})

test('E10: the audit log is bounded: the newest lines are kept, in order, in as many files as are allowed', () => {
  const folder = createMenusFolder()
  const audit = openAudit(folder.dir, SILENT_LOG, { ...LIMITS, age: -1 })
  for (let line = 0; line < 101; line++) audit.record(recordOf(line))
  const names = readdirSync(folder.dir).sort()
  assert.equal(names, ['audit.log', 'audit.log.1', 'audit.log.2'])
  const kept = names.toReversed().flatMap((name) =>
    readFileSync(join(folder.dir, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).line),
  )
  const first = kept[0] ?? 0
  assert.equal(
    kept,
    Array.from({ length: 101 - first }, (_, place) => first + place),
  )
  assert.ok(first > 0 && kept.length > 10, String(first))
  folder.close()
})

test('E10: more files are kept while they are young, up to a number of them', () => {
  const folder = createMenusFolder()
  const audit = openAudit(folder.dir, SILENT_LOG, LIMITS)
  for (let line = 0; line < 101; line++) audit.record(recordOf(line))
  const names = ['audit.log', ...[1, 2, 3, 4, 5].map((place) => `audit.log.${place}`)]
  assert.equal(readdirSync(folder.dir).sort(), names)
  for (const place of [3, 4, 5]) utimesSync(join(folder.dir, `audit.log.${place}`), 1, 1)
  for (let line = 0; line < 10; line++) audit.record(recordOf(line))
  assert.ok(readdirSync(folder.dir).length < 6)
  folder.close()
})

test('E10: what is repeated a thousand times has two lines: the first, and the last with the count of the others', async () => {
  const folder = createMenusFolder()
  const tally = createTally(openAudit(folder.dir, SILENT_LOG), 200)
  for (let line = 0; line < 1_000; line++) tally('one', recordOf(line))
  tally('other', recordOf(-1))
  const read = () =>
    readFileSync(join(folder.dir, 'audit.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ line, count = 1 }) => [line, count])
  assert.equal(read(), [
    [0, 1],
    [-1, 1],
  ])
  // The timer keeps no process alive.
  const waiting = setInterval(() => {}, 10)
  await eventually(() => assert.equal(read().at(2), [999, 999]))
  clearInterval(waiting)
  folder.close()
})

test('E10: two processes that append at the same time lose no line', async () => {
  const folder = createMenusFolder()
  const program = programOf('store/append-lines.program.ts')
  const both = ['a', 'b'].map((name) => startProcess('node', [...program, folder.dir, name, '300']))
  assert.equal(await Promise.all(both.map(async ({ ended }) => (await ended).code)), [0, 0])
  const lines = readdirSync(folder.dir).flatMap((name) =>
    readFileSync(join(folder.dir, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).user),
  )
  const wanted = ['a', 'b'].flatMap((name) => Array.from({ length: 300 }, (_, line) => `${name} ${line}`))
  assert.equal(lines.sort(), wanted.sort())
  folder.close()
})

test.run()
