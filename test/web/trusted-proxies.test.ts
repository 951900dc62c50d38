import type { IncomingMessage } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createTrustedProxies } from '../../src/web/trusted-proxies.js'

const proxies = createTrustedProxies(['10.0.0.0/8', '192.0.2.7', 'fd00::/8', '::1'])

function from(remoteAddress: string | undefined, forwarded?: string): IncomingMessage {
  return {
    socket: { remoteAddress },
    headers: { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage
}

test('E11: addresses and networks are trusted, in IPv4, IPv6 and IPv4 over IPv6', () => {
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', 'fd12::1', 'fd12::1%eth0', '::1'])
    assert.ok(proxies.sent(from(address)), address)
  for (const address of ['11.0.0.1', '192.0.2.8', 'fe80::1', '::2', '127.0.0.1', '', 'unix', undefined])
    assert.not.ok(proxies.sent(from(address)), address)
})

test('E11: the client is the last address that no trusted proxy has', () => {
  const clientOf = (address: string, forwarded?: string) => proxies.clientAddress(from(address, forwarded))
  assert.is(clientOf('203.0.113.5', '198.51.100.1'), '203.0.113.5')
  assert.is(clientOf('10.0.0.1'), '10.0.0.1')
  assert.is(clientOf('10.0.0.1', '198.51.100.1'), '198.51.100.1')
  assert.is(clientOf('10.0.0.1', '1.2.3.4, 198.51.100.1'), '198.51.100.1')
  assert.is(clientOf('::ffff:10.0.0.1', '1.2.3.4, 198.51.100.1, 10.9.9.9'), '198.51.100.1')
  assert.is(clientOf('10.0.0.1', '10.0.0.2, 10.0.0.3'), '10.0.0.2')
  assert.is(clientOf('::1', '2001:db8::1'), '2001:db8::1')
})

test('E11: what is not an address is not believed, nor anything in front of it', () => {
  const clientOf = (forwarded: string) => proxies.clientAddress(from('10.0.0.1', forwarded))
  for (const text of ['unknown', '1.2.3.4, _hidden', '1.2.3.4:80', '1.2.3.4, ', '<script>', ','])
    assert.is(clientOf(text), '10.0.0.1', text)
})

test('Without networks, no one is trusted', () => {
  assert.not.ok(createTrustedProxies([]).sent(from('127.0.0.1')))
})

test.run()
