import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { PROBLEM_KINDS } from '../../src/model/problem-codes.js'
import { plain } from './markdown.js'
import { pageAt, testCoverage, textOf } from './readme.js'

/** What an entry of docs/problems.md says: the severity, the meaning, and how to fix it. */
const ENTRY = /^\n(\w+)\. (?:.+\n)*.+\.\n\nFix: (.+)\n+$/

test('Every problem code has an entry with its severity and how to fix it, and no entry is of another', () => {
  const { sections } = pageAt('docs/problems.md')
  const entries = sections.filter(({ text }) => text.includes('Fix: '))
  assert.equal(entries.map(({ heading }) => heading).sort(), Object.keys(PROBLEM_KINDS).sort())
  for (const [code, { severity, todo }] of Object.entries(PROBLEM_KINDS)) {
    const [, level = '', advice] = ENTRY.exec(textOf(code)) ?? []
    assert.equal([level.toLowerCase(), plain(advice)], [severity, todo], code)
  }
})

testCoverage(test, 'docs/problems.md')

test.run()
