import * as assert from 'uvu/assert'
import { STATUSES } from '../../src/dashboard/openapi.js'
import { PROBLEMS } from '../../src/dashboard/refusal.js'
import { ROUTES } from '../../src/dashboard/routes.js'
import { at, descriptionOf, type JsonObject } from '../http/description.js'
import { openSite } from '../http/sites.js'
import { closing, test } from '../support/test.js'
import { API, codeOf, MENU, openForScript, versionOf } from './managing.js'

test('The description has the methods that each path allows, and says what each is for', async () => {
  const [, site] = await openForScript()
  const description = await descriptionOf(site)
  const described: string[] = []
  for (const [path, item] of Object.entries(description['paths'] as JsonObject)) {
    if (!path.startsWith(API)) continue
    const methods = Object.keys(item as JsonObject).filter((key) => key !== 'parameters')
    for (const method of methods) {
      described.push(`${method.toUpperCase()} ${path.slice(API.length)}`)
      assert.ok(at(item, method, 'summary'), `${method} ${path}`)
      for (const parameter of (at(item, method, 'parameters') ?? []) as JsonObject[])
        assert.ok(parameter['schema'], `${path} ${parameter['name']}`)
    }
    const { headers } = await site.ask(path.replace('{id}', 'x'), { method: 'OPTIONS' })
    const allowed = (headers['allow'] ?? '').split(', ').filter((each) => !/HEAD|OPTIONS/.test(each))
    assert.equal(allowed.map((each) => each.toLowerCase()).sort(), methods.sort(), path)
  }
  assert.equal(described.sort(), Object.keys(ROUTES).sort())
})

test('Every reference and every problem code of the description exists, and no operation shares its id', async () => {
  const [, site] = await openForScript()
  const description = await descriptionOf(site)
  const text = JSON.stringify(description)
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g))
    assert.ok(at(description, ...pointer.split('/')), pointer)
  const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id)
  assert.is(new Set(ids).size, ids.length)
  for (const code of Object.keys(PROBLEMS)) assert.match(text, `"${code}"`)
  for (const code of Object.keys(STATUSES)) assert.match(code, /^[a-z]+\d*(?:-[a-z]+\d*)*$/)
})

test('Where there is no dashboard, the description says nothing of its API', async () => {
  const { ask } = closing(await openSite({ 'main.yaml': MENU }))
  assert.not.match((await ask('/openapi.json')).text, API)
})

const BAD_PATHS = [
  ...['../main.yaml', 'a/../main.yaml', '/etc/menu.yaml', 'a\\b.yaml', 'a\0.yaml', 'a//b.yaml', ''],
  ...[`${'x'.repeat(256)}.yaml`, `${'x/'.repeat(600)}a.yaml`, '.hidden.yaml', 'a.yaml/b.yaml', '\ud800.yaml'],
  'main.txt',
]

test('E7: No endpoint takes an outside or invalid path', async () => {
  const [script] = await openForScript()
  const version = await versionOf(script)
  const reads = ['GET /menu', 'GET /source', 'GET /history', 'GET /export']
  const writes = ['PATCH /menu', 'DELETE /menu', 'PUT /source', 'POST /drafts', 'POST /restore']
  for (const file of BAD_PATHS) {
    const named = encodeURIComponent(Buffer.from(file).toString())
    for (const [method = '', path = ''] of [...reads, ...writes].map((each) => each.split(' '))) {
      const type = method === 'PUT' ? 'text/yaml' : 'application/json'
      const sent = method === 'GET' || method === 'DELETE' ? {} : { body: '[]', type, version }
      const answer = await script(method, `${path}?file=${named}`, { version, ...sent })
      assert.is(codeOf(answer), '422 bad-path', `${method} ${path} ${file}`)
    }
    const place = { file, version: '', pointer: '' }
    const bodies: readonly [string, object][] = [
      ['/menus', { code: 'new', file }],
      ['/copy', { file, code: 'new' }],
      ['/copy', { file: 'main.yaml', code: 'new', to: file }],
      ['/move', { from: place, to: place }],
      ['/preview', { file }],
    ]
    for (const [path, body] of bodies)
      assert.is(codeOf(await script('POST', path, { body })), '422 bad-path', `${path} ${file}`)
  }
  assert.is(((await script('GET', '/menus')).json() as { menus: unknown[] }).menus.length, 1)
})

test.run()
