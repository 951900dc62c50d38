import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toAdvice } from '../../src/model/problem.js'
import { yaml } from '../support/yaml.js'
import { load, loadFaultless, onlyProblemOf, optionOf, toLine } from './loading.js'

test('A flag overrides the variable, PORT, the file and the default, in this order', async () => {
  const files = { 'menuscript.config.yaml': 'server: { port: 1001 }' }
  const environment = { PORT: '1002', MENUSCRIPT_SERVER_PORT: '1003' }
  const port = async (...inputs: Parameters<typeof load>) =>
    optionOf((await loadFaultless(...inputs)).config, 'server.port')
  assert.equal(await port(files, { environment, flags: { 'server.port': 1004 } }), [1004, '--port'])
  assert.equal(await port(files, { environment }), [1003, 'MENUSCRIPT_SERVER_PORT'])
  assert.equal(await port(files, { environment: { PORT: '1002' } }), [1002, 'PORT'])
  assert.equal(await port(files), [1001, 'menuscript.config.yaml:1'])
  assert.equal(await port(), [4400, 'default'])
})

test('An empty PORT is ignored, and one that is not a port stops the start', async () => {
  const { config } = await loadFaultless({}, { environment: { PORT: '' } })
  assert.equal(optionOf(config, 'server.port'), [4400, 'default'])
  for (const PORT of ['http', '70000', '-1', '80.5']) {
    const problem = await onlyProblemOf({}, { environment: { PORT } })
    assert.is(problem.path, 'PORT', PORT)
  }
})

test('A variable sets one option and leaves the others of its section to the file', async () => {
  const file = yaml`
    cache:
      ttl: 5
      pool: null
  `
  const environment = { MENUSCRIPT_CACHE_TTL: '6' }
  const { config } = await loadFaultless({ 'menuscript.config.yaml': file }, { environment })
  assert.equal(optionOf(config, 'cache.ttl'), [6, 'MENUSCRIPT_CACHE_TTL'])
  assert.equal(optionOf(config, 'cache.pool'), [null, 'menuscript.config.yaml:3'])
  assert.equal(optionOf(config, 'api.enabled'), [true, 'default'])
})

test('A list or a map of a higher layer replaces the one below as a whole', async () => {
  const file = yaml`
    locales: [en, es]
    icon_library_prefix_map: { lucide: lc }
  `
  const environment = { MENUSCRIPT_LOCALES: 'de', MENUSCRIPT_ICON_LIBRARY_PREFIX_MAP: '{"tabler":"ti"}' }
  const { config } = await loadFaultless({ 'menuscript.config.yaml': file }, { environment })
  assert.equal(config.options.locales, ['de'])
  assert.equal(config.options.icon_library_prefix_map, { tabler: 'ti' })
})

const FORMS: readonly (readonly [option: string, variable: string, text: string, value: unknown])[] = [
  ['storage.file_prefix', 'MENUSCRIPT_STORAGE_FILE_PREFIX', 'shop-', 'shop-'],
  ['storage.file_prefix', 'MENUSCRIPT_STORAGE_FILE_PREFIX', '"shop-"', 'shop-'],
  ['storage.file_prefix', 'MENUSCRIPT_STORAGE_FILE_PREFIX', '2024', '2024'],
  ['storage.file_prefix', 'MENUSCRIPT_STORAGE_FILE_PREFIX', '007', '007'],
  ['storage.file_prefix', 'MENUSCRIPT_STORAGE_FILE_PREFIX', 'true', 'true'],
  ['cache.ttl', 'MENUSCRIPT_CACHE_TTL', '0', 0],
  ['storage.rescan_seconds', 'MENUSCRIPT_STORAGE_RESCAN_SECONDS', '0.5', 0.5],
  ['api.enabled', 'MENUSCRIPT_API_ENABLED', 'false', false],
  ['cache.pool', 'MENUSCRIPT_CACHE_POOL', 'null', null],
  ['cache.pool', 'MENUSCRIPT_CACHE_POOL', 'cache.app', 'cache.app'],
  ['log.level', 'MENUSCRIPT_LOG_LEVEL', 'debug', 'debug'],
  ['locales', 'MENUSCRIPT_LOCALES', 'en', ['en']],
  ['locales', 'MENUSCRIPT_LOCALES', 'en, pt-BR,', ['en', 'pt-BR']],
  ['locales', 'MENUSCRIPT_LOCALES', '["en","pt-BR"]', ['en', 'pt-BR']],
  ['api.node_members', 'MENUSCRIPT_API_NODE_MEMBERS', 'id,attributes', ['id', 'attributes']],
  ['api.cors_origins', 'MENUSCRIPT_API_CORS_ORIGINS', '*', '*'],
  ['api.cors_origins', 'MENUSCRIPT_API_CORS_ORIGINS', 'https://a.example', ['https://a.example']],
  ['api.cors_origins', 'MENUSCRIPT_API_CORS_ORIGINS', '[]', []],
  ['routes', 'MENUSCRIPT_ROUTES', '{"home":"/"}', { home: '/' }],
  ['storage.connections', 'MENUSCRIPT_STORAGE_CONNECTIONS', '{"default":"m"}', { default: 'm' }],
]

for (const [option, variable, text, value] of FORMS) {
  test(`${variable}=${text} gives ${option} the value ${JSON.stringify(value)}`, async () => {
    const { config } = await loadFaultless({}, { environment: { [variable]: text } })
    assert.equal(optionOf(config, option), [value, variable])
  })
}

test('A variable with a bad value is named, with the value', async () => {
  const environment = { MENUSCRIPT_CACHE_TTL: 'soon', MENUSCRIPT_LOG_LEVEL: 'inof' }
  const { config } = await load({}, { environment })
  assert.equal(config.problems.map(toLine).sort(), [
    'MENUSCRIPT_CACHE_TTL:1 wrong-type',
    'MENUSCRIPT_LOG_LEVEL:1 bad-value',
  ])
  assert.match(config.problems.map(({ what }) => what).join(' '), /"soon".*"inof"|"inof".*"soon"/)
  assert.ok(config.problems.some(({ suggestion }) => suggestion === 'info'))
})

test('A variable that nests too deeply is reported like any other bad value', async () => {
  for (const deep of [
    '['.repeat(60_000) + ']'.repeat(60_000),
    `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  ])
    for (const variable of ['MENUSCRIPT_LOCALES', 'MENUSCRIPT_ROUTES', 'MENUSCRIPT_STORAGE_CONNECTIONS']) {
      const { config } = await load({}, { environment: { [variable]: deep } })
      assert.ok(config.problems.length > 0)
      assert.ok(config.problems.every(({ what }) => what.length < 1_000))
      JSON.stringify(config.options)
    }
})

test('A variable of ours without an option stops the start with a suggestion', async () => {
  const problem = await onlyProblemOf({}, { environment: { MENUSCRIPT_SERVER_PROT: '80' } })
  assert.is(toLine(problem), 'MENUSCRIPT_SERVER_PROT:1 unknown-key')
  assert.is(problem.severity, 'error')
  assert.is(problem.suggestion, 'MENUSCRIPT_SERVER_PORT')
})

test('Variables of others, and the admin token, are not options', async () => {
  const environment = { PATH: '/bin', SERVER_PROT: '1', MENUSCRIPTS: '2', MENUSCRIPT_ADMIN_TOKEN: 'x' }
  const { config } = await loadFaultless({}, { environment })
  assert.equal(config.notes, [])
})

/** What Kubernetes and Docker tell every container beside a service that is called `menuscript`. */
const SERVICE_LINKS = {
  MENUSCRIPT_SERVICE_HOST: '10.0.0.7',
  MENUSCRIPT_SERVICE_PORT: '4400',
  MENUSCRIPT_SERVICE_PORT_HTTP: '4400',
  MENUSCRIPT_PORT: 'tcp://10.0.0.7:4400',
  MENUSCRIPT_PORT_4400_TCP: 'tcp://10.0.0.7:4400',
  MENUSCRIPT_PORT_4400_TCP_ADDR: '10.0.0.7',
  MENUSCRIPT_PORT_4400_TCP_PORT: '4400',
  MENUSCRIPT_PORT_4400_TCP_PROTO: 'tcp',
}

test('Variables that Kubernetes sets for a service called menuscript are passed over', async () => {
  const { config } = await loadFaultless({}, { environment: SERVICE_LINKS })
  assert.equal(optionOf(config, 'server.port'), [4400, 'default'])
  const problem = await onlyProblemOf({}, { environment: { ...SERVICE_LINKS, MENUSCRIPT_PORT: '1' } })
  assert.is(toLine(problem), 'MENUSCRIPT_PORT:1 unknown-key')
})

test('An empty flag, or one out of range, stops the start under its own name', async () => {
  const flags: readonly (readonly [name: string, value: unknown, flag: string])[] = [
    ['server.host', '', '--host'],
    ['server.port', 70_000, '--port'],
    ['server.port', -1, '--port'],
  ]
  for (const [name, value, flag] of flags) {
    const problem = await onlyProblemOf({}, { flags: { [name]: value } })
    assert.equal([toLine(problem), problem.severity], [`${flag}:1 bad-value`, 'error'])
    assert.match(problem.todo, 'flag')
  }
})

test('An unknown variable is reported with suggestions', async () => {
  const MEANT: Readonly<Record<string, string>> = {
    MENUSCRIPT_PORT: 'Set PORT or MENUSCRIPT_SERVER_PORT, or unset it',
    MENUSCRIPT_LOCALE: 'Set MENUSCRIPT_LOCALES or MENUSCRIPT_DEFAULT_LOCALE, or unset it',
    MENUSCRIPT_PATH_PREFIX: 'Set MENUSCRIPT_API_PATH_PREFIX or MENUSCRIPT_DASHBOARD_PATH_PREFIX, or unset it',
    MENUSCRIPT_HOST: 'Did you mean "MENUSCRIPT_SERVER_HOST"?',
    MENUSCRIPT_MENU: 'Did you mean "MENUSCRIPT_MENUS"?',
    MENUSCRIPT_SERVER_PROT: 'Did you mean "MENUSCRIPT_SERVER_PORT"?',
    MENUSCRIPT_XYZ: 'Correct the name, or unset it; "menuscript config" lists the options.',
  }
  for (const [variable, meant] of Object.entries(MEANT)) {
    const problem = await onlyProblemOf({}, { environment: { [variable]: '1' } })
    assert.ok(toAdvice(problem).includes(meant), `${variable}: ${toAdvice(problem)}`)
  }
})

test('A locale that is not a language stops the start with a suggestion', async () => {
  for (const [tag, meant] of [
    ['sp', 'es'],
    ['english', 'en'],
    ['cz', 'cs'],
  ] as const) {
    const problem = await onlyProblemOf({ 'menuscript.config.yaml': `locales: [en-GB, ${tag}]` })
    assert.is(toLine(problem), 'menuscript.config.yaml:1 bad-option')
    assert.is(problem.suggestion, meant)
    assert.match(problem.what, `"${tag}" is not a language`)
  }
})

test.run()
