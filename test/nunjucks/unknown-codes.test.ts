import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menu, rule } from './pages.js'

const MENUS = {
  'main.yaml': menu('main', [{ label: 'A', url: '/a' }]),
  'main.3.yaml': menu('main', [{ label: 'B', url: '/b' }], { context: { id: 3 } }),
  'only.yaml': menu('only', [{ label: 'C', url: '/c' }], { context: { id: 3 } }),
}
const ALL =
  '{{ dashboard_menu_tree(code) | length }}{{ dashboard_menu_html(code) }}' +
  '{{ dashboard_menu_breadcrumbs(code) }}{{ dashboard_menu_config(code).name }}.'

rule(
  'An unknown code is an empty tree and one warning, whichever globals ask for it and how often',
  (open) => {
    const { render, events } = open(MENUS)
    for (let times = 0; times < 5; times++) assert.is(render(ALL, { code: 'mian' }), '0.')
    assert.is(events.length, 1)
    assert.match(JSON.stringify(events), '"mian"')
    assert.match(JSON.stringify(events), '"main"')
    render(ALL, { code: 'footer' })
    assert.is(events.length, 2)
  },
)

rule('Codes that every object has are as unknown as others', (open) => {
  const { render, events } = open(MENUS)
  const codes = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'Main', 'main ', '../main']
  for (const code of codes) assert.is(render(ALL, { code }), '0.', code)
  assert.is(events.length, codes.length)
})

rule('A code without a menu for this context is known: nothing is logged', (open) => {
  const { tree, config, events } = open(MENUS)
  assert.equal(tree("dashboard_menu_tree('only')"), [])
  assert.equal(tree("dashboard_menu_tree('main', null, [{ id: 4 }])"), [])
  assert.is(config("dashboard_menu_config('only')").name, null)
  assert.equal(events, [])
})

rule('The warning names the code that the code resolver gave', (open) => {
  const policies = { resolveMenuCode: () => 'partner-9' }
  const { tree, events } = open(MENUS, { policies })
  assert.equal(tree("dashboard_menu_tree('main')"), [])
  assert.is(events.length, 1)
  assert.match(JSON.stringify(events), '"partner-9"')
})

const FLOOD = '{% for code in codes %}{{ dashboard_menu_tree(code) | length }}{% endfor %}'

function floodOf(count: number): { readonly codes: readonly string[] } {
  return { codes: Array.from({ length: count }, (_, place) => `visitor-${place}`) }
}

rule('Codes that visitors make up do not fill the log without end', (open) => {
  const { render, events } = open(MENUS)
  render(FLOOD, floodOf(20_000))
  assert.ok(events.length >= 1 && events.length <= 2_000, `${events.length} events`)
  const told = events.length
  render(FLOOD, floodOf(20_000))
  assert.is(events.length, told)
})

rule('Huge codes do not fill the log either', (open) => {
  const { tree, events } = open(MENUS)
  const code = 'x'.repeat(1_000_000)
  for (let times = 0; times < 5; times++) assert.equal(tree('dashboard_menu_tree(code)', { code }), [])
  assert.is(events.length, 1)
  assert.ok(JSON.stringify(events).length < 5_000)
})

// Failing closed: "in templates → empty and logged", whatever visitors asked for before.
rule('After any number of unknown codes the log still shows what else goes wrong', (open) => {
  const { render, tree, events } = open(MENUS)
  render(FLOOD, floodOf(5_000))
  const told = events.length
  assert.equal(tree("dashboard_menu_tree('main', null, { id: 3 })"), [])
  assert.is(events.length, told + 1, 'wrong context sets')
  tree("dashboard_menu_tree('main', lcoale='es')")
  assert.is(events.length, told + 2, 'a misspelt keyword')
  tree("dashboard_menu_tree('main')", { request: null })
  assert.is(events.length, told + 3, 'no request')
})

rule('A viewer that the hook does not give is logged once, however many codes visitors ask for', (open) => {
  const policies = {
    resolveViewer: () => {
      throw new Error('the directory is down')
    },
  }
  const { render, events } = open(MENUS, { policies })
  render(FLOOD, floodOf(5_000))
  assert.ok(events.length <= 2_000, `${events.length} events`)
  assert.match(JSON.stringify(events), 'the directory is down')
})

rule('The code that was meant is looked for once, however many pages ask for one that is unknown', (open) => {
  // Files of its own, as what was read of them is changed.
  const { render, service } = open({ ...MENUS })
  const { index } = service.current()
  const { keys } = index
  let searches = 0
  Object.defineProperty(index, 'keys', {
    value: () => {
      searches++
      return keys.call(index)
    },
  })
  for (let times = 0; times < 5; times++) render(ALL, { code: 'mian' })
  assert.is(searches, 1)
})

test.run()
