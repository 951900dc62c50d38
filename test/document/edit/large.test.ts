import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { writeChange } from '../../../src/document/edit/write-change.js'
import type { JsonMap } from '../../../src/model/json.js'
import { changeBetween } from '../../change/between.js'
import { timeOf } from '../../support/times.js'
import { documentOf, edit, meaningOf } from './reading.js'

/** A menu of a hundred sections with nineteen links each. */
function largeText(): string {
  const sections = Array.from({ length: 100 }, (_, section) => {
    const links = Array.from(
      { length: 19 },
      (__, link) =>
        `      # about\n      - label: { en: L${section}.${link}, es: X }\n        url: /${section}/${link}\n`,
    )
    return `  - type: section\n    label: S${section}\n    children:\n${links.join('')}`
  })
  return `version: 1\ncode: large\nname: Large\nitems:\n${sections.join('')}`
}

/** How long something takes at best, in milliseconds. */
function best(times: number, run: () => void): number {
  return Math.min(...Array.from({ length: times }, () => timeOf(run)))
}

const TEXT = largeText()
const VALUE = meaningOf(TEXT) as JsonMap & { readonly items: JsonMap[] }
const READING = best(3, () => meaningOf(TEXT))

test('Relabelling one of 2,000 items changes one line, in not much more time than reading the text twice', () => {
  const document = documentOf(TEXT)
  const after = { ...VALUE, items: VALUE.items.with(50, { ...VALUE.items[50], label: 'New' }) }
  assert.is(edit(TEXT, after), TEXT.replace('label: S50\n', 'label: New\n'))
  const editing = best(3, () => writeChange(document, changeBetween(VALUE, after)))
  console.log(`figure: a label among 2,000 items: ${editing.toFixed(0)} ms (goal 100 ms)`)
  assert.ok(editing < READING * 4 + 50, `${editing} ms, and reading takes ${READING} ms`)
})

test('A hundred branches that are put in another order and hidden take not much more', () => {
  const document = documentOf(TEXT)
  const after = { ...VALUE, items: VALUE.items.toReversed().map((item) => ({ ...item, hidden: true })) }
  assert.equal(meaningOf(edit(TEXT, after)), after)
  const editing = best(3, () => writeChange(document, changeBetween(VALUE, after)))
  assert.ok(editing < READING * 8 + 100, `${editing} ms, and reading takes ${READING} ms`)
})

test('A change that makes a text too large is refused with its size and the limit', () => {
  const after = { ...VALUE, name: 'x'.repeat(1_200_000) }
  const { fault } = writeChange(documentOf(TEXT), changeBetween(VALUE, after))
  assert.match(fault ?? '', /^The text would have 1[23]\d{5} bytes, and 1048576 are allowed\.$/)
})

test.run()
