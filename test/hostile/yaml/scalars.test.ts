import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isError } from '../../../src/model/problem.js'
import { parse } from '../../document/parsing.js'
import { type Menus, menu, rule } from '../../nunjucks/pages.js'
import { takenAs } from './taken.js'

const HEAD = 'version: 1\ncode: main\nname: Main\n'

/** Files in which something that is no text stands where only a text may; `%` is where it stands. */
const TEXTS: Readonly<Record<string, string>> = {
  code: 'version: 1\ncode: %\nname: Main\nitems: []\n',
  name: 'version: 1\ncode: main\nname: %\nitems: []\n',
  label: `${HEAD}items: [{label: %, url: /}]\n`,
  'label in a language': `${HEAD}items: [{label: {en: %}, url: /}]\n`,
  url: `${HEAD}items: [{label: A, url: %}]\n`,
  'route name': `${HEAD}items: [{label: A, routeName: %}]\n`,
  icon: `${HEAD}items: [{label: A, url: /, icon: %}]\n`,
  id: `${HEAD}items: [{label: A, url: /, id: %}]\n`,
  permission: `${HEAD}items: [{label: A, url: /, permissions: [%]}]\n`,
  title: `${HEAD}items: [{label: A, url: /, attributes: {title: %}}]\n`,
  class: `${HEAD}items: [{label: A, url: /, attributes: {class: %}}]\n`,
  htmlId: `${HEAD}items: []\ndisplay: {htmlId: %}\n`,
}

for (const [name, text] of Object.entries(TEXTS)) {
  test(`C6: a ${name} that YAML reads as a number or a boolean never becomes a text, and the advice is to quote it`, () => {
    for (const scalar of ['010', '1e3', '0x1F', '0o17', '1.10', '-0', '.inf', 'true', 'False']) {
      const { menu: made, problems } = parse(text.replace('%', scalar))
      const wrong = problems.find(({ code }) => code === 'wrong-type')
      assert.is(made, null, scalar)
      assert.is(wrong?.todo, `Quote it: "${scalar}".`)
      const before = text.slice(0, text.indexOf('%')).split('\n')
      assert.equal([wrong?.line, wrong?.column], [before.length, (before.at(-1)?.length ?? 0) + 1])
    }
  })
}

test('C6: what YAML 1.1 read as a truth, a date or a number stays the text that it is, in every place of a text', () => {
  for (const scalar of ['no', 'No', 'on', 'OFF', 'y', '2024-01-01', '12:30', '1_000', '0b1']) {
    for (const name of ['name', 'label', 'label in a language', 'permission', 'title']) {
      const { menu: made } = parse((TEXTS[name] ?? '').replace('%', scalar))
      assert.match(JSON.stringify(made), `"${scalar}"`)
    }
  }
})

test('C6: for a key that YAML reads as a number, a boolean or null, the advice is to quote it', () => {
  for (const key of ['1', 'true', 'null', '~', '1e3', '010']) {
    for (const text of [`context: {${key}: a}`, `x-a: {${key}: a}`, `display: {${key}: a}`]) {
      const { problems } = parse(`${HEAD}items: []\n${text}\n`)
      const wrong = problems.filter(isError).map(({ code, todo }) => `${code}: ${todo}`)
      assert.equal(wrong, ['key-not-text: Quote the key.'])
    }
  }
})

test('C8: any accepted url leads a browser to a safe scheme, and to another host only where it names one', () => {
  const page = 'https://shop.example/deep/page'
  const urls = takenAs('url')
  assert.ok(urls.length > 10)
  for (const url of urls) {
    if (!URL.canParse(url, page)) continue
    const { protocol, host } = new URL(url, page)
    assert.ok(['http:', 'https:', 'mailto:', 'tel:', 'sms:'].includes(protocol), url)
    if (protocol.startsWith('http') && host !== 'shop.example') assert.match(url, /^https?:\/\//i)
  }
})

rule('C8: an address that a hook makes is judged again on its way out, in the tree as in HTML', (open) => {
  const evil = [
    'javascript:x',
    ' javascript:x',
    'java\tscript:x',
    'data:,x',
    'vbscript:x',
    '//evil',
    '\\\\evil',
    '/\\evil',
  ]
  const items = evil.map((_, place) => ({ label: 'A', routeName: `r${place}` }))
  const menus: Menus = { 'main.yaml': menu('main', items) }
  const generatePath = (name: string) => evil[Number(name.slice(1))] ?? null
  const { render, tree } = open(menus, { policies: { generatePath } })
  assert.equal([...new Set(tree("dashboard_menu_tree('main')").map(({ href }) => href))], ['#'])
  assert.not.match(render("{{ dashboard_menu_html('main') }}"), /href|script|evil|data/)
})

test.run()
