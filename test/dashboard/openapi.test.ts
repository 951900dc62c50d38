import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { STATUSES } from '../../src/dashboard/openapi.js'
import { PROBLEMS } from '../../src/dashboard/refusal.js'
import { ROUTES } from '../../src/dashboard/routes.js'
import { type OpenSite, withSite } from '../http/sites.js'
import type { HttpAnswer } from '../support/http.js'
import { API, type Asked, codeOf, MENU, managing, renamed, type Script, versionOf } from './managing.js'

type Json = Readonly<Record<string, unknown>>

/** The value at a path of keys. */
function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key], value)
}

/** Calls endpoints, and holds each answer against what the description says of it. */
async function judging(
  run: (ask: Script, site: OpenSite, document: Json) => Promise<void>,
  menus?: Readonly<Record<string, string>>,
): Promise<void> {
  await managing(
    async (script, site) => {
      const document = (await site.ask('/openapi.json')).json() as Json
      const ajv = new Ajv2020({ strict: false }).addSchema(document, 'doc')
      const judge = (method: string, path: string, { status, headers, json, text }: HttpAnswer): void => {
        const pattern = path.replace(/\?.*/, '').replace(/(drafts|history)\/[\w-]+/, '$1/{id}')
        const responses = at(document, 'paths', API + pattern, method.toLowerCase(), 'responses')
        const response = at(responses, String(status))
        assert.ok(response, `${method} ${path} says nothing of ${status}: ${text}`)
        const schema = at(response, 'content', headers['content-type'] ?? '', 'schema')
        if (schema === undefined) {
          assert.is(at(response, 'content'), undefined, path)
          return
        }
        const rooted = JSON.parse(JSON.stringify(schema).replaceAll('#/components', 'doc#/components'))
        const validate = ajv.compile(rooted)
        assert.ok(validate(json()), `${method} ${path} ${status}: ${JSON.stringify(validate.errors)} ${text}`)
      }
      const ask = async (method: string, path: string, asked?: Asked): Promise<HttpAnswer> => {
        const answer = await script(method, path, asked)
        judge(method, path, answer)
        return answer
      }
      await run(ask, site, document)
    },
    {
      config: { routes: { home: '/' }, icons: ['dot.json'] },
      prepare: (dir) =>
        writeFileSync(join(dir, 'dot.json'), '{"prefix": "own", "icons": {"dot": {"body": "<path/>"}}}'),
    },
    menus,
  )
}

test('The description has the methods that each path allows, and says what each is for', async () => {
  await judging(async (_, { ask }, document) => {
    const described: string[] = []
    for (const [path, item] of Object.entries(document['paths'] as Json)) {
      if (!path.startsWith(API)) continue
      const methods = Object.keys(item as Json).filter((key) => key !== 'parameters')
      for (const method of methods) {
        described.push(`${method.toUpperCase()} ${path.slice(API.length)}`)
        assert.ok(at(item, method, 'summary'), `${method} ${path}`)
        for (const parameter of (at(item, method, 'parameters') ?? []) as Json[])
          assert.ok(parameter['schema'], `${path} ${parameter['name']}`)
      }
      const { headers } = await ask(path.replace('{id}', 'x'), { method: 'OPTIONS' })
      const allowed = (headers['allow'] ?? '').split(', ').filter((each) => !/HEAD|OPTIONS/.test(each))
      assert.equal(allowed.map((each) => each.toLowerCase()).sort(), methods.sort(), path)
    }
    assert.equal(described.sort(), Object.keys(ROUTES).sort())
  })
})

test('Every reference and every problem code of the description exists, and no operation shares its id', async () => {
  await judging(async (_, __, document) => {
    const text = JSON.stringify(document)
    for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g))
      assert.ok(at(document, ...pointer.split('/')), pointer)
    const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id)
    assert.is(new Set(ids).size, ids.length)
    for (const code of Object.keys(PROBLEMS)) assert.match(text, `"${code}"`)
    for (const code of Object.keys(STATUSES)) assert.match(code, /^[a-z]+\d*(?:-[a-z]+\d*)*$/)
  })
})

test('Answers of each endpoint match the description', async () => {
  const asked = new Set<string>()
  await judging(async (judged) => {
    const ask: Script = (method, path, more) => {
      asked.add(`${method} ${path.replace(/\?.*/, '').replace(/(drafts|history)\/[\w-]+/, '$1/{id}')}`)
      return judged(method, path, more)
    }
    const main = 'file=main.yaml'
    const lists = [
      '/session',
      '/menus',
      '/drafts',
      '/problems',
      '/icons',
      '/icon?name=own:dot',
      '/routes',
      '/export?notes=true',
    ]
    for (const path of [...lists, '/explain?code=main', `/menu?${main}`, `/source?${main}`])
      assert.is((await ask('GET', path)).status, 200, path)
    await ask('POST', '/menus', { body: { code: 'side', empty: true } })
    await ask('POST', '/copy', { body: { file: 'main.yaml', code: 'copy' } })
    await ask('PATCH', `/menu?${main}`, { body: renamed('A'), version: await versionOf(judged) })
    const put = { body: MENU, type: 'text/yaml', version: await versionOf(judged) }
    await ask('PUT', `/source?${main}`, put)
    const { kept } = (await ask('GET', `/history?${main}`)).json() as { kept: { id: string }[] }
    const id = kept[0]?.id ?? ''
    assert.is((await ask('GET', `/history/${id}?${main}`)).status, 200)
    const version = await versionOf(judged)
    await ask('POST', `/restore?${main}`, { body: { id, pointer: '/items/0' }, version })
    const place = async (file: string) => ({
      ...{ file, pointer: '/items/0' },
      version: (await versionOf(judged, file)).slice(1, -1),
    })
    const moved = { from: await place('main.yaml'), to: await place('side.yaml') }
    assert.is((await ask('POST', '/move', { body: moved })).status, 200)
    const opened = (await ask('POST', `/drafts?${main}`)).json() as { id: string; base: string }
    const draft = `/drafts/${opened.id}`
    await ask('PATCH', draft, { body: renamed('B') })
    for (const step of ['/undo', '/redo']) assert.is((await ask('POST', draft + step)).status, 200)
    await ask('GET', draft)
    assert.is((await ask('POST', '/preview', { body: { draft: opened.id } })).status, 200)
    const choices = { version: (await versionOf(judged)).slice(1, -1), choices: {} }
    assert.is((await ask('POST', `${draft}/resolve`, { body: choices })).status, 200)
    assert.is((await ask('POST', `${draft}/publish`)).status, 200)
    assert.is((await ask('DELETE', draft)).status, 204)
    await ask('POST', '/import', { body: (await ask('GET', '/export')).json() })
    await ask('DELETE', '/menu?file=side.yaml', { version: await versionOf(judged, 'side.yaml') })
    // Streams are tried elsewhere, and a script has no session.
    const others = ['GET /events', 'POST /session', 'DELETE /session']
    assert.equal([...asked, ...others].sort(), Object.keys(ROUTES).sort())
  })
})

test('Refusals of each endpoint match the description, with their codes', async () => {
  await judging(async (ask) => {
    for (const operation of Object.keys(ROUTES)) {
      const [method = '', pattern = ''] = operation.split(' ')
      if (pattern === '/events' || pattern === '/session') continue
      const path = pattern.replace('{id}', 'none')
      for (const query of ['?a=1&a=2', '?a=%', '?dry_run=yes', '?file=../x.yaml', '?file=none.yaml', ''])
        for (const body of method === 'GET' || method === 'DELETE' ? [undefined] : [{}, '['])
          assert.ok((await ask(method, path + query, { body, version: '"0"' })).status < 500, path)
      assert.is((await ask(method, path, { headers: { authorization: 'Bearer no' } })).status, 401)
    }
  })
})

test('Where there is no dashboard, the description says nothing of its API', async () => {
  await withSite({ 'main.yaml': MENU }, {}, async ({ ask }) => {
    assert.not.match((await ask('/openapi.json')).text, API)
  })
})

const BAD_PATHS = [
  ...['../main.yaml', 'a/../main.yaml', '/etc/menu.yaml', 'a\\b.yaml', 'a\0.yaml', 'a//b.yaml', ''],
  ...[`${'x'.repeat(256)}.yaml`, `${'x/'.repeat(600)}a.yaml`, '.hidden.yaml', 'a.yaml/b.yaml', '\ud800.yaml'],
  'main.txt',
]

test('E7: No endpoint takes a path that leads out, or is none', async () => {
  await managing(async (script) => {
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
})

test.run()
