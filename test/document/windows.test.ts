import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuOf, onlyProblem, parse, parseItems } from './parsing.js'

const HEAD = 'version: 1\ncode: a\nname: A\n'
const inItem = (keys: string) => onlyProblem(parseItems(`- label: A\n  url: /\n  ${keys}`))

test('The window of a menu and of an item is read as written', () => {
  const [visibleFrom, visibleUntil] = ['2026-12-01T00:00:00+01:00', '2027-01-01T00:00:00Z']
  const keys = `visibleFrom: ${visibleFrom}\n`
  const menu = menuOf(parse(`${HEAD}${keys}items:\n- type: divider\n  visibleUntil: "${visibleUntil}"\n`))
  assert.equal([menu.visibleFrom, menu.visibleUntil], [visibleFrom, null])
  assert.equal([menu.items[0]?.visibleFrom, menu.items[0]?.visibleUntil], [null, visibleUntil])
  assert.equal(menu.boundaries, [Date.parse(visibleFrom), Date.parse(visibleUntil)])
})

/** What is written, what is wrong with it, and how it is fixed. */
const WRONG: readonly (readonly [text: string, what: RegExp, todo: RegExp])[] = [
  ['2026-12-01', /is a day, not a time/, /2026-12-01T00:00:00\+01:00/],
  ['2026-12-01T08:30', /no offset/, /2026-12-01T08:30:00Z or 2026-12-01T08:30:00\+01:00/],
  ['2026-12-01 08:30:15', /no offset/, /2026-12-01T08:30:15Z/],
  ['2026-02-30T00:00:00Z', /not a time of any day/, /a day that the month has/],
  ['2026-12-01T24:00:00Z', /not a time of any day/, /23:59:59/],
  ['tomorrow', /not a date and time with an offset/, /like 2026-12-01T00:00:00\+01:00/],
]

for (const [text, what, todo] of WRONG) {
  test(`${text} is an error at its place that says how to write it`, () => {
    const problem = inItem(`visibleUntil: ${text}`)
    assert.equal(
      [problem.code, problem.severity, problem.line, problem.column],
      ['bad-value', 'error', 7, 19],
    )
    assert.match(problem.what, what)
    assert.match(problem.todo, todo)
  })
}

test('A value that is not a string is of the wrong type', () => {
  assert.is(inItem('visibleFrom: 2026').code, 'wrong-type')
  assert.is(inItem('visibleFrom: null').code, 'wrong-type')
})

test('A window that ends before it begins, or at once, is an error', () => {
  for (const until of ['2026-12-01T00:00:00Z', '2026-12-01T00:30:00+01:00']) {
    const problem = inItem(`visibleFrom: 2026-12-01T00:00:00Z\n  visibleUntil: ${until}`)
    assert.equal([problem.code, problem.severity, problem.line], ['window-empty', 'error', 8])
  }
  const later = 'visibleFrom: 2026-12-01T00:00:00+01:00\n  visibleUntil: 2026-12-01T00:00:00Z'
  assert.equal(parseItems(`- label: A\n  url: /\n  ${later}`).problems, [])
})

test('A window that is over is a warning from the moment of its end on', () => {
  const end = Date.UTC(2026, 11, 1)
  const text = `${HEAD}visibleUntil: 2026-12-01T00:00:00Z\nitems: []\n`
  const codesAt = (now: number | null) => {
    const { problems, menu } = parse(text, { now })
    assert.ok(menu !== null)
    return problems.map(({ code, line }) => `${code} ${line}`)
  }
  assert.equal([end - 1, end, null].map(codesAt), [[], ['window-past 4'], []])
})

test.run()
