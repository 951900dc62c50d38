import * as assert from 'uvu/assert'
import type { HttpOptions } from '../support/http.js'
import { test } from '../support/test.js'
import { listenTo } from './listening.js'
import { ADMIN, API, MENU, openForScript, renamed, versionOf } from './managing.js'

const GUARDS = {
  'content-security-policy':
    "default-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
const policies = `export const resolveOperator = ({ url }) => {
  if (url.includes('boom')) throw new Error('a secret')
  return null
}`
const authorization = `Bearer ${ADMIN}`
const json = { authorization, 'content-type': 'application/json' }

/** Requests by the status of their answers. */
const REQUESTS: readonly (readonly [status: number, path: string, options?: HttpOptions])[] = [
  [200, '/menus', { headers: { authorization } }],
  [200, '/menus', { method: 'HEAD', headers: { authorization } }],
  [204, '/menus', { method: 'OPTIONS' }],
  [201, '/drafts?file=main.yaml', { method: 'POST', headers: { authorization } }],
  [400, '/menu', { headers: { authorization } }],
  [401, '/menus'],
  [403, '/menus', { headers: { authorization, host: 'evil.example' } }],
  [403, '/menus', { method: 'POST' }],
  [404, '/none', { headers: { authorization } }],
  [404, '/../../nowhere'],
  [405, '/menus', { method: 'DELETE', headers: { authorization } }],
  [413, '/menus', { method: 'POST', headers: json, body: `"${'x'.repeat(5_000_000)}"` }],
  [415, '/menus', { method: 'POST', headers: { ...json, 'content-type': 'text/html' }, body: '{}' }],
  [428, '/menu?file=main.yaml', { method: 'DELETE', headers: { authorization } }],
  [500, '/menus?boom'],
]

test('E9: every answer of the dashboard has its guards, errors, events and files of no menu too', async () => {
  const [script, site] = await openForScript({ policies })
  for (const [status, path, options] of REQUESTS) {
    const answer = await site.ask(`${API}${path}`, options)
    assert.is(answer.status, status, `${path} ${answer.text}`)
    for (const [name, value] of Object.entries(GUARDS))
      assert.is(answer.headers[name], value, `${status} ${name}`)
    assert.not.match(answer.text, /a secret|node:|\.ts:/, answer.text)
  }
  const version = await versionOf(script)
  const patched = await script('PATCH', '/menu?file=main.yaml', { body: renamed('x'), version })
  const stream = await listenTo(`${site.url}${API}/events`, { authorization })
  const source = await script('GET', '/source?file=main.yaml')
  assert.is(source.text, MENU.replace('name: Main ', 'name: x '))
  for (const { headers } of [patched, stream, source])
    for (const [name, value] of Object.entries(GUARDS)) assert.is(headers[name], value)
})

test.run()
