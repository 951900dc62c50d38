import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { judgeUrl } from '../../src/model/url.js'
import { sized } from '../support/figures.js'
import { SAFE_URLS, UNSAFE_URLS } from '../support/urls.js'
import { RUNS } from './arbitraries.js'

for (const url of SAFE_URLS) test(`${url} is allowed`, () => assert.is(judgeUrl(url), null))

for (const url of UNSAFE_URLS) {
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
  ...'/ // \\ : . .. ? # @ & % %09 %5c evil.example example.org 8080 a [ ] ／ 。'.split(' '),
  ...'http https HTTPS javascript JAVA Script data mailto tel sms file blob'.split(' '),
  ...'\t\n\r\0 \u00a0\u202e\u2028\ufeff\u{1f600}',
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
