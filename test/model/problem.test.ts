import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { compareProblems, compareText, isError, toAdvice, toProblem } from '../../src/model/problem.js'
import { PROBLEM_KINDS } from '../../src/model/problem-codes.js'

test('Every problem explains in its own sentences why it matters and what to do', () => {
  for (const [code, { why, todo }] of Object.entries(PROBLEM_KINDS)) {
    assert.match(code, /^[a-z0-9]+(-[a-z0-9]+)*$/)
    for (const sentence of [why, todo]) assert.match(sentence, /^[A-Z].*[.?]$/s, code)
  }
})

test('A problem without a place concerns its file as a whole', () => {
  const { line, column, endColumn, pointer } = toProblem({ code: 'not-utf8', path: 'a.yaml', what: 'Bad.' })
  assert.equal({ line, column, endColumn, pointer }, { line: 1, column: 1, endColumn: 1, pointer: '' })
})

test('Only errors withhold a file', () => {
  assert.ok(isError(toProblem({ code: 'unknown-key', path: 'a.yaml', what: 'Bad.' })))
  assert.not.ok(isError(toProblem({ code: 'unknown-route', path: 'a.yaml', what: 'Odd.' })))
})

test('Advice suggests the word that was meant, unless the finding names it', () => {
  const missing = { code: 'missing-key', path: 'a.yaml', what: 'The file needs "code".' } as const
  assert.is(toAdvice(toProblem({ ...missing, suggestion: 'code' })), 'Add the key.')
  const unknown = toProblem({
    ...missing,
    code: 'unknown-key',
    what: '"cod" is no key.',
    suggestion: 'code',
    todo: 'Mend it.',
  })
  assert.is(toAdvice(unknown), 'Mend it. Did you mean "code"?')
})

test('A suggested word may be a part of the written one', () => {
  const longer = {
    code: 'unknown-key',
    path: 'a.yaml',
    what: '"labels" is not a key of an item.',
    todo: 'Mend it.',
  } as const
  assert.is(toAdvice(toProblem({ ...longer, suggestion: 'label' })), 'Mend it. Did you mean "label"?')
  const listed = { ...longer, what: '"esp" is not among the locales en, es.', suggestion: 'es' }
  assert.is(toAdvice(toProblem(listed)), 'Mend it. Did you mean "es"?')
})

test('Problems are read file by file, from top to bottom, and errors first in one place', () => {
  const at = (
    path: string,
    line: number,
    column: number,
    code: 'unknown-key' | 'unknown-route' = 'unknown-key',
  ) => toProblem({ code, path, line, column, what: 'Bad.' })
  const ordered = [
    at('B', 9, 9),
    at('a', 1, 2),
    at('a', 2, 1),
    at('a', 2, 1, 'unknown-route'),
    at('a', 10, 1),
  ]
  assert.equal([...ordered].reverse().sort(compareProblems), ordered)
})

test('Texts compare by their bytes in UTF-8', () => {
  const texts = ['', 'A', 'B', 'a', 'a/b', 'ab', 'b', 'é', '\ufb01', '\u{1f600}', '\u{1f601}']
  const byBytes = [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  assert.equal([...texts].reverse().sort(compareText), byBytes)
})

test.run()
