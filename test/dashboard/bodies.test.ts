import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { OpenSite } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import { API, codeOf, managing, renamed, versionOf } from './managing.js'

const SITE = {
  config: {
    server: { trusted_proxies: ['127.0.0.1'] },
    dashboard: { proxy_user_header: 'X-User' },
  },
}
const PART = 4_000_000

/** Sends all of a body but its last byte, as a user. */
async function sendMost({ url }: OpenSite, user: string): Promise<Socket> {
  const { port, host } = new URL(url)
  const head = [
    ...[`POST ${API}/import HTTP/1.1`, `host: ${host}`, `x-user: ${user}`, `origin: ${url}`],
    ...[`x-csrf-token: ${await tokenOf(url, user)}`, 'content-type: application/json'],
    ...[`content-length: ${PART + 1}`, '', ''],
  ].join('\r\n')
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  socket.write(head + ' '.repeat(PART))
  return socket
}

async function tokenOf(url: string, user: string): Promise<string> {
  const answer = await fetch(`${url}${API}/session`, { headers: { 'x-user': user } })
  return ((await answer.json()) as { csrf: string }).csrf
}

test('D14: one user has half the room for bodies, another is not kept waiting, and what ends makes room', async () => {
  await managing(async (script, site) => {
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
  }, SITE)
})

test('D14: strangers have little room for what they sign in with, and none of what operators have', async () => {
  await managing(async (script, site) => {
    const { port, host } = new URL(site.url)
    const head = [
      ...[`POST ${API}/session HTTP/1.1`, `host: ${host}`, `origin: ${site.url}`],
      ...['content-type: application/json', 'content-length: 16384', '', ''],
    ].join('\r\n')
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
      socket.write(head + ' '.repeat(16_383))
      return socket
    })
    const [answer] = await Promise.any(sockets.map((socket) => once(socket, 'data')))
    assert.match(String(answer), 'HTTP/1.1 503 ')
    assert.is((await script('POST', '/preview', { body: { code: 'main' } })).status, 200)
    for (const socket of sockets) socket.destroy()
    await eventually(async () => {
      const headers = { origin: site.url, 'content-type': 'application/json' }
      const ended = await site.ask(`${API}/session`, { method: 'POST', headers, body: '{}' })
      assert.is(codeOf(ended), '400 bad-body')
    })
  })
})

test('The largest body that a deployment allows has room', async () => {
  await managing(
    async (script) => {
      const body = ' '.repeat(10 * 2_097_152)
      assert.is(codeOf(await script('POST', '/import', { body })), '422 import-refused')
    },
    { config: { limits: { bytes: 2_097_152 } } },
  )
})

test.run()
