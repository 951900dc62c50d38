import * as assert from 'uvu/assert'
import { type OpenSite, openSite } from '../http/sites.js'
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

/** What insiders see of `/readyz`. */
async function readinessOf(site: OpenSite) {
  return (await site.ask('/readyz')).json() as { status: string; problems: { at: string; code: string }[] }
}

test('A bad line in the users of a repository leaves the last good ones, and /readyz names the line', async () => {
  const hub = closing(createHub({ 'menus/main.yaml': MENU, 'ops/users': USERS }))
  const config = { storage: { git: { remote: hub.url } }, dashboard: { users_file: 'git:ops/users' } }
  const site = closing(await openSite({}, { config, hasDashboard: true }))
  const enter = async (at: OpenSite, name: string): Promise<number> => {
    const visitor = createVisitor((path, options) => at.ask(path, options), at.url)
    return (await visitor.send(`${HOME}/sign-in`, { name, password: PASSWORD })).status
  }
  assert.is((await readinessOf(site)).status, 'ok')
  hub.push({ 'ops/users': `${USERS}${userLine('cy', 'view')}\nfour words are missing\n` })
  await site.remote?.follow()
  await eventually(async () => {
    const { status, problems } = await readinessOf(site)
    assert.equal([status, problems[0]?.at, problems[0]?.code], ['degraded', 'ops/users:7:1', 'users-file'])
  })
  assert.equal([await enter(site, 'ana'), await enter(site, 'cy')], [303, 401])
  assert.is(site.events.filter(({ event }) => event === 'users_unusable').length, 1)

  // A service that has never had good ones lets nobody in, and everybody once the file is corrected.
  const late = closing(await openSite({}, { config, hasDashboard: true }))
  assert.equal([await enter(late, 'ana'), (await readinessOf(late)).status], [503, 'degraded'])
  hub.push({ 'ops/users': `${USERS}${userLine('cy', 'view')}\n` })
  for (const each of [site, late]) {
    await each.remote?.follow()
    await eventually(async () => assert.is((await readinessOf(each)).status, 'ok'))
    assert.equal([await enter(each, 'ana'), await enter(each, 'cy')], [303, 303])
  }
})

test.run()
