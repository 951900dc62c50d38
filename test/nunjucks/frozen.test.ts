import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menu, type OpenPages, type Pages, requestFor, rule } from './pages.js'

const ITEMS = [
  {
    id: 'a',
    label: 'A',
    url: '/a',
    attributes: { class: 'x', 'data-n': 1 },
    children: [{ label: 'B', url: '/b' }],
  },
  { type: 'divider', attributes: { class: 'rule' } },
  { type: 'section', label: 'S', children: [{ label: 'C', url: '/c' }] },
]
const DISPLAY = {
  classes: { menu: 'm' },
  htmlId: 'side',
  'x-theme': { colours: ['red', { name: 'blue', shades: [1, 2] }], deep: { er: { still: [[{}]] } } },
}

function openShop(open: OpenPages): Pages {
  const api = { enabled: true, path_prefix: '/api/menu', cors_origins: '*' } as const
  return open(
    { 'main.yaml': menu('main', ITEMS, { context: { id: 3 }, display: DISPLAY }) },
    { options: { api: { ...api, node_members: ['id', 'attributes'] } } },
  )
}

/** The paths of what could be changed in a value. */
function loose(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, each]) => loose(each, `${path}/${key}`))
  return Object.isFrozen(value) ? inner : [path, ...inner]
}

const VALUES = [
  "dashboard_menu_tree('main', null, [{ id: 3 }])",
  "dashboard_menu_config('main', [{ id: 3 }])",
  "dashboard_menu_tree('unknown')",
  "dashboard_menu_config('unknown')",
  "dashboard_menu_config('main', [{ id: 4 }])",
  'dashboard_menu_tree()',
  'dashboard_menu_config()',
  "dashboard_menu_tree('main', null, 'wrong')",
  "dashboard_menu_config('main', 'wrong')",
]

for (const expression of VALUES) {
  rule(`${expression} is frozen to the bottom`, (open) => {
    const { value } = openShop(open)
    const given = value(expression)
    assert.type(given, 'object')
    assert.equal(loose(given), [])
  })
}

const ATTEMPTS: readonly ((value: Record<string, unknown>) => unknown)[] = [
  (value) => Object.assign(value, { label: 'spoilt', name: 'spoilt' }),
  (value) => Array.prototype.push.call(value, { label: 'spoilt' }),
  (value) => Array.prototype.splice.call(value, 0, 9),
  (value) => Array.prototype.sort.call(value, () => -1),
  (value) => Array.prototype.reverse.call(value),
  (value) => Object.keys(value).forEach((key) => void Reflect.deleteProperty(value, key)),
  (value) => Object.keys(value).forEach((key) => void Reflect.set(value, key, 'spoilt')),
  (value) => Object.setPrototypeOf(value, { spoilt: true }),
]

/** Tries everything on a value and on all that is in it. */
function spoil(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  for (const each of Object.values(value)) spoil(each)
  for (const attempt of ATTEMPTS) {
    try {
      attempt(value as Record<string, unknown>)
    } catch {
      // That is what freezing is for.
    }
  }
  return value
}

rule(
  'A filter that spoils what it is given changes nothing: not on this page, not on the next, not at the endpoint',
  (open) => {
    const { render, environment, service } = openShop(open)
    environment.addFilter('spoil', spoil)
    const both = VALUES.slice(0, 2)
    const show = both.map((value) => `{{ ${value} | dump }}`).join('')
    const html = "{{ dashboard_menu_html('main', contextSets=[{ id: 3 }]) }}"
    const request = requestFor('/b')
    const before = render(show + html, { request })
    const treeBefore = JSON.stringify(service.tree('main', { contextSets: [{ id: 3 }] }))
    const spoilt = both.map((value) => `{{ ${value} | spoil | dump }}`).join('')
    assert.is(render(spoilt + html, { request }), before)
    assert.is(render(show + html, { request }), before)
    assert.is(JSON.stringify(service.tree('main', { contextSets: [{ id: 3 }] })), treeBefore)
  },
)

rule('The filters of the engine work on frozen values', (open) => {
  const { render } = openShop(open)
  const tree = VALUES[0]
  const shown = (filter: string) => render(`{{ ${tree} | ${filter} | join(',', 'label') }}`)
  assert.is(shown('reverse'), 'S,,A')
  assert.is(shown("sort(false, false, 'label')"), ',A,S')
  assert.is(shown("rejectattr('icon')"), 'A,,S')
  assert.is(shown("selectattr('routeName')"), '')
  assert.is(render(`{{ (${tree} | first).label }}{{ (${tree} | last).label }}{{ ${tree} | length }}`), 'AS3')
  const groups = `{% for type, nodes in ${tree} | groupby('itemType') %}{{ type }} {% endfor %}`
  assert.is(render(groups), 'link divider section ')
  assert.is(render(`{% for row in ${tree} | batch(2) %}{{ row | length }}{% endfor %}`), '21')
  assert.match(render(`{{ ${tree} | dump(2) | safe }}`), '"label": "A"')
})

rule('What a page keeps stays as it was when the menus change, and the next page has the new', (open) => {
  const { tree, publish } = open({ 'main.yaml': menu('main', [{ label: 'Old', url: '/' }]) })
  const kept = tree("dashboard_menu_tree('main')")
  publish({ 'main.yaml': menu('main', [{ label: 'New', url: '/' }]) })
  assert.is(tree("dashboard_menu_tree('main')")[0]?.label, 'New')
  assert.is(kept[0]?.label, 'Old')
  publish({})
  assert.equal(tree("dashboard_menu_tree('main')"), [])
})

test.run()
