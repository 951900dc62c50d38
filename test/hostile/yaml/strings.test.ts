import { isDeepStrictEqual } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { stringify } from 'yaml'
import { figure } from '../../support/figures.js'
import { FIELDS, fileWith } from './fields.js'
import { NAUGHTY, OWN_STRINGS, shown } from './naughty.js'
import { prototypes } from './prototypes.js'
import { outcomeOf, outcomesOf } from './taken.js'

// The figure "strings", as far as files go. What is taken is followed to its readers in strings-served.test.ts and
// strings-pages.test.ts.

const before = prototypes()

test('C9: there are more than 515 naughty strings, and more than 60 of them are our own', () => {
  assert.ok(NAUGHTY.length >= 515, `${NAUGHTY.length}`)
  assert.ok(new Set(OWN_STRINGS).size >= 60)
})

for (const field of FIELDS) {
  test(`C9: as ${field.name} each naughty string is kept unchanged, or refused with its place`, () => {
    const faults: string[] = []
    for (const [text, { fault }] of outcomesOf(field)) {
      if (fault !== null) faults.push(`${shown(text)} in JSON ${fault}`)
      // What is no pair has no UTF-8, and only an escape can write it.
      if (/\p{Cs}/u.test(text)) continue
      const block = outcomeOf(field, text, stringify(fileWith(field, text)))
      if (block.fault !== null) faults.push(`${shown(text)} in block style ${block.fault}`)
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
