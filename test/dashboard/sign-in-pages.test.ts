import { mkdirSync, writeFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import type { HttpAnswer } from '../support/http.js'
import { test } from '../support/test.js'
import { PASSWORD, userLine } from './access/dashboards.js'
import { HOME, openForOperator, openForVisitor, textOfPage } from './visiting.js'

/** Somebody who signs in by name and password. */
const WITH_USERS = {
  prepare: (dir: string) => {
    mkdirSync(`${dir}/.menuscript`, { recursive: true })
    writeFileSync(`${dir}/.menuscript/users`, userLine('ana') + userLine('vic', 'view'))
  },
}
const SIGN_IN = `${HOME}/sign-in`

test('E1: the printed link shows a button, and only the button uses it', async () => {
  const [{ look, enter }, { link }] = await openForVisitor()
  const url = new URL(link())
  for (const _ of [1, 2]) {
    const page = await look(`${url.pathname}${url.search}`)
    assert.is(page.status, 200)
    assert.match(textOfPage(page), 'This link signs you in')
  }
  const entered = await enter(url.href)
  assert.equal([entered.status, entered.headers['location']], [303, HOME])
  assert.is((await look(HOME)).status, 200)
  const again = await enter(url.href)
  assert.is(again.status, 401)
  assert.match(textOfPage(again), 'This link has already been used')
  assert.match(again.text, 'menuscript link')
})

test('Nobody in particular is led to sign in, and from there to where they wanted to go', async () => {
  const [{ look, send }] = await openForVisitor(WITH_USERS)
  const { status, headers } = await look(`${HOME}/new?code=a%26b`)
  assert.is(status, 303)
  const { pathname, searchParams } = new URL(headers['location'] ?? '', 'http://x')
  assert.is(pathname, SIGN_IN)
  assert.is(searchParams.get('next'), `${HOME}/new?code=a%26b`)
  const next = searchParams.get('next') ?? ''
  const entered = await send(SIGN_IN, { name: 'ana', password: PASSWORD, next })
  assert.equal([entered.status, entered.headers['location']], [303, next])
  assert.match((await look(next)).text, 'value="a&amp;b"')
})

test('No line of the log has the query of a path of the dashboard, with its one-time token, even at the level debug', async () => {
  const policies = "export const resolveOperator = () => { throw new Error('down') }"
  for (const options of [{}, { policies }]) {
    const [{ look }, { link, url, events, ask }] = await openForVisitor({
      config: { log: { level: 'debug' } },
      ...options,
    })
    const target = link().slice(url.length)
    const [, token = ''] = target.split('link=')
    await look(target)
    await look(`${url}${target}`)
    await look(target.replace('/admin/', '/%61dmin/'))
    await look(`/${target}`)
    await ask('/api/menu/main?_locale=en')
    const lines = await eventually(() => {
      const asked = events.filter(({ fields }) => 'url' in fields)
      assert.ok(asked.length >= 5)
      return asked
    })
    assert.match(token, /^[\w-]{43}$/)
    assert.not.match(JSON.stringify(events), token)
    const urls = new Set(lines.map(({ fields }) => fields['url']))
    for (const known of [SIGN_IN, '/api/menu/main?_locale=en']) assert.ok(urls.has(known), known)
    assert.is(
      lines.some(({ event }) => event === 'request_failed'),
      'policies' in options,
    )
  }
})

test('E8: after signing in a browser goes nowhere but to the dashboard', async () => {
  const [{ send }] = await openForVisitor(WITH_USERS)
  for (const next of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/elsewhere',
    `${HOME}x`,
  ]) {
    const { headers } = await send(SIGN_IN, { name: 'ana', password: PASSWORD, next })
    assert.is(headers['location'], HOME, next)
  }
})

test('A wrong password is said so, keeps the name, and nothing else', async () => {
  const [{ send, look }] = await openForVisitor(WITH_USERS)
  const answer = await send(SIGN_IN, { name: '"><b>ana', password: 'wrong-password' })
  assert.is(answer.status, 401)
  assert.match(textOfPage(answer), 'The name or the password is wrong.')
  assert.match(answer.text, 'value="&quot;&gt;&lt;b&gt;ana"')
  assert.not.match(answer.text, 'wrong-password')
  assert.is((await send(SIGN_IN, { name: 'ana' })).status, 422)
  assert.is((await look(HOME)).status, 303)
})

test('E5: too many attempts get the time to retry', async () => {
  const [{ send }] = await openForVisitor(WITH_USERS)
  for (const _ of Array.from({ length: 10 })) await send(SIGN_IN, { name: 'ana', password: 'x' })
  const answer = await send(SIGN_IN, { name: 'ana', password: PASSWORD })
  assert.is(answer.status, 429)
  const seconds = Number(answer.headers['retry-after'])
  assert.ok(seconds > 0 && seconds <= 30, `${seconds}`)
  assert.match(
    textOfPage(answer),
    `Too many attempts. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
  )
})

test('E4, E5: signing in by a password makes the device known, with a cookie that no script reads, and a link does not', async () => {
  const [{ send, enter }, { link }] = await openForVisitor(WITH_USERS)
  const cookies = ({ rawHeaders }: HttpAnswer) =>
    rawHeaders.filter((_, at) => /^set-cookie$/i.test(rawHeaders[at - 1] ?? ''))
  const [session = '', device = '', ...more] = cookies(
    await send(SIGN_IN, { name: 'ana', password: PASSWORD }),
  )
  assert.equal(more, [])
  assert.match(session, /^__Host-menuscript=[^;]+; Path=\/; Secure; HttpOnly; SameSite=Strict$/)
  assert.match(
    device,
    /^__Host-menuscript-device=[^;]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=15552000$/,
  )
  assert.not.match(Buffer.from(device.split(/[=.]/)[1] ?? '', 'base64url').toString(), /ana|scrypt/)
  assert.is(cookies(await enter(link())).length, 1)
})

test('The page offers only ways to sign in that work', async () => {
  const shown = async (options: Parameters<typeof openForVisitor>[0]): Promise<string> => {
    const [{ look }] = await openForVisitor(options)
    return textOfPage(await look(SIGN_IN))
  }
  assert.match(await shown({}), /No user has a password yet.* menuscript link/)
  assert.not.match(await shown({}), 'Another page')
  const proxy = { dashboard: { proxy_user_header: 'X-User' }, server: { trusted_proxies: ['127.0.0.1'] } }
  const policies = 'export const resolveOperator = () => null'
  for (const options of [{ config: proxy }, { policies }]) {
    const page = await shown(options)
    assert.match(page, /You sign in through another page here.* I have signed in .*menuscript link/)
    assert.not.match(page, 'Password')
  }
  const both = await shown({ config: proxy, ...WITH_USERS })
  assert.match(both, /You sign in through another page here.* Name Password/)
  assert.not.match(await shown(WITH_USERS), 'Another page')
})

test('Signing out needs the form of a page, and ends the session', async () => {
  const [{ look, send, fill }] = await openForOperator()
  assert.is((await send(`${HOME}/sign-out`, {})).status, 403)
  assert.is((await look(`${HOME}/sign-out`)).headers['location'], HOME)
  assert.is((await look(HOME)).status, 200)
  const answer = await fill(`${HOME}/new`, { code: '' })
  const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(answer.text) ?? []
  const out = await send(`${HOME}/sign-out`, { csrf })
  assert.is(out.headers['location'], `${SIGN_IN}?signed-out=`)
  assert.match(textOfPage(await look(out.headers['location'] ?? '')), 'You are signed out.')
  assert.is((await look(HOME)).status, 303)
})

test('A link on another site, with which browsers send no strict cookie, is followed once more by our own page', async () => {
  const [{ look }] = await openForVisitor()
  const answer = await look(`${HOME}/problems`, { 'sec-fetch-site': 'cross-site' })
  assert.is(answer.status, 200)
  assert.match(answer.text, '<meta http-equiv="refresh" content="0">')
  assert.match(answer.text, `href="${HOME}/problems"`)
})

test('E2: a target in absolute form is for the host that it names, and for none where the Host header has another one', async () => {
  const [{ send }, { url, ask }] = await openForVisitor(WITH_USERS)
  const { host } = new URL(url)
  const look = async (target: string, named: string) =>
    (await ask(`http://${target}${SIGN_IN}`, { headers: { host: named } })).status
  assert.is(await look(host, host), 200)
  for (const [target, named] of [
    ['evil.example', host],
    [host, 'evil.example'],
    ['evil.example', 'evil.example'],
  ] as const)
    assert.is(await look(target, named), 403, `${target} ${named}`)
  const login = { name: 'ana', password: PASSWORD }
  assert.is((await send(`http://evil.example${SIGN_IN}`, login)).status, 403)
  assert.is((await send(`http://${host}${SIGN_IN}`, login, { host })).status, 303)
})

test('E2, E3: another host and another site get a page of refusal, and scripts get it as JSON', async () => {
  const [{ look, send }, { ask }] = await openForVisitor(WITH_USERS)
  const evil = await look(SIGN_IN, { host: 'evil.example' })
  assert.is(evil.status, 403)
  assert.match(textOfPage(evil), 'is not available under this name')
  const cross = await send(SIGN_IN, { name: 'ana', password: PASSWORD }, { 'sec-fetch-site': 'cross-site' })
  assert.is(cross.status, 403)
  assert.is(cross.headers['set-cookie'], undefined)
  const script = await ask(HOME)
  assert.equal([script.status, script.headers['content-type']], [401, 'application/problem+json'])
})

test.run()
