import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { yaml } from '../support/yaml.js'
import { editorOf } from './forms.js'
import { HOME, openForOperator, textOfPage, type Visitor } from './visiting.js'

const MENU = yaml`
  version: 1
  code: main
  name: Main
  display: { label: { en: Main menu } }
  items:
    - { label: { en: Home, es: Inicio, ar: الرئيسية }, url: / }
    - label: Shop
      url: /shop
      children:
        - { label: { en: Shoes, es: Zapatos }, url: /shoes }
    - type: divider
`
const PAGE = `${HOME}/translate?file=main.yaml`
const LOCALES = { locales: ['en', 'es', 'ar'] }
const STRICT = { ...LOCALES, lint: { rules: { 'missing-translation': 'error' } } } as const

/** The form of the page: its state, and the key of each row. */
async function formOf(visitor: Visitor, path: string = PAGE): Promise<Record<string, string>> {
  const { text } = await visitor.look(path)
  const fields = [...text.matchAll(/<input [^>]*name="(state|csrf|key:\d+)" value="([^"]*)"/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
}

const namesOf = (form: Record<string, string>): readonly string[] =>
  Object.entries(form).flatMap(([name, value]) => (name.startsWith('key:') ? [value] : []))

test('The rows of a menu with gaps are those with gaps, then those with one text for all; the others follow on demand', async () => {
  const [visitor] = await openForOperator({ menus: { 'main.yaml': MENU }, config: LOCALES })
  const shoes = '/link:Shop/link:Shoes'
  assert.equal(namesOf(await formOf(visitor)), ['menu', shoes, '/link:Shop'])
  assert.equal(namesOf(await formOf(visitor, `${PAGE}&which=all`)), [
    'menu',
    shoes,
    '/link:Shop',
    '/link:Home',
  ])
  const { text } = await visitor.look(PAGE)
  assert.match(text, /name="1:ar" lang="ar" dir="rtl"[^>]* value="" placeholder="Shoes"/)
  assert.match(text, /name="1:es" lang="es" dir="ltr"[^>]* value="Zapatos"/)
})

test('One language is next to the default one, with all texts; saving leaves those of the others, and the page', async () => {
  const [visitor] = await openForOperator({ menus: { 'main.yaml': MENU }, config: LOCALES })
  const page = await visitor.look(`${PAGE}&which=es`)
  assert.match(textOfPage(page), /English Spanish 1 missing Arabic 2 missing 1 label has/)
  const form = await formOf(visitor, `${PAGE}&which=es`)
  assert.equal(namesOf(form), ['menu', '/link:Shop', '/link:Home', '/link:Shop/link:Shoes'])
  const names = [...page.text.matchAll(/<input id="0:(\w+)"/g)].map(([, locale]) => locale)
  assert.equal(names, ['en', 'es'])
  const sent = await visitor.send(`${PAGE}&which=es`, { ...form, '2:es': 'Casa' })
  assert.is(sent.headers['location'], `${PAGE}&which=es&saved=1`)
  const { text } = await visitor.look(`${PAGE}&which=all`)
  assert.match(text, /value="Casa"/)
  assert.match(text, /value="الرئيسية"/)
  assert.match((await visitor.look(`${PAGE}&which=nope`)).text, 'aria-current="true">Only gaps')
})

test('Saving the table is one step, which one undo takes back', async () => {
  const [visitor] = await openForOperator({ menus: { 'main.yaml': MENU }, config: LOCALES })
  const form = await formOf(visitor)
  const typed = { '0:es': 'Menú', '0:ar': 'القائمة', '1:ar': 'أحذية' }
  const { status, headers } = await visitor.send(PAGE, { ...form, ...typed })
  assert.equal([status, headers['location']], [303, `${PAGE}&which=gaps&saved=2`])
  const saved = await visitor.look(`${PAGE}&saved=2`)
  assert.match(textOfPage(saved), /2 labels saved to your draft\..*No text is missing\./s)
  const again = await visitor.send(PAGE, { ...form, ...typed })
  assert.is(again.status, 303, 'a form that is sent twice is one step')
  await visitor.send(`${HOME}/edit?file=main.yaml`, { ...(await formOf(visitor)), do: 'undo' })
  assert.equal(namesOf(await formOf(visitor)).length, 3)
})

test('One text for all languages is marked in the table and the editor, and not where there is one language', async () => {
  const menus = {
    'main.yaml': MENU.replace('en: Main menu', 'en: M, es: M, ar: M').replace('es: Zap', 'ar: Z, es: Zap'),
  }
  const pages = [PAGE, `${HOME}/edit?file=main.yaml`]
  const shown = async (config: Record<string, unknown>): Promise<readonly string[]> => {
    const [visitor] = await openForOperator({ menus, config })
    return Promise.all(pages.map(async (page) => textOfPage(await visitor.look(page))))
  }
  const [table = '', editor = ''] = await shown(LOCALES)
  assert.match(
    table,
    /No text is missing\. .* 1 label has one text for all languages, .* Shop One text for all languages /,
  )
  assert.equal(editor.match(/One text for all/g)?.length, 1)
  for (const text of await shown({ locales: ['en'] })) assert.not.match(text, /one (?:text|language)/i)
})

test('A form of another state is refused, and its words stay, also those of items that are gone', async () => {
  const [visitor] = await openForOperator({ menus: { 'main.yaml': MENU }, config: LOCALES })
  const form = await formOf(visitor)
  const edit = `${HOME}/edit?file=main.yaml`
  await visitor.send(edit, { ...form, item: '/items/1', do: 'remove' })
  const answer = await visitor.send(PAGE, { ...form, '0:es': 'Menú', '1:ar': 'أحذية' })
  assert.is(answer.status, 409)
  assert.match(answer.text, /value="Menú"/)
  assert.match(textOfPage(answer), /no longer exist, and are not saved:\s+أحذية/)
  const [, state = ''] = /name="state" value="([^"]*)"/.exec(answer.text) ?? []
  const { status } = await visitor.send(PAGE, { ...form, state, '0:es': 'Menú' })
  assert.is(status, 303)
})

test('An empty label and one that is too long are errors of their fields', async () => {
  const [visitor] = await openForOperator({ menus: { 'main.yaml': MENU }, config: LOCALES })
  const form = await formOf(visitor)
  const empty = await visitor.send(PAGE, { ...form, '1:en': '', '1:es': '', '1:ar': '' })
  assert.is(empty.status, 422)
  assert.match(empty.text, /href="#1:en">Enter a label\./)
  const long = await visitor.send(PAGE, { ...form, '1:ar': 'x'.repeat(1_001) })
  assert.is(long.status, 422)
  assert.match(long.text, /href="#1:ar"/)
})

test('A page has 100 rows, and fewer where there are many languages', async () => {
  const labels = Array.from({ length: 250 }, (_, place) => `  - { label: { en: L${place} }, url: / }\n`)
  const menus = { 'main.yaml': `version: 1\ncode: main\nname: M\nitems:\n${labels.join('')}` }
  const [visitor] = await openForOperator({ menus, config: LOCALES })
  assert.is(namesOf(await formOf(visitor)).length, 100)
  assert.is(namesOf(await formOf(visitor, `${PAGE}&page=3`)).length, 50)
  const many = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `en-x-${letter}`)
  const [other] = await openForOperator({ menus, config: { locales: ['en', 'es', ...many] } })
  const form = await formOf(other)
  assert.is(namesOf(form).length, 62)
  const fields = namesOf(form).map((_, row): [string, string] => [`${row}:es`, 'ñ'.repeat(1_000)])
  assert.is((await other.send(PAGE, { ...form, ...Object.fromEntries(fields) })).status, 303)
})

test('Forms mark the languages that a publish needs, and the editor says which of them an item lacks', async () => {
  const [visitor] = await openForOperator({ menus: { 'main.yaml': MENU }, config: STRICT })
  const path = `${HOME}/item?file=main.yaml&item=/items/0`
  const page = await visitor.look(path)
  assert.match(textOfPage(page), 'To publish, fill in every language, or tick the box below.')
  assert.not.match(page.text, '(required)', 'a mark that all have says nothing')
  const answer = await visitor.fill(path, {
    'label:en': 'Home',
    'label:es': '',
    'label:ar': '',
    url: '/',
    state: '',
  })
  assert.is(answer.status, 409, 'without its state')
  const [, state = ''] = /name="state" value="([^"]*)"/.exec(page.text) ?? []
  const saved = await visitor.fill(path, {
    state,
    'label:en': 'Home',
    'label:es': '',
    'label:ar': '',
    url: '/',
  })
  assert.is(saved.status, 303)
  const editor = await visitor.look(saved.headers['location'] ?? '')
  assert.match(textOfPage(editor), /Home saved to your draft\. Before publishing, add: Spanish and Arabic\./)
})

test('From the table, the texts of this menu alone are exported', async () => {
  const menus = { 'main.yaml': MENU, 'other.yaml': MENU.replace('code: main', 'code: other') }
  const [visitor] = await openForOperator({ menus, config: LOCALES })
  const { text } = await visitor.look(PAGE)
  assert.match(text, `href="${HOME}/translations?file=main.yaml"`)
  const page = await visitor.look(`${HOME}/translations?file=main.yaml`)
  assert.match(page.text, /<input type="hidden" name="file" value="main.yaml">/)
  const csv = await visitor.look(`${HOME}/export?file=main.yaml&format=csv&locale=`)
  assert.match(csv.text, 'main.yaml,/link:Home')
  assert.not.match(csv.text, 'other.yaml')
})

test('One text for all is enough for a publish where that is ticked, and the form says so', async () => {
  const [visitor] = await openForOperator({ menus: { 'main.yaml': MENU }, config: STRICT })
  const { text } = await visitor.look(`${HOME}/item?file=main.yaml&item=/items/1`)
  assert.match(text, 'or tick the box below.')
  const settings = await visitor.look(`${HOME}/settings?file=main.yaml`)
  assert.match(settings.text, 'To publish, fill in each required language.<')
})

test('Where missing translations are only warned about, forms mark nothing', async () => {
  const [visitor] = await openForOperator({ menus: { 'main.yaml': MENU }, config: LOCALES })
  for (const path of [`${HOME}/item?file=main.yaml&item=/items/0`, PAGE, `${HOME}/settings?file=main.yaml`])
    assert.not.match((await visitor.look(path)).text, /\(required\)|To publish,/)
})

test('Names of items have their language and its direction', async () => {
  const [visitor] = await openForOperator({ menus: { 'main.yaml': MENU }, config: LOCALES })
  const { text } = await visitor.look(`${HOME}/edit?file=main.yaml`, { 'accept-language': 'ar' })
  assert.match(text, /<html lang="ar" dir="rtl">/)
  assert.match(text, /<a class="name" lang="ar" dir="rtl"[^>]*>الرئيسية</)
  assert.match(text, /<a class="name" dir="auto"[^>]*>Shop</)
  assert.match(text, /<a class="name" lang="en" dir="ltr"[^>]*>Shoes</)
})

test('A review that missing texts block lists each item once, in one sentence, and leads to the table of translations', async () => {
  const faulty = MENU.replace(', es: Inicio, ar: الرئيسية', '')
  const [visitor] = await openForOperator({ menus: { 'main.yaml': faulty }, config: STRICT })
  await editorOf(visitor).fill('/items/1', { 'label:en': 'Sale', url: '/shop' })
  const review = await visitor.look(`${HOME}/review?file=main.yaml`)
  const shown = textOfPage(review)
  assert.match(shown, /cannot be published yet\. .*Home Spanish and Arabic are missing\. /)
  assert.match(shown, / Shoes Arabic is missing\. .*Add the missing texts /)
  assert.match(shown, / Name for visitors Spanish and Arabic are missing\. /)
  assert.not.match(shown, /No text in|Add Arabic\./)
  assert.is(review.text.match(/>(?:<bdi>)?Home</g)?.length, 1)
  assert.match(review.text, `<a class="button main" href="${PAGE}">Add the missing texts</a>`)
  const german = await visitor.look(`${HOME}/review?file=main.yaml`, { 'accept-language': 'de' })
  assert.match(textOfPage(german), / Home Spanisch und Arabisch fehlen\. /)
})

test('From a problem of a missing translation, the form begins at the field of that language', async () => {
  const [visitor] = await openForOperator({ menus: { 'main.yaml': MENU }, config: LOCALES })
  await editorOf(visitor).fill('/items/0', { url: '/home' })
  const review = await visitor.look(`${HOME}/review?file=main.yaml`)
  const [, href = ''] = /<a href="([^"]*)"><bdi>Shoes</.exec(review.text) ?? []
  const begins = async (path: string) =>
    /<input id="([^"]*)"[^>]* autofocus>/.exec((await visitor.look(path)).text)?.[1]
  assert.is(await begins(href.replaceAll('&amp;', '&')), 'label:ar')
  assert.match(textOfPage(await visitor.look(href.replaceAll('&amp;', '&'))), /Arabic \(missing\)/)
  assert.is(await begins(`${HOME}/item?file=main.yaml&item=/items/1/children/0`), 'label:en')
})

test('On the row of an item, a text that is missing leads to its field', async () => {
  const [visitor] = await openForOperator({ menus: { 'main.yaml': MENU }, config: LOCALES })
  const { text } = await editorOf(visitor).page()
  const [, href = ''] = /<a class="chip changed" href="([^"]*)">Arabic missing/.exec(text) ?? []
  const form = await visitor.look(`${HOME}/${href.replaceAll('&amp;', '&')}`)
  assert.match(form.text, /id="label:ar"[^>]* autofocus/)
})

test.run()
