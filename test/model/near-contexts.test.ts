import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ProblemCode } from '../../src/model/problem-codes.js'
import { buildSnapshot } from '../../src/model/snapshot.js'
import { isOneTypo } from '../../src/model/typo.js'
import { fileOf, snapshotOf, toHash } from '../support/snapshot-of.js'
import { timeOf } from '../support/times.js'

function menu(context: string, code = 'main'): string {
  return `version: 1\ncode: ${code}\nname: A\n${context}items: []\n`
}

/** What is told of the second of two variants with these contexts. */
function told(one: string, other: string): readonly string[] {
  const files = { 'a.yaml': menu(`context: ${one}\n`), 'b.yaml': menu(`context: ${other}\n`) }
  return snapshotOf(files).problems.map(
    ({ path, line, code, related }) => `${path}:${line} ${code} ${related}`,
  )
}

const NEAR = ['b.yaml:4 near-duplicate-context a.yaml']

test('contexts that differ in types, case, blanks or the form of keys are reported at the later file', () => {
  for (const [one, other] of [
    ['{ partner: 3 }', '{ partner: "3" }'],
    ['{ partner: 3 }', '{ partner: "3.0" }'],
    ['{ beta: true }', '{ beta: "true" }'],
    ['{ beta: null }', '{ beta: "null" }'],
    ['{ role: admin }', '{ role: " Admin" }'],
    ['{ partnerId: 3, role: admin }', '{ role: admin, partner_id: 3 }'],
    ['{ partnerId: 3 }', '{ partnrId: 3 }'],
    ['{ city: Café }', '{ city: Cafe\u0301 }'],
    ['{ año: 3 }', '{ an\u0303o: 3 }'],
    ['{ role: admin }', '{ role: "admin\\u200b" }'],
    ['{ role: admin }', '{ "\\ufeffrole": admin }'],
  ] as const) {
    assert.equal(told(one, other), NEAR, `${one} ${other}`)
  }
})

test('contexts with different content are two contexts', () => {
  for (const [one, other] of [
    ['{ partner: 3 }', '{ partner: 4 }'],
    ['{ partner: 3 }', '{ partner: "3a" }'],
    ['{ beta: true }', '{ beta: 1 }'],
    ['{ role: admin }', '{ rank: admin }'],
    ['{ id: 3 }', '{ it: 3 }'],
    ['{ tenant1: 3 }', '{ tenant2: 3 }'],
    ['{ partner: 3 }', '{ partner: 3, role: admin }'],
    ['{ a: "b,c" }', '{ a: b }'],
  ] as const) {
    assert.equal(told(one, other), [], `${one} ${other}`)
  }
})

test('equal contexts are a duplicate and nothing else, and other codes are other menus', () => {
  assert.equal(told('{ a: 1 }', '{ a: 1.0 }'), ['b.yaml:2 duplicate-menu a.yaml'])
  const files = { 'a.yaml': menu('context: { a: 1 }\n'), 'b.yaml': menu('context: { a: "1" }\n', 'other') }
  assert.equal(snapshotOf(files).problems, [])
})

test('a near context is served all the same, and a comment above it hides the problem', () => {
  const comment = '# menuscript-disable-next-line near-duplicate-context -- the old shop sends texts\n'
  const files = { 'a.yaml': menu('context: { a: 1 }\n'), 'b.yaml': menu(`${comment}context: { a: "1" }\n`) }
  assert.equal(snapshotOf(files).problems, [])
  assert.is(snapshotOf(files).served.size, 2)
  const alone = { 'b.yaml': menu(`${comment}context: { a: "1" }\n`) }
  const lines = snapshotOf(alone).problems.map(({ code, line, column }) => `${line}:${column} ${code}`)
  assert.equal(lines, ['4:32 unused-disable'])
})

test('rules between files that are off find nothing', () => {
  const files = { 'a.yaml': menu('context: { a: 1 }\n'), 'A.yaml': menu('context: { a: "1" }\n') }
  const parsed = Object.entries(files).map(([path, text]) => fileOf(path, text))
  const build = (...off: readonly ProblemCode[]): readonly string[] => {
    const inputs = { files: parsed, previous: null, folderProblems: [], hash: toHash, off: new Set(off) }
    return buildSnapshot(inputs).problems.map(({ code }) => code)
  }
  assert.equal(build(), ['path-clash', 'near-duplicate-context'])
  assert.equal(build('path-clash'), ['near-duplicate-context'])
  assert.equal(build('near-duplicate-context'), ['path-clash'])
})

test('many variants of one code cost as little as many codes', () => {
  const of = (text: (number: number) => string): number => {
    const files = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, number) => [`${number}.yaml`, text(number)]),
    )
    return timeOf(() => snapshotOf(files))
  }
  of((number) => menu('', `c${number}`))
  const apart = of((number) => menu('context: { partner: 1 }\n', `c${number}`))
  const together = of((number) => menu(`context: { k${number}: 1, partner: 1 }\n`))
  assert.ok(together < apart * 3 + 300, `${together} ms against ${apart} ms`)
})

test('a slip is a letter that is missing, too many, another one, or has changed places', () => {
  for (const [one, other] of [
    'region regoin',
    'region regin',
    'region regions',
    'region regiom',
    'aB a_b',
  ].map((pair) => pair.split(' ')))
    assert.ok(isOneTypo(one ?? '', other ?? ''), `${one} ${other}`)
  for (const [one, other] of ['region religion', 'region reason', 'id it', 'page1 page2', 'abcd badc'].map(
    (pair) => pair.split(' '),
  ))
    assert.not.ok(isOneTypo(one ?? '', other ?? ''), `${one} ${other}`)
})

test.run()
