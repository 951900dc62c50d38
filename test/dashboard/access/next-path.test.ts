import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toNextPath } from '../../../src/dashboard/access/next-path.js'
import { SEED } from '../../support/figures.js'

const PREFIX = '/admin/menus'
const next = (path: unknown) => toNextPath(path, PREFIX)

test('E8: paths of the dashboard are kept, with query and fragment', () => {
  for (const path of ['', '/edit', '/edit?file=a%2Fb.yaml&x=1#item', '/%C3%A4', '//double', '/a;b=c'])
    assert.is(next(PREFIX + path), PREFIX + path)
  assert.is(next(`${PREFIX}?q=1`), `${PREFIX}?q=1`)
})

const ELSEWHERE = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'https://evil.example/admin/menus/',
  'https:evil.example/admin/menus',
  'http:/admin/menus',
  'http://next.invalid/admin/menus/a',
  'javascript:alert(1)//admin/menus',
  'data:text/html,/admin/menus',
  ' //evil.example',
  '\u0000//evil.example',
  '/admin/menus/../../evil',
  '/admin/menus/..//evil.example',
  '/admin/menus/%2e%2e/%2E%2e/x',
  '/admin/menus/..\\..\\evil',
  '/admin/menusevil',
  '/admin/menus.evil.example',
  '/admin',
  '/',
  '',
  'admin/menus/a',
  '?a',
  '#a',
  '.',
  'http://[',
  `${PREFIX}/${'a'.repeat(3_000)}`,
  null,
  undefined,
  7,
  ['/admin/menus/a'],
  { toString: () => '/admin/menus/a' },
]

for (const path of ELSEWHERE) {
  test(`E8: ${JSON.stringify(path)?.slice(0, 60)} leads to the dashboard itself`, () => {
    assert.is(next(path), PREFIX)
  })
}

test('E8: every redirect keeps the browser on our host and in the dashboard', () => {
  const piece = fc.constantFrom(
    ...['/', '//', '\\', '..', '.', '%2e', '%2f', '%5c', ':', '@', '?', '#', 'admin', 'menus', PREFIX],
    ...[
      'http',
      'https:',
      'evil.example',
      '\t',
      '\r\n',
      '\0',
      ' ',
      '\u2028',
      '\u3002',
      '\uff0f',
      '[',
      ']',
      'ä',
    ],
  )
  const path = fc
    .array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 12 })
    .map((all) => all.join(''))
  const law = fc.property(
    fc.oneof(
      path,
      path.map((end) => PREFIX + end),
    ),
    (text) => {
      const location = next(text)
      // As browsers read a Location header (RFC 9110, section 10.2.2), from any page.
      const { host, protocol, pathname } = new URL(location, 'https://own.example/admin/menus/sign-in?x')
      assert.equal([host, protocol], ['own.example', 'https:'])
      assert.ok(pathname === PREFIX || pathname.startsWith(`${PREFIX}/`), location)
      assert.match(location, /^\/(?![/\\])[\x21-\x7e]*$/)
    },
  )
  fc.assert(law, { seed: SEED, numRuns: 20_000 })
})

test.run()
