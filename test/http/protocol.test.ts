import * as assert from 'uvu/assert'
import { closing, test } from '../support/test.js'
import { exchange, statusesOf } from './raw.js'
import { menuText, openSite } from './sites.js'

const site = await openSite({ 'main.yaml': menuText('main', 'Home') })
test.after(() => site.close())

const { host } = new URL(site.url)

/** Sends one request as it is, asking the server to close afterwards, and gives all that came back. */
async function send(
  line: string,
  headers: readonly string[] = [`Host: ${host}`],
  body = '',
): Promise<string> {
  const head = [`${line} HTTP/1.1`, ...headers, 'Connection: close', '', '']
  return (await exchange(site.url, head.join('\r\n') + body)).text
}

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])

test('D7: a target in absolute form is the path in it', async () => {
  for (const path of ['/api/menu/main', '/livez', '/readyz', '/openapi.json', '/'])
    assert.is(statusOf(await send(`GET http://${host}${path}`)), 200, path)
  assert.match(await send(`GET HTTP://any.example/api/menu/main?_locale=en`), /"label":"Home"/)
  assert.is(statusOf(await send(`GET http://${host}/none`)), 404)
  assert.is(statusOf(await send(`GET http://${host}`)), 200)
})

test('D7: the host of a target in absolute form replaces the Host header for hooks', async () => {
  const { ask } = closing(
    await openSite(
      { 'a.yaml': menuText('a.example', 'Menu of A'), 'b.yaml': menuText('b.example', 'Menu of B') },
      {
        policies:
          'export const resolveMenuCode = ({ headers, url }) => url === "/api/menu/x" ? headers.host : ""',
      },
    ),
  )
  for (const [target, host, label] of [
    ['/api/menu/x', 'b.example', 'B'],
    ['http://a.example/api/menu/x', 'a.example', 'A'],
    ['http://a.example/api/menu/x', 'b.example', 'A'],
  ] as const)
    assert.match((await ask(target, { headers: { host } })).text, `Menu of ${label}`, `${target} ${host}`)
})

test('D7: OPTIONS * is answered for the whole server, and no other method has it', async () => {
  const text = await send('OPTIONS *')
  assert.is(statusOf(text), 204)
  assert.match(text, /\r\nAllow: GET, HEAD, OPTIONS\r\n/)
  assert.ok([400, 404].includes(statusOf(await send('GET *'))))
})

test('D8: a request with two hosts, or none, is refused', async () => {
  for (const path of ['/api/menu/main', '/livez', '/none', '*']) {
    const method = path === '*' ? 'OPTIONS' : 'GET'
    assert.is(statusOf(await send(`${method} ${path}`, [`Host: ${host}`, 'Host: evil.example'])), 400, path)
    assert.is(statusOf(await send(`${method} ${path}`, [`Host: ${host}`, `hOST: ${host}`])), 400, path)
    assert.is(statusOf(await send(`${method} ${path}`, [])), 400, path)
  }
})

test('D9: a request whose lines end in bare line feeds is refused', async () => {
  assert.is(statusOf((await exchange(site.url, `GET / HTTP/1.1\nHost: ${host}\n\n`)).text), 400)
})

test('D9: a body that comes with GET is not read as a request', async () => {
  const smuggled = 'GET /none HTTP/1.1\r\nHost: x\r\n\r\n'
  const headers = [`Host: ${host}`, `Content-Length: ${smuggled.length}`]
  const text = await send('GET /livez', headers, smuggled)
  assert.equal(statusesOf({ text, milliseconds: 0 }), [200])
})

test('D14: a body that was not requested is refused with its method, and costs nothing', async () => {
  const body = 'x'.repeat(2 * 1024 * 1024)
  const text = await send('POST /api/menu/main', [`Host: ${host}`, `Content-Length: ${body.length}`], body)
  assert.is(statusOf(text), 405)
  assert.is((await site.ask('/livez')).status, 200)
})

test.run()
