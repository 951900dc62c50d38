import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createDevices } from '../../../src/dashboard/access/devices.js'
import { createSessions, IDLE_MS, type Session } from '../../../src/dashboard/access/sessions.js'
import { SEED } from '../../support/figures.js'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 0, 1)
const SESSION: Session = { user: 'ana', issued: NOW, seen: NOW, epoch: 3, given: null }
const sessions = createSessions('a secret of thirty-two characters', 12 * HOUR)

/** What a browser sends back for a Set-Cookie header. */
const sent = (setCookie: string) => setCookie.split(';')[0] ?? ''
const read = (cookie: string | undefined, now = NOW, by = sessions) =>
  by.read({ headers: { cookie } } as unknown as IncomingMessage, now)
const cookie = sent(sessions.toCookie(SESSION))

test('E4: a session comes back from its cookie, among other cookies too', () => {
  assert.equal(read(cookie), SESSION)
  assert.equal(read(`a=b; ${cookie}; c=${'d'.repeat(2_000)}`), SESSION)
  const odd = { ...SESSION, user: 'a.b+c@example.org' }
  assert.equal(read(sent(sessions.toCookie(odd))), odd)
})

test('E4: the cookie is for this host over TLS alone, out of reach of scripts and of other sites', () => {
  const [, ...attributes] = sessions.toCookie(SESSION).split('; ')
  assert.match(cookie, /^__Host-menuscript=[\w-]+\.[\w-]{43}$/)
  assert.equal(attributes.sort(), ['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure'])
})

test('E4: a cookie with any byte changed, added or missing is refused', () => {
  const start = cookie.indexOf('=') + 1
  const letters = 'Aa0Zz9-_.=+/ %~'
  for (let at = start; at < cookie.length; at++) {
    const [before, after] = [cookie.slice(0, at), cookie.slice(at + 1)]
    for (const letter of letters) {
      if (letter !== cookie[at]) assert.is(read(before + letter + after), null, `${at} ${letter}`)
      assert.is(read(before + letter + cookie.slice(at)), null, `${at} + ${letter}`)
    }
    assert.is(read(before + after), null, `${at} -`)
  }
  for (const letter of letters) if (letter !== ' ') assert.is(read(cookie + letter), null, letter)
})

test('E4: no made-up cookie is a session, and none makes the reader throw', () => {
  const payload = fc.oneof(
    fc.string(),
    fc.json().map((text) => Buffer.from(text).toString('base64url')),
  )
  const made = fc.tuple(payload, fc.oneof(fc.string(), fc.stringMatching(/^[\w-]{43}$/)))
  fc.assert(
    fc.property(made, ([text, mac]) => read(`__Host-menuscript=${text}.${mac}`) === null),
    { seed: SEED, numRuns: 2_000 },
  )
  for (const none of [
    undefined,
    '',
    ';',
    '=',
    '__Host-menuscript',
    '__Host-menuscript=',
    '__Host-menuscript=.',
  ])
    assert.is(read(none), null, none)
})

test('E4: of two cookies of the name none counts, since one of them is not ours', () => {
  const other = sent(sessions.toCookie({ ...SESSION, user: 'eve' }))
  for (const both of [`${other}; ${cookie}`, `${cookie}; ${other}`, `${cookie}; ${cookie}`])
    assert.is(read(both), null)
})

test('E4: the cookie of another secret, and the token of a form in its place, are refused', () => {
  const others = createSessions('a secret of thirty-two characterz', 12 * HOUR)
  assert.is(read(cookie, NOW, others), null)
  const payload = cookie.slice(cookie.indexOf('=') + 1, cookie.indexOf('.'))
  for (const token of [sessions.toToken(SESSION), sessions.toToken(payload)])
    assert.is(read(`__Host-menuscript=${payload}.${token}`), null)
})

test('E4: a session ends twelve hours after signing in, however busy, and two hours after it was seen last', () => {
  assert.ok(read(cookie, NOW + IDLE_MS - 1))
  assert.is(read(cookie, NOW + IDLE_MS), null)
  const busy = (hours: number) => sent(sessions.toCookie({ ...SESSION, seen: NOW + hours * HOUR }))
  assert.ok(read(busy(11), NOW + 12 * HOUR - 1))
  assert.is(read(busy(11), NOW + 12 * HOUR), null)
})

test('E4: a session issued or seen in the future is invalid, as after a clock error', () => {
  const from = (issued: number, seen = issued) => sent(sessions.toCookie({ ...SESSION, issued, seen }))
  for (const ahead of [2 * 60_000, HOUR, 24 * HOUR, 365 * 24 * HOUR]) {
    assert.is(read(from(NOW + ahead)), null, `${ahead}`)
    assert.is(read(from(NOW, NOW + ahead)), null, `${ahead}`)
  }
  assert.ok(read(from(NOW + 30_000)), 'the clocks of two replicas differ')
})

test('E4: a session is only what was signed as one: not the cookie of a device', () => {
  const device = createDevices('a secret of thirty-two characters').toCookie(
    { name: 'ana', role: 'edit', epoch: 3, hash: 'x' },
    NOW,
  )
  assert.is(read(sent(device).replace('__Host-menuscript-device=', '__Host-menuscript=')), null)
})

test('E3: a form has the token of its session, which stays while the session is renewed', () => {
  const token = sessions.toToken(SESSION)
  assert.is(sessions.toToken({ ...SESSION, seen: NOW + 1 }), token)
  for (const other of [{ user: 'eve' }, { issued: NOW + 1 }, { epoch: 4 }])
    assert.is.not(sessions.toToken({ ...SESSION, ...other }), token)
  assert.is.not(sessions.toToken('proxy ana'), sessions.toToken('hook ana'))
})

test.run()
