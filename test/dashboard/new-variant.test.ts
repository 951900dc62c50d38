import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { editorOf, fieldsOf } from './forms.js'
import { textOf } from './managing.js'
import { HOME, openForOperator, textOfPage } from './visiting.js'

test('A new variant begins on the page of its menu, with its condition, and stays one while its form is refused', async () => {
  const [visitor, site] = await openForOperator()
  const path = `${HOME}/new?from=main.yaml&variant=on`
  const { text } = await editorOf(visitor).page()
  assert.match(text, `href="${path.replace('&', '&amp;')}">New variant</a>`)
  const form = await visitor.look(path)
  const isFirst = (html: string): boolean => html.indexOf('id="key1"') < html.indexOf('id="name"')
  assert.ok(isFirst(form.text))
  assert.match(form.text, /id="key1"[^>]* autofocus/)
  assert.match(textOfPage(form), /New variant of Main .*Create and publish the variant/)
  assert.match(form.text, '<input type="hidden" name="code" value="main">')
  const fields = fieldsOf(form, 'key1')
  const refused = await visitor.send(`${HOME}/new`, fields)
  assert.match(textOfPage(refused), 'New variant of Main')
  assert.match(textOfPage(refused), 'Say who gets this variant: enter a condition.')
  assert.match(refused.text, /id="key1"[^>]* aria-invalid/)
  assert.ok(isFirst(refused.text))
  await visitor.send(`${HOME}/new`, { ...fieldsOf(refused, 'key1'), key1: 'season', value1: 'summer' })
  assert.match(textOf(site, 'main.season-summer.yaml'), 'summer')
  assert.not.ok(isFirst((await visitor.look(`${HOME}/new?from=main.yaml`)).text))
})

test('A new variant has the changes of the draft if they are asked for, and a name that tells it from its menu', async () => {
  const [visitor, site] = await openForOperator()
  await editorOf(visitor).press('hide', '/items/1')
  const path = `${HOME}/new?from=main.yaml&variant=on`
  const page = await visitor.look(path)
  assert.match(
    textOfPage(page),
    ' Include the unpublished change of my draft Create and publish the variant ',
  )
  const form = fieldsOf(page, 'key1')
  assert.equal([form['name'], form['draft']], ['', undefined])
  assert.match(textOfPage(page), 'Without one, the name of the menu and the condition are used.')
  await visitor.send(`${HOME}/new`, { ...form, draft: 'on', key1: 'country', value1: 'de' })
  const made = textOf(site, 'main.country-de.yaml')
  assert.match(made, 'name: Main, country de')
  assert.match(made, 'hidden: true')
  await visitor.send(`${HOME}/new`, { ...form, key1: 'country', value1: 'at' })
  assert.not.match(textOf(site, 'main.country-at.yaml'), 'hidden: true')
  const further = await visitor.look(path.replace('main.yaml', 'main.country-at.yaml'))
  assert.match(textOfPage(further), / New variant of Main, country at Country at /)
})

test('A new variant can wait for a time: until then, its visitors get the menu that it was made from', async () => {
  const [visitor, site] = await openForOperator()
  const form = fieldsOf(await visitor.look(`${HOME}/new?from=main.yaml&variant=on`), 'key1')
  const fields = { ...form, key1: 'season', value1: 'winter', name: 'Winter' }
  const refused = await visitor.send(`${HOME}/new`, { ...fields, visibleFrom: 'tomorrow' })
  assert.is(refused.status, 422)
  assert.match(refused.text, /id="visibleFrom"[^>]* aria-invalid/)
  const sent = await visitor.send(`${HOME}/new`, { ...fields, visibleFrom: ' 2099-12-01T00:00:00+01:00 ' })
  assert.match(textOf(site, 'main.season-winter.yaml'), /^visibleFrom: "?2099-12-01T00:00:00\+01:00"?$/m)
  const page = textOfPage(await visitor.look(String(sent.headers['location'])))
  assert.match(page, 'The new menu is saved. Visitors see it from the time that you set.')
  const itemsFor = async (sets: object[]): Promise<string> =>
    (await site.ask(`/api/menu/main?_context_sets=${encodeURIComponent(JSON.stringify(sets))}`)).text
  const winter = { season: 'winter' }
  assert.is(await itemsFor([winter]), '[]')
  assert.is(await itemsFor([winter, {}]), await itemsFor([{}]))
})

test('The form of an item shows its dates beside who sees it', async () => {
  const [visitor] = await openForOperator()
  const { text } = await visitor.look(editorOf(visitor).address('item', { item: '/items/0' }))
  const places = ['id="visibility"', 'id="visibleFrom"', 'id="visibleUntil"', '<details class="sheet"'].map(
    (part) => text.lastIndexOf(part),
  )
  assert.equal(
    places,
    [...places].sort((a, b) => a - b),
  )
})

test.run()
