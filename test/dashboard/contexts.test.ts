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

/** The values of a list that a page offers. */
function offered(page: string, id: string): readonly string[] {
  const [, list = ''] = page.split(`<datalist id="${id}">`)
  return [...(list.split('</datalist>')[0] ?? '').matchAll(/value="([^"]*)"/g)].map(([, value = '']) => value)
}

test('Forms offer the keys and values that menus have, and under a known key only its values', async () => {
  const [{ look }] = await openForOperator({ menus: MENUS })
  for (const path of ['new', 'new?from=office/a.yaml', 'settings?file=office/a.yaml']) {
    const { text } = await look(`${HOME}/${path}`)
    assert.equal(offered(text, 'context-keys'), ['partnerId', 'role'], path)
    assert.equal(offered(text, 'context-values'), ['3', '8', '&quot;3&quot;', 'operator'], path)
    const own = path === 'new' ? [] : ['3', '8', '&quot;3&quot;']
    assert.equal(offered(text, 'values-1'), own, path)
  }
})

test('A form offers at most 100 keys, and 100 values of each', async () => {
  const many = Array.from({ length: 120 }, (_, number): [string, string] => {
    const context = { role: `r${number}`, [`key ${number}`]: number }
    return [`${number}.yaml`, menuText(`m${number}`, 'Home', context)]
  })
  const [{ look }] = await openForOperator({ menus: Object.fromEntries(many) })
  const { text } = await look(`${HOME}/settings?file=7.yaml`)
  assert.equal(
    ['context-keys', 'context-values', 'values-1', 'values-2'].map((id) => offered(text, id).length),
    [100, 100, 100, 1],
  )
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
  assert.is((await save(visitor, settings, { key1: 'partner' })).status, 303)
  const review = textOfPage(await visitor.look(`${HOME}/review?file=office/b.yaml`))
  assert.match(review, /No other menu has the context key "partner"\..*Did you mean "partnerId"\?/)
  const page = await save(visitor, settings, { key2: 'partner', value2: '1', value3: 'x' })
  assert.is(page.status, 422)
  assert.match(textOfPage(page), 'This condition appears twice.')
  assert.match(page.text, /id="key3"[^>]*aria-invalid="true"/)
  const done = await save(visitor, settings, {
    key1: 'partnerId',
    key2: '',
    value2: '',
    key3: 'season',
    value3: 'winter',
  })
  assert.is(done.status, 303)
  const again = fieldsOf(await visitor.look(settings), 'code')
  assert.equal(
    [again['key1'], again['value1'], again['key2'], again['value2']],
    ['partnerId', '8', 'season', 'winter'],
  )
})

test('Settings that are saved unchanged change nothing, whatever the context has', async () => {
  const context = { a: 'x  y', b: '3', c: null, d: '', e: 'true' }
  const [visitor] = await openForOperator({ menus: { 'main.yaml': menuText('main', 'Home', context) } })
  const answer = await save(visitor, `${HOME}/settings?file=main.yaml`, {})
  assert.is(answer.headers['location'], `${HOME}/edit?file=main.yaml`)
})

test.run()
