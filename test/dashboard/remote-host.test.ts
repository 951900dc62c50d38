import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { menuPath, openSite } from '../http/sites.js'
import { openGitHost } from '../support/git-host.js'
import { closing, test } from '../support/test.js'
import { ADMIN, codeOf, draftOf, MENU, renamed, scriptOf } from './managing.js'

const TOKEN = 'glpat-AbC123_secret/of+the=host'
const BASIC = Buffer.from(`x-access-token:${TOKEN}`).toString('base64')

test('publishes reach a host that needs a token, and say nothing of it where the host refuses it', async () => {
  const host = closing(await openGitHost({ 'menus/main.yaml': MENU }, TOKEN))
  const git = { remote: host.url, token_file: 'token' }
  const prepare = (dir: string): void => writeFileSync(join(dir, 'token'), TOKEN)
  const config = { storage: { git }, log: { level: 'debug' } }
  const site = closing(await openSite({}, { config, adminToken: ADMIN, hasDashboard: true, prepare }))
  const script = scriptOf(site)
  const published = await script('POST', `${await draftOf(script, renamed('Shop'))}/publish`)
  assert.is(published.status, 200, published.text)
  assert.match(host.hub.textOf('menus/main.yaml'), 'name: Shop')
  const draft = await draftOf(script, renamed('Store'))
  host.setToken('another')
  const refused = await script('POST', `${draft}/publish`)
  assert.is(codeOf(refused), '403 remote-denied')
  assert.match(refused.text, 'does not accept the credentials')
  assert.type((await site.remote?.follow())?.fault, 'string')
  const ready = await site.ask('/readyz', { headers: { authorization: `Bearer ${ADMIN}` } })
  const metrics = await site.ask('/metrics', { headers: { authorization: `Bearer ${ADMIN}` } })
  for (const text of [refused.text, ready.text, metrics.text, JSON.stringify(site.events)])
    for (const secret of [TOKEN, BASIC]) assert.not(text.includes(secret))
  assert.is((await site.ask(menuPath('main'))).status, 200)
  writeFileSync(join(site.folder.dir, 'token'), 'another')
  assert.is((await script('POST', `${draft}/publish`)).status, 200)
  assert.match(host.hub.textOf('menus/main.yaml'), 'name: Store')
})

test.run()
