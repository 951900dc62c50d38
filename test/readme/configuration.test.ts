import { writeFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import { ALIASES, OPTION_ROWS } from '../../src/config/option-table.js'
import { toSettings } from '../../src/config/service-settings.js'
import { openAccess } from '../../src/dashboard/access/access.js'
import { SILENT_LOG } from '../../src/service/log.js'
import { CLIENT_SECRET, openProvider } from '../dashboard/access/providers.js'
import { openSite } from '../http/sites.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { closing, test } from '../support/test.js'
import { plain } from './markdown.js'
import { optionsOf } from './options.js'
import { pageAt, tablesIn, takeBlocks, testCoverage } from './readme.js'

test('The example configuration loads without problems', async () => {
  const [text = ''] = takeBlocks('Configuration', ['yaml'])
  assert.is((await optionsOf(text)).cache.ttl, 300)
})

test('The example of names loads, and its routes and permissions have them', async () => {
  const [text = ''] = takeBlocks('Names for people', ['yaml'])
  const { routes, permissions } = toSettings(await optionsOf(text))
  assert.equal(routes?.get('room')?.title, { en: 'Room', es: 'Estancia' })
  assert.equal(routes?.get('room')?.values?.get('room'), ['kitchen', 'garden'])
  assert.is(permissions?.get('orders.edit'), 'Change and cancel orders')
})

test('With the example for OpenID Connect, the groups at a real provider give roles, at the redirect URI of the page', async () => {
  const [text = ''] = takeBlocks('Sign in with OpenID Connect', ['yaml'])
  const { server, dashboard } = await optionsOf(text)
  const prose = pageAt('docs/configuration.md').text
  const [redirectUri = ''] = /https:\S+\/sign-in\/oidc\/callback/.exec(prose) ?? []
  const people = { 1: { groups: ['staff', 'web-editors'], preferred_username: 'ana' } }
  const claims = { profile: ['preferred_username', 'groups'] }
  const provider = closing(await openProvider({ redirectUri, people, more: { claims } }))
  const oidc = { ...dashboard.oidc, issuer: provider.issuer, client_secret_file: 'secret' }
  const config = { server: { public_url: server.public_url }, dashboard: { oidc } }
  const prepare = (dir: string) => writeFileSync(`${dir}/secret`, CLIENT_SECRET)
  const site = closing(await openSite({}, { config, prepare, hasDashboard: true }))
  const host = new URL(server.public_url ?? '').host
  const begun = await site.ask('/admin/menus/sign-in/oidc', { headers: { host } })
  const [flow] = (begun.headers['set-cookie'] ?? '').split(';')
  provider.user = '1'
  const back = await provider.visit(begun.headers['location'] ?? '')
  const came = await site.ask(`${back.pathname}${back.search}`, { headers: { host, cookie: flow } })
  const [cookie] = (came.headers['set-cookie'] ?? '').split(';')
  const { json } = await site.ask('/admin/menus/api/session', { headers: { host, cookie } })
  const { user, role } = json() as { readonly user: string; readonly role: string }
  assert.is(role, 'edit')
  assert.match(user, /^ana#[0-9a-f]{8}$/)
})

test('The issuers of the providers that the page names are valid', async () => {
  const [table] = tablesIn('Sign in with OpenID Connect')
  const issuers = (table?.rows ?? []).map(([, issuer]) => plain(issuer).replace(/HOST/, 'login.example.org'))
  assert.is(issuers.length, 3)
  for (const issuer of issuers) {
    const oidc = { issuer, client_id: 'menuscript', default_role: 'view' }
    const config = { server: { public_url: 'https://menus.example.org' }, dashboard: { oidc } }
    assert.is((await optionsOf(JSON.stringify(config))).dashboard.oidc.issuer, issuer)
  }
})

test('Every option has one row with its default; options that nothing reads yet are listed separately', () => {
  const [read, unread] = tablesIn('Options')
  const [former] = tablesIn('Former names')
  const rows = [...(read?.rows ?? []), ...(unread?.rows ?? [])]
  const options = OPTION_ROWS.filter(({ isAlias }) => !isAlias)
  assert.equal(rows.map(([name]) => plain(name)).sort(), options.map(({ name }) => name).sort())
  for (const { name, fallback, description } of options) {
    const [, shown] = rows.find(([cell]) => plain(cell) === name) ?? []
    assert.equal(JSON.parse(plain(shown)), fallback, name)
    const apart = unread?.rows.some(([cell]) => plain(cell) === name) ?? false
    if (/does not have yet/.test(description)) assert.ok(apart, `${name} is not read yet`)
  }
  assert.equal(
    former?.rows.map((row) => row.map(plain)),
    [...ALIASES].map((pair) => [...pair]),
  )
})

test('E1: the dashboard is open as the table says, by where the service listens and who can sign in', async () => {
  const folder = createMenusFolder()
  const [table] = tablesIn('Dashboard access')
  const found = await Promise.all(
    (table?.rows ?? []).map(async ([where = '', login]) => {
      const flags = { 'server.host': where.includes('any other') ? '0.0.0.0' : '127.0.0.1' }
      const config = await loadConfig({ folder: folder.dir, file: false, environment: {}, flags })
      const policies = login === 'yes' ? { resolveOperator: () => null } : {}
      const isMounted = where.includes('mounted')
      return openAccess(config, { policies, isMounted, adminToken: null, log: SILENT_LOG }).value
        ?.availability.kind
    }),
  )
  folder.close()
  const toKind = (text = '') =>
    text.startsWith('opens with a one-time link') ? 'link' : text.startsWith('opens') ? 'open' : 'closed'
  assert.equal(
    table?.rows.map(([, , what]) => toKind(what)),
    found,
  )
  assert.equal(new Set(found).size, 3)
})

testCoverage(test, 'docs/configuration.md')

test.run()
