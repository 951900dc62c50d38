import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createAdminCheck, createInsiderCheck } from '../../src/web/insider.js'
import { get } from '../support/http.js'

const TOKEN = 'an-admin-token-of-thirty-two-characters'
const isInsider = createInsiderCheck(createAdminCheck(TOKEN), true)

/** Whether a request from this machine with these headers is one of an insider. */
async function judge(headers: readonly string[], address = '127.0.0.1', check = isInsider): Promise<boolean> {
  const server = createServer((request, response) => response.end(String(check(request))))
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  const host = address.includes(':') ? `[${address}]` : address
  const { text } = await get(`http://${host}:${port}`, { headers })
  await new Promise((resolve) => server.close(resolve))
  return text === 'true'
}

test('D27: a client on this machine that uses a local name is an insider, on every port', async () => {
  for (const host of [
    'localhost',
    'LOCALHOST:80',
    '127.0.0.1',
    '127.0.0.1:4400',
    '127.8.9.1:1',
    '[::1]',
    '[::1]:4400',
  ])
    assert.ok(await judge(['Host', host]), host)
  assert.ok(await judge(['Host', '[::1]:4400'], '::1'))
  assert.ok(await judge(['Host', 'localhost'], '::ffff:127.0.0.1'))
})

test('D27: a Host that is not this machine makes the client an outsider, even on a local connection', async () => {
  for (const host of [
    'evil.example',
    'evil.example:4400',
    'localhost.evil.example',
    'evil-localhost',
    '127.0.0.1.evil.example',
    '127.evil.example',
    '10.0.0.1',
    '[::2]',
    '[::1].evil.example',
    'localhost:x',
    'localhost, evil.example',
    'user@localhost',
    '',
  ])
    assert.not(await judge(['Host', host]), host)
})

test('D27: a proxy header makes the client an outsider, with any value and from any sender', async () => {
  for (const name of [
    'Forwarded',
    'Via',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Forwarded',
    'X-Real-IP',
    'X-Client-IP',
    'X-Cluster-Client-IP',
    'X-Original-Forwarded-For',
    'True-Client-IP',
    'CF-Connecting-IP',
  ])
    for (const value of ['127.0.0.1', '::1', 'for=127.0.0.1', ''])
      assert.not(await judge(['Host', 'localhost', name, value]), `${name}: ${value}`)
})

test('D27: what a browser sends makes the client an outsider, and what plain clients send does not', async () => {
  for (const [name, value] of [
    ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ['Accept-Language', 'en'],
    ['Sec-Fetch-Site', 'none'],
    ['Sec-CH-UA', '"Chromium"'],
    ['Upgrade-Insecure-Requests', '1'],
    ['Cookie', 'a=b'],
    ['Origin', 'http://localhost'],
    ['Referer', 'http://localhost/'],
    ['Authorization', 'Bearer wrong'],
  ] as const)
    assert.not(await judge(['Host', 'localhost', name, value]), name)
  const curl = ['User-Agent', 'curl/8.5.0', 'Accept', '*/*', 'Accept-Encoding', 'gzip', 'Connection', 'close']
  assert.ok(await judge(['Host', 'localhost', ...curl]))
})

test('D27: where others can reach the service, the admin token alone makes an insider', async () => {
  const check = createInsiderCheck(createAdminCheck(TOKEN), false)
  assert.not(await judge(['Host', 'localhost'], '127.0.0.1', check))
  assert.ok(await judge(['Host', 'localhost', 'Authorization', `Bearer ${TOKEN}`], '127.0.0.1', check))
})

test('D27: the admin token makes an insider from anywhere', async () => {
  const far = ['Host', 'menus.example', 'X-Forwarded-For', '203.0.113.7']
  assert.ok(await judge([...far, 'Authorization', `Bearer ${TOKEN}`]))
  assert.not(await judge([...far, 'Authorization', `Bearer ${TOKEN}x`]))
})

test.run()
