import * as assert from 'uvu/assert'
import { menuText } from '../http/sites.js'
import type { HttpAnswer } from '../support/http.js'
import { test } from '../support/test.js'
import { fieldsOf } from './forms.js'
import { textOf } from './managing.js'
import { type Fields, HOME, openForOperator, textOfPage, type Visitor } from './visiting.js'

const MENUS = {
  'office/a.yaml': menuText('side', 'Home', { partnerId: 3 }),
  'office/b.yaml': menuText('side', 'Home', { partnerId: 8, role: 'operator' }),
  'office/c.yaml': menuText('foot', 'Home', { partnerId: '3' }),
  'main.yaml': menuText('main', 'Home'),
}

/** The values that a page offers in a list or a select. */
function offered(page: string, id: string): readonly string[] {
  const [list = ''] = new RegExp(`<(datalist|select) id="${id}".*?</\\1>`, 's').exec(page) ?? []
  return [...list.matchAll(/value="([^"]*)"/g)].map(([, value = '']) => value)
}

test('Forms offer the keys and values that menus have, and under a known key only its values', async () => {
  const [{ look }] = await openForOperator({ menus: MENUS })
  for (const path of ['new', 'new?from=office/a.yaml', 'settings?file=office/a.yaml']) {
    const { text } = await look(`${HOME}/${path}`)
    const all = ['3', '8', '&quot;3&quot;', 'operator']
    assert.equal(offered(text, 'key1'), ['', '=partnerId', '=role', 'other'], path)
    assert.equal(offered(text, 'context-values'), all, path)
    const own = path === 'new' ? all : ['3', '8', '&quot;3&quot;']
    assert.equal(offered(text, 'values-1'), own, path)
  }
})

test('Where menus have only true and false, a form says yes and no, and reads them as such', async () => {
  const guests = {
    'main.yaml': menuText('main', 'Home'),
    'a.yaml': menuText('main', 'Hello', { signedIn: false }),
  }
  const [visitor, site] = await openForOperator({ menus: guests })
  const path = `${HOME}/new?from=main.yaml&variant=on`
  const page = await visitor.look(path)
  assert.equal(offered(page.text, 'values-1'), ['yes', 'no'])
  assert.match(page.text, '<option value="=signedIn">Signed in</option>')
  await visitor.send(`${HOME}/new`, { ...fieldsOf(page, 'key1'), known1: '=signedIn', value1: 'Yes' })
  const made = textOf(site, 'main.signedIn-true.yaml')
  assert.match(made, /signedIn"?: true\b/)
  assert.match(made, 'main, signed in yes')
  const settings = await visitor.look(`${HOME}/settings?file=a.yaml`, { 'accept-language': 'de' })
  assert.is(fieldsOf(settings, 'value1')['value1'], 'nein')
  await visitor.send(`${HOME}/new`, {
    ...fieldsOf(page, 'key1'),
    key1: 'answer',
    known1: 'other',
    value1: 'yes',
  })
  assert.match(textOf(site, 'main.answer-yes.yaml'), /answer"?: "yes"/)
  assert.match(textOfPage(await visitor.look(HOME)), 'Signed in yes')
  assert.match(textOfPage(await visitor.look(HOME)), 'Answer "yes"')
})

test('A form offers at most 100 keys, and 100 values of each', async () => {
  const many = Array.from({ length: 120 }, (_, number): [string, string] => {
    const context = { role: `r${number}`, [`key ${number}`]: number }
    return [`${number}.yaml`, menuText(`m${number}`, 'Home', context)]
  })
  const [{ look }] = await openForOperator({ menus: Object.fromEntries(many) })
  const { text } = await look(`${HOME}/settings?file=7.yaml`)
  assert.equal(
    ['key1', 'context-values', 'values-1', 'values-2'].map((id) => offered(text, id).length),
    [102, 100, 100, 1],
  )
})

test('A form has one condition, and one more at a time where that is asked for, with what was typed', async () => {
  const [visitor, site] = await openForOperator({ menus: MENUS })
  const form = fieldsOf(await visitor.look(`${HOME}/new?from=main.yaml&variant=on`), 'key1')
  assert.is(form['key2'], undefined)
  const typed = { ...form, known1: '=role', value1: 'guest', name: 'Guests' }
  const more = await visitor.send(`${HOME}/new`, { ...typed, do: 'add-condition' })
  assert.is(more.status, 200)
  assert.match(more.text, /id="key2"[^>]* autofocus/)
  const fields = fieldsOf(more, 'key1')
  assert.equal([fields['known1'], fields['value1'], fields['name']], ['=role', 'guest', 'Guests'])
  assert.equal([fields['known2'], fields['known3']], ['', undefined])
  await visitor.send(`${HOME}/new`, { ...fields, known2: 'other', key2: 'season', value2: 'winter' })
  assert.match(textOf(site, 'main.role-guest.season-winter.yaml'), 'Guests')
})

test('A condition more is asked for in the settings without saving them', async () => {
  const [visitor] = await openForOperator({ menus: MENUS })
  const settings = `${HOME}/settings?file=office/a.yaml`
  const more = await save(visitor, settings, { name: 'Typed', do: 'add-condition' })
  assert.equal([more.status, fieldsOf(more, 'key2')['name']], [200, 'Typed'])
  assert.match(textOfPage(await visitor.look(`${HOME}/edit?file=office/a.yaml`)), 'No changes')
})

test('A page of the dashboard whose menus have no conditions has a field for the name of one', async () => {
  const [{ look }] = await openForOperator()
  const { text } = await look(`${HOME}/new`)
  assert.match(text, /<input [^>]*id="key1"/)
  assert.not.match(text, 'name="known1"')
})

test('A new menu with a key near to that of others asks first, and is made when it is sent again', async () => {
  const [{ send, fill }, site] = await openForOperator({ menus: MENUS })
  const asked = await fill(`${HOME}/new`, {
    code: 'side',
    key1: 'role',
    value1: 'x',
    key2: 'partner',
    value2: '4',
  })
  assert.is(asked.status, 422)
  assert.match(textOfPage(asked), 'No other menu uses “partner”. Did you mean “partnerId”?')
  assert.match(asked.text, /id="key2"[^>]*aria-invalid="true"/)
  const form = fieldsOf(asked, 'code')
  const other = await send(`${HOME}/new`, { ...form, key2: 'partnrId' })
  assert.match(textOfPage(other), 'No other menu uses “partnrId”.')
  assert.is((await send(`${HOME}/new`, form)).status, 303)
  assert.match(textOf(site, 'side.role-x.partner-4.yaml'), 'partner: 4')
  const known = await fill(`${HOME}/new`, { code: 'foot', key1: 'role', value1: 'guest' })
  assert.is(known.status, 303, 'a known key')
})

/** Saves the form of a page as a browser does, with some fields filled in. */
async function save({ look, send }: Visitor, path: string, fields: Fields): Promise<HttpAnswer> {
  return send(path, { ...fieldsOf(await look(path), 'code'), ...fields })
}

test('The settings change, add and remove conditions, and the review warns of an unknown key', async () => {
  const [visitor] = await openForOperator({ menus: MENUS })
  const settings = `${HOME}/settings?file=office/b.yaml`
  assert.is((await save(visitor, settings, { known1: 'other', key1: 'partner' })).status, 303)
  const review = textOfPage(await visitor.look(`${HOME}/review?file=office/b.yaml`))
  assert.match(review, /No other menu has the context key "partner"\..*Did you mean "partnerId"\?/)
  const page = await save(visitor, settings, {
    known2: 'other',
    key2: 'partner',
    value2: '1',
    key3: 'partner',
  })
  assert.is(page.status, 422)
  assert.match(textOfPage(page), 'This condition appears twice.')
  assert.match(page.text, /id="key3"[^>]*aria-invalid="true"/)
  const done = await save(visitor, settings, {
    known1: '=partnerId',
    known2: '',
    key2: '',
    value2: '',
    key3: 'season',
    value3: 'winter',
  })
  assert.is(done.status, 303)
  const again = fieldsOf(await visitor.look(settings), 'code')
  assert.equal(
    [again['known1'], again['value1'], again['known2'], again['key2'], again['value2']],
    ['=partnerId', '8', 'other', 'season', 'winter'],
  )
})

test('Settings that are saved unchanged change nothing, whatever the context has', async () => {
  const context = { a: 'x  y', b: '3', c: null, d: '', e: 'true' }
  const [visitor] = await openForOperator({ menus: { 'main.yaml': menuText('main', 'Home', context) } })
  const answer = await save(visitor, `${HOME}/settings?file=main.yaml`, {})
  assert.is(answer.headers['location'], `${HOME}/edit?file=main.yaml`)
})

test.run()
