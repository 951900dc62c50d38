import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { onlyItem, onlyProblem, parseItems } from './parsing.js'

test('the listed attributes, data-* and aria-* are kept unchanged, numbers as text', () => {
  const attributes = onlyItem(
    parseItems(`
      - label: A
        url: /
        attributes:
          class: a b:c-[d]
          target: _self
          rel: nofollow external
          title: "A & <b>"
          hreflang: pt-BR
          lang: ar
          dir: rtl
          download: true
          referrerpolicy: no-referrer
          data-test-id: 5
          data-a.b_c: x
          aria-label: Go
          aria-hidden: true
    `),
  ).attributes
  assert.equal(attributes, {
    class: 'a b:c-[d]',
    target: '_self',
    rel: 'nofollow external',
    title: 'A & <b>',
    hreflang: 'pt-BR',
    lang: 'ar',
    dir: 'rtl',
    download: true,
    referrerpolicy: 'no-referrer',
    'data-test-id': '5',
    'data-a.b_c': 'x',
    'aria-label': 'Go',
    'aria-hidden': true,
  })
})

test('other attributes are refused in any spelling', () => {
  const names = 'onclick style href src id srcdoc formaction Class ONCLICK data- data-A'.split(' ')
  for (const name of [
    ...names,
    '"data-a b"',
    '"data-a>"',
    '"aria-a=\\"b"',
    '" class"',
    'xlink:href',
    'ping',
  ]) {
    const file = parseItems(`- {label: A, url: /, attributes: {${name}: a}}`)
    assert.is(onlyProblem(file).code, 'unknown-key', name)
  }
})

test('values of attributes keep to their form', () => {
  const bad = {
    class: ['" a"', '"a  b"', '"a\\"b"', "a'b", 'a<b', '5'],
    target: ['"a b"', '_other', '""'],
    rel: ['NoOpener', '"a  b"', '"a\\tb"'],
    hreflang: ['english_', '"en us"'],
    dir: ['up'],
    referrerpolicy: ['none'],
    'data-a': ['[a]', '.nan', '9007199254740993', ''],
  }
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      const file = parseItems(`- {label: A, url: /, attributes: {${name}: ${value}}}`)
      assert.is(onlyProblem(file).pointer, `/items/0/attributes/${name}`, `${name}: ${value}`)
      assert.is(file.menu, null)
    }
  }
})

test('C18: aria-current is refused, since the page that is shown decides it', () => {
  for (const value of ['page', 'true', 'false', '""', 'step']) {
    const file = parseItems(`- {label: A, url: /, attributes: {aria-current: ${value}}}`)
    const problem = onlyProblem(file)
    assert.equal([problem.code, problem.pointer], ['unknown-key', '/items/0/attributes/aria-current'])
    assert.match(problem.todo, 'Delete the key')
    assert.is(file.menu, null)
  }
  for (const name of ['aria-currency', 'data-aria-current', 'aria-current-time'])
    assert.equal(parseItems(`- {label: A, url: /, attributes: {${name}: a}}`).problems, [])
})

test('a target of _blank gets rel="noopener" unless rel is set', () => {
  const of = (attributes: string) =>
    onlyItem(parseItems(`- {label: A, url: /, attributes: ${attributes}}`)).attributes
  assert.equal(of('{target: _blank}'), { target: '_blank', rel: 'noopener' })
  assert.equal(of('{target: _blank, rel: opener}'), { target: '_blank', rel: 'opener' })
  assert.equal(of('{target: _blank, rel: ""}'), { target: '_blank', rel: '' })
  assert.equal(of('{target: _top}'), { target: '_top' })
  assert.is(of('{}'), null)
})

test.run()
