import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { yaml } from '../support/yaml.js'
import { editorOf } from './forms.js'
import { HOME, openForOperator, textOfPage } from './visiting.js'

const MENU = yaml`
  version: 1
  code: main
  name: Main
  context: { season: winter }
  items:
    - label: { en: Ski, de: Schi }
      url: /ski
    - label: Ledger
      url: /ledger
      permissions: [money]
`
const menus = { 'main.yaml': MENU }
const at = (query: Readonly<Record<string, string>>): string =>
  `${HOME}/preview?${new URLSearchParams({ file: 'main.yaml', ...query })}`

test('A preview shows what visitors get in a language and with permissions, and why, with the line', async () => {
  const [{ look }] = await openForOperator({ menus, config: { locales: ['en', 'de'] } })
  const first = textOfPage(await look(at({})))
  assert.match(first, /As of .* Show .* Live What visitors see Ski Needs a permission: Ledger Why this menu/)
  assert.match(first, /not shown Ledger main\.yaml:8 .*money/)
  // The explanation is folded, unless there is nothing else to show.
  assert.not.match((await look(at({}))).text, '<details open')
  assert.match((await look(at({ contexts: '' }))).text, '<details open><summary>Why this menu')
  const second = textOfPage(await look(at({ locale: 'de', permissions: 'other, money' })))
  assert.match(second, /What visitors see Schi Ledger Why/)
})

test('Contexts choose the menu: no match is an empty list, and invalid JSON is an error at its field', async () => {
  const [{ look }] = await openForOperator({ menus })
  assert.match(textOfPage(await look(at({ contexts: '[{"season":"summer"}]' }))), 'No menu matches')
  for (const contexts of ['[{', '{"a":1}', '[{"a":{}}]', '[{"a":1,"a":2}]']) {
    const answer = await look(at({ contexts }))
    assert.is(answer.status, 400, contexts)
    assert.match(answer.text, /id="sets"[^>]*aria-invalid/)
  }
  assert.is((await look(`${HOME}/preview?file=none.yaml`)).status, 404)
  assert.match(textOfPage(await look(`${HOME}/preview?code=none`)), 'No menu matches')
})

test('Conditions and permissions are chosen: those of the variants of the menu, and of its items', async () => {
  const other = MENU.replace('{ season: winter }', '{ season: summer }').replace('Ski', 'Swim')
  const config = { permissions: { money: 'See <money>' } }
  const [{ look }] = await openForOperator({ menus: { ...menus, 'summer.yaml': other }, config })
  const { text } = await look(at({}))
  for (const season of ['winter', 'summer'])
    assert.match(text, `value="[{&quot;season&quot;:&quot;${season}&quot;}]"`)
  assert.match(text, 'name="may:money" value="on"> <bdi title="money">See &lt;money&gt;</bdi>')
  const chosen = textOfPage(await look(at({ 'may:money': 'on', contexts: '[{"season":"summer"}]' })))
  assert.match(chosen, /What visitors see Swim Ledger/)
  const typed = await look(
    at({ sets: '[{"season":"none"},{"season":"winter"}]', permissions: 'money, more' }),
  )
  assert.match(textOfPage(typed), /What visitors see Ski Ledger/)
  assert.match(typed.text, /name="may:money" value="on" checked>/)
  assert.match(typed.text, /name="permissions"[^>]*value="more"/)
})

test('With preview_css, a menu is shown in the style sheet of the site, in a frame without scripts', async () => {
  const config = { locales: ['en', 'ar'], dashboard: { preview_css: 'https://cdn.example.org/a.css?v=1&b' } }
  const [{ look }] = await openForOperator({ menus, config })
  const { text, headers } = await look(at({ locale: 'ar' }))
  const [, frame = ''] = /<iframe [^>]*sandbox height="\d+" srcdoc="([^"]*)"/.exec(text) ?? []
  assert.match(frame, '&lt;html lang=&quot;ar&quot; dir=&quot;rtl&quot;&gt;')
  assert.match(frame, 'href=&quot;https://cdn.example.org/a.css?v=1&amp;amp;b&quot;')
  assert.match(frame, '&lt;a href=&quot;/ski&quot;&gt;Ski')
  const crafted = await look(at({ locale: 'en"><style>a' }))
  const [, inFrame = ''] = /srcdoc="([^"]*)"/.exec(crafted.text) ?? []
  assert.match(inFrame, '&amp;lt;style&amp;gt;a')
  assert.not.match(inFrame, '&lt;style')
  const policy = headers['content-security-policy'] ?? ''
  assert.match(policy, "style-src 'self' https://cdn.example.org; ")
  assert.match(policy, "default-src 'self'; ")
})

test('A menu that begins folded is unfolded in the style sheet of the site', async () => {
  const folded = `${MENU}display: { collapsible: true, collapsibleExpanded: false }\n`
  const config = { dashboard: { preview_css: 'https://cdn.example.org/a.css' } }
  const [{ look }] = await openForOperator({ menus: { 'main.yaml': folded }, config })
  assert.match((await look(at({}))).text, '&lt;details open&gt;')
})

test('preview_css may be a file, which the frame loads, and what is not there is named by its reason', async () => {
  const items = [
    { label: 'Sky', url: '/', icon: 'bi:sun' },
    { label: 'Attic', url: '/a', hidden: true },
    { label: 'Soon', url: '/s', visibleFrom: '2999-01-01T00:00:00Z' },
  ]
  const menu = JSON.stringify({ version: 1, code: 'main', name: 'Main', items })
  const set = JSON.stringify({ prefix: 'bi', icons: { sun: { body: '<path d="M1 1"/>' } } })
  const files = { 'main.yaml': menu, 'own.css': 'nav { color: red }', 'set.json': set }
  const config = { icons: ['./menus/set.json'], dashboard: { preview_css: './menus/own.css' } }
  const [{ look }] = await openForOperator({ menus: files, config })
  const page = await look(at({}))
  assert.match(textOfPage(page), /Not shown at this time: Soon Hidden: Attic /)
  const [, address = ''] = /stylesheet&quot; href=&quot;([^&]*)/.exec(page.text) ?? []
  const style = await look(address)
  assert.equal([style.status, style.headers['content-type']], [200, 'text/css; charset=utf-8'])
  assert.is(style.text, 'nav { color: red }')
  assert.match(page.text, '&lt;body data-menu=&quot;main&quot;&gt;&lt;nav')
  assert.match(page.text, /&lt;path d=&quot;M1 1&quot;.*&lt;\/svg&gt;Sky/)
  assert.match(page.headers['content-security-policy'] ?? '', "; style-src 'self'; ")
})

test('A file of preview_css that cannot be read is logged, and menus are shown as a list', async () => {
  const config = { dashboard: { preview_css: './none.css' } }
  const [{ look }, { events }] = await openForOperator({ menus, config })
  assert.not.match((await look(at({}))).text, '<iframe')
  assert.is(events.filter(({ event }) => event === 'preview_css_unreadable').length, 1)
})

test('A preview has the same JSON as the API, before and after the draft is published', async () => {
  const [visitor, { ask }] = await openForOperator({ menus })
  const jsonsOf = async () =>
    [...(await visitor.look(at({}))).text.matchAll(/<summary>JSON of the API<.*?<code>(.*?)<\/code>/gs)].map(
      ([, text = '']) => JSON.parse(text.replaceAll('&quot;', '"')),
    )
  const live = async () => (await ask('/api/menu/main?_context_sets=[{"season":"winter"}]')).json()
  const editor = editorOf(visitor)
  await editor.fill('/items/0', { 'label:en': 'Snow' })
  const [draft, before] = await jsonsOf()
  assert.equal(before, await live())
  await editor.review('publish')
  assert.equal(draft, await live())
  assert.is(draft[0].label, 'Snow')
})

test('A draft that cannot be published yet is shown with the texts that it has', async () => {
  const rules = { 'missing-translation': 'error' }
  const [visitor] = await openForOperator({ menus, config: { locales: ['en', 'de'], lint: { rules } } })
  const editor = editorOf(visitor)
  await editor.fill('/items/0', { 'label:en': 'Snow', 'label:de': '' })
  const text = textOfPage(await visitor.look(at({})))
  assert.match(text, /Your draft.*This draft cannot be published yet\. Review.*Snow/s)
  assert.not.match(text, 'would have errors')
})

test('A draft that conflicts with its file is shown as it is, with the way to the review', async () => {
  const [visitor, site] = await openForOperator({ menus, config: { locales: ['en', 'de'] } })
  const editor = editorOf(visitor)
  await editor.fill('/items/0', { 'label:en': 'Snow' })
  site.folder.write('menus/main.yaml', MENU.replace('Ski', 'Skiing'))
  const text = textOfPage(await visitor.look(at({})))
  assert.match(text, /Your draft.*This draft cannot be published yet\. Review.*Snow/s)
})

test('Hostile labels and addresses are inert in a preview', async () => {
  const label = '</code><script>alert(1)</script><img src=x onerror=alert(1)>'
  const items = [{ label, url: '/"><script>alert(1)</script>' }]
  const [{ look }] = await openForOperator({
    menus: { 'main.yaml': JSON.stringify({ version: 1, code: 'main', name: label, items }) },
  })
  const { text } = await look(at({ permissions: '"><script>', contexts: '"><script>' }))
  assert.not.match(text, /<script>|<img src=x/)
  assert.not.match((await look(at({}))).text, /<script>|<img src=x/)
})

test.run()
