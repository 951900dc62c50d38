import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toPosition, toSource } from '../../../src/document/source.js'
import type { Problem } from '../../../src/model/problem.js'
import { documentOf } from '../edit/reading.js'
import { deindent, marked, menuOf, onlyProblem, parse, parseItems, toLines } from '../parsing.js'

const HEAD = 'version: 1\ncode: main\nname: Main\n'

/** A menu text with one mistake between « and »; answers what was found there. */
function findMistake(marking: string): {
  readonly problem: Problem
  readonly expected: Omit<Place, 'text'>
  readonly text: string
} {
  const text = marking.replace('«', '').replace('»', '')
  const before = marking.slice(0, marking.indexOf('«')).split(/\r?\n/)
  const length = marking.indexOf('»') - marking.indexOf('«') - 1
  const column = (before.at(-1)?.length ?? 0) + 1
  const expected = { line: before.length, column, endColumn: column + length }
  return { problem: onlyProblem(parse(Buffer.from(text))), expected, text }
}

interface Place {
  readonly line: number
  readonly column: number
  readonly endColumn: number
  readonly text: string
}

function assertFound(marking: string): void {
  const { problem, expected, text } = findMistake(marking)
  const { line, column, endColumn } = problem
  assert.equal({ line, column, endColumn }, expected, JSON.stringify(marking))
  const inside = marking.slice(marking.indexOf('«') + 1, marking.indexOf('»'))
  assert.is(marked(text.replace(/^\ufeff/, ''), problem), inside)
}

test('a mistake is marked exactly: keys where the key is wrong, values where the value is', () => {
  assertFound(`${HEAD}items:\n  - «lable»: Home\n    url: /\n`)
  assertFound(`${HEAD}items:\n  - label: Home\n    url: «javascript:x»\n`)
  assertFound(`${HEAD}items:\n  - label: Home\n    url: «"data: x"» # why\n`)
})

test('flow style: inside one line and over several', () => {
  assertFound(`${HEAD}items: [{label: Home, url: «//evil»}, {label: B, url: /}]\n`)
  assertFound(`${HEAD}items: [\n  {label: Home,\n   url: /, «ulr»: /a},\n]\n`)
  assertFound(`{version: 1, code: main, name: Main, items: [{label: A, url: /, id: «1a»}]}`)
})

test('a quote that is never closed is marked where it opens, among others that are', () => {
  assertFound(`${HEAD}items:\n  - label: "A"\n    url: «"»/a\n`)
  assertFound(`${HEAD}items:\n  - label: 'A'\n    url: «'»/a\n\nx-a: 'b'\nx-b: "c"\n`)
})

test('what does not exist is in the line of the nearest value around it', () => {
  const { lineOf } = documentOf(`${HEAD}items:\n  - label: A\n    url:\nx-a:\n  { b }\n`)
  const lines = ['/items/0/label/en', '/items/0/url/b', '/items/0/icon', '/items/7/label', '/x-a/b/c', '/x-b']
  assert.equal(lines.map(lineOf), [5, 6, 5, 5, 8, 1])
})

test('nested items: the place of the innermost one', () => {
  assertFound(
    `${HEAD}items:\n- label: A\n  url: /\n  children:\n  - label: B\n    url: /\n    children:\n    - {label: C, url: «example.org»}\n`,
  )
})

test('CRLF and a byte order mark move nothing', () => {
  assertFound(`${HEAD}items:\n  - label: Home\n    url: «javascript:x»\n`.replaceAll('\n', '\r\n'))
  const { problem } = findMistake(`\ufeff${HEAD}items:\n  - label: Home\n    url: «javascript:x»\n`)
  assert.equal([problem.line, problem.column, problem.endColumn], [6, 10, 22])
})

test('a problem that begins inside a line break is reported behind the last character of its line', () => {
  const source = toSource('menu.yaml', 'a\r\nb\r\n')
  assert.equal(toPosition(source, [2, 3]), { line: 1, column: 2, endColumn: 2 })
  assert.equal(toPosition(source, [5, 6]), { line: 2, column: 2, endColumn: 2 })
})

test('a tab counts as one column, and the caret is below the marked text', () => {
  assertFound(`${HEAD}items:\n  - label:\tHome\n    url:\t\t«javascript:x»\n`)
  const { problem } = findMistake(`${HEAD}items:\n  - label: Home\n    url:\t\t«javascript:x»\n`)
  const [, row = '', carets = ''] = problem.frame.split('\n')
  assert.is(row.indexOf('javascript'), carets.indexOf('^'))
})

test('letters of several bytes count one column, those beyond the basic plane two, as in editors', () => {
  assertFound(`${HEAD}items:\n  - {label: "Ünïcödé", url: «javascript:x»}\n`)
  assertFound(`${HEAD}items:\n  - {label: "日本", url: «javascript:x»}\n`)
  assertFound(`${HEAD}items:\n  - {label: "🍰", url: «javascript:x»}\n`)
})

test('a missing key is marked at the map that lacks it', () => {
  assertFound(`# comment\n\n«version: 1»\ncode: main\nitems: []\n`)
  assertFound(`${HEAD}items:\n  - «url: /»\n`)
  assertFound(`${HEAD}items:\n  - {label: A, url: /, children: [«{url: /}»]}\n`)
})

test('an empty value is marked behind its key', () => {
  const problem = onlyProblem(parse(`version: 1\ncode: main\nname:\nitems: []\n`))
  assert.equal([problem.line, problem.column], [3, 6])
})

test('a long text over several lines is marked to the end of its first line', () => {
  const problem = onlyProblem(parseItems('- label: A\n  url: >-\n    javascript:a\n    b'))
  assert.equal([problem.line, problem.column], [6, 10])
})

test('the frame shows the lines around and points at the mistake', () => {
  const problem = onlyProblem(parseItems('- lable: Home\n  url: /'))
  assert.is(
    problem.frame,
    deindent(`
      4 | items:
      5 |   - lable: Home
        |     ^^^^^
      6 |     url: /`),
  )
})

test('the frame of a long line shows the part around the mistake', () => {
  const problem = onlyProblem(parseItems(`- {label: ${'x'.repeat(800)}, url: javascript:x}`))
  const rows = problem.frame.split('\n')
  const caret = rows.find((row) => row.includes('^')) ?? ''
  assert.ok(rows.every((row) => row.length < 140))
  assert.is(rows[1]?.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1), 'javascript:x')
})

test('the caret is below the marked text in a terminal, behind and below wide or zero-width letters', () => {
  for (const [before, places] of [
    ['日本語', 6],
    ['한국어', 6],
    ['ｆｕｌｌ', 8],
    ['🍰🛋', 3],
    ['e\u0301a\u0308', 2],
    ['שלום', 4],
  ] as const) {
    const [row = '', caret = ''] = onlyProblem(parseItems(`- {label: ${before}, url: javascript:x}`))
      .frame.split('\n')
      .slice(1)
    const start = row.indexOf(before)
    assert.is(caret.indexOf('^') - start, places + ', url: '.length, before)
    assert.is(caret.match(/\^+/)?.[0].length, 'javascript:x'.length)
  }
  const wide = onlyProblem(parseItems('- {label: a, url: 日本語}'))
  assert.is(wide.frame.split('\n')[2]?.match(/\^+/)?.[0], '^'.repeat(6))
  assert.is(wide.endColumn - wide.column, 3)
})

test('a character that a frame would cut in two is a dot', () => {
  for (const before of ['x', 'xx']) {
    const { frame } = onlyProblem(parseItems(`- {label: "${before}${'🍰'.repeat(200)}", url: javascript:x}`))
    assert.not.match(frame, /\p{Cs}/u)
    const [row = '', caret = ''] = frame.split('\n').slice(1)
    const cells = [...row.slice(0, row.indexOf('javascript'))].map((each) => (each === '🍰' ? 2 : 1))
    assert.is(
      caret.indexOf('^'),
      cells.reduce((sum: number, each) => sum + each, 0),
    )
  }
})

test('a frame holds no character that could steer a terminal or turn the line around', () => {
  const problem = onlyProblem(parseItems('- {label: "a\u202eb\u200b", url: javascript:x}'))
  assert.not.match(problem.frame, /[\u202e\u200b]/)
  const raw = onlyProblem(parseItems('- {label: "\u001b[31m", url: /}'))
  assert.not.match(raw.frame, '\u001b')
})

test('each item knows the line that it begins in, for explanations', () => {
  const file = parse(`
    # comment
    version: 1
    code: main
    name: Main
    items:
      - label: A
        url: /
        children: [
          {label: B, url: /},
          {label: C, url: /}]

      -
        # about D
        label: D
        url: /
  `)
  const menu = menuOf(file)
  const [a, d] = menu.items
  const below = a !== undefined && 'children' in a ? a.children.map(({ line }) => line) : []
  assert.equal([menu.line, a?.line, below, d?.line], [3, 6, [9, 10], 14])
})

test('a key that appears twice is marked at its second place', () => {
  const file = parseItems('- label: A\n  url: /\n  label: B')
  assert.equal(toLines(file.problems), ['7:5 error duplicate-key'])
})

test.run()
