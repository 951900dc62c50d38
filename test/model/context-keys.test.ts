import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ProblemCode } from '../../src/model/problem-codes.js'
import { buildSnapshot } from '../../src/model/snapshot.js'
import { fileOf, toHash } from '../support/snapshot-of.js'

/** What is reported of menus with these contexts: `file line code suggestion`. */
function told(contexts: readonly string[], off: readonly ProblemCode[] = []): readonly string[] {
  const files = contexts.map((context, place) =>
    fileOf(`${place}.yaml`, `version: 1\ncode: c${place}\nname: A\n${context}\nitems: []\n`),
  )
  const { problems } = buildSnapshot({
    ...{ files, previous: null, folderProblems: [], hash: toHash },
    off: new Set(off),
  })
  return problems.map(({ path, line, code, suggestion }) => `${path}:${line} ${code} ${suggestion}`)
}

const of = (...keys: readonly string[]): string[] => keys.map((key) => `context: { ${key}: 1 }`)

test('a key that no other menu has, and that is near to one of theirs, is reported', () => {
  for (const [key, known] of [
    ['partner', 'partnerId'],
    ['partnerId', 'partner'],
    ['patnerId', 'partnerId'],
    ['partner_id', 'partnerId'],
    ['PartnerID', 'partnerId'],
    ['shops', 'shop'],
  ] as const) {
    const expected = [`2.yaml:4 unknown-context ${known}`]
    assert.equal(told([...of(known, known), `context: { ${key}: 2 }`]), expected, `${key} ${known}`)
  }
})

test('each of two such keys that nothing else has is reported', () => {
  const expected = ['0.yaml:4 unknown-context partner', '1.yaml:4 unknown-context partnerId']
  assert.equal(told(of('partnerId', 'partner')), expected)
})

test('known keys, other keys, and those that a menu has beside the near one are not reported', () => {
  for (const keys of [
    ['partnerId', 'partner', 'partnerId', 'partner'],
    ['partnerId', 'partnerRegion', 'role', 'rank', 'id', 'it'],
    ['tenant1', 'tenant2', 'page', 'page2'],
    ['a', 'ab', 'abc'],
  ])
    assert.equal(told(of(...keys)), [], keys.join(' '))
  assert.equal(told([...of('partnerId'), 'context: { partnerId: 1, partner: 1 }']), [])
})

test('a comment above the context hides it, and is unused where there is nothing to hide', () => {
  const comment = '# menuscript-disable-next-line unknown-context -- sent by the old shop\n'
  assert.equal(told([...of('partnerId', 'partnerId'), `${comment}context: { partner: 1 }`]), [])
  assert.equal(told([`${comment}context: { partner: 1 }`]), ['0.yaml:4 unused-disable null'])
  assert.equal(told([`${comment}context: { partner: 1 }`], ['unknown-context']), [])
  assert.equal(told(of('partnerId', 'partner'), ['unknown-context']), [])
})

test.run()
