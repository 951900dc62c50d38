import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { validateMenu } from '../../src/document/read/validators.js'
import { sized } from '../support/figures.js'
import { SAFE_URLS, UNSAFE_URLS } from '../support/urls.js'
import { onlyItem, onlyProblem, parseItems } from './parsing.js'

test('C8: safe URLs load as written', () => {
  for (const url of SAFE_URLS) {
    const file = parseItems(`- {label: A, url: ${JSON.stringify(url)}}`)
    assert.equal(file.problems, [], url)
    assert.is(onlyItem(file)['url'], url)
  }
})

test('C8: URLs that could run code or leave the site are refused, however they are spelt', () => {
  for (const url of UNSAFE_URLS) {
    const file = parseItems(`- {label: A, url: ${JSON.stringify(url)}}`)
    assert.is(onlyProblem(file).code, 'unsafe-url', url)
    assert.is(file.menu, null)
  }
})

test('C8: a URL that lacks its scheme or its slash is refused with a suggestion', () => {
  const meant = {
    'example.org': 'https://example.org',
    'www.example.org/a?b': 'https://www.example.org/a?b',
    'example.org:8080/x': 'https://example.org:8080/x',
    about: '/about',
    'products/trees': '/products/trees',
  }
  for (const [url, suggestion] of Object.entries(meant)) {
    const problem = onlyProblem(parseItems(`- {label: A, url: "${url}"}`))
    assert.equal([problem.code, problem.suggestion], ['url-without-scheme', suggestion])
  }
})

test('C8: a refused URL is reported with a suggestion, where that would be accepted', () => {
  const meant: Readonly<Record<string, string | null>> = {
    'https//example.org': 'https://example.org',
    '://example.org': 'https://example.org',
    '//example.org/a': 'https://example.org/a',
    'http:/example.org': 'http://example.org',
    'https:example.org': null,
    'https:// example.org': null,
    'https://example.org/a b': 'https://example.org/a%20b',
    'localhost:3000/x': 'http://localhost:3000/x',
    '/a b': '/a%20b',
    ' /a ': '/a',
    'tel:+34 600 000 000': 'tel:+34600000000',
    '+34600000000': 'tel:+34600000000',
    '+34 (600) 000 000': 'tel:+34600000000',
    'tel:+1 800 555,,12': 'tel:+1800555,,12',
    'info@example.org': 'mailto:info@example.org',
    'info@example.org?subject=Hi there': 'mailto:info@example.org?subject=Hi%20there',
    'a@b.org, c@d.org': 'mailto:a@b.org,c@d.org',
    'mailto: a@b.org': 'mailto:a@b.org',
    'LOCALHOST:3000': 'http://LOCALHOST:3000',
    'localhosting/x': '/localhosting/x',
    'localhost.example.org/x': 'https://localhost.example.org/x',
    'http;//example.org': 'http://example.org',
    '<https://example.org>': 'https://example.org',
    'index.html': '/index.html',
    '..': '../',
    '.': './',
    'javascript:alert(1)': null,
    'data:text/html,x': null,
    '/\\\\evil': null,
    '///evil.example': null,
    'htps://example.org/a': 'https://example.org/a',
    'htp://example.org': 'http://example.org',
    'mail:info@example.org': 'mailto:info@example.org',
    'phone:+34600000000': 'tel:+34600000000',
    'ftp://example.org/a': null,
  }
  for (const [url, suggestion] of Object.entries(meant)) {
    const problem = onlyProblem(parseItems(`- {label: A, url: "${url}"}`))
    assert.is(problem.suggestion, suggestion, url)
    if (suggestion === null) continue
    assert.equal(parseItems(`- {label: A, url: "${suggestion}"}`).problems, [], suggestion)
  }
})

test('C8: wrong spaces in a number are reported at their place', () => {
  const todo = (url: string): string => onlyProblem(parseItems(`- {label: A, url: "${url}"}`)).todo
  assert.is(todo('tel:+34 600'), 'Write the number without spaces.')
  assert.is.not(todo('tel:+34\\u0007600'), 'Write the number without spaces.')
})

test('C8: every suggestion in place of a URL is accepted', () => {
  const parts = fc.constantFrom(...'http s : / // . @ # ? a example.org 8 % [ +'.split(' '), ' ')
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 8 }), (written) => {
      const { problems } = parseItems(`- {label: A, url: ${JSON.stringify(written.join(''))}}`)
      for (const { suggestion } of problems)
        if (suggestion !== null)
          assert.equal(parseItems(`- {label: A, url: ${JSON.stringify(suggestion)}}`).problems, [])
    }),
    { numRuns: sized(600, 6_000) },
  )
})

test('C8: an address of the web that no browser can open is refused', () => {
  for (const url of ['http://[::1', 'https://:80', 'http://@', 'https://%20example.org', 'https://a:99999'])
    assert.is(onlyProblem(parseItems(`- {label: A, url: "${url}"}`)).code, 'bad-value', url)
})

test('C8: the schema, too, refuses every URL that the service refuses', () => {
  const isValid = (url: string) =>
    validateMenu({ version: 1, code: 'a', name: 'a', items: [{ label: 'a', url }] })
  const refused = [
    'javascript:x',
    '//evil',
    '\\\\evil',
    '/\\evil',
    'example.org',
    ' /a',
    'java\tscript:x',
    '',
  ]
  for (const url of refused) assert.is(isValid(url), false, url)
  for (const url of ['/', '/a', './a', '../a', '?a', '#a', 'https://a', 'mailto:a', 'tel:1', 'sms:1']) {
    assert.is(isValid(url), true, url)
  }
})

test.run()
