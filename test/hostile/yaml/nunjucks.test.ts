import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ENGINES } from '../../nunjucks/engines.js'
import { outlineOf } from '../../nunjucks/outline.js'
import { labelsOf, menu, rule } from '../../nunjucks/pages.js'

// What nunjucks leaves to whoever writes globals for it: shown on a naive global first, then on ours.

/** A page of each engine, with a global `menu` that returns what is given. */
function naive(template: string, answer: () => unknown): readonly string[] {
  return ENGINES.map((engine) => {
    const environment = engine.create()
    environment.addGlobal('menu', answer)
    return environment.renderString(template, {})
  })
}

const SCRIPT = 'javascript:alert(1)'
const LIVE = '<img src=x onerror=alert(1)>'

test('Trap 8: autoescape leaves an address that runs code, which a naive global would hand out', () => {
  const pages = naive('<a href="{{ menu() }}">A</a>', () => SCRIPT)
  assert.equal(pages, [`<a href="${SCRIPT}">A</a>`, `<a href="${SCRIPT}">A</a>`])
})

rule(
  'Trap 8: an address that runs code never leaves our globals, from any author and in any spelling',
  (open) => {
    const spelled = [
      SCRIPT,
      ' JaVaScRiPt:x',
      'java\nscript:x',
      'data:text/html,x',
      'vbscript:x',
      '//evil',
      '\\\\evil',
    ]
    const items = spelled.map((_, place) => ({ label: 'A', routeName: `r${place}` }))
    const policies = { generatePath: (name: string) => spelled[Number(name.slice(1))] ?? null }
    const { render } = open({ 'main.yaml': menu('main', items) }, { policies })
    const links = render(
      '{% for node in dashboard_menu_tree(\'main\') %}<a href="{{ node.href }}"></a>{% endfor %}',
    )
    assert.equal(
      outlineOf(links).map(({ attributes }) => attributes['href']),
      spelled.map(() => '#'),
    )
    assert.not.match(
      render("{{ dashboard_menu_html('main') }}{{ dashboard_menu_json('main') }}"),
      /script:|evil|data:/,
    )
  },
)

test('Trap 8: a global that throws takes the whole page with it', () => {
  const fails = () => {
    throw new Error('of the menu')
  }
  assert.throws(() => naive('before {{ menu() }} after', fails), /of the menu/)
})

rule(
  'C15: when anything throws behind our globals, the page is rendered, with nothing in that place, and it is logged',
  (open) => {
    const globals = ['tree', 'html', 'breadcrumbs', 'config', 'json']
    const thrown = [new Error('x'), 'x', undefined, null, { toString: () => JSON.parse('x') }]
    for (const each of thrown) {
      const fails = () => {
        throw each
      }
      const { render, events } = open(
        { 'main.yaml': menu('main', []) },
        { policies: { resolveMenuCode: fails } },
      )
      for (const name of globals) {
        const html = render(`before {% set x = dashboard_menu_${name}('main') %}{{ x.label }} after`)
        assert.is(html, 'before  after', `${name} ${String(each === null)}`)
      }
      assert.ok(events.some(({ event }) => event === 'template_failed'))
    }
  },
)

test('C16: a site without autoescape shows a naive global as markup', () => {
  for (const engine of ENGINES) {
    const environment = engine.create({ autoescape: false })
    environment.addGlobal('menu', () => LIVE)
    assert.is(environment.renderString('{{ menu() }}', {}), LIVE)
  }
})

rule(
  'C16: on a site without autoescape our HTML is escaped by itself, and is a SafeString of the engine',
  (open) => {
    const menus = {
      'main.yaml': menu('main', [{ label: LIVE, url: '/', attributes: { title: LIVE } }], { name: LIVE }),
    }
    const { render, value, environment } = open(menus, { autoescape: false })
    const safe = (environment.getFilter('safe') as (text: string) => object)('x')
    for (const name of ['html', 'breadcrumbs', 'json']) {
      const made = value(`dashboard_menu_${name}('main')`) as object
      assert.is(made.constructor, safe.constructor, name)
      assert.not.match(render(`{{ dashboard_menu_${name}('main') }}`), '<img')
    }
    const elements = outlineOf(render("{{ dashboard_menu_html('main') }}"))
    assert.equal(
      elements.filter(({ name }) => name === 'a').map(({ text, attributes }) => [text, attributes['title']]),
      [[LIVE, LIVE]],
    )
  },
)

const CODE = '{{ [].constructor.constructor("return globalThis.process.version")() }}'

test('Trap 8: a label that is rendered as a template runs', () => {
  for (const engine of ENGINES) assert.is(engine.create().renderString(CODE, {}), process.version)
})

rule('Trap 8: no label, name, title or keyword is rendered as a template', (open) => {
  const items = [{ label: CODE, url: '/', attributes: { title: CODE } }]
  const { render } = open({
    'main.yaml': menu('main', items, { name: CODE, display: { collapsible: true } }),
  })
  const globals = ['html', 'breadcrumbs', 'json'].map((name) => `{{ dashboard_menu_${name}('main') }}`)
  const html = render(`${globals.join('')}{{ dashboard_menu_config('main').name }}`)
  assert.not.match(html, process.version)
  assert.match(html, 'constructor')
  const named = render("{{ dashboard_menu_html('main', label=text) }}", { text: CODE })
  assert.is(outlineOf(named)[0]?.attributes['aria-label'], CODE)
})

const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

test('Trap 8: a plain object answers to names that it was never given', () => {
  const menus: Readonly<Record<string, unknown>> = { main: [] }
  for (const name of INHERITED) assert.ok(menus[name] !== undefined, name)
})

rule('Trap 8: a code, a locale or a context that objects inherit is a name like any other', (open) => {
  const menus = { 'main.yaml': menu('main', [{ label: { en: 'Home' }, url: '/' }]) }
  const { value } = open(menus)
  const labels = (call: string, name: string) => labelsOf(value(call, { name }) as never)
  for (const name of INHERITED) {
    assert.equal(labels('dashboard_menu_tree(name)', name), [], name)
    assert.equal(labels("dashboard_menu_tree('main', name)", name), ['Home'], name)
    assert.is((value('dashboard_menu_config(name)', { name }) as { name: unknown }).name, null)
  }
  const sets = INHERITED.map((name) => Object.fromEntries([[name, 1]]))
  assert.equal(labelsOf(value("dashboard_menu_tree('main', none, sets)", { sets }) as never), [])
})

test.run()
