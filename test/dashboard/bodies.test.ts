import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import * as assert from 'uvu/assert'
import type { OpenSite } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import { closing, test } from '../support/test.js'
import { API, codeOf, openForScript, PROXIED, renamed, versionOf } from './managing.js'

const PART = 4_000_000
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

/** Begins a POST: sends its headers and a part of its body; the connection goes with the test. */
function begin(
  { url }: OpenSite,
  path: string,
  headers: Readonly<Record<string, string | number>>,
  body: string,
  localAddress: string = '127.0.0.1',
): Socket {
  const { port, host } = new URL(url)
  const lines = Object.entries({ host, origin: url, ...headers }).map((each) => each.join(': '))
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress }).on('error', () => {})
  socket.write([`POST ${path} HTTP/1.1`, ...lines, '', body].join('\r\n'))
  closing({ close: () => socket.destroy() })
  return socket
}

/** Sends all of a body but its last byte, as a user. */
async function sendMost(site: OpenSite, user: string): Promise<Socket> {
  const headers = { ...JSON_TYPE, 'x-user': user, 'x-csrf-token': await tokenOf(site.url, user) }
  return begin(site, `${API}/import`, { ...headers, 'content-length': PART + 1 }, ' '.repeat(PART))
}

async function tokenOf(url: string, user: string): Promise<string> {
  const answer = await fetch(`${url}${API}/session`, { headers: { 'x-user': user } })
  return ((await answer.json()) as { csrf: string }).csrf
}

test('D14: one user has half the room for bodies, another is not kept waiting, and what ends makes room', async () => {
  const [script, site] = await openForScript(PROXIED)
  const sent: Socket[] = []
  for (let count = 0; count < 5; count++) sent.push(await sendMost(site, 'ana'))
  // Whichever was last.
  const [answer] = await Promise.any(sent.map((socket) => once(socket, 'data')))
  const text = String(answer)
  assert.match(text, /^HTTP\/1\.1 503 [\s\S]*"code":"overloaded"/)
  assert.match(text, /retry-after: 1\r\n/i)
  assert.match(text, /connection: close\r\n/i)
  assert.is((await site.ask('/livez')).status, 200)
  const body = renamed('Front')
  const version = await versionOf(script)
  assert.is((await script('PATCH', '/menu?file=main.yaml', { body, version })).status, 200)
  for (const socket of sent) socket.destroy()
  await eventually(async () => {
    const socket = await sendMost(site, 'ana')
    socket.write('x')
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 422 /)
    socket.destroy()
  })
})

test('D14: strangers have little room for sign-in bodies, and none of the room for operators', async () => {
  const [script, site] = await openForScript()
  const length = { ...JSON_TYPE, 'content-length': 16_384 }
  const sockets = Array.from({ length: 20 }, () => begin(site, `${API}/session`, length, ' '.repeat(16_383)))
  const [answer] = await Promise.any(sockets.map((socket) => once(socket, 'data')))
  assert.match(String(answer), 'HTTP/1.1 503 ')
  assert.is((await script('POST', '/preview', { body: { code: 'main' } })).status, 200)
  for (const socket of sockets) socket.destroy()
  await eventually(async () => {
    const headers = { origin: site.url, ...JSON_TYPE }
    const ended = await site.ask(`${API}/session`, { method: 'POST', headers, body: '{}' })
    assert.is(codeOf(ended), '400 bad-body')
  })
})

/** Sends a part of a form to sign in, for a visitor behind a proxy. */
function sendHalf(site: OpenSite, visitor: string, localAddress?: string): Socket {
  const headers = { ...FORM_TYPE, 'x-forwarded-for': visitor, 'content-length': 100 }
  return begin(site, '/admin/menus/sign-in', headers, 'n', localAddress)
}

/** Begins bodies that the service awaits. */
async function beginAwaited(
  site: OpenSite,
  count: number,
  path: string,
  headers: object,
): Promise<readonly Socket[]> {
  const awaited = { ...headers, expect: '100-continue', 'content-length': 9 }
  const sockets = Array.from({ length: count }, () => begin(site, path, awaited, '{'))
  for (const [text] of await Promise.all(sockets.map((socket) => once(socket, 'data'))))
    assert.match(String(text), /^HTTP\/1\.1 100 /)
  return sockets
}

const isOpen = ({ destroyed }: Socket): boolean => !destroyed

test('D28: unfinished bodies on every allowed connection make room: everyone else is served', async () => {
  const connections = 100
  const config = { ...PROXIED.config, limits: { connections } }
  const [, site] = await openForScript({ config })
  const strangers = Array.from({ length: connections }, (_, at) =>
    sendHalf(site, `10.0.${at}.1`, `127.1.${at}.1`),
  )
  await Promise.all(strangers.map((socket) => once(socket, 'connect')))
  const operators = await Promise.all(['ana', 'bob'].map((user) => sendMost(site, user)))
  await eventually(() => assert.ok(strangers.filter(isOpen).length <= connections - operators.length))
  const others = Array.from({ length: 20 }, (_, at) => site.ask(at % 2 === 0 ? '/api/menu/main' : '/livez'))
  for (const { status } of await Promise.all(others)) assert.is(status, 200)
})

test('D28: an operator who leaves bodies unfinished on every connection locks no one out', async () => {
  const config = { ...PROXIED.config, limits: { connections: 10 } }
  const [, site] = await openForScript({ config })
  const headers = { ...JSON_TYPE, 'x-user': 'ana', 'x-csrf-token': await tokenOf(site.url, 'ana') }
  await beginAwaited(site, 10, `${API}/import`, headers)
  for (let at = 0; at < 20; at++) assert.is((await site.ask('/api/menu/main')).status, 200)
})

test('E18: forms that an operator leaves unfinished keep none of their other requests waiting', async () => {
  const [, site] = await openForScript(PROXIED)
  const path = '/admin/menus/edit?file=main.yaml'
  const sockets = await beginAwaited(site, 8, path, { ...FORM_TYPE, 'x-user': 'ana' })
  const headers = { 'x-user': 'ana', accept: 'text/html' }
  for (const path of [`${API}/session`, '/admin/menus'])
    assert.is((await site.ask(path, { headers })).status, 200, path)
  assert.ok(sockets.every(isOpen), 'they are still awaited')
})

test('D28: of one network, sixteen bodies of strangers are awaited; the oldest gives way, and a whole one is read', async () => {
  const [, site] = await openForScript(PROXIED)
  const sockets: Socket[] = []
  for (let at = 0; at < 40; at++) {
    const socket = sendHalf(site, `2001:db8::${at + 1}`)
    await once(socket, 'connect')
    sockets.push(socket)
  }
  await eventually(() => assert.is(sockets.filter(isOpen).length, 16))
  const other = sendHalf(site, '2001:db8:0:1::1')
  const login = await site.ask('/admin/menus/sign-in', {
    method: 'POST',
    headers: { ...FORM_TYPE, origin: site.url, 'x-forwarded-for': '2001:db8::ffff' },
    body: 'name=ana&password=wrong',
  })
  assert.is(login.status, 401)
  await eventually(() => assert.is(sockets.filter(isOpen).length, 15))
  assert.ok(isOpen(other))
})

test('The largest body that a deployment allows has room', async () => {
  const [script] = await openForScript({ config: { limits: { bytes: 2_097_152 } } })
  const body = ' '.repeat(10 * 2_097_152)
  assert.is(codeOf(await script('POST', '/import', { body })), '422 import-refused')
})

test.run()
