import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { done } from '../../../src/model/result.js'
import { openUsers, withUser } from '../../../src/store/users.js'
import type { OpenSite } from '../../http/sites.js'
import type { HttpAnswer } from '../../support/http.js'
import { test } from '../../support/test.js'
import { createVisitor, HOME, openForVisitor, textOfPage, type Visitor } from '../visiting.js'
import { PASSWORD, userLine } from './dashboards.js'

const USERS = `${HOME}/users`
const NEW_PASSWORD = 'a password of nia'
const LINES =
  userLine('mia', 'manage') + userLine('max', 'manage') + userLine('ana') + userLine('vic', 'view')

/** A site with two managers, an editor and a viewer, and who signs in to it. */
async function openTeam(): Promise<{
  readonly site: OpenSite
  readonly as: (name: string, password?: string) => Promise<Visitor>
  /** The path of the users file. */
  readonly file: () => string
  readonly lines: () => string
  readonly records: () => readonly Record<string, unknown>[]
}> {
  let dir = ''
  const prepare = (folder: string): void => {
    dir = `${folder}/.menuscript`
    mkdirSync(dir, { recursive: true })
    writeFileSync(`${dir}/users`, LINES)
  }
  const [, site] = await openForVisitor({ prepare })
  const as = async (name: string, password: string = PASSWORD): Promise<Visitor> => {
    const visitor = createVisitor(site.ask, site.url)
    const { status } = await visitor.send(`${HOME}/sign-in`, { name, password })
    assert.is(status, 303, name)
    return visitor
  }
  const lines = () => readFileSync(`${dir}/users`, 'utf8')
  const records = () =>
    readFileSync(`${dir}/audit.log`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { site, as, file: () => `${dir}/users`, lines, records }
}

/** The path of the link that a page shows. */
function linkOn(answer: HttpAnswer): string {
  const [, link = ''] = /<code>http:\/\/[^/]+([^<]*)<\/code>/.exec(answer.text) ?? []
  assert.match(link, /\/password\?link=[\w-]{43}$/, textOfPage(answer))
  return link
}

/** Sends the form behind a link to a new password. */
function setPassword(visitor: Visitor, link: string, password: string, repeated = password) {
  const token = link.split('link=')[1] ?? ''
  return visitor.send(`${HOME}/password`, { link: token, password, repeated })
}

const FORBIDDEN = [
  { do: 'add', name: 'nia', role: 'manage' },
  { do: 'role', role: 'view' },
  { do: 'link' },
  { do: 'sessions' },
  { do: 'remove' },
]

test('E2: only managers who signed in by a password see the page, and send its forms', async () => {
  const { site, as, lines } = await openTeam()
  const local = createVisitor(site.ask, site.url)
  await local.enter(site.link())
  const callers: readonly (readonly [Visitor, number, number])[] = [
    [await as('vic'), 403, 403],
    [await as('ana'), 403, 403],
    [local, 403, 403],
    [createVisitor(site.ask, site.url), 303, 401],
  ]
  for (const [{ look, fill, send }, seen, sent] of callers) {
    assert.is((await look(USERS)).status, seen)
    assert.not.match((await look(HOME)).text, USERS)
    const { text } = await look(HOME)
    const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? ''
    for (const fields of FORBIDDEN) {
      assert.is((await fill(`${USERS}?user=max`, fields)).status, sent, fields.do)
      assert.is((await send(`${USERS}?user=max`, { csrf, ...fields })).status, sent, fields.do)
    }
  }
  const manager = await as('mia')
  assert.match((await manager.look(HOME)).text, `href="${USERS}"`)
  const list = textOfPage(await manager.look(USERS))
  for (const name of ['mia', 'max', 'ana', 'vic']) assert.match(list, name)
  for (const fields of FORBIDDEN)
    assert.is((await manager.send(`${USERS}?user=max`, fields)).status, 403, `no token: ${fields.do}`)
  const cross = { 'sec-fetch-site': 'cross-site' }
  assert.is((await manager.send(`${USERS}?user=max`, { do: 'remove' }, cross)).status, 403)
  assert.is(lines(), LINES)
})

test('E2: where a proxy or the site says who works, there is no such page', async () => {
  const policies = "export const resolveOperator = () => ({ id: 'mia', role: 'edit' })"
  const prepare = (dir: string): void => {
    mkdirSync(`${dir}/.menuscript`, { recursive: true })
    writeFileSync(`${dir}/.menuscript/users`, LINES)
  }
  const config = { dashboard: { proxy_user_header: 'X-User' }, server: { trusted_proxies: ['127.0.0.1'] } }
  for (const [options, headers] of [
    [{ policies }, {}],
    [{ config }, { 'x-user': 'mia' }],
  ] as const) {
    const [{ look, send }] = await openForVisitor({ prepare, ...options })
    const home = await look(HOME, headers)
    assert.is(home.status, 200)
    assert.not.match(home.text, USERS)
    assert.is((await look(USERS, headers)).status, 404)
    assert.is((await send(USERS, { do: 'remove' }, headers)).status, 404)
  }
})

test('E1: a manager adds a user, whose link sets a password once and signs in', async () => {
  const { site, as, lines, records } = await openTeam()
  const manager = await as('mia')
  const added = await manager.fill(USERS, { do: 'add', name: ' Nia ', role: 'edit' })
  assert.is(added.status, 200, textOfPage(added))
  const link = linkOn(added)
  assert.match(lines(), /^Nia edit \d+ -$/m)
  assert.match(
    textOfPage(await manager.look(USERS)),
    /Nia Edit: also changes menus No password Password link open/,
  )
  assert.not.match((await manager.look(USERS)).text, 'link=')

  const before = lines()
  const nia = createVisitor(site.ask, site.url)
  for (const _ of [1, 2]) assert.match(textOfPage(await nia.look(link)), 'You sign in as Nia')
  assert.is((await setPassword(nia, link, 'short')).status, 422)
  assert.match(
    textOfPage(await setPassword(nia, link, NEW_PASSWORD, 'another password')),
    'The passwords differ.',
  )
  assert.is(lines(), before)
  const outcomes = await Promise.all([1, 2, 3].map(() => setPassword(nia, link, NEW_PASSWORD)))
  assert.equal(outcomes.map(({ status }) => status).sort(), [303, 401, 401])
  const again = createVisitor(site.ask, site.url)
  const used = await again.look(link)
  const unknown = await again.look(`${HOME}/password?link=${'x'.repeat(43)}`)
  assert.equal([used.status, unknown.status], [401, 401])
  assert.is(textOfPage(used), textOfPage(unknown))
  assert.not.match(used.text, 'Nia')
  assert.is((await setPassword(again, link, 'yet another one')).status, 401)
  const entered = await as('nia', NEW_PASSWORD)
  assert.is((await entered.look(`${HOME}/new`)).status, 200)

  const accounts = records().filter(({ account }) => account === 'nia')
  assert.equal(
    accounts.map(({ user, via, action }) => [user, via, action]),
    [
      ['mia', 'session', 'user-added'],
      ['mia', 'session', 'password-link-created'],
      ['nia', 'password-link', 'password-changed'],
    ],
  )
  assert.not.match(JSON.stringify(records()), link.split('link=')[1] ?? '')
})

test('E1: a new link replaces the earlier one, and ends with the password that it was made for', async () => {
  const { site, as, lines } = await openTeam()
  const manager = await as('mia')
  const ana = await as('ana')
  const newLink = async () => linkOn(await manager.fill(`${USERS}?user=ana`, { do: 'link' }))
  const [first, second] = [await newLink(), await newLink()]
  assert.is((await ana.look(HOME)).status, 200, 'the old password is valid until there is a new one')
  const visitor = createVisitor(site.ask, site.url)
  assert.equal([(await visitor.look(first)).status, (await visitor.look(second)).status], [401, 200])
  assert.is((await setPassword(visitor, second, NEW_PASSWORD)).status, 303)
  assert.is((await ana.look(HOME)).status, 303, 'a new password ends all sessions')
  const third = await newLink()
  await manager.fill(`${USERS}?user=ana`, { do: 'remove' })
  assert.not.match(lines(), /^ana /m)
  await manager.fill(USERS, { do: 'add', name: 'ana', role: 'view' })
  assert.is((await visitor.look(third)).status, 401, 'nor is it for another user of the same name')
  const signIn = new URL(site.link()).searchParams.get('link') ?? ''
  assert.is((await visitor.look(`${HOME}/password?link=${signIn}`)).status, 401)
})

test('A manager changes roles, ends sessions and removes users, and each takes effect at once', async () => {
  const { as, lines, records } = await openTeam()
  const manager = await as('mia')
  const [ana, vic] = [await as('ana'), await as('vic')]
  const promoted = await manager.fill(`${USERS}?user=VIC`, { do: 'role', role: 'manage' })
  assert.equal([promoted.status, promoted.headers['location']], [303, `${USERS}?user=vic&did=role`])
  assert.is((await vic.look(USERS)).status, 200)
  await manager.fill(`${USERS}?user=vic`, { do: 'role', role: 'view' })
  assert.is((await vic.look(USERS)).status, 403)
  await manager.fill(`${USERS}?user=ana`, { do: 'sessions' })
  assert.is((await ana.look(HOME)).status, 303)
  await as('ana')
  const asked = await manager.look(`${USERS}?user=ana&remove=`)
  assert.match(textOfPage(asked), 'Remove this user?')
  assert.match(lines(), /^ana edit/m)
  const removed = await manager.fill(`${USERS}?user=ana`, { do: 'remove' })
  assert.is(removed.headers['location'], `${USERS}?did=remove`)
  assert.not.match(lines(), /^ana /m)
  assert.equal(
    records()
      .filter(({ user }) => user === 'mia')
      .map(({ action, account, role }) => [action, account, role].join(' ').trim()),
    [
      'signed-in',
      'role-changed vic manage',
      'role-changed vic view',
      'sessions-ended ana',
      'user-removed ana',
    ],
  )
})

test('What cannot be done to a user is said, and changes nothing', async () => {
  const { as, lines } = await openTeam()
  const manager = await as('mia')
  for (const [user, fields, text] of [
    ['mia', { do: 'role', role: 'view' }, 'You cannot change your own role'],
    ['mia', { do: 'remove' }, 'You cannot change your own role or remove yourself'],
    ['', { do: 'add', name: 'MAX', role: 'view' }, 'already exists'],
    ['', { do: 'add', name: 'token', role: 'view' }, 'reserved'],
    ['', { do: 'add', name: 'a b\nc manage 1 -', role: 'view' }, 'A name has up to 64 letters'],
    ['', { do: 'add', name: 'nia', role: 'admin' }, 'Choose a role.'],
    ['ana', { do: 'role', role: 'admin manage' }, 'Choose a role.'],
    ['local', { do: 'remove' }, 'There is no such user.'],
    ['nobody', { do: 'link' }, 'There is no such user.'],
    ['ana', { do: 'own' }, 'There is no such user.'],
  ] as const) {
    const answer = await manager.fill(`${USERS}${user && `?user=${user}`}`, fields)
    assert.is(answer.status, 422, JSON.stringify(fields))
    assert.match(textOfPage(answer), text)
  }
  assert.is(lines(), LINES)
})

test('Two managers who demote each other at the same time leave one', async () => {
  const { as, lines } = await openTeam()
  const [mia, max] = [await as('mia'), await as('max')]
  const role = { do: 'role', role: 'view' }
  const outcomes = await Promise.all([
    mia.fill(`${USERS}?user=max`, role),
    max.fill(`${USERS}?user=mia`, role),
  ])
  assert.equal(outcomes.map(({ status }) => status).sort(), [303, 403])
  assert.is(lines().match(/ manage /g)?.length, 1)
})

test('The page and another process write at the same time, and no user is lost', async () => {
  const { as, lines, file } = await openTeam()
  const manager = await as('mia')
  const other = openUsers(file())
  const numbers = Array.from({ length: 10 }, (_, at) => at)
  await Promise.all(
    numbers.flatMap((at) => [
      manager.fill(USERS, { do: 'add', name: `page${at}`, role: 'view' }),
      other.change((users) =>
        done(withUser(users, { name: `other${at}`, role: 'view', epoch: 1, hash: null })),
      ),
    ]),
  )
  for (const at of numbers) for (const who of ['page', 'other']) assert.match(lines(), `${who}${at} view`)
})

test.run()
