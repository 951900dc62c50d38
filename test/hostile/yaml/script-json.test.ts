import { runInNewContext } from 'node:vm'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menu, rule } from '../../nunjucks/pages.js'
import { takenAs } from './taken.js'

// A tree in a script of the page. HTML looks for the end of the script before JavaScript sees anything of it
// (WHATWG HTML, section 13.2.5.4), and knows no escapes in there.

const EVIL = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  ']]>',
  '&lt;',
  "it's' onclick='alert(1)",
  'a\u2028b\u2029c',
  '{{ 7 * 7 }}',
]
const LABELS = [...EVIL, ...takenAs('label')]
const MENUS = {
  'main.yaml': menu(
    'main',
    LABELS.map((label) => ({ label, url: '/', icon: 'a:b', children: [{ label, url: '#' }] })),
  ),
}
const PAGE = "<script>menu = {{ dashboard_menu_json('main') }}</script>"

rule(
  'C13: a tree that is dumped into a script as nunjucks does it ends the script, which is why there is another way',
  (open) => {
    const { render } = open(MENUS)
    const naive = render("<script>menu = {{ dashboard_menu_tree('main') | dump | safe }}</script>")
    assert.ok(naive.indexOf('</script>') < naive.lastIndexOf('</script>'))
  },
)

for (const autoescape of [true, false]) {
  rule(
    `C13: dashboard_menu_json holds nothing that HTML or JavaScript could end it by, with autoescape ${autoescape}`,
    (open) => {
      const html = open(MENUS, { autoescape }).render(PAGE)
      const script = html.slice('<script>menu = '.length, html.indexOf('</script'))
      assert.is(html.indexOf('</script'), html.length - '</script>'.length)
      assert.not.match(script, /['<>&\u2028\u2029]/)
    },
  )

  rule(
    `C13: in an attribute in single quotes it is one attribute, which is the tree, with autoescape ${autoescape}`,
    (open) => {
      const { render, tree } = open(MENUS, { autoescape })
      const html = render(`<div data-menu='{{ dashboard_menu_json('main') }}'></div>`)
      const [, value = '', rest] = /^<div data-menu='([^']*)'(.*)$/s.exec(html) ?? []
      assert.is(rest, '></div>')
      // What HTML reads of the attribute is what is written: nothing in it begins a character reference.
      assert.not.match(value, '&')
      assert.equal(JSON.parse(value), JSON.parse(JSON.stringify(tree("dashboard_menu_tree('main')"))))
    },
  )
}

rule('C13: dashboard_menu_json is the tree, for JSON and for JavaScript', (open) => {
  const { render, tree } = open(MENUS)
  const html = render(PAGE)
  const script = html.slice('<script>menu = '.length, -'</script>'.length)
  const shown = JSON.parse(JSON.stringify(tree("dashboard_menu_tree('main')")))
  assert.equal(JSON.parse(script), shown)
  assert.equal(JSON.parse(JSON.stringify(runInNewContext(`(${script})`))), shown)
})

rule('C13: what cannot be shown is an empty list, which a script can read as well', (open) => {
  const { render } = open(MENUS, { policies: { resolveViewer: () => JSON.parse('no') } })
  assert.is(render(PAGE), '<script>menu = []</script>')
  assert.is(open(MENUS).render("{{ dashboard_menu_json('none') }}"), '[]')
  assert.is(open(MENUS).render("{{ dashboard_menu_json('main', none, [{ a: 1 }]) }}"), '[]')
})

test.run()
