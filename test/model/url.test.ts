import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { judgeUrl } from '../../src/model/url.js'
import { sized } from '../support/figures.js'
import { RUNS } from './arbitraries.js'

const SAFE = [
  'https://example.org',
  'https://example.org/a?b=c#d',
  'http://localhost:8080/',
  'HTTPS://EXAMPLE.ORG/',
  'https://user@example.org/',
  'https://[::1]:4400/',
  'https://bücher.example/straße',
  'mailto:help@example.org?subject=Hi',
  'tel:+34-600-000-000',
  'sms:+34600000000',
  '/',
  '/reports/sales',
  '/a//b',
  '/javascript:alert(1)',
  './here',
  '../up',
  '?page=2',
  '?next=https://example.org',
  '#',
  '#top',
]

for (const url of SAFE) test(`${url} is allowed`, () => assert.is(judgeUrl(url), null))

const REFUSED = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  '\u0000javascript:alert(1)',
  '\u0001javascript:alert(1)',
  ' javascript:alert(1)',
  'javascript\u200b:alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:text/html;base64,PHNjcmlwdD4=',
  'file:///etc/passwd',
  'blob:https://example.org/1',
  'ftp://example.org/',
  'view-source:https://example.org',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  'https:\\\\evil.example',
  'https://good.example\\@evil.example',
  '.\\..\\evil',
  'https:evil.example',
  'https:/evil.example',
  'https://',
  'mailto:',
]

for (const url of REFUSED) {
  test(`${JSON.stringify(url)} is refused as unsafe`, () => assert.is(judgeUrl(url), 'unsafe'))
}

for (const url of [
  'example.org',
  'example.org/x',
  'example.org:8080/x',
  'www.example.org?a=b',
  'about',
  '',
]) {
  test(`${JSON.stringify(url)} is refused for what it lacks`, () => assert.is(judgeUrl(url), 'no-scheme'))
}

/** What attacks on links are made of. */
const pieces = fc.constantFrom(
  ...[
    '/',
    '//',
    '\\',
    ':',
    '.',
    '..',
    '?',
    '#',
    '@',
    '&',
    '%',
    '%09',
    '%5c',
    '\t',
    '\n',
    '\r',
    '\0',
    ' ',
    '\u00a0',
  ],
  ...[
    'http',
    'https',
    'HTTPS',
    'javascript',
    'JAVA',
    'Script',
    'data',
    'mailto',
    'tel',
    'sms',
    'file',
    'blob',
  ],
  ...[
    'evil.example',
    'example.org',
    '8080',
    'a',
    '[',
    ']',
    '\u202e',
    '\u2028',
    '\ufeff',
    '／',
    '。',
    '\u{1f600}',
  ],
)

/** A page that a menu may stand on; a browser resolves the links of a menu against it. */
const PAGE = 'https://site.example/deep/page'

test('Every allowed URL leads a browser to a safe scheme, and to another host only with http:// or https://', () => {
  const starts = fc.constantFrom(
    '',
    '',
    '/',
    './',
    '../',
    '?',
    '#',
    'https://',
    'HTTP://',
    'http:',
    'mailto:',
  )
  const urls = fc
    .tuple(starts, fc.array(pieces, { maxLength: 6 }))
    .map(([start, rest]) => start + rest.join(''))
  const law = fc.property(urls, (url) => {
    if (judgeUrl(url) !== null || !URL.canParse(url, PAGE)) return
    const { protocol, host } = new URL(url, PAGE)
    assert.ok(['http:', 'https:', 'mailto:', 'tel:', 'sms:'].includes(protocol), protocol)
    const leaves = protocol.startsWith('http') && host !== 'site.example'
    if (leaves) assert.match(url, /^https?:\/\/[^/\\]/i)
  })
  fc.assert(law, { ...RUNS, numRuns: sized(5_000, 50_000) })
})

test.run()
