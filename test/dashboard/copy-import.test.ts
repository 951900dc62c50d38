import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import * as assert from 'uvu/assert'
import { menuText } from '../http/sites.js'
import { figure } from '../support/figures.js'
import { test } from '../support/test.js'
import { editorOf, fieldsOf } from './forms.js'
import { ADMIN, codeOf, MENU, openForScript, renamed, scriptOf, textOf, versionOf } from './managing.js'
import { HOME, openForOperator, openForVisitor, textOfPage, type Visitor } from './visiting.js'

const IMPORT = `${HOME}/import`
const PAYLOAD = JSON.stringify({
  menus: [
    {
      menu: { code: 'footer', name: 'Footer' },
      items: [{ label: 'Terms', externalUrl: '/terms', itemType: 'service' }],
    },
    { menu: { code: 'main', name: 'New main' }, items: [{ label: 'Start', externalUrl: '/' }] },
  ],
})

/** Sends the form of the import page as it is after the last answer. */
async function ask({ look, send }: Visitor, fields: Readonly<Record<string, string>>) {
  return send(IMPORT, { ...fieldsOf(await look(IMPORT), 'state'), ...fields })
}

test('A copy has everything of the menu, comments too, under another code or context', async () => {
  const [{ look, send }, site] = await openForOperator()
  const path = `${HOME}/new?from=main.yaml`
  const form = fieldsOf(await look(path), 'from')
  assert.is(form['code'], 'main')
  const taken = await send(`${HOME}/new`, form)
  assert.is(taken.status, 409)
  assert.is(fieldsOf(taken, 'from')['from'], 'main.yaml')
  const made = await send(`${HOME}/new`, { ...form, key1: 'season', value1: 'winter' })
  assert.is(made.status, 303)
  const copied = textOf(site, 'main.season-winter.yaml')
  assert.match(copied, 'season: winter')
  assert.match(copied, '# where all begins')
  assert.is((await look(`${HOME}/new?from=none.yaml`)).status, 404)
})

test('A copy has what the operator sees: their draft, too, unless they leave it out', async () => {
  const [visitor, site] = await openForOperator()
  await editorOf(visitor).press('hide', '/items/1')
  const page = await visitor.look(`${HOME}/new?from=main.yaml`)
  assert.match(textOfPage(page), 'Include the unpublished change of my draft Create and publish')
  const { draft = '', ...form } = fieldsOf(page, 'from')
  await visitor.send(`${HOME}/new`, { ...form, draft, code: 'mine' })
  await visitor.send(`${HOME}/new`, { ...form, code: 'live' })
  const hidden = ['mine', 'live', 'main'].map((code) => /hidden: true/.test(textOf(site, `${code}.yaml`)))
  assert.equal(hidden, [true, false, false])
  assert.match(textOfPage(await editorOf(visitor).page()), '1 change', 'the draft stays')
})

test('A copy offers the whole context of the menu, with each value of the type that it has', async () => {
  const context = { a: 3, b: '3', c: true, d: 'winter', e: null }
  const [{ look, send }, site] = await openForOperator({
    menus: { 'main.yaml': menuText('main', 'Home', context) },
  })
  const form = fieldsOf(await look(`${HOME}/new?from=main.yaml`), 'from')
  await send(`${HOME}/new`, { ...form, code: 'other' })
  const made = readdirSync(join(site.folder.dir, 'menus')).find((name) => name.startsWith('other')) ?? ''
  assert.equal(JSON.parse(textOf(site, made).replace(/^#.*\n/, '')).context, context)
})

test('An import says first what it would write, keep and change, and writes that when it is confirmed', async () => {
  const [visitor, site] = await openForOperator()
  const plan = await ask(visitor, { json: PAYLOAD, do: 'check' })
  assert.match(
    textOfPage(plan),
    /1 file would be written new footer\.yaml Kept as they are main .*main\.yaml Changed/,
  )
  assert.not(existsSync(join(site.folder.dir, 'menus/footer.yaml')))
  const written = await visitor.send(IMPORT, { ...fieldsOf(plan, 'state'), do: 'import' })
  assert.is(written.headers['location'], `${IMPORT}?written=1`)
  assert.match(textOfPage(await visitor.look(`${IMPORT}?written=1`)), '1 file was written.')
  assert.match(textOf(site, 'footer.yaml'), 'Terms')
  assert.is(textOf(site), MENU)
})

test('An import that replaces a menu shows the difference first, and then makes that one', async () => {
  const [visitor, site] = await openForOperator()
  const plan = await ask(visitor, { json: PAYLOAD, mode: 'replace', do: 'check' })
  assert.match(
    textOfPage(plan),
    /2 files would be written 1 item would be removed replaced Main main\.yaml Removed Sales Changed the menu name: Main → New main .* new footer\.yaml Technical details Main .*-name: Main # for editors \+name: New main # for editors/,
  )
  assert.is((await visitor.send(IMPORT, { ...fieldsOf(plan, 'state'), do: 'import' })).status, 303)
  assert.match(textOf(site), /name: New main {3}# for editors\nitems:\n {2}# where all begins\n/)
  const again = await ask(visitor, { json: PAYLOAD, mode: 'replace', do: 'check' })
  assert.match(textOfPage(again), 'Nothing would be written.')
})

test('A download that is edited and imported again changes drafts, and visitors see it after a publish', async () => {
  const hidden = '  - { id: sale, label: Sale, url: /sale, hidden: true }\n'
  const [visitor, site] = await openForOperator({ menus: { 'main.yaml': MENU + hidden } })
  const download = (await visitor.look(`${HOME}/export`)).text
  const same = await ask(visitor, { json: download, mode: 'replace', do: 'check' })
  assert.match(textOfPage(same), 'Nothing would be written.')
  const json = download.replace('"Home"', '"Start"')
  const plan = await ask(visitor, { json, mode: 'replace', do: 'check' })
  assert.match(textOfPage(plan), /replaced Main main\.yaml Changed Start label: Home → Start/)
  assert.not.match(textOfPage(plan), 'removed')
  const sent = await visitor.send(IMPORT, { ...fieldsOf(plan, 'state'), do: 'draft' })
  assert.is(sent.headers['location'], `${IMPORT}?drafted=1`)
  assert.is(textOf(site), MENU + hidden)
  const done = textOfPage(await visitor.look(`${IMPORT}?drafted=1`))
  assert.match(done, /1 menu is changed in your drafts.* Your drafts Main 1 change/)
  assert.match(textOfPage(await editorOf(visitor).page()), 'Start')
})

test('The preview of an import says which changes of a draft it replaces, and Undo brings them back', async () => {
  const [visitor] = await openForOperator()
  const editor = editorOf(visitor)
  await editor.press('hide', '/items/0')
  const plan = await ask(visitor, { json: PAYLOAD, mode: 'replace', do: 'check' })
  assert.match(textOfPage(plan), /Your draft of Main has 1 change\. .* Undo brings it back\./)
  const sent = await visitor.send(IMPORT, { ...fieldsOf(plan, 'state'), do: 'draft' })
  assert.is(sent.headers['location'], `${IMPORT}?drafted=1`)
  const isHidden = async (): Promise<boolean> => /<li class="off">/.test((await editor.page()).text)
  assert.is(await isHidden(), false)
  await editor.press('undo')
  assert.is(await isHidden(), true)
})

test('A copy of a menu that has changed since the form was shown is made when the form is sent again', async () => {
  const [visitor, site] = await openForOperator({ adminToken: ADMIN })
  const script = scriptOf(site)
  const form = fieldsOf(await visitor.look(`${HOME}/new?from=main.yaml`), 'from')
  await script('PATCH', '/menu?file=main.yaml', {
    body: renamed('Theirs'),
    version: await versionOf(script),
  })
  const refused = await visitor.send(`${HOME}/new`, { ...form, code: 'other' })
  assert.is(refused.status, 412)
  assert.match(textOfPage(refused), 'This menu has changed since you opened the form.')
  assert.is((await visitor.send(`${HOME}/new`, fieldsOf(refused, 'from'))).status, 303)
  assert.match(textOf(site, 'other.yaml'), '# where all begins')
})

test('An import whose outcome has changed since it was shown is shown again, and refusals write nothing', async () => {
  const [visitor, site] = await openForOperator()
  const plan = fieldsOf(await ask(visitor, { json: PAYLOAD, mode: 'replace' }), 'state')
  site.folder.write('menus/footer.yaml', menuText('footer', 'Theirs'))
  await visitor.send(`${HOME}/new`, { ...fieldsOf(await visitor.look(`${HOME}/new`), 'code'), code: 'x' })
  assert.is((await visitor.send(IMPORT, { ...plan, mode: 'skip', do: 'import' })).status, 412)
  for (const json of ['{', '[]', 'null', '{"menus":[{"menu":{"code":"a b"},"items":[]}]}', '[1]']) {
    const refused = await ask(visitor, { json, do: 'import' })
    assert.is(refused.status, 422, json)
    assert.match(textOfPage(refused), 'Refused')
  }
  assert.is((await ask(visitor, { json: ' ' })).status, 422)
  assert.is(textOf(site), MENU)
})

test('A file is uploaded, and a form that is no form of several parts is refused', async () => {
  const [visitor, site] = await openForOperator()
  const { csrf = '' } = fieldsOf(await visitor.look(IMPORT), 'state')
  const part = (name: string, text: string): string =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
  const type = { 'content-type': 'multipart/form-data; boundary=x' }
  const file = part('upload"; filename="a.json', PAYLOAD)
  const answer = await visitor.send(IMPORT, `${part('csrf', csrf)}${file}${part('json', '')}--x--\r\n`, type)
  assert.match(textOfPage(answer), '1 file would be written')
  // As a spreadsheet saves a file that is not said to be UTF-8.
  for (const [path, name] of [
    [IMPORT, 'upload'],
    [`${HOME}/translations`, 'translated'],
  ] as const) {
    const latin = Buffer.from(
      `${part('csrf', csrf)}${part(`${name}"; filename="a.csv`, 'Straße')}--x--\r\n`,
      'latin1',
    )
    const said = await visitor.send(path, latin, type)
    assert.is(said.status, 422)
    assert.match(textOfPage(said), /This file is not in UTF-8\. Save it as UTF-8/)
  }
  for (const body of [
    '',
    '--x',
    '--x--',
    part('csrf', csrf),
    `${part('csrf', 'wrong')}--x--`,
    '\r\n--x\r\n\r\n--x--',
  ])
    assert.ok([403, 422].includes((await visitor.send(IMPORT, body, type)).status), body)
  assert.is(textOf(site), MENU)
})

test('An export is a file of JSON: of all menus, or of one', async () => {
  const [{ look }] = await openForOperator({
    menus: { 'main.yaml': MENU, 'a b/ä x.yaml': menuText('x', 'X') },
  })
  const all = await look(`${HOME}/export`)
  assert.is(all.headers['content-disposition'], 'attachment; filename="menus.json"')
  assert.is((all.json() as { menus: unknown[] }).menus.length, 2)
  const one = await look(`${HOME}/export?file=${encodeURIComponent('a b/ä x.yaml')}`)
  assert.is(one.headers['content-disposition'], 'attachment; filename="__x.json"')
  assert.is((await look(`${HOME}/export?file=none.yaml`)).status, 404)
})

test('E18: An export of many menus is written menu by menu, and is whole', async () => {
  const codes = Array.from({ length: 600 }, (_, place) => `menu-${place}`)
  const menus = Object.fromEntries(codes.map((code) => [`${code}.yaml`, menuText(code, code)]))
  const [script] = await openForScript({ menus })
  const turns = monitorEventLoopDelay({ resolution: 1 })
  turns.enable()
  const { text } = await script('GET', '/export?notes=true')
  turns.disable()
  figure('E18 longest turn of an export of 600 menus', `${Math.round(turns.max / 1e6)} ms`, '100 ms')
  assert.ok(turns.max / 1e6 < 1_000)
  const exported = JSON.parse(text) as { menus: { menu: { code: string } }[]; notes: { file: string }[] }
  assert.equal(exported.menus.map(({ menu }) => menu.code).sort(), codes.toSorted())
  assert.equal(exported.notes.map(({ file }) => file).sort(), Object.keys(menus).sort())
  assert.is((await script('HEAD', '/export')).text, '')
  assert.is(codeOf(await script('GET', '/export?file=none.yaml')), '404 no-file')
})

test('Nobody gets an export or an import form without a login', async () => {
  const [{ look, send }] = await openForVisitor()
  for (const path of [
    '/export',
    '/import',
    '/delete?file=main.yaml',
    '/text?file=main.yaml',
    '/history',
    '/preview?code=main',
  ]) {
    assert.is((await look(HOME + path)).status, 303, path)
    assert.ok([401, 403, 405].includes((await send(HOME + path, {})).status), path)
  }
})

test.run()
