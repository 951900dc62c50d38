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
  assert.match(first, /Live What visitors see Ski \/ski JSON/)
  assert.match(first, /not shown Ledger main\.yaml:8 .*money/)
  const second = textOfPage(await look(at({ locale: 'de', permissions: 'other, money' })))
  assert.match(second, /What visitors see Schi \/ski Ledger \/ledger JSON/)
})

test('Contexts choose the menu: no match is an empty list, and invalid JSON is an error at its field', async () => {
  const [{ look }] = await openForOperator({ menus })
  assert.match(textOfPage(await look(at({ contexts: '[{"season":"summer"}]' }))), 'No menu matches')
  for (const contexts of ['[{', '{"a":1}', '[{"a":{}}]', '[{"a":1,"a":2}]']) {
    const answer = await look(at({ contexts }))
    assert.is(answer.status, 400, contexts)
    assert.match(answer.text, /id="contexts"[^>]*aria-invalid/)
  }
  assert.is((await look(`${HOME}/preview?file=none.yaml`)).status, 404)
  assert.match(textOfPage(await look(`${HOME}/preview?code=none`)), 'No menu matches')
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
