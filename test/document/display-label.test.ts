import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fixMenu } from '../../src/document/fix-problems.js'
import type { ParsedFile } from '../../src/document/parse.js'
import { documentOf } from './edit/reading.js'
import { deindent, menuOf, onlyProblem, parse, toLines, toOptions } from './parsing.js'

// `display.label`, what visitors call the menu, is judged as the labels of items are.

const LOCALES = ['en', 'es']

function labelled(label: string): string {
  return deindent(`
    version: 1
    code: main
    name: Main menu
    display: { label: ${label}, collapsible: true }
    items: []
  `)
}

function read(label: string): ParsedFile {
  return parse(labelled(label), { locales: LOCALES })
}

test('it is one text, or texts by canonical tag without null and blank ones', () => {
  assert.equal(menuOf(read('Shop')).display, { label: 'Shop', collapsible: true })
  assert.equal(read('Shop').problems, [])
  assert.equal(menuOf(read('{ en: Shop, es: Tienda }')).display['label'], { en: 'Shop', es: 'Tienda' })
  assert.equal(menuOf(read('{ EN: Shop, es: null }')).display['label'], { en: 'Shop' })
  assert.equal(menuOf(read('{ en: Shop, es: " " }')).display['label'], { en: 'Shop' })
  const { display } = menuOf(read('{ en: Shop, es: Tienda }'))
  assert.ok(Object.isFrozen(display) && Object.isFrozen(display['label']))
})

test('an empty one is an error with the advice to delete the key', () => {
  for (const label of ['', 'null', '""', '" "', '{}', '{ en: "" }']) {
    const problem = onlyProblem(read(label))
    assert.equal([problem.code, problem.pointer], ['empty-label', '/display/label'], label)
    assert.match(problem.todo, 'delete the key')
  }
})

test('a value that is not a text, is too long or for an unknown language is an error with its place', () => {
  assert.is(read('5').problems[0]?.code, 'wrong-type')
  assert.is(read('[a]').problems[0]?.code, 'wrong-type')
  assert.is(onlyProblem(read('x'.repeat(1001))).code, 'bad-value')
  assert.equal(
    read('{ en: a, EN: b, es: c, "e!": d }').problems.map(({ code, pointer }) => `${code} ${pointer}`),
    ['duplicate-key /display/label/EN', 'bad-value /display/label/e!'],
  )
})

test('a missing translation, an unknown locale and an odd form are warnings', () => {
  assert.equal(toLines(read('{ en: Shop }').problems), ['4:12 warning missing-translation'])
  assert.equal(toLines(read('{ en: a, es: b, fr: c }').problems), ['4:35 warning unknown-locale'])
  assert.equal(toLines(read('{ en: a, ES: b }').problems), ['4:28 warning locale-form'])
})

test('the odd form of a locale is fixed as in the label of an item', () => {
  const options = toOptions({ locales: LOCALES })
  const { after, fixed, left } = fixMenu(documentOf(labelled('{ en: a, ES: b }')), options)
  assert.is(after, labelled('{ en: a, es: b }'))
  assert.equal([fixed.length, left.length], [1, 0])
})

test.run()
