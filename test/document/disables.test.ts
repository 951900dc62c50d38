import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { timeOf } from '../support/times.js'
import { parse, routesOf, toLines } from './parsing.js'

const ROUTED = { routes: routesOf({ home: '/' }), locales: ['en', 'es'] }

/** The problems of a menu whose items are these lines, which begin in line 5. */
function told(lines: string, deviation: Parameters<typeof parse>[1] = ROUTED): readonly string[] {
  const file = parse(`version: 1\ncode: a\nname: A\nitems:\n${lines}`, deviation)
  return toLines(file.problems)
}

test('a comment hides the problem of the next line with its code, and no other', () => {
  const item = '  - { label: { en: Home }, routeName: hmoe }\n'
  assert.equal(told(item), ['5:7 warning missing-translation', '5:39 warning unknown-route'])
  const comment = (rest: string) => told(`  # menuscript-disable-next-line ${rest}\n${item}`)
  assert.equal(comment('unknown-route'), ['6:7 warning missing-translation'])
  assert.equal(comment('missing-translation'), ['6:39 warning unknown-route'])
  assert.equal(comment('unknown-route, missing-translation -- until the shop opens'), [])
})

test('the next line is the next one with content, so that comments may follow each other', () => {
  const lines = [
    '  # menuscript-disable-next-line unknown-route -- it comes with release 4',
    '',
    '  # Where visitors begin.',
    '  # menuscript-disable-next-line missing-translation',
    '  - { label: { en: Home }, routeName: hmoe }',
  ]
  assert.equal(told(lines.join('\n')), [])
  assert.equal(told(lines.join('\r\n')), [])
})

test('only that very line is meant: problems further down in the item are reported', () => {
  const lines = [
    '  # menuscript-disable-next-line unknown-route',
    '  - label: Home',
    '    routeName: hmoe',
  ].join('\n')
  assert.equal(told(lines), ['5:34 warning unused-disable', '7:16 warning unknown-route'])
  const inside = [
    '  - label: Home',
    '    # menuscript-disable-next-line unknown-route',
    '    routeName: hmoe',
  ]
  assert.equal(told(inside.join('\n')), [])
})

test('an error withholds the file, with any comment', () => {
  const lines = '  # menuscript-disable-next-line unsafe-url\n  - { label: A, url: "javascript:a" }\n'
  assert.equal(told(lines), ['5:34 warning unused-disable', '6:22 error unsafe-url'])
})

test('a text that resembles the comment is a text', () => {
  const texts = [
    '  - { label: "# menuscript-disable-next-line nothing", url: / }',
    '  - url: /\n    label: |\n      # menuscript-disable-next-line nothing\n',
    '  - url: /\n    label: >-\n\n      a\n      # menuscript-disable-next-line nothing\n',
    "  - url: /\n    label: 'a\n      # menuscript-disable-next-line nothing'\n",
  ]
  for (const text of texts) assert.equal(told(text, {}), [], text)
})

test('a comment for a rule that is not judged here is no problem', () => {
  const lines = '  # menuscript-disable-next-line unknown-route\n  - { label: A, url: / }\n'
  assert.equal(told(lines, {}), [], 'no routes are configured')
  assert.equal(told(lines, { ...ROUTED, off: new Set(['unknown-route'] as const) }), [])
  assert.equal(told(lines, { ...ROUTED, off: new Set(['unused-disable'] as const) }), [])
  assert.equal(told(lines), ['5:34 warning unused-disable'])
})

test('misspelt comments are reported, other comments that name menuscript are not', () => {
  const item = '  - { label: A, url: / }\n'
  for (const word of ['menuscript-disable', 'menuscript-disable-line', 'Menuscript-Disable-Next-Line']) {
    assert.equal(told(`  # ${word} unknown-route\n${item}`), ['5:5 warning unused-disable'], word)
  }
  for (const text of ['menuscript serves this', 'menuscript: see the README', 'a menuscript-disable-line']) {
    assert.equal(told(`  # ${text}\n${item}`), [], text)
  }
})

test('thousands of comments are read in no time, and those beyond the listed ones are counted', () => {
  const comments = '# menuscript-disable-next-line unknown-route, unknwon-route\n'.repeat(10_000)
  const read = () => parse(`${comments}version: 1\ncode: a\nname: A\nitems: []\n`, ROUTED)
  const took = timeOf(read)
  assert.ok(took < 2_000, `${took} ms`)
  const file = read()
  assert.is(file.problems.length, 50)
  assert.is(file.omitted, 19_950)
})

test.run()
