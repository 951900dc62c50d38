import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { editorOf, fieldsOf } from './forms.js'
import { MENU, textOf } from './managing.js'
import { HOME, openForOperator, textOfPage, type Visitor } from './visiting.js'

const TEXT = `${HOME}/text?file=main.yaml`
const BROKEN = MENU.replace('url: /sales', 'url: javascript:alert(1)')

/** Sends the text editor's form as a browser does: with CRLF for each line break. */
async function type({ look, send }: Visitor, fields: Readonly<Record<string, string>>, path = TEXT) {
  const form = { ...fieldsOf(await look(path), 'version'), ...fields }
  return send(path, { ...form, text: (form.text ?? '').replaceAll(/\r?\n/g, '\r\n') })
}

test('A text that is published is written with all other bytes as they were', async () => {
  const [visitor, site] = await openForOperator()
  const answer = await type(visitor, { text: MENU.replace('Sales', 'Offers'), do: 'publish' })
  assert.is(answer.status, 303)
  assert.is(textOf(site), MENU.replace('Sales', 'Offers'))
  assert.match(
    textOfPage(await visitor.look(answer.headers['location'] ?? '')),
    / is live\. 1 change published\. /,
  )
})

test('Line breaks of every kind, a byte order mark and a missing last one survive a form', async () => {
  const odd = `\ufeff${MENU.replaceAll('\n', '\r\n').replace('items:\r\n', 'items:\n').trimEnd()}`
  const [visitor, site] = await openForOperator({ menus: { 'main.yaml': odd } })
  const shown = odd.replace('\ufeff', '')
  assert.match(textOfPage(await type(visitor, { text: shown, do: 'publish' })), 'nothing to publish')
  await type(visitor, { text: shown.replace('Sales', 'Offers\n    icon: a:b'), do: 'publish' })
  assert.is(textOf(site), odd.replace('Sales', 'Offers\r\n    icon: a:b'))
})

test('A check shows what would change, in words and exactly, and writes nothing', async () => {
  const [visitor, site] = await openForOperator()
  const page = textOfPage(await type(visitor, { text: MENU.replace('Sales', 'Offers'), do: 'check' }))
  assert.match(page, /Changed Offers label: Sales → Offers .*- - label: Sales \+ - label: Offers/)
  assert.is(textOf(site), MENU)
})

test('A text with errors is refused with all of them and their lines, and stays in the form', async () => {
  const [visitor, site] = await openForOperator()
  const answer = await type(visitor, { text: BROKEN.replace('code: main', 'cod: main'), do: 'publish' })
  assert.is(answer.status, 422)
  assert.match(textOfPage(answer), /Line 2, column 1 .*Line 9, column 10 /)
  assert.match(fieldsOf(answer, 'version')['text'] ?? '', 'javascript:alert(1)')
  assert.match(answer.text, '<span id="L9" class="gone">9</span>')
  assert.is(textOf(site), MENU)
})

test('A broken file is mended as a text', async () => {
  const menus = { 'main.yaml': 'version: 1\ncode: [\n' }
  const [visitor, site] = await openForOperator({ menus })
  const broken = textOfPage(await visitor.look(TEXT))
  assert.match(broken, /It is not live\..* Error Line \d+, column \d+/)
  assert.is((await type(visitor, { text: MENU, do: 'publish' })).status, 303)
  assert.is(textOf(site), MENU)
})

test('B7 a text made from an older file is compared with the present one, and written only when sent again', async () => {
  const [visitor, site] = await openForOperator()
  const old = fieldsOf(await visitor.look(TEXT), 'version')
  writeFileSync(join(site.folder.dir, 'menus/main.yaml'), MENU.replace('Home', 'Start'))
  const text = MENU.replace('Sales', 'Offers')
  const stale = await visitor.send(TEXT, { ...old, text, do: 'publish' })
  assert.is(stale.status, 412)
  assert.match(textOfPage(stale), /The file has changed since .*- - label: Start \+ - label: Home/)
  assert.match(textOf(site), 'Start')
  assert.is((await visitor.send(TEXT, { ...fieldsOf(stale, 'version'), text, do: 'publish' })).status, 303)
  assert.is(textOf(site), text)
})

test('A form without its token writes nothing and keeps what was typed', async () => {
  const [{ send }, site] = await openForOperator()
  const answer = await send(TEXT, { text: 'version: 1 # mine', version: 'x', csrf: 'none', do: 'publish' })
  assert.is(answer.status, 403)
  assert.match(answer.text, 'version: 1 # mine')
  assert.is(textOf(site), MENU)
})

test('A text that ends its field shows as text, and no path but a menu file has a page', async () => {
  const menus = { 'main.yaml': `${MENU}# </textarea><script>alert(1)</script>\n` }
  const [{ look }] = await openForOperator({ menus })
  assert.not.match((await look(TEXT)).text, '<script>')
  for (const file of ['../main.yaml', 'none.yaml', 'main.txt', '', '.menuscript/audit.log', 'a\0.yaml'])
    assert.ok([404, 422].includes((await look(`${HOME}/text?${new URLSearchParams({ file })}`)).status), file)
})

test('The page says whether it shows the published file or your draft, and shows both', async () => {
  const [visitor] = await openForOperator()
  const plain = textOfPage(await visitor.look(TEXT))
  assert.match(plain, 'This is the file that is live')
  assert.not.match(plain, 'Your draft')
  await editorOf(visitor).fill('/items/1', { 'label:en': 'Offers' })
  const live = await visitor.look(TEXT)
  assert.match(textOfPage(live), /Published file Your draft This is the file that is live/)
  assert.equal([live.text.includes('label: Offers'), live.text.includes(' readonly')], [false, false])
  const draft = await visitor.look(`${TEXT}&show=draft`)
  assert.match(textOfPage(draft), 'This is your draft, which is not published.')
  assert.equal([draft.text.includes('label: Offers'), draft.text.includes(' readonly')], [true, true])
  assert.not.match(draft.text, 'value="publish"')
})

test.run()
