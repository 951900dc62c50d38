import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { PROBLEM_KINDS } from '../../src/model/problem-codes.js'
import { AUDIT_ACTIONS } from '../../src/store/audit.js'
import { eventually } from '../support/eventually.js'
import { get } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { plain } from './markdown.js'
import { PAGES, rowsUnder, takeBlocks, testCoverage } from './readme.js'
import { compact, runShell, withServer } from './shell.js'
import { matches, textsOf } from './sources.js'
import { misspell, takeWalk } from './walk.js'

test('/readyz returns the example after the mistake of the first menu', async () => {
  const [shown = ''] = takeBlocks('Incidents', ['json'])
  const folder = createMenusFolder()
  const { make, vary, serve } = takeWalk()
  await runShell(make, folder.dir)
  await runShell(vary, folder.dir)
  await withServer(serve, folder.dir, async (url) => {
    misspell(folder)
    await eventually(async () => assert.is((await get(`${url}/readyz`)).text, compact(shown)))
  })
  folder.close()
})

test('Every log event has a row, and every row is a log event', () => {
  const events = new Set(
    textsOf('src').flatMap((text) => matches(text, /\b(?:log\.\w+\(|tell\(|notice\('\w+',)\s*'([a-z_]+)'/g)),
  )
  const documented = rowsUnder('event', 'when').flatMap(([cell]) => plain(cell).split(', '))
  assert.equal(documented.sort(), [...events].sort())
})

test('Every action of the audit log has a row, and every row is an action', () => {
  const rows = rowsUnder('action', 'what happened, and what else the line has')
  assert.equal(rows.flatMap(([cell]) => plain(cell).split(', ')).sort(), [...AUDIT_ACTIONS].sort())
})

test('Every metric of Menuscript has a row', () => {
  const metrics = matches(textsOf('src/http').join('\n'), /'(menu(?:script)?_[a-z_]+)'/g)
  const documented = rowsUnder('metric', 'what it measures').flatMap(([cell]) => plain(cell).split(', '))
  assert.equal([...documented].sort(), [...new Set(metrics)].sort())
})

test('Each incident names an event, a metric or a problem that exists', () => {
  const names = ['event', 'metric'].flatMap((head) =>
    PAGES.flatMap(({ tables }) => tables)
      .filter((table) => table.head[0] === head)
      .flatMap(({ rows }) => rows.flatMap(([cell]) => plain(cell).split(', '))),
  )
  for (const [, , cell = ''] of rowsUnder('what happens', 'what is served', 'what reports it')) {
    for (const name of matches(cell, /`(menu_\w+|[a-z]+_[a-z]+|[a-z]+-[a-z]+)(?:\{.*?\})?`/g))
      assert.ok(names.includes(name) || name in PROBLEM_KINDS, name)
  }
})

testCoverage(test, 'docs/monitoring.md')

test.run()
