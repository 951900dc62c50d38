import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createHostCheck, isOriginOf } from '../../../src/dashboard/access/same-origin.js'
import { createTrustedProxies } from '../../../src/web/trusted-proxies.js'
import { SEED } from '../../support/figures.js'

const PUBLIC = 'https://menus.example.org'
const proxies = createTrustedProxies(['10.0.0.0/8'])

function siteOf(host: string | readonly string[], publicUrl: string | null = PUBLIC, more: object = {}) {
  const named = [host].flat()
  const request = {
    url: '/admin/menus',
    headers: { host: named[0] },
    rawHeaders: named.flatMap((host) => ['Host', host]),
    socket: { remoteAddress: '192.0.2.1' },
    ...more,
  }
  return createHostCheck(publicUrl, proxies)(request as unknown as IncomingMessage)
}

test('E2: names of this machine and the public address are ours, with any usual spelling', () => {
  for (const host of ['localhost', 'LOCALHOST:4400', '127.0.0.1:4400', '127.9.8.7', '[::1]:80', '[::1]'])
    assert.is(siteOf(host)?.isLocal, true, host)
  for (const host of ['menus.example.org', 'MENUS.example.org', 'menus.example.org:443'])
    assert.equal(siteOf(host), { host: 'menus.example.org', isLocal: false, isHttps: true }, host)
  assert.equal(siteOf('menus.example.org:8443', 'https://menus.example.org:8443/')?.isHttps, true)
  assert.equal(siteOf('10.1.2.3:4400', 'http://10.1.2.3:4400')?.isHttps, false)
  assert.equal(siteOf('localhost:4400', 'http://localhost:4400')?.isLocal, true)
})

const FOREIGN = [
  'evil.example',
  'localhost.evil.example',
  'localhost.',
  'localhost:80@evil.example',
  'evil.example#localhost',
  'evil.example/localhost',
  'evil.example?localhost',
  'localhost, evil.example',
  'localhost evil.example',
  'localhost:4400:80',
  'localhost:99999',
  'localhost:',
  '127.0.0.1.evil.example',
  '127.0.0.1.',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.0.0.999',
  '0.0.0.0',
  '::1',
  '[::1',
  '[::1]evil.example',
  '[::ffff:127.0.0.1]',
  '[::2]',
  'ⓛocalhost',
  'l\u00adocalhost',
  'xn--localhost',
  'menus.example.org:80',
  'menus.example.org:8443',
  'menus.example.org.',
  'menus.example.org.evil.example',
  'menus.example.org@evil.example',
  'menus.example.org\\.evil.example',
  'notmenus.example.org',
  'example.org',
  '',
]

for (const host of FOREIGN) {
  test(`E2: the Host ${JSON.stringify(host)} is not ours`, () => assert.is(siteOf(host), null))
}

test('E2: several hosts, or a target in absolute form with another one, are not ours', () => {
  assert.is(siteOf(['localhost', 'localhost']), null)
  assert.is(siteOf('localhost', PUBLIC, { url: 'http://evil.example/admin/menus' }), null)
  assert.ok(siteOf('localhost', PUBLIC, { url: 'http://localhost/admin/menus' }))
})

test('E2: over HTTP/2 the authority is the host', () => {
  const headers = { ':authority': 'menus.example.org' }
  assert.ok(siteOf([], PUBLIC, { headers }))
  assert.is(siteOf([], PUBLIC, { headers: { ':authority': 'evil.example' } }), null)
})

test('E2: whatever is taken for ours is ours to a browser as well', () => {
  const piece = fc.constantFrom(
    ...[
      'localhost',
      '127.0.0.1',
      '[::1]',
      'menus.example.org',
      'evil.example',
      '.',
      ':',
      '@',
      '/',
      '\\',
      '#',
    ],
    ...['?', ' ', ',', '80', '443', '%00', '\t', '-', '[', ']', '127.', '0', '1', 'ſ', '。', 'LOCAL', 'host'],
  )
  const host = fc.array(piece, { maxLength: 5 }).map((all) => all.join(''))
  const law = fc.property(host, (text) => {
    if (siteOf(text) === null) return
    const { hostname, username } = new URL(`https://${text}`)
    assert.ok(
      ['localhost', '[::1]', 'menus.example.org'].includes(hostname) || /^127(\.\d+){3}$/.test(hostname),
      text,
    )
    assert.is(username, '')
  })
  fc.assert(law, { seed: SEED, numRuns: 20_000 })
})

test('E11: only a trusted proxy can say that a request came over TLS', () => {
  const says = (address: string, proto: string) =>
    siteOf('localhost', null, { headers: { 'x-forwarded-proto': proto }, socket: { remoteAddress: address } })
      ?.isHttps
  assert.is(says('10.1.2.3', 'https'), true)
  assert.is(says('::ffff:10.1.2.3', 'HTTPS'), true)
  assert.is(says('10.1.2.3', 'https, http'), false)
  assert.is(says('10.1.2.3', 'http'), false)
  assert.is(says('192.0.2.1', 'https'), false)
})

test('E3: an Origin is ours if a browser on our pages sends it', () => {
  const local = { host: 'localhost:4400', isLocal: true, isHttps: false }
  for (const origin of ['http://localhost:4400', 'https://localhost:4400'])
    assert.ok(isOriginOf(local, origin))
  const own = { host: 'menus.example.org', isLocal: false, isHttps: true }
  assert.ok(isOriginOf(own, 'https://menus.example.org'))
  const others = [
    ...['null', '', 'http://menus.example.org', 'https://menus.example.org:8443', 'https://evil.example'],
    ...[
      'https://menus.example.org.evil.example',
      'https://menus.example.org@evil.example',
      'menus.example.org',
    ],
    ...['https://menus.example.org/', 'ftp://menus.example.org', 'https://localhost:4400', '*', 'file://'],
  ]
  for (const origin of others) assert.not.ok(isOriginOf(own, origin), origin)
  for (const origin of ['http://localhost', 'http://localhost:4401', 'http://127.0.0.1:4400'])
    assert.not.ok(isOriginOf(local, origin), origin)
})

test.run()
