import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { MAX_PROBLEMS } from '../../src/document/parse.js'
import { menuOf, onlyItem, onlyProblem, parse, parseItems, toLines } from './parsing.js'

const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype']

test('version, code, name and items are required, and all missing ones are reported at once', () => {
  const file = parse('x-note: nothing else\n')
  assert.is(file.menu, null)
  assert.equal(
    file.problems.map(({ code, suggestion }) => `${code} ${suggestion}`),
    ['missing-key version', 'missing-key code', 'missing-key name', 'missing-key items'],
  )
})

test('items may be empty, but not nothing', () => {
  assert.equal(menuOf(parse('version: 1\ncode: main\nname: Main\nitems: []\n')).items, [])
  assert.equal(toLines(parse('version: 1\ncode: main\nname: Main\nitems:\n').problems), [
    '4:7 error wrong-type',
  ])
})

test('only format version 1 is read, and only as a number', () => {
  for (const version of ['2', '0', '"1"', '1.5', 'true', '[1]', '']) {
    const file = parse(`version: ${version}\ncode: main\nname: Main\nitems: []\n`)
    assert.is(onlyProblem(file).code, 'bad-version', version)
  }
})

test('a code is 1 to 64 letters, digits, dots, underscores and hyphens, with no dot first; its case counts', () => {
  const of = (code: string) => parse(`version: 1\ncode: ${code}\nname: Main\nitems: []\n`)
  for (const code of ['main', 'Main', '"-"', '_x.y-z', '"0"', 'a'.repeat(64)]) {
    assert.is(menuOf(of(code)).code, code.replaceAll('"', ''))
  }
  for (const code of ['.main', 'a/b', '"a b"', 'ä', '""', 'a'.repeat(65), '"a\\n"']) {
    assert.is(of(code).menu, null)
    assert.ok(
      of(code).problems.every((problem) => problem.code === 'bad-value'),
      code,
    )
  }
  assert.is(onlyProblem(of('0')).code, 'wrong-type')
})

test('a name is a text that is not blank', () => {
  for (const name of ['""', '" "', '[]', '5', '']) {
    assert.is(parse(`version: 1\ncode: main\nname: ${name}\nitems: []\n`).menu, null, name)
  }
})

test('keys that start with x- are free on the menu, on items and in display', () => {
  const file = parse(`
    version: 1
    code: main
    name: Main
    x-owner: {team: web, since: 2024}
    display: {x-theme: [dark, {a: null}]}
    items:
      - {label: Home, url: /, x-note: anything}
      - {type: divider, x-: 1}
  `)
  assert.equal(file.problems, [])
  assert.equal(menuOf(file).display, { 'x-theme': ['dark', { a: null }] })
})

test('x- keys are not free in attributes and classes, which allow only the listed names', () => {
  const file = parse(`
    version: 1
    code: main
    name: Main
    display: {classes: {x-a: b}}
    items: [{label: Home, url: /, attributes: {x-a: b}}]
  `)
  assert.equal(toLines(file.problems), ['4:21 error unknown-key', '5:44 error unknown-key'])
  for (const { todo } of file.problems) assert.not.match(todo, 'x-')
})

test('an unknown key is an error that names the key that was probably meant', () => {
  const meant = {
    lable: 'label',
    Url: 'url',
    routename: 'routeName',
    child: 'children',
    permision: 'permissions',
  }
  for (const [key, suggestion] of Object.entries(meant)) {
    const { problems } = parseItems(`- {label: Home, url: /, type: link, ${key}: 1}`)
    const problem = problems.find(({ code }) => code === 'unknown-key')
    assert.is(problem?.suggestion, suggestion)
    assert.is(problem?.pointer, `/items/0/${key}`)
  }
})

test('an unknown key that resembles none is reported with the existing keys', () => {
  const problem = onlyProblem(parseItems('- {label: Home, url: /, zzzzzzzzzz: 1}'))
  assert.is(problem.suggestion, null)
  assert.match(problem.todo, 'permissionMode')
  assert.match(problem.todo, 'x-')
})

test('a misspelt key is reported once, not again as the lack of the right one', () => {
  assert.is(onlyProblem(parseItems('- {lable: Home, url: /}')).code, 'unknown-key')
  assert.is(onlyProblem(parseItems('- {label: Home, ulr: /}')).code, 'unknown-key')
})

test('all problems of a file are reported at once, in the order of the file', () => {
  const file = parse(`
    version: 2
    code: a b
    nmae: Main
    context: {partner: [1]}
    items:
      - label: Home
      - label: News
        url: javascript:alert(1)
        id: 1st
        children:
          - type: divider
            children: []
          - labell: Deep
            url: /
    code: again
  `)
  assert.equal(toLines(file.problems), [
    '1:10 error bad-version',
    '2:7 error bad-value',
    '3:1 error unknown-key',
    '4:20 error wrong-type',
    '6:5 error link-without-destination',
    '8:10 error unsafe-url',
    '9:9 error bad-value',
    '12:9 error divider-children',
    '13:9 error unknown-key',
    '15:1 error duplicate-key',
  ])
  assert.is(file.omitted, 0)
})

test('with more problems than can be listed the errors are kept and the rest is counted', () => {
  const warnings = '- {label: {en: a, sv: b}, url: /}\n'.repeat(60)
  const errors = '- {label: Home}\n'.repeat(20)
  for (const text of [warnings + errors, errors + warnings, warnings + errors + warnings]) {
    const { problems } = parseItems(text)
    assert.is(problems.filter(({ severity }) => severity === 'error').length, 20)
  }
  const file = parseItems(warnings + errors)
  assert.is(file.problems.length, MAX_PROBLEMS)
  assert.is(file.omitted, 30)
  const lines = file.problems.map(({ line }) => line)
  assert.equal(
    lines,
    [...lines].sort((a, b) => a - b),
  )
})

test('a file that has only warnings, however many, is served', () => {
  const file = parseItems('- {label: {en: a, sv: b}, url: /}\n'.repeat(60))
  assert.is(menuOf(file).items.length, 60)
  assert.equal([file.problems.length, file.omitted], [50, 10])
})

test('C7: names of the prototype are unknown keys like any other', () => {
  for (const name of PROTOTYPE_NAMES) {
    const file = parse(`
      version: 1
      code: main
      name: Main
      ${name}: {a: 1}
      display: {${name}: 1, classes: {${name}: a}}
      items: [{label: Home, url: /, ${name}: {a: 1}, attributes: {${name}: b}}]
    `)
    assert.is(file.problems.length, 5)
    assert.ok(
      file.problems.every(({ code }) => code === 'unknown-key'),
      name,
    )
  }
})

test('C7: names of the prototype are plain data as codes, context keys, parameters and texts', () => {
  for (const name of PROTOTYPE_NAMES) {
    const file = parse(`
      version: 1
      code: ${name}
      name: ${name}
      context: {${name}: 1}
      items: [{label: ${name}, routeName: ${name}, routeParams: {${name}: x}, permissions: [${name}]}]
    `)
    assert.equal(file.problems, [])
    const menu = menuOf(file)
    assert.equal([menu.code, menu.name, Object.keys(menu.context)], [name, name, [name]])
    const item = onlyItem(file)
    assert.equal(JSON.stringify(item['routeParams']), `{"${name}":"x"}`)
    assert.equal(item.permissions, [name])
  }
})

test('C7: names of the prototype are not locales, and Object.prototype is unchanged', () => {
  const before = Reflect.ownKeys(Object.prototype)
  for (const name of PROTOTYPE_NAMES) {
    const file = parseItems(`- {label: {en: Home, ${name}: x}, url: /, x-a: {__proto__: {polluted: true}}}`)
    assert.equal(file.problems.length, 1, name)
    if (file.menu !== null) assert.is(onlyItem(file)['polluted'], undefined)
  }
  assert.equal(Reflect.ownKeys(Object.prototype), before)
  assert.is(Reflect.get({}, 'polluted'), undefined)
})

test('the menu that is read is deeply frozen', () => {
  const file = parse(`
    version: 1
    code: main
    name: Main
    context: {a: 1}
    display: {classes: {menu: m}}
    items: [{label: {en: a}, routeName: r, routeParams: {a: [1]}, permissions: [p], attributes: {class: c}}]
  `)
  const open: unknown[] = []
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (!Object.isFrozen(value)) open.push(value)
    Object.values(value).forEach(look)
  }
  look(file)
  assert.equal(open, [])
})

const MENU = 'version: 1\ncode: main\nname: Main\nitems:\n'
const NO_ENTRY = 'Write what is meant, or delete the entry.'
const DASHES = 'Write a dash before each item, or [ ] around an item in braces.'

/** Values of another type than the key needs, with the advice; {} in place of an entry would not be an item. */
const ADVICE: readonly (readonly [text: string, todo: string])[] = [
  [MENU, 'Write [] for none.'],
  [MENU.replace('items:\n', 'items: {}\n'), 'Write [] for none.'],
  [`${MENU}  -\n`, NO_ENTRY],
  [`${MENU}  - { label: A, url: /, permissions: [null] }\n`, NO_ENTRY],
  [`${MENU}  label: A\n  url: /\n`, DASHES],
  [`${MENU}  - { label: A, url: /, permissions: a.b }\n`, 'Write a list: ["a.b"].'],
  [`${MENU}  - { label: A, url: /, permissions: " a.b" }\n`, 'Write a list: ["a.b"].'],
]

for (const [text, advice] of ADVICE) {
  test(`the error for ${JSON.stringify(text.slice(33))} advises: ${advice}`, () => {
    const { code, todo } = onlyProblem(parse(text))
    assert.equal([code, todo], ['wrong-type', advice])
  })
}

test('what the advice for a list says is valid', () => {
  const flow = MENU.replace('items:\n', 'items: [{ label: A, url: / }]\n')
  const listed = `${MENU}  - { label: A, url: /, permissions: ["a.b"] }\n`
  for (const text of [flow, listed]) assert.equal(parse(text).problems, [])
})

test('a reported value is never cut within a character', () => {
  const text = 'version: 1\ncode: main\nname: Main\nitems:\n  - { label: A, url: /, icon: "'
  for (const before of ['', 'a']) {
    const { what } = onlyProblem(parse(`${text}${before}${'🍰'.repeat(50)}" }\n`))
    assert.match(what, '…')
    assert.not.match(what, /\p{Cs}/u)
  }
})

test('the error for a version in quotes asks to remove them', () => {
  const problem = onlyProblem(parse('version: "1"\ncode: main\nname: Main\nitems: []\n'))
  assert.equal([problem.code, problem.todo], ['bad-version', 'Remove the quotes: version: 1.'])
  const other = onlyProblem(parse('version: "2"\ncode: main\nname: Main\nitems: []\n'))
  assert.not.match(other.todo, 'quotes')
})

test('a value of a wrong type is called by its type', () => {
  const told = (name: string) =>
    onlyProblem(parse(`version: 1\ncode: main\nname: ${name}\nitems: []\n`)).what.split(', and is ')[1]
  assert.is(told('[]'), 'a list.')
  assert.is(told('{}'), 'a map.')
  assert.is(told(''), 'empty.')
  assert.is(told('true'), 'true.')
})

test('a limit of the format is reported in plain words', () => {
  const name = 'x'.repeat(201)
  const { code, what } = onlyProblem(parse(`version: 1\ncode: main\nname: ${name}\nitems: []\n`))
  assert.is(code, 'bad-value')
  assert.match(what, /has more than 200 characters\.$/)
})

test.run()
