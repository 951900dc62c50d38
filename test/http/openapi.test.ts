import { Ajv2020 } from 'ajv/dist/2020.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { HttpAnswer } from '../support/http.js'
import { menuPath, openSite, type SiteOptions, withSite } from './sites.js'

type Json = Readonly<Record<string, unknown>>

const MENUS = {
  'main.yaml': JSON.stringify({
    version: 1,
    code: 'main',
    name: 'Main',
    items: [
      { id: 'home', label: 'Home', url: '/', icon: 'bi:house', attributes: { class: 'x', download: true } },
      { type: 'section', label: 'More', children: [{ label: 'A', url: '/a' }, { type: 'divider' }] },
    ],
  }),
}
const site = await openSite(MENUS)
test.after(() => site.close())

/** The value at a path of keys. */
function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key], value)
}

const documentOf = async ({ ask }: typeof site) => (await ask('/openapi.json')).json() as Json

/** Holds an answer against what the description says of its path, status and type. */
function judge(document: Json, path: string, { status, headers, json }: HttpAnswer): void {
  const type = headers['content-type'] ?? ''
  const schema = at(document, 'paths', path, 'get', 'responses', String(status), 'content', type, 'schema')
  assert.ok(schema, `${path} says nothing of ${status} as ${type}`)
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  const rooted = JSON.parse(JSON.stringify(schema).replaceAll('#/components', 'doc#/components'))
  const validate = ajv.addSchema(document, 'doc').compile(rooted)
  assert.ok(validate(json()), `${path} ${status}: ${JSON.stringify(validate.errors)}`)
}

test('The description is an OpenAPI 3.1 document: its members, and the form of each operation', async () => {
  const document = await documentOf(site)
  assert.match(String(document['openapi']), /^3\.1\.\d+$/)
  assert.type(at(document, 'info', 'title'), 'string')
  assert.is(at(document, 'info', 'version'), '0.0.0')
  const known = [
    'openapi',
    'info',
    'servers',
    'paths',
    'components',
    'tags',
    'jsonSchemaDialect',
    'externalDocs',
  ]
  for (const member of Object.keys(document)) assert.ok(known.includes(member), member)
  const ids: unknown[] = []
  for (const [path, item] of Object.entries(document['paths'] as Json)) {
    assert.match(path, /^\//)
    const responses = at(item, 'get', 'responses') as Json
    ids.push(at(item, 'get', 'operationId'))
    assert.ok(Object.keys(responses).length > 0)
    for (const [status, response] of Object.entries(responses)) {
      assert.match(status, /^([1-5]\d\d|default)$/)
      assert.type(at(response, 'description'), 'string')
    }
  }
  assert.is(new Set(ids).size, ids.length)
})

test('Each parameter of the endpoint is described, those of the path as required', async () => {
  const item = at(await documentOf(site), 'paths', '/api/menu/{code}')
  const parameters = at(item, 'parameters') as readonly Json[]
  assert.equal(
    parameters.map(({ name, in: where, required = false }) => [name, where, required]),
    [
      ['code', 'path', true],
      ['_locale', 'query', false],
      ['_context_sets', 'query', false],
    ],
  )
  for (const parameter of parameters) {
    assert.is(Number(Object.hasOwn(parameter, 'schema')) + Number(Object.hasOwn(parameter, 'content')), 1)
  }
})

test('Every reference of the description leads somewhere, and every schema compiles', async () => {
  const document = await documentOf(site)
  const text = JSON.stringify(document)
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g))
    assert.ok(at(document, ...pointer.split('/')), pointer)
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema(document, 'doc')
  for (const name of Object.keys(at(document, 'components', 'schemas') as Json))
    assert.type(ajv.compile({ $ref: `doc#/components/schemas/${name}` }), 'function')
})

test('Answers match the description', async () => {
  const document = await documentOf(site)
  const paths = ['/api/menu/main', '/api/menu/none', '/api/menu/main?_locale=es&_locale=en', '/api/menu/%']
  for (const path of [...paths, menuPath('main', [1]), menuPath('main', { a: 1 })])
    judge(document, '/api/menu/{code}', await site.ask(path))
  judge(document, '/api/menu/{code}', await site.ask('/api/menu/main', { method: 'POST' }))
  for (const path of ['/livez', '/readyz', '/openapi.json']) judge(document, path, await site.ask(path))
  const remote = await site.ask('/readyz', { headers: { 'x-forwarded-for': '203.0.113.7' } })
  judge(document, '/readyz', remote)
})

test('Requests may contain what the description allows', async () => {
  const item = at(await documentOf(site), 'paths', '/api/menu/{code}')
  const parameters = at(item, 'parameters') as readonly Json[]
  const schema = at(parameters[2], 'content', 'application/json', 'schema') as Json
  const validate = new Ajv2020({ strict: false }).compile(schema)
  for (const sets of [null, [], [{}], [null, [], { a: 1, b: 'x', c: null, d: true }]]) {
    assert.ok(validate(sets), JSON.stringify(sets))
    assert.is((await site.ask(menuPath('main', sets))).status, 200)
  }
  for (const sets of [{}, 1, [1], [[1]], ['x'], [{ a: {} }], [{ a: [] }], Array(65).fill({})]) {
    assert.not(validate(sets), JSON.stringify(sets))
    assert.is((await site.ask(menuPath('main', sets))).status, 400)
  }
})

test('A failing hook is answered as described', async () => {
  const options: SiteOptions = { policies: 'export const resolveViewer = () => null' }
  await withSite(MENUS, options, async (failing) => {
    judge(await documentOf(failing), '/api/menu/{code}', await failing.ask('/api/menu/main'))
  })
})

test('The description follows the configuration: prefix, extra members, an endpoint that is off', async () => {
  const api = { path_prefix: '/m', node_members: ['id', 'attributes'] }
  await withSite(MENUS, { config: { api } }, async (other) => {
    judge(await documentOf(other), '/m/{code}', await other.ask('/m/main'))
  })
  await withSite(MENUS, { config: { api: { enabled: false } } }, async (off) => {
    assert.not(Object.keys((await documentOf(off))['paths'] as Json).some((path) => path.includes('{code}')))
  })
})

test.run()
