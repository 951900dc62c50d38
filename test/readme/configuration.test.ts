import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import { ALIASES, OPTION_ROWS } from '../../src/config/option-table.js'
import { toSettings } from '../../src/config/service-settings.js'
import { openAccess } from '../../src/dashboard/access/access.js'
import { SILENT_LOG } from '../../src/service/log.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { plain } from './markdown.js'
import { optionsOf } from './options.js'
import { tablesIn, takeBlocks, testCoverage } from './readme.js'

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
