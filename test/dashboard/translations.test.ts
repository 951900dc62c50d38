import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { editorOf, fieldsOf } from './forms.js'
import { API, codeOf, MENU, openForScript, renamed, textOf, versionOf } from './managing.js'
import { HOME, openForOperator, textOfPage } from './visiting.js'

const PAGE = `${HOME}/translations`
const CSV = { type: 'text/csv' }
const config = { locales: ['en', 'es', 'fr'] }
const HEAD = 'file,key,field,source,es\n'
const SALES = `${HEAD}main.yaml,/link:Sales,label,Sales,Ventas\n`
const FILLED = MENU.replace('label: Sales', 'label: { en: Sales, es: Ventas }')

interface Reply {
  readonly written: readonly { readonly file: string; readonly what: string; readonly diff: string | null }[]
  readonly outdated: readonly object[]
}

test('A dry run returns the diff; the import with its ETag writes exactly that, and comments stay', async () => {
  const [script, site] = await openForScript({ config })
  const dry = await script('POST', '/translations?dry_run=true', { body: SALES, ...CSV })
  assert.is(dry.status, 200, dry.text)
  const { written, outdated } = dry.json() as Reply
  assert.equal([written[0]?.file, written[0]?.what, outdated], ['main.yaml', 'replaced', []])
  assert.match(written[0]?.diff ?? '', /^\+.*\bes: Ventas/m)
  assert.is(textOf(site), MENU)
  const { etag: version = '' } = dry.headers
  const done = await script('POST', '/translations', { body: SALES, ...CSV, version })
  assert.is(done.status, 200, done.text)
  assert.is(textOf(site), FILLED)
  const again = await script('POST', '/translations', { body: SALES, ...CSV })
  assert.equal((again.json() as Reply).written, [], 'what changes nothing needs no version')
})

test('An import without the ETag of its dry run, or after a change of a menu or of the file, writes nothing', async () => {
  const [script, site] = await openForScript({ config })
  assert.is(codeOf(await script('POST', '/translations', { body: SALES, ...CSV })), '428 version-required')
  const dry = await script('POST', '/translations?dry_run=true', { body: SALES, ...CSV })
  const { etag: version = '' } = dry.headers
  const other = SALES.replace('Ventas', 'Rebajas')
  assert.is(
    codeOf(await script('POST', '/translations', { body: other, ...CSV, version })),
    '412 plan-changed',
  )
  assert.is(textOf(site), MENU)
  await script('PATCH', '/menu?file=main.yaml', { body: renamed('Theirs'), version: await versionOf(script) })
  assert.is(
    codeOf(await script('POST', '/translations', { body: SALES, ...CSV, version })),
    '412 plan-changed',
  )
  assert.not.match(textOf(site), 'Ventas')
})

test('What is exported over HTTP comes back in every format', async () => {
  const [script, site] = await openForScript({ config })
  for (const [format, type] of [
    ['csv', 'text/csv'],
    ['xliff12', 'application/xliff+xml'],
    ['xliff2', 'application/xliff+xml'],
  ] as const) {
    const { text, headers, status } = await script('GET', `/translations?format=${format}&locale=fr`)
    assert.is(status, 200)
    assert.match(headers['content-type'] ?? '', type)
    const same = await script('POST', '/translations', { body: text, type })
    assert.equal((same.json() as Reply).written, [], format)
    const body =
      format === 'csv'
        ? text.replace('Home,\r', 'Home,Accueil\r')
        : text.replace('</source>', '</source><target>Accueil</target>')
    const dry = await script('POST', '/translations?dry_run=true', { body, type })
    assert.match((dry.json() as Reply).written[0]?.diff ?? '', 'fr: Accueil', format)
  }
  assert.is(textOf(site), MENU)
})

test('A file with mistakes is refused with all of them and their lines', async () => {
  const [script] = await openForScript({ config })
  const body = `${SALES}main.yaml,/link:Sale,label,Sale,X\nmani.yaml,/link:Sales,label,Sales,X\n`
  const refused = await script('POST', '/translations?dry_run=true', { body, ...CSV })
  assert.is(codeOf(refused), '422 import-refused')
  assert.equal((refused.json() as { errors: object }).errors, [
    { line: 3, what: '"main.yaml" has no item "/link:Sale". Did you mean "/link:Sales"?' },
    { line: 4, what: 'There is no menu file "mani.yaml". Did you mean "main.yaml"?' },
  ])
})

test('A file that is too large or of another type is refused before it is read', async () => {
  const [script] = await openForScript({ config })
  const large = `${HEAD}${'x'.repeat(4_194_304)}`
  assert.is(codeOf(await script('POST', '/translations', { body: large, ...CSV })), '413 body-too-large')
  assert.is(codeOf(await script('POST', '/translations', { body: '{}' })), '415 wrong-content-type')
})

test('On the page, an upload is shown in words, and is one step of the draft with one undo', async () => {
  const [visitor, site] = await openForOperator({ config })
  const both = await visitor.look(`${HOME}/import`)
  assert.match(textOfPage(both), /Translations .*Download texts .*A translated file/)
  const editor = editorOf(visitor)
  await editor.fill('/items/1', { 'label:en': 'Bargains', was: 'Sales' })
  const page = editor.address('translations')
  const opened = await visitor.look(page)
  assert.match(opened.text, /<div class="tabs".*aria-current="page">Translations</s)
  const form = { ...fieldsOf(opened, 'outdated'), outdated: 'on' }
  const text = `${SALES}other.yaml,x,label,x,x\nmain.yaml,/link:Sale,label,x,x\n`.replaceAll('\n', '\r\n')
  const plan = await visitor.send(page, { ...form, text, do: 'preview' })
  assert.match(
    textOfPage(plan),
    /1 translation would go into your draft 1 item · Spanish 1 row of the file is left out\. .*1 row is left out because it is about another menu\. Add to the draft Cancel Item Language Before After Bargains Spanish missing Ventas .*Line 4: .*has no item/s,
  )
  const sent = { ...fieldsOf(plan, 'outdated'), outdated: 'on', do: 'import' }
  const { status, headers } = await visitor.send(page, sent)
  const notice = editor.address('edit', { did: 'translated', added: '1', left: '2' })
  assert.equal([status, headers['location']], [303, notice])
  assert.match(
    textOfPage(await visitor.look(notice)),
    /1 translation was added to your draft\. 2 rows of the file were left out\. Undo/,
  )
  assert.match(textOfPage(await visitor.send(page, sent)), 'Nothing would be added', 'sent twice')
  assert.is(textOf(site), MENU)
  await editor.press('undo')
  assert.match(textOfPage(await visitor.look(editor.address('translate'))), /Bargains/)
  await editor.press('redo')
  assert.is((await editor.review('publish')).status, 303)
  assert.match(textOf(site), 'label: { en: Bargains, es: Ventas }')
})

test('On the page, the texts of the own draft are exported, and come back as they are there', async () => {
  const [visitor] = await openForOperator({ config })
  const editor = editorOf(visitor)
  await editor.fill('/items/1', { 'label:en': 'Bargains' })
  await editor.fill('/items/1', { 'label:en': 'Sales', url: '/sales', to: 'url' }, 'after')
  for (const query of ['format=csv&locale=es', 'format=csv&locale=es&file=main.yaml']) {
    const { text } = await visitor.look(`${HOME}/export?${query}`)
    assert.match(text, /\/link:Bargains,label,Bargains,\r\n.*\/link:Sales,label,Sales,\r\n/s)
  }
  const { text } = await visitor.look(editor.address('export', { format: 'csv', locale: 'es' }))
  const back = text
    .replace('label,Bargains,', 'label,Bargains,Gangas')
    .replace('label,Sales,', 'label,Sales,Ventas')
  const form = fieldsOf(await visitor.look(editor.address('translations')), 'outdated')
  const plan = await visitor.send(editor.address('translations'), { ...form, text: back, do: 'preview' })
  assert.match(
    textOfPage(plan),
    /2 translations would go into your draft .* Bargains Spanish missing Gangas Sales Spanish missing Ventas/,
  )
  assert.not.match(textOfPage(plan), 'left out')
  const published = await visitor.look(`${API}/translations?format=csv&locale=es`)
  assert.match(published.text, '/link:Sales,label,Sales,\r\n')
  assert.not.match(published.text, 'Bargains')
})

test('On the page of all menus, each menu that changes gets a step of its draft, and a page lists them', async () => {
  const menus = {
    'a.yaml': MENU,
    'b.yaml': MENU.replace('code: main', 'code: b'),
    'c.yaml': MENU.replace('code: main', 'code: c'),
  }
  const [visitor, site] = await openForOperator({ config, menus })
  const rows = ['a', 'b'].map((name) => `${name}.yaml,/link:Sales,label,Sales,Ventas\n`)
  const text = HEAD + rows.join('')
  const plan = await visitor.send(PAGE, {
    ...fieldsOf(await visitor.look(PAGE), 'outdated'),
    text,
    do: 'preview',
  })
  assert.match(
    textOfPage(plan),
    /2 translations would go into your draft .*2 items · Spanish · 2 menus .*a\.yaml .*b\.yaml/s,
  )
  const { headers } = await visitor.send(PAGE, { ...fieldsOf(plan, 'outdated'), do: 'import' })
  assert.is(headers['location'], `${PAGE}?added=2`)
  const done = await visitor.look(`${PAGE}?added=2`)
  assert.match(textOfPage(done), /2 translations were added to your draft\. .*Your drafts/s)
  for (const name of ['a', 'b']) {
    assert.match(done.text, `href="${HOME}/review?file=${name}.yaml"`)
    assert.is(textOf(site, `${name}.yaml`), menus[`${name}.yaml` as 'a.yaml'])
  }
  assert.not.match(done.text, 'review?file=c.yaml')
})

test('An import into more menus than one user may have drafts of adds nothing', async () => {
  const names = Array.from({ length: 101 }, (_, place) => `m${place}`)
  const menus = Object.fromEntries(
    names.map((name) => [`${name}.yaml`, MENU.replace('code: main', `code: ${name}`)]),
  )
  const [visitor] = await openForOperator({ config, menus })
  const text = HEAD + names.map((name) => `${name}.yaml,/link:Sales,label,Sales,Ventas\n`).join('')
  const form = fieldsOf(await visitor.look(PAGE), 'outdated')
  const plan = await visitor.send(PAGE, { ...form, text, do: 'preview' })
  assert.match(textOfPage(plan), '101 translations would go into your draft')
  const refused = await visitor.send(PAGE, { ...fieldsOf(plan, 'outdated'), do: 'import' })
  assert.is(refused.status, 507)
  assert.match(textOfPage(refused), 'There are too many drafts')
  assert.not.match((await visitor.look(`${PAGE}?added=1`)).text, 'Your drafts')
})

test('On the page, what has changed since the preview is shown again, and nothing is added', async () => {
  const [visitor] = await openForOperator({ config })
  const form = fieldsOf(await visitor.look(PAGE), 'outdated')
  const plan = await visitor.send(PAGE, { ...form, text: SALES, do: 'preview' })
  const sent = { ...fieldsOf(plan, 'outdated'), do: 'import' }
  await editorOf(visitor).press('hide', '/items/1')
  for (const changed of [sent, { ...sent, text: SALES.replace('Ventas', 'Rebajas') }]) {
    const refused = await visitor.send(PAGE, changed)
    assert.is(refused.status, 412)
    assert.match(textOfPage(refused), 'The menus have changed since this preview.')
  }
  assert.not.match((await visitor.look(`${HOME}/translate?file=main.yaml&which=all`)).text, /Ventas|Rebajas/)
})

test('On the page, mistakes have their lines, and outdated rows are imported only if that is chosen', async () => {
  const [visitor] = await openForOperator({ config })
  const form = fieldsOf(await visitor.look(PAGE), 'outdated')
  const wrong = await visitor.send(PAGE, { ...form, text: SALES.replace(':Sales', ':Sale'), do: 'preview' })
  assert.is(wrong.status, 422)
  assert.match(textOfPage(wrong), /Refused .*Line 2: .*has no item "\/link:Sale"/)
  assert.is((await visitor.send(PAGE, { ...form, text: ' ', do: 'preview' })).status, 422)
  const old = SALES.replace('label,Sales', 'label,Bargains')
  const plan = await visitor.send(PAGE, { ...form, text: old, do: 'preview' })
  assert.match(
    textOfPage(plan),
    /Nothing would be added.*1 row of the file is left out.*Line 2: Main \/link:Sales Bargains Sales/s,
  )
  const all = await visitor.send(PAGE, { ...fieldsOf(plan, 'outdated'), outdated: 'on', do: 'preview' })
  assert.match(textOfPage(all), '1 translation would go into your draft')
  assert.is((await visitor.send(PAGE, { ...fieldsOf(all, 'outdated'), do: 'import' })).status, 303)
})

test('The page downloads the texts of a language as a file', async () => {
  const [{ look }] = await openForOperator({ config })
  const csv = await look(`${HOME}/export?format=csv&locale=`)
  assert.is(csv.headers['content-disposition'], 'attachment; filename="translations.csv"')
  assert.match(csv.text, 'main.yaml,/link:Sales,label,Sales,Sales,,\r\n')
  const xliff = await look(`${HOME}/export?format=xliff2&locale=es`)
  assert.is(xliff.headers['content-disposition'], 'attachment; filename="translations.es.xlf"')
  assert.match(xliff.text, 'srcLang="en" trgLang="es"')
  const none = await look(`${HOME}/export?format=xliff2&locale=`)
  assert.is(none.status, 400)
})

test('What is in a translation file is shown as text', async () => {
  const [visitor] = await openForOperator({ config })
  const form = fieldsOf(await visitor.look(PAGE), 'outdated')
  const evil = '<img src=x onerror=alert(1)>'
  const text = `${HEAD}${evil},x,label,x,x\nmain.yaml,/link:Sales,label,${evil},${evil}\n`
  const { text: page } = await visitor.send(PAGE, { ...form, text, outdated: 'on', do: 'preview' })
  assert.not.match(page, '<img src=x')
  assert.match(page, '&lt;img src=x')
})

test.run()
