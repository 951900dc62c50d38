import { isDeepStrictEqual } from 'node:util'
import picocolors from 'picocolors'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { stringify } from 'yaml'
import { isError } from '../../../src/model/problem.js'
import { toProblemText } from '../../../src/review/problem-text.js'
import { parse } from '../../document/parsing.js'
import { figure } from '../../support/figures.js'
import { FIELDS, type Field, fileWith } from './fields.js'
import { NAUGHTY, OWN_STRINGS, shown } from './naughty.js'
import { prototypes } from './prototypes.js'

// The figure "strings", as far as files go. What is taken is followed to its readers in strings-served.test.ts and
// strings-pages.test.ts.

const before = prototypes()
const PAINT = picocolors.createColors(false)

test('C9: there are more than 515 naughty strings, and more than 60 of them are our own', () => {
  assert.ok(NAUGHTY.length >= 515, `${NAUGHTY.length}`)
  assert.ok(new Set(OWN_STRINGS).size >= 60)
})

/** What is wrong with how a file holds a text; null when it is taken as it is, or refused with the place. */
function faultOf(field: Field, text: string, written: string): string | null {
  const { menu, problems } = parse(Buffer.from(written))
  if (menu !== null) {
    const { expected = (same: string) => same } = field
    return isDeepStrictEqual(field.read(menu), expected(text)) ? null : 'is changed'
  }
  const [problem, ...more] = problems.filter(isError)
  if (problem === undefined || more.length > 2) return `has ${more.length} problems`
  const { code, pointer, line, column } = problem
  if (line === 1 && column === 1) return `is refused without a place: ${code}`
  const told = toProblemText(problem, PAINT, 'menu.yaml:1:1')
  if (/[^\n\P{Cc}]|\p{Cf}|[\u2028\u2029]/u.test(told)) return 'is told in its own characters'
  const isThere = pointer.startsWith(field.pointer) || code === 'control-character'
  return isThere ? null : `is refused at ${pointer}: ${code}`
}

for (const field of FIELDS) {
  test(`C9: as ${field.name} each naughty string is kept unchanged, or refused with its place`, () => {
    const faults: string[] = []
    for (const text of NAUGHTY) {
      const file = fileWith(field, text)
      const fault = faultOf(field, text, `\n${JSON.stringify(file)}`)
      if (fault !== null) faults.push(`${shown(text)} in JSON ${fault}`)
      // What is no pair has no UTF-8, and only an escape can write it.
      const block = /\p{Cs}/u.test(text) ? null : faultOf(field, text, stringify(file))
      if (block !== null) faults.push(`${shown(text)} in block style ${block}`)
    }
    assert.equal(faults, [])
  })
}

test('C7: what all objects share is what it was before', () => {
  assert.ok(isDeepStrictEqual(prototypes(), before))
  figure(
    'strings',
    `${NAUGHTY.length} strings x ${FIELDS.length} fields, in JSON and in block style`,
    '515, equal',
  )
})

test.run()
