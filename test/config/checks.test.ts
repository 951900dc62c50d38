import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import { yaml } from '../support/yaml.js'
import { load, loadFaultless, onlyProblemOf, optionOf, toLine } from './loading.js'

const CONFIG = 'menuscript.config.yaml'

/** What is wrong although every value has the right form: a text and the line that is blamed for it. */
const FAULTS: readonly (readonly [rule: string, text: string, line: number])[] = [
  ['a connection that is not among the connections', 'storage:\n  connection: mian', 2],
  ['connections without the default one', 'cache: {}\nstorage:\n  connections: { main: menus }', 3],
  ['a locale that is no language tag', 'cache: {}\nlocales: [en, "-"]', 2],
  ['a locale that is there twice in another spelling', 'locales: [pt-BR, pt_br]', 1],
  ['a default locale that is not among the locales', 'locales: [en, es]\ndefault_locale: de', 2],
  ['a default locale that is no language tag', 'default_locale: "!"', 1],
  ['one path for the API and the dashboard', 'api: { path_prefix: /admin/menus }', 1],
  ['an API inside of the dashboard', 'api:\n  path_prefix: /admin/menus/api', 2],
  ['a dashboard inside of the API', 'api: { path_prefix: /admin }', 1],
  ['a path for the API that clients shorten', 'api: { path_prefix: /menus/../api }', 1],
  ['a path for the API that hides /-/reload', 'api: { path_prefix: /- }', 1],
  ['a wildcard among the origins', 'api:\n  cors_origins: ["https://*.example.org"]', 2],
  ['an origin with a port that goes without saying', 'api: { cors_origins: ["https://example.org:443"] }', 1],
  ['an origin with a user', 'api: { cors_origins: ["https://me@example.org"] }', 1],
  ['an origin in letters that no browser sends', 'api: { cors_origins: ["https://caf\u00e9.example"] }', 1],
  ['an origin that is no address', 'api: { cors_origins: ["https://a:b"] }', 1],
  ['a public address that holds a password', 'server: { public_url: "https://me:pass@example.org" }', 1],
  ['a style sheet whose address has no host', 'dashboard: { preview_css: "https://:1" }', 1],
  ['a pattern of a route that does not begin with a slash', 'cache: {}\nroutes:\n  home: home', 2],
  ['a pattern of a route with a nameless parameter', 'routes: { home: "/:" }', 1],
  ['a proxy that is no address', 'server:\n  trusted_proxies: [localhost]', 2],
  ['a proxy network that is too narrow to be one', 'server:\n  trusted_proxies: [10.0.0.0/33]', 2],
  ['a provider without a public address', oidc({}, ''), 3],
  ['a provider without a client ID', oidc({ client_id: null }), 3],
  ['a client ID without a provider', oidc({ issuer: null }), 3],
  ['an issuer over plain HTTP', oidc({ issuer: 'http://login.example.org' }), 3],
  ['an issuer that is no address', oidc({ issuer: 'login.example.org' }), 3],
  ['an issuer with a query', oidc({ issuer: 'https://login.example.org/?realm=a' }), 3],
  ['scopes without openid', oidc({ scopes: ['email'] }), 6],
  ['a provider none of whose users gets a role', oidc({ default_role: null }), 3],
]

/** A configuration with an OpenID Connect provider, an option a line. */
function oidc(options: object, server = 'server: { public_url: "https://menus.example.org" }'): string {
  const usual = { issuer: 'https://login.example.org', client_id: 'menus', default_role: 'view' }
  const lines = Object.entries({ ...usual, ...options })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`)
  return ['dashboard:', '  oidc:', ...lines, server].join('\n')
}

for (const [rule, text, line] of FAULTS) {
  test(`bad-option: ${rule} stops the start with its line`, async () => {
    const problem = await onlyProblemOf({ [CONFIG]: text })
    assert.is(toLine(problem), `${CONFIG}:${line} bad-option`)
    assert.is(problem.severity, 'error')
  })
}

test('Sibling paths are not inside each other', async () => {
  await loadFaultless({ [CONFIG]: 'api: { path_prefix: /admin/menus-api }' })
  await loadFaultless({ [CONFIG]: 'server: { trusted_proxies: [127.0.0.1, "::1", fd00::/8, 10.0.0.0/8] }' })
  await loadFaultless({ [CONFIG]: 'api: { cors_origins: ["https://Example.org", "http://localhost:3000"] }' })
  await loadFaultless({ [CONFIG]: 'api: { path_prefix: /-/menus }' })
  await loadFaultless({ [CONFIG]: 'locales: [en, es-MX]\ndefault_locale: ES_mx' })
})

test('An issuer may be on this machine over plain HTTP, and unknown keys of the provider get a suggestion', async () => {
  for (const issuer of ['http://127.0.0.1:8080/realms/a', 'http://localhost', 'http://[::1]:80'])
    await loadFaultless({ [CONFIG]: oidc({ issuer }) })
  const { code, suggestion } = await onlyProblemOf({ [CONFIG]: oidc({ group_claim: 'roles' }) })
  assert.equal([code, suggestion], ['unknown-key', 'groups_claim'])
})

test('A misspelt connection, or default locale, is reported with a suggestion', async () => {
  const files = { [CONFIG]: 'storage: { connection: mian, connections: { main: m, other: n } }' }
  assert.is((await onlyProblemOf(files)).suggestion, 'main')
  const locale = await onlyProblemOf({ [CONFIG]: 'locales: [en, pt-BR]\ndefault_locale: pt-BT' })
  assert.is(locale.suggestion, 'pt-BR')
})

test('An origin that is written otherwise is reported as browsers send it', async () => {
  const { what } = await onlyProblemOf({ [CONFIG]: 'api: { cors_origins: ["https://example.org:443"] }' })
  assert.ok(what.includes('"https://example.org"'), what)
})

test('A password in the public address is in no message', async () => {
  const { config } = await load({ [CONFIG]: 'server: { public_url: "https://me:s3cr3t@example.org" }' })
  assert.not.ok(config.problems.some(({ what, todo }) => `${what} ${todo}`.includes('s3cr3t')))
})

test('The variable that a bad option came from is named', async () => {
  for (const [name, text] of [
    ['MENUSCRIPT_DEFAULT_LOCALE', 'de'],
    ['MENUSCRIPT_STORAGE_CONNECTIONS', '{"main": "menus"}'],
    ['MENUSCRIPT_DASHBOARD_PATH_PREFIX', '/api/menu'],
  ] as const)
    assert.is(toLine(await onlyProblemOf({}, { environment: { [name]: text } })), `${name}:1 bad-option`)
})

test('The former names work, with a note that names the new ones', async () => {
  const file = yaml`
    storage: { connections: { default: a, shop: b } }
    doctrine:
      connection: shop
      table_prefix: shop_
  `
  const { config, dir } = await loadFaultless({ [CONFIG]: file })
  assert.equal(optionOf(config, 'storage.connection'), ['shop', `${CONFIG}:3`])
  assert.equal(optionOf(config, 'storage.file_prefix'), ['shop_', `${CONFIG}:4`])
  assert.is(config.menusFolder, join(dir, 'b'))
  assert.is(config.notes.length, 2)
  assert.match(config.notes.join('\n'), /:3.*doctrine\.connection.*storage\.connection/)
  assert.match(config.notes.join('\n'), /:4.*doctrine\.table_prefix.*storage\.file_prefix/)
  assert.is(Reflect.has(config.options, 'doctrine'), false)
})

test('A former name works as a variable', async () => {
  const environment = { MENUSCRIPT_DOCTRINE_TABLE_PREFIX: 'app_' }
  const { config } = await loadFaultless({}, { environment })
  assert.equal(optionOf(config, 'storage.file_prefix'), ['app_', 'MENUSCRIPT_DOCTRINE_TABLE_PREFIX'])
  assert.is(config.notes.length, 1)
})

test('config-conflict: a former name together with its new one stops the start', async () => {
  const text = 'storage: { file_prefix: a_ }\ndoctrine:\n  table_prefix: a_\n'
  const problem = await onlyProblemOf({ [CONFIG]: text })
  assert.is(toLine(problem), `${CONFIG}:3 config-conflict`)
  assert.match(problem.what, 'storage.file_prefix')
  const environment = { MENUSCRIPT_DOCTRINE_CONNECTION: 'default' }
  const across = await onlyProblemOf({ [CONFIG]: 'storage: { connection: default }' }, { environment })
  assert.is(across.code, 'config-conflict')
})

test('Relative paths start at the file, absolute ones stay', async () => {
  const text = 'storage: { connections: { default: ../shared, far: /srv/menus } }\npolicies: ./hooks.mjs'
  const { config, dir } = await loadFaultless({ 'conf/prod.yaml': text }, { file: 'conf/prod.yaml' })
  assert.is(config.menusFolder, join(dir, 'shared'))
  assert.is(config.policiesFile, join(dir, 'conf/hooks.mjs'))
  const environment = { MENUSCRIPT_STORAGE_CONNECTION: 'far' }
  const far = await loadFaultless({ [CONFIG]: text }, { environment })
  assert.is(far.config.menusFolder, '/srv/menus')
})

test('A connection with any name leads to its own folder', async () => {
  for (const name of ['shop.eu', '__proto__', 'constructor', 'ä b']) {
    const key = JSON.stringify(name)
    const text = `storage: { connection: ${key}, connections: { default: a, ${key}: b } }`
    const { config, dir } = await loadFaultless({ [CONFIG]: text })
    assert.is(config.menusFolder, join(dir, 'b'), name)
  }
  const missing = await onlyProblemOf({ [CONFIG]: 'storage: { connection: toString }' })
  assert.is(missing.code, 'bad-option')
})

test('Routes may be a file of their own, relative to the configuration', async () => {
  const files = {
    'conf/c.yaml': 'routes: r/routes.yaml',
    'conf/r/routes.yaml': 'home: /\nuser: /users/:id\n',
  }
  const { config } = await loadFaultless(files, { file: 'conf/c.yaml' })
  assert.equal(optionOf(config, 'routes'), [{ home: '/', user: '/users/:id' }, 'c.yaml:1'])
})

test('config-file: a missing file of routes stops the start, and is named', async () => {
  const problem = await onlyProblemOf({ [CONFIG]: 'routes: routes.yaml' })
  assert.is(problem.code, 'config-file')
  assert.is(problem.path, 'routes.yaml')
})

test('A file of routes with a mistake stops the start', async () => {
  const broken = ['home: [/]', 'home: /\nhome: /start', '- home', 'home: home', 'home: {']
  for (const routes of broken) {
    const { config } = await load({ [CONFIG]: 'routes: routes.yaml', 'routes.yaml': routes })
    assert.ok(
      config.problems.some(({ severity }) => severity === 'error'),
      routes,
    )
  }
})

test('An empty file of routes declares none', async () => {
  const { config } = await loadFaultless({ [CONFIG]: 'routes: routes.yaml', 'routes.yaml': '# none yet\n' })
  assert.equal(config.options.routes, {})
})

test('Two options that contradict each other are reported once, where one of them is set', async () => {
  const dashboard = 'dashboard:\n  path_prefix: /api/menu/desk\n'
  const alone = await onlyProblemOf({ 'menuscript.config.yaml': dashboard })
  assert.is(toLine(alone), 'menuscript.config.yaml:2 bad-option')
  const both = await onlyProblemOf({ 'menuscript.config.yaml': `${dashboard}api:\n  path_prefix: /api\n` })
  assert.is(toLine(both), 'menuscript.config.yaml:4 bad-option')
})

test('A branch is named as git allows it', async () => {
  for (const [branch, isFine] of [
    ...['main', 'release/2.0', 'ana@home', 'Änderung'].map((name) => [name, true] as const),
    ...['a..b', 'a//b', 'a/.b', 'a.lock', 'a.lock/b', 'a.', 'a/', 'a@{1}', '-a', 'a b', 'a~1'].map(
      (name) => [name, false] as const,
    ),
  ]) {
    const flags = { 'storage.git.remote': 'https://git.example/a/b.git', 'storage.git.branch': branch }
    const { problems } = await loadConfig({ folder: '/', file: false, environment: {}, flags })
    assert.is(problems.length === 0, isFine, `${branch}: ${problems[0]?.what}`)
  }
})

test.run()
