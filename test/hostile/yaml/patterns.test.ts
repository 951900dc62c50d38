import fc from 'fast-check'
import { check } from 'recheck'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toFrame, toPosition, toSource } from '../../../src/document/source.js'
import { judgeUrl } from '../../../src/model/url.js'
import { parseItems } from '../../document/parsing.js'
import { timeOf } from '../../support/times.js'
import { type Pattern, schemaPatterns, sourcePatterns } from './patterns.js'

/** Patterns that take more than linear time on a long text, and never get one; a test below shows for each why. */
const BOUNDED: readonly string[] = [
  // The end of one line, which has one line break.
  'document/source.ts /[\\r\\n]+$/',
]

const nameOf = ({ place, source, flags }: Pattern): string => `${place} /${source}/${flags}`
/** Whether a pattern repeats something without an end. */
const isEndless = ({ source }: Pattern): boolean =>
  /[*+]|\{\d+,\}/.test(source.replace(/\\./g, '').replace(/\[[^\]]*\]/g, ''))
const sources = sourcePatterns()
const schemas = schemaPatterns()

test('C11: recheck finds no pattern of the sources or of the schemas that a text can slow down', async () => {
  const all = [...sources.literals, ...schemas.patterns].filter((each) => !BOUNDED.includes(nameOf(each)))
  const once = [...new Map(all.map((each) => [`/${each.source}/${each.flags}`, each])).values()]
  const start = performance.now()
  const verdicts: { readonly name: string; readonly status: string }[] = []
  for (const each of once) {
    const { status, checker } = await check(each.source, each.flags, { timeout: 120_000 })
    // What is only tried, by texts of chance, is judged in one way today and in another tomorrow.
    const isProven = checker === 'automaton' || !isEndless(each)
    verdicts.push({ name: nameOf(each), status: isProven ? status : 'tried, not proven' })
  }
  const found = verdicts.filter(({ status }) => status !== 'safe')
  console.log(`    ${once.length} patterns in ${Math.round(performance.now() - start)} ms`)
  assert.ok(sources.literals.length > 40 && schemas.patterns.length > 15)
  assert.equal(
    found.map(({ name, status }) => `${name} ${status}`),
    [],
  )
})

test('C11: no pattern is made at run time, where it could not be checked before', () => {
  assert.equal(sources.made, [])
})

test('C11: every text of a schema that has to have a form has a greatest length', () => {
  const unbounded = schemas.texts.filter(({ maxLength }) => typeof maxLength !== 'number')
  assert.equal(
    unbounded.map(({ place }) => place),
    [],
  )
})

test('C11: what is excused by its short texts is still there', () => {
  const names = new Set(sources.literals.map(nameOf))
  assert.equal(
    BOUNDED.filter((name) => !names.has(name)),
    [],
  )
})

test('C11: a line of a text has one line break, at its end', () => {
  const texts = fc.string({ unit: fc.constantFrom('\r', '\n', 'a'), maxLength: 40 })
  const law = fc.property(texts, (text) => {
    const { lineStarts } = toSource('a.yaml', text)
    const lines = lineStarts.map((start, place) => text.slice(start, lineStarts[place + 1]))
    for (const line of lines) assert.match(line, /^a*(\r\n|\r|\n)?$/)
  })
  fc.assert(law, { numRuns: 1_000 })
})

test('C11: a frame is short, however long its lines are', () => {
  const source = toSource('a.yaml', `${`${'secret token '.repeat(10_000)}\n`.repeat(3)}`)
  for (const column of [0, 60, 5_000, 129_999]) {
    const start = (source.lineStarts[1] ?? 0) + column
    const rows = toFrame(source, toPosition(source, [start, start + 1])).split('\n')
    assert.ok(rows.length <= 4)
    assert.ok(rows.every((row) => row.length <= 140))
  }
})

test('C11: a text that hardly resembles a url is judged at once, at any length', () => {
  const long = ['a.:x', 'a..', 'a:', 'http:', '/a', '%', '@', 'a.a:', 'a:1']
  for (const part of long) {
    for (const url of [`a${part.repeat(40_000 / part.length)}`, `a${'.'.repeat(40_000)}:${part}`]) {
      const milliseconds = timeOf(() => judgeUrl(url))
      assert.ok(milliseconds < 100, `${url.slice(0, 8)}…${url.slice(-8)}: ${Math.round(milliseconds)} ms`)
    }
  }
  const file = timeOf(() => parseItems(`- {label: A, url: "a${'.'.repeat(10_000)}:x"}`))
  assert.ok(file < 200, `${file} ms`)
})

test.run()
