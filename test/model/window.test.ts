import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { validateMenu } from '../../src/document/read/validators.js'
import type { MenuItem } from '../../src/model/menu.js'
import { type JudgedItem, judgeItems } from '../../src/model/visibility.js'
import { boundariesOf, describeWindow, isOpen, parseTime } from '../../src/model/window.js'
import { link } from '../support/items.js'
import { itemLists, RUNS } from './arbitraries.js'
import { type Left, prune } from './oracle.js'
import { isWithin, timed, times, toRfc } from './windows.js'

const REAL = ['2026-12-01T00:00:00+01:00', '2026-12-01T00:00:00Z', '2024-02-29T23:59:59.999-11:30']
const UNREAL = [
  ...[
    '2026-12-01',
    '2026-12-01T00:00:00',
    '2026-12-01 00:00:00Z',
    '2026-12-01T00:00Z',
    '2026-12-01T00:00:00+01',
  ],
  ...[
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-12-01T24:00:00Z',
    '2026-12-01T00:00:60Z',
    'now',
    '',
  ],
  ...[
    '2026-12-01T00:00:00+24:00',
    '2026-12-01T00:00:00+01:60',
    '2026-12-01t00:00:00z',
    ' 2026-12-01T00:00:00Z',
  ],
]

test('A time has a date, a time with seconds and an offset, and is a real one', () => {
  for (const text of REAL) assert.is(parseTime(text), Date.parse(text), text)
  for (const text of UNREAL) assert.is(parseTime(text), null, text)
  assert.is(parseTime('2026-12-01T00:00:00+01:00'), parseTime('2026-11-30T23:00:00Z'))
})

test('A time that is read has the form of the schema', () => {
  const isInForm = (visibleFrom: string): boolean =>
    validateMenu({ version: 1, code: 'a', name: 'a', items: [], visibleFrom })
  for (const text of REAL) assert.ok(isInForm(text), text)
  for (const text of UNREAL) assert.ok(parseTime(text) === null || isInForm(text), text)
  fc.assert(
    fc.property(
      fc.date({ noInvalidDate: true, min: new Date(0) }),
      fc.integer({ min: -1439, max: 1439 }),
      (date, offset) => {
        fc.pre(date.getUTCFullYear() < 9999)
        const text = toRfc(date.getTime(), offset)
        assert.ok(isInForm(text), text)
        assert.is(parseTime(text), Math.floor(date.getTime() / 1000) * 1000)
      },
    ),
    RUNS,
  )
})

test('A window begins with its first moment and ends before its last; without a time, it does not matter', () => {
  const window = { visibleFrom: '2026-12-01T00:00:00Z', visibleUntil: '2026-12-02T00:00:00Z' }
  const [from, until] = [Date.UTC(2026, 11, 1), Date.UTC(2026, 11, 2)]
  assert.equal(
    [from - 1, from, until - 1, until, null].map((now) => isOpen(window, now)),
    [false, true, true, false, true],
  )
  assert.ok(isOpen({ visibleFrom: null, visibleUntil: null }, 0))
})

test('The boundaries of a menu are those of all its items, in order and each once', () => {
  const [first, second] = ['2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z']
  const inner = link('b', { visibleUntil: '2026-12-02T01:00:00+01:00', visibleFrom: first })
  const children = [link('a', { visibleFrom: second, children: [inner] })]
  assert.equal(boundariesOf({ visibleFrom: null, visibleUntil: null, children }), [
    Date.parse(first),
    Date.parse(second),
  ])
})

test('A window in words names the limits that it has', () => {
  const [visibleFrom, visibleUntil] = ['2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z']
  assert.is(describeWindow({ visibleFrom, visibleUntil }), `from ${visibleFrom} until ${visibleUntil}`)
  assert.is(describeWindow({ visibleFrom: null, visibleUntil }), `until ${visibleUntil}`)
  assert.is(describeWindow({ visibleFrom: null, visibleUntil: null }), '')
})

test('For any menu and time, an item is left where it and all above it are in their windows, as if others were hidden', () => {
  const plain = (judged: readonly JudgedItem[]): Left[] =>
    judged
      .filter(({ fate }) => fate === 'shown')
      .map(({ item, children }) => ({ item, children: plain(children) }))
  const maySee = ({ permissions }: MenuItem): boolean => !permissions.includes('no')
  const law = fc.property(timed(itemLists), times, (items, now) => {
    const expected = prune(items, (item) => maySee(item) && isWithin(item, now))
    assert.equal(plain(judgeItems(items, maySee, now)), expected)
  })
  fc.assert(law, RUNS)
})

test.run()
