import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openAudit } from '../../src/store/audit.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { startProcess } from '../support/process.js'
import { programOf } from '../support/programs.js'

test('E10: the audit log is for its owner alone, and a line that was cut off costs no other line', () => {
  const folder = createMenusFolder()
  const file = join(folder.dir, 'audit.log')
  const audit = openAudit(folder.dir)
  audit.append('{"line":1}')
  appendFileSync(file, '{"li')
  audit.append('{"line":3}')
  assert.is(readFileSync(file, 'utf8'), '{"line":1}\n{"li\n{"line":3}\n')
  assert.is(statSync(file).mode & 0o777, 0o600)
  folder.close()
})

test('E10: the audit log is bounded: the newest lines are kept, in order, in as many files as are allowed', () => {
  const folder = createMenusFolder()
  const audit = openAudit(folder.dir, { bytes: 100, files: 3 })
  for (let line = 0; line < 101; line++) audit.append(`{"line":${line}}`)
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

test('E10: two processes that append at the same time lose no line', async () => {
  const folder = createMenusFolder()
  const program = programOf('store/append-lines.program.ts')
  const both = ['a', 'b'].map((name) => startProcess('node', [...program, folder.dir, name, '300']))
  assert.equal(await Promise.all(both.map(async ({ ended }) => (await ended).code)), [0, 0])
  const lines = readdirSync(folder.dir).flatMap((name) =>
    readFileSync(join(folder.dir, name), 'utf8').trim().split('\n'),
  )
  const wanted = ['a', 'b'].flatMap((name) => Array.from({ length: 300 }, (_, line) => `${name} ${line}`))
  assert.equal(lines.sort(), wanted.sort())
  folder.close()
})

test.run()
