import { mkdirSync, writeFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { PASSWORD, userLine } from './access/dashboards.js'
import { fieldsOf } from './forms.js'
import { textOf } from './managing.js'
import { createVisitor, HOME, openForVisitor, textOfPage } from './visiting.js'

const WITH_USERS = {
  prepare: (dir: string) => {
    mkdirSync(`${dir}/.menuscript`, { recursive: true })
    writeFileSync(`${dir}/.menuscript/users`, userLine('ana') + userLine('ben'))
  },
}
const SIGN_IN = `${HOME}/sign-in`
const ITEM = `${HOME}/item?file=main.yaml&item=/items/0`
const HIDDEN = 'name="label:en" value="Typed"'

test('E23: if a session has ended, a form is sent after the next sign-in, only when a button is pressed', async () => {
  const [{ look, send }, site] = await openForVisitor(WITH_USERS)
  await send(SIGN_IN, { name: 'ana', password: PASSWORD })
  const form = { csrf: '', ...fieldsOf(await look(ITEM), 'was'), 'label:en': 'Typed' }
  const stranger = createVisitor(site.ask, site.url)
  const kept = await stranger.send(ITEM, form)
  assert.is(kept.status, 401)
  assert.match(textOfPage(kept), 'Your session is over.')
  assert.match(kept.text, HIDDEN)
  assert.not.match(kept.text, form.csrf)
  await stranger.send(SIGN_IN, { name: 'ben', password: PASSWORD })
  const other = await stranger.send(ITEM, fieldsOf(kept, 'was'))
  assert.is(other.status, 403)
  assert.match(textOfPage(other), 'ana filled in this form')
  assert.match(other.text, HIDDEN)
  await stranger.send(SIGN_IN, { name: 'ana', password: PASSWORD })
  const back = await stranger.send(ITEM, fieldsOf(other, 'was'))
  assert.is(back.status, 403)
  assert.match(textOfPage(back), 'nothing was changed')
  assert.not.match((await stranger.look(`${HOME}/edit?file=main.yaml`)).text, 'Typed')
  const sent = await stranger.send(ITEM, fieldsOf(back, 'was'))
  assert.is(sent.status, 303)
  assert.match((await stranger.look(`${HOME}/edit?file=main.yaml`)).text, 'Typed')
  assert.not.match(textOf(site), 'Typed')
})

test('E23: a page keeps no form from a foreign page, and none above its limit', async () => {
  const [{ send }] = await openForVisitor(WITH_USERS)
  for (const path of [ITEM, SIGN_IN]) {
    const foreign = await send(path, { 'label:en': 'Typed' }, { 'sec-fetch-site': 'cross-site' })
    assert.is(foreign.status, 403)
    assert.not.match(foreign.text, 'Typed')
  }
  const long = await send(`${HOME}/text?file=main.yaml`, { text: 'x'.repeat(200_000) })
  assert.is(long.status, 401)
  assert.match(textOfPage(long), 'too long for this page to keep')
  const script = await send(ITEM, { 'label:en': 'Typed' }, { accept: 'application/json' })
  assert.is(script.status, 401)
  assert.not.match(script.text, 'Typed')
})

test('D14, E23: a form has up to 2,000 fields, in any encoding: all of them are kept, and with more none is shown', async () => {
  const names = Array.from({ length: 1_999 }, (_, at) => `choice:${at}`)
  const encodings = {
    'application/x-www-form-urlencoded': (fields: readonly string[]) =>
      fields.map((name) => `${encodeURIComponent(name)}=x`).join('&'),
    'multipart/form-data; boundary=cut': (fields: readonly string[]) =>
      `${fields.map((name) => `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`).join('')}--cut--`,
  }
  const [{ send }] = await openForVisitor(WITH_USERS)
  for (const [type, encode] of Object.entries(encodings)) {
    const most = await send(ITEM, encode(['by', ...names]), { 'content-type': type })
    assert.is(most.status, 401)
    for (const name of names) assert.ok(most.text.includes(`name="${name}"`), `${type} ${name}`)
    const more = await send(ITEM, encode(['by', ...names, 'other']), { 'content-type': type })
    assert.is(more.status, 401)
    assert.match(textOfPage(more), 'too long for this page to keep')
    assert.not.match(more.text, 'choice')
    const signIn = await send(SIGN_IN, encode(['by', ...names, 'other']), { 'content-type': type })
    assert.is(signIn.status, 413)
    assert.match(textOfPage(signIn), /too many fields|too large/)
  }
})

test('E23: another user who has signed in neither sees nor sends a form', async () => {
  const [{ look, send }] = await openForVisitor(WITH_USERS)
  await send(SIGN_IN, { name: 'ana', password: PASSWORD })
  const form = { csrf: '', ...fieldsOf(await look(ITEM), 'was'), 'label:en': 'Typed' }
  await send(SIGN_IN, { name: 'ben', password: PASSWORD })
  const refused = await send(ITEM, form)
  assert.is(refused.status, 403)
  assert.match(textOfPage(refused), 'ana filled in this form')
  assert.not.match(textOfPage(refused), 'Typed')
  assert.is((await send(ITEM, fieldsOf(refused, 'was'))).status, 403)
  assert.not.match((await look(`${HOME}/edit?file=main.yaml`)).text, 'Typed')
})

test.run()
