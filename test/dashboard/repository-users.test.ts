import * as assert from 'uvu/assert'
import { openSite } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import { createHub } from '../support/hub.js'
import { closing, test } from '../support/test.js'
import { PASSWORD, userLine } from './access/dashboards.js'
import { API, MENU } from './managing.js'
import { createVisitor, HOME, textOfPage } from './visiting.js'

const USERS = `${userLine('ana', 'manage')}\n${userLine('bo', 'view')}\n`

test('users from the repository sign in at every replica, change with its branch, and are changed only there', async () => {
  const hub = closing(createHub({ 'menus/main.yaml': MENU, 'ops/users': USERS }))
  const secret = { session_secret: 'a secret of all the replicas here' }
  const config = {
    storage: { git: { remote: hub.url } },
    dashboard: { users_file: 'git:ops/users', ...secret },
  }
  const site = closing(await openSite({}, { config, hasDashboard: true }))
  const other = closing(await openSite({}, { config, hasDashboard: true }))
  const visitor = createVisitor((path, options) => site.ask(path, options), site.url)
  const signedIn = await visitor.send(`${HOME}/sign-in`, { name: 'ana', password: PASSWORD })
  const page = await visitor.look(`${HOME}/users`)
  assert.is(page.status, 200, page.text)
  const words = 'Users come from the file ops/users of the repository. Change them there.'
  assert.match(textOfPage(page), words)
  assert.not.match(page.text, 'value="add"')
  const tried = await visitor.fill(`${HOME}/users`, { do: 'add', name: 'cy', role: 'view' })
  assert.is(tried.status, 422)
  assert.match(textOfPage(tried), words)
  assert.not.match(textOfPage(await visitor.look(`${HOME}/users?user=bo`)), 'Save role')

  // The session holds at a service with the same secret.
  const [cookie = ''] = signedIn.headers['set-cookie']?.split(';') ?? []
  const session = (at: typeof site) => at.ask(`${API}/session`, { headers: { cookie } })
  assert.match((await session(other)).text, '"role":"manage"')

  hub.push({ 'ops/users': USERS.replace('ana manage', 'ana view') })
  await site.remote?.follow()
  await eventually(async () => assert.match((await session(site)).text, '"role":"view"'))
  const [, csrf = ''] = /"csrf":"([^"]*)"/.exec((await session(site)).text) ?? []
  assert.is((await visitor.send(`${HOME}/sign-out`, { csrf })).status, 303)

  hub.push({ 'ops/users': null })
  await site.remote?.follow()
  await eventually(async () => assert.is((await session(site)).status, 401))
})

test.run()
