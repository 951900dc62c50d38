import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { applyOperations } from '../../../src/change/operations/apply.js'
import { type Operation, readOperations } from '../../../src/change/operations/operation.js'
import { isEqual, type Json } from '../../../src/model/json.js'
import { parsePointer, toPointer } from '../../../src/model/pointer.js'
import { sized } from '../../support/figures.js'
import { changes, values } from '../operations.js'

/** The examples of RFC 6902, appendix A: a value, what is done to it, and what comes of it; null for an error. */
const EXAMPLES: readonly (readonly [
  name: string,
  value: Json,
  operations: Operation[],
  after: Json | null,
])[] = [
  ['A.1', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { baz: 'qux', foo: 'bar' }],
  [
    'A.2',
    { foo: ['bar', 'baz'] },
    [{ op: 'add', path: '/foo/1', value: 'qux' }],
    { foo: ['bar', 'qux', 'baz'] },
  ],
  ['A.3', { baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
  ['A.4', { foo: ['bar', 'qux', 'baz'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['bar', 'baz'] }],
  [
    'A.5',
    { baz: 'qux', foo: 'bar' },
    [{ op: 'replace', path: '/baz', value: 'boo' }],
    { baz: 'boo', foo: 'bar' },
  ],
  [
    'A.6',
    { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
    [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
    { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
  ],
  [
    'A.7',
    { foo: ['all', 'grass', 'cows', 'eat'] },
    [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
    { foo: ['all', 'cows', 'eat', 'grass'] },
  ],
  [
    'A.8',
    { baz: 'qux', foo: ['a', 2, 'c'] },
    [
      { op: 'test', path: '/baz', value: 'qux' },
      { op: 'test', path: '/foo/1', value: 2 },
    ],
    { baz: 'qux', foo: ['a', 2, 'c'] },
  ],
  ['A.9', { baz: 'qux' }, [{ op: 'test', path: '/baz', value: 'bar' }], null],
  [
    'A.10',
    { foo: 'bar' },
    [{ op: 'add', path: '/child', value: { grandchild: {} } }],
    { foo: 'bar', child: { grandchild: {} } },
  ],
  ['A.12', { foo: 'bar' }, [{ op: 'add', path: '/baz/bat', value: 'qux' }], null],
  ['A.14', { '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
  ['A.15', { '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: '10' }], null],
  [
    'A.16',
    { foo: ['bar'] },
    [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
    { foo: ['bar', ['abc', 'def']] },
  ],
]

for (const [name, value, operations, after] of EXAMPLES) {
  test(`RFC 6902, appendix ${name}`, () => {
    const applied = applyOperations(value, operations)
    assert.is(applied.fault === null, after !== null)
    if (after !== null) assert.ok(isEqual(applied.value?.value, after), JSON.stringify(applied.value))
  })
}

test('One operation that cannot be applied, and none is; the fault names it', () => {
  const value = { items: ['a'] }
  const operations: Operation[] = [
    { op: 'remove', path: '/items/0' },
    { op: 'remove', path: '/items/0' },
  ]
  const { fault } = applyOperations(value, operations)
  assert.equal(fault, { position: 1, reason: 'there is no entry 0', isTest: false })
  assert.equal(value, { items: ['a'] })
})

const IMPOSSIBLE: readonly Operation[] = [
  { op: 'move', from: '/a', path: '/a/b' },
  { op: 'add', path: '/list/2', value: 1 },
  { op: 'add', path: '/list/01', value: 1 },
  { op: 'replace', path: '/list/-', value: 1 },
  { op: 'remove', path: '' },
  { op: 'remove', path: '/toString' },
  { op: 'add', path: 'a', value: 1 },
  { op: 'copy', from: '/nowhere', path: '/b' },
  { op: 'test', path: '/a/~2', value: 1 },
]

for (const operation of IMPOSSIBLE) {
  test(`${JSON.stringify(operation)} cannot be applied`, () => {
    assert.is.not(applyOperations({ a: { b: 1 }, list: [1] }, [operation]).fault, null)
  })
}

const LIMITS = { nodes: 100, depth: 10, keysPerMap: 20 }
const many = <T>(count: number, of: (place: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => of(at))
const TOO_MUCH: Readonly<Record<string, readonly Operation[]>> = {
  'copies that double a value': many(30, () => ({ op: 'copy', from: '/list', path: '/list/-' })),
  'copies that nothing is left of': many(2_000, () => ({ op: 'copy', from: '/list', path: '/b' })),
  'a map of many keys': [
    { op: 'add', path: '/b', value: Object.fromEntries(many(21, (at) => [`k${at}`, 1])) },
  ],
  'a long list': [{ op: 'replace', path: '/list', value: many(101, () => 1) }],
  'moves that nest deeper than the stack': many(40_000, (at): Operation[] => [
    { op: 'add', path: '/c', value: {} },
    { op: 'move', from: '/a', path: '/c/a' },
    { op: at % 2 === 0 ? 'test' : 'add', path: '/list', value: [1] },
    { op: 'move', from: '/c', path: '/a' },
  ]).flat(),
}

for (const [name, operations] of Object.entries(TOO_MUCH)) {
  test(`Beyond the limits of a menu, ${name} cannot be applied`, () => {
    const { fault } = applyOperations({ a: { b: 1 }, list: [1] }, operations, LIMITS)
    assert.match(fault?.reason ?? '', /^the (menu would be too large|operations copy too much)/)
    assert.is(fault?.isTest, false)
  })
}

test('What is not an operation is refused with its position, and is not a test that failed', () => {
  for (const [patch, position] of [
    [{}, 0],
    [[{ op: 'test', path: '', value: 1 }, null], 1],
    [[{ op: 'add', path: '/a' }], 0],
    [[{ op: 'move', path: '/a' }], 0],
    [[{ op: 'toString', path: '/a' }], 0],
  ] as const) {
    const { fault } = readOperations(patch)
    assert.equal([fault?.position, fault?.isTest], [position, false])
  }
  assert.equal(readOperations([{ op: 'remove', path: '/a', more: 1 }]), {
    value: [{ op: 'remove', path: '/a' }],
    fault: null,
  })
})

test('Operations of each kind are read with their own members alone', () => {
  const operations: readonly Operation[] = [
    { op: 'add', path: '/a', value: null },
    { op: 'remove', path: '/a' },
    { op: 'replace', path: '', value: false },
    { op: 'move', from: '/a', path: '/b' },
    { op: 'copy', from: '', path: '/b' },
    { op: 'test', path: '/a', value: [] },
  ]
  assert.equal(readOperations(operations.map((each) => ({ ...each, more: 1 }))).value, operations)
  assert.equal(readOperations([{ op: 'copy', path: '/b' }]).fault?.reason, 'copy needs from, a JSON Pointer')
  assert.equal(readOperations([{ op: 'replace', path: '/b' }]).fault?.reason, 'replace needs a value')
  assert.equal(readOperations([{ op: 'test', path: '/b' }]).fault?.reason, 'test needs a value')
  assert.equal(readOperations([{ op: 'remove', path: 1 }]).fault?.reason, 'path must be a JSON Pointer')
  assert.equal(readOperations([[]]).fault?.reason, 'an operation is an object')
})

test('What operations are applied to stays as it is', () => {
  fc.assert(
    fc.property(changes, ({ value, operations }) => {
      const before = JSON.stringify(value)
      assert.is(applyOperations(value, operations).fault, null)
      assert.is(JSON.stringify(value), before)
    }),
    { numRuns: sized(400, 4_000) },
  )
})

test('Only equal values are equal, and each is to its copy', () => {
  fc.assert(
    fc.property(values, values, (a, b) => {
      assert.ok(isEqual(a, JSON.parse(JSON.stringify(a))))
      assert.is(isEqual(a, b), isEqual(b, a))
    }),
  )
  assert.not.ok(isEqual({ a: 1 }, JSON.parse('{"__proto__": 1}')))
  assert.not.ok(isEqual([1], { 0: 1 }))
})

test('A pointer that is written is read as the same steps', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (steps) => assert.equal(parsePointer(toPointer(steps)), steps)),
  )
  for (const text of ['a', '/~', '/~2', '~0']) assert.is(parsePointer(text), null)
})

test.run()
