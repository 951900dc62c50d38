import { test } from 'uvu'
import * as assert from 'uvu/assert'
import configSchema from '../../schemas/config.schema.json' with { type: 'json' }
import { createAjv } from '../../src/document/read/ajv.js'
import { loadFaultless, nest, OPTION_NAMES, optionOf } from './loading.js'

interface Node {
  readonly type?: unknown
  readonly description?: string
  readonly default?: unknown
  readonly additionalProperties?: unknown
  readonly properties?: Readonly<Record<string, Node>>
}

/** Each option with a value that is not its default. */
const OTHER_VALUES: Readonly<Record<string, unknown>> = {
  'storage.connection': 'main',
  'storage.connections': { default: 'm', main: 'n' },
  'storage.file_prefix': 'shop-',
  'storage.rescan_seconds': 1.5,
  'storage.git.remote': 'https://git.example/menus.git',
  'storage.git.branch': 'live',
  'storage.git.path': 'site/menus',
  'storage.git.interval': 5,
  'storage.git.token_file': 'token',
  'storage.git.ssh_key_file': 'key',
  'storage.git.webhook_secret_file': 'secret',
  'storage.git.clone': 'clone',
  'storage.git.drafts': 'local',
  'cache.ttl': 5,
  'cache.pool': null,
  locales: ['en', 'es'],
  default_locale: 'en',
  'api.enabled': false,
  'api.path_prefix': '/menus',
  'api.node_members': ['id'],
  'api.cors_origins': ['https://a.example'],
  'dashboard.enabled': false,
  'dashboard.path_prefix': '/desk',
  'dashboard.users_file': 'users.json',
  'dashboard.proxy_user_header': 'X-User',
  'dashboard.proxy_default_role': 'edit',
  'dashboard.session_secret': 'a secret of thirty-two characters',
  'dashboard.session_hours': 1,
  'dashboard.oidc.issuer': 'https://login.example',
  'dashboard.oidc.client_id': 'menus',
  'dashboard.oidc.client_secret_file': 'client-secret',
  'dashboard.oidc.scopes': ['openid', 'groups'],
  'dashboard.oidc.user_claim': 'email',
  'dashboard.oidc.groups_claim': 'roles',
  'dashboard.oidc.roles.view': ['staff'],
  'dashboard.oidc.roles.edit': ['editors'],
  'dashboard.oidc.roles.manage': ['admins'],
  'dashboard.oidc.default_role': 'view',
  'dashboard.oidc.label': 'Acme',
  'dashboard.preview_css': '/site.css',
  icon_library_prefix_map: { lucide: 'lc' },
  routes: { home: '/' },
  policies: 'policies.mjs',
  permissions: ['reports.view'],
  'lint.rules': { 'missing-translation': 'error' },
  'limits.items': 10,
  'limits.levels': 3,
  'limits.bytes': 4096,
  'limits.context_sets': 2,
  'limits.context_keys': 2,
  'limits.query_bytes': 512,
  'limits.connections': 50,
  'log.level': 'warn',
  icons: ['icons.json'],
  'server.host': '0.0.0.0',
  'server.port': 8080,
  'server.public_url': 'https://menus.example',
  'server.trusted_proxies': ['10.0.0.0/8'],
  'server.static': 'public',
  'git.commit': 'off',
  'git.committer_name': 'Menus',
  'git.committer_email': 'menus@site.example',
  'git.signing_key_file': 'key',
  'git.mode': 'both',
  'git.host.kind': 'gitlab',
  'git.host.api': 'https://git.example/api/v4',
  'git.host.token_file': 'host-token',
  'state.dir': 'state',
}
const REMOTE = { MENUSCRIPT_STORAGE_GIT_REMOTE: 'https://git.example/shop/site.git' }
/** What an option needs beside it to make sense. */
const COMPANIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'dashboard.proxy_user_header': { MENUSCRIPT_SERVER_TRUSTED_PROXIES: '10.0.0.1' },
  'dashboard.oidc.issuer': {
    MENUSCRIPT_DASHBOARD_OIDC_CLIENT_ID: 'menus',
    MENUSCRIPT_DASHBOARD_OIDC_DEFAULT_ROLE: 'view',
    MENUSCRIPT_SERVER_PUBLIC_URL: 'https://menus.example',
  },
  'dashboard.oidc.client_id': {
    MENUSCRIPT_DASHBOARD_OIDC_ISSUER: 'https://login.example',
    MENUSCRIPT_DASHBOARD_OIDC_DEFAULT_ROLE: 'view',
    MENUSCRIPT_SERVER_PUBLIC_URL: 'https://menus.example',
  },
  'storage.connection': { MENUSCRIPT_STORAGE_CONNECTIONS: '{"main":"m"}' },
  'git.mode': REMOTE,
  'git.host.kind': REMOTE,
  'git.host.api': { ...REMOTE, MENUSCRIPT_GIT_HOST_KIND: 'gitlab' },
  'git.host.token_file': { ...REMOTE, MENUSCRIPT_GIT_HOST_KIND: 'gitlab' },
}
const ALIASES = ['doctrine.connection', 'doctrine.table_prefix']

const options = new Map(leaves(configSchema as Node, ''))

test('Every option of the schema is known to the command and to this test', () => {
  const own = [...options.keys()].filter((name) => !ALIASES.includes(name))
  assert.equal(own, Object.keys(OTHER_VALUES))
  assert.equal(own, OPTION_NAMES)
})

test('Every option and every section has a description that is a sentence', () => {
  const nodes = [...options, ...Object.entries((configSchema as Node).properties ?? {})]
  for (const [name, { description = '' }] of nodes) assert.match(description, /^\S.*\.$/, name)
})

test('Every option has a default, and it is what a fresh service has', async () => {
  const { config } = await loadFaultless()
  for (const [name, node] of options) {
    assert.ok(Object.hasOwn(node, 'default'), name)
    if (ALIASES.includes(name)) continue
    assert.equal(optionOf(config, name), [node.default, 'default'], name)
  }
})

test('Every default keeps to its own schema', () => {
  const ajv = createAjv()
  for (const [name, node] of options) {
    if (!ALIASES.includes(name)) assert.ok(ajv.compile(node as object)(node.default), name)
  }
})

for (const [name, value] of Object.entries(OTHER_VALUES)) {
  const variable = `MENUSCRIPT_${name.toUpperCase().replaceAll('.', '_')}`
  test(`${name} is set by ${variable}, and by a line of a file`, async () => {
    const environment = { ...COMPANIONS[name], [variable]: JSON.stringify(value) }
    assert.equal(optionOf((await loadFaultless({}, { environment })).config, name), [value, variable])
    const file = { 'menuscript.config.json': JSON.stringify(nest(name, value), null, 2) }
    const companions = { environment: COMPANIONS[name] ?? {} }
    const line = name.split('.').length + 1
    const [found, from] = optionOf((await loadFaultless(file, companions)).config, name)
    assert.equal([found, from], [value, `menuscript.config.json:${line}`])
  })
}

/** The options: whatever is not a section with a fixed set of keys. */
function* leaves(node: Node, name: string): Generator<[string, Node]> {
  if (node.properties === undefined || node.additionalProperties !== false) {
    yield [name, node]
    return
  }
  for (const [key, child] of Object.entries(node.properties)) {
    yield* leaves(child, name === '' ? key : `${name}.${key}`)
  }
}

test.run()
