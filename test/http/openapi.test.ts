import { Ajv2020 } from 'ajv/dist/2020.js'
import * as assert from 'uvu/assert'
import { closing, test } from '../support/test.js'
import { at, createJudge, descriptionOf, type JsonObject } from './description.js'
import { menuPath, openSite } from './sites.js'

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

test('The description is an OpenAPI 3.1 document: its members, and the form of each operation', async () => {
  const document = await descriptionOf(site)
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
  for (const [path, item] of Object.entries(document['paths'] as JsonObject)) {
    assert.match(path, /^\//)
    const responses = at(item, 'get', 'responses') as JsonObject
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
  const item = at(await descriptionOf(site), 'paths', '/api/menu/{code}')
  const parameters = at(item, 'parameters') as readonly JsonObject[]
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
  const document = await descriptionOf(site)
  const text = JSON.stringify(document)
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g))
    assert.ok(at(document, ...pointer.split('/')), pointer)
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema(document, 'doc')
  for (const name of Object.keys(at(document, 'components', 'schemas') as JsonObject))
    assert.type(ajv.compile({ $ref: `doc#/components/schemas/${name}` }), 'function')
})

test('Answers match the description', async () => {
  const judge = createJudge(await descriptionOf(site))
  const paths = ['/api/menu/main', '/api/menu/none', '/api/menu/main?_locale=es&_locale=en', '/api/menu/%']
  for (const path of [...paths, menuPath('main', [1]), menuPath('main', { a: 1 })])
    judge('GET /api/menu/{code}', await site.ask(path))
  judge('GET /api/menu/{code}', await site.ask('/api/menu/main', { method: 'POST' }))
  for (const path of ['/livez', '/readyz', '/openapi.json']) judge(`GET ${path}`, await site.ask(path))
  const remote = await site.ask('/readyz', { headers: { 'x-forwarded-for': '203.0.113.7' } })
  judge('GET /readyz', remote)
})

test('Requests may contain what the description allows', async () => {
  const item = at(await descriptionOf(site), 'paths', '/api/menu/{code}')
  const parameters = at(item, 'parameters') as readonly JsonObject[]
  const schema = at(parameters[2], 'content', 'application/json', 'schema') as JsonObject
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
  const failing = closing(await openSite(MENUS, { policies: 'export const resolveViewer = () => null' }))
  createJudge(await descriptionOf(failing))('GET /api/menu/{code}', await failing.ask('/api/menu/main'))
})

test('The description follows the configuration: prefix, extra members, an endpoint that is off', async () => {
  const api = { path_prefix: '/m', node_members: ['id', 'attributes'] }
  const other = closing(await openSite(MENUS, { config: { api } }))
  createJudge(await descriptionOf(other))('GET /m/{code}', await other.ask('/m/main'))
  const off = closing(await openSite(MENUS, { config: { api: { enabled: false } } }))
  const { paths } = await descriptionOf(off)
  assert.not(Object.keys(paths as object).some((path) => path.includes('{code}')))
})

test.run()
