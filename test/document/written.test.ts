import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuOf, onlyItem, onlyProblem, parse, parseItems } from './parsing.js'

/** The problems of one link with these lines: code, place and what is said. */
function told(lines: string): string[] {
  const { problems } = parseItems(`- label: Home\n${lines.replace(/^/gm, '  ')}`)
  return problems.map(({ code, line, column }) => `${code} ${line}:${column}`)
}

function withContext(context: string) {
  return parse(`version: 1\ncode: main\nname: Main\ncontext: ${context}\nitems: []\n`)
}

test('A number that is read in another form than written is reported with both', () => {
  for (const [written, read] of [
    ['007', '7'],
    ['1.10', '1.1'],
    ['0x1F', '31'],
    ['0o17', '15'],
    ['1e3', '1000'],
    ['+5', '5'],
    ['.5', '0.5'],
    ['-0', '0'],
    ['0.0000001', '1e-7'],
    ['0.12345678901234567890', '0.12345678901234568'],
  ] as const) {
    const file = parseItems(`- label: Home\n  routeName: home\n  routeParams: { id: ${written} }`)
    const { code, severity, what, todo } = onlyProblem(file)
    assert.equal([code, severity], ['number-form', 'warning'], written)
    assert.match(what, `"${written}" is read as the number ${read}.`)
    assert.match(todo, `"${written}"; else write ${read}.`)
    assert.equal(onlyItem(file)['routeParams'], { id: Number(read) })
  }
})

test('The advice for a number is followed to no problem, as a text and as a number', () => {
  for (const id of ['"007"', '7', '"1.10"', '1.1', '-5', '0', '1.5', '-0.25', '9007199254740991'])
    assert.equal(told(`routeName: home\nrouteParams: { id: ${id} }`), [])
})

test('Numbers are judged in lists of parameters and in attributes, and not in keys without a reader', () => {
  assert.equal(told('routeName: home\nrouteParams:\n  id: [1, 02]\n  x-id: 03'), [
    'number-form 8:15',
    'number-form 9:13',
  ])
  assert.equal(told('url: /\nattributes: { data-id: 007, aria-level: 2.0 }'), [
    'number-form 7:28',
    'number-form 7:45',
  ])
  assert.equal(told('url: /\nx-weight: 007\nx-more: { routeParams: { id: 007 } }'), [])
  assert.equal(parse('version: 1.0\ncode: main\nname: Main\nitems: []').problems, [])
})

test('A number of a context is judged where JSON does not write it so: all others are equal to what requests send', () => {
  for (const same of ['1.0', '1e3', '1.10', '-0', '0.12345678901234567890'])
    assert.equal(withContext(`{ id: ${same} }`).problems, [], same)
  for (const other of ['007', '0x1F', '+5', '.5', '5.', '0o7'])
    assert.is(onlyProblem(withContext(`{ id: ${other} }`)).code, 'number-form', other)
  assert.equal(menuOf(withContext('{ id: 007 }')).context, { id: 7 })
})

test('A text cut off by a comment without a blank is reported, at the remaining value', () => {
  assert.equal(told('url: /best #1'), ['comment-in-text 6:10'])
  assert.equal(told('url: /best\t#1'), ['comment-in-text 6:10'])
  assert.equal(told('url: /best\nicon: #home'), ['comment-in-text 7:11'])
  assert.equal(told('url: /\npermissions:\n  - a #b\n  - c'), ['comment-in-text 8:9'])
  const file = parse('version: 1\ncode: main\nname: Issue #42 # ours\nitems: []\n')
  assert.is(menuOf(file).name, 'Issue')
  assert.match(onlyProblem(file).what, '"#42 # ours" is a comment')
})

test('Where nothing is left of a text, the comment is reported next to the missing value', () => {
  const { problems, menu } = parseItems('- label: Top\n  url: #top')
  assert.is(menu, null)
  assert.equal(
    problems.map(({ code, line, column }) => `${code} ${line}:${column}`),
    ['wrong-type 6:10', 'comment-in-text 6:10'],
  )
})

test('A lookalike of a comment is not cut from a text, nor is one behind quotes, a number or true', () => {
  assert.equal(told('url: /best # the best'), [])
  assert.equal(told('url: "/best" #1\nhidden: true #yes'), [])
  assert.equal(told('url: /best ##\nx-note: a #b'), [])
  assert.equal(told('url: /best\n#commented: out\n'), [])
  assert.equal(told('url: /best#1'), [])
  assert.equal(told('url: /best\ntype: link #ours\npermissionMode: any #ours'), [])
})

test('A comment hides either problem', () => {
  const hide = (code: string): string => `# menuscript-disable-next-line ${code}`
  assert.equal(told(`${hide('comment-in-text')}\nurl: /best #1`), [])
  assert.equal(told(`routeName: home\nrouteParams:\n  ${hide('number-form')}\n  id: 007`), [])
})

test('Parameters of an item without a route are reported, and those of one with a route are not', () => {
  assert.equal(told('url: /a\nrouteParams: { b: 1 }'), ['unused-params 7:5'])
  assert.equal(told('type: section\nrouteParams: { b: 1 }'), ['unused-params 7:5'])
  assert.equal(told('routeName: a\nrouteParams: { b: 1 }'), [])
  assert.equal(told('url: /a\nrouteParams: {}'), [])
  assert.equal(told('routeParams: { b: 1 }'), ['link-without-destination 5:5'])
})

test.run()
