import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { registerMenuGlobals, type TemplateEnvironment } from '../../src/index.js'
import { createEventLog } from '../service/services.js'
import { ENGINES, freshEngines, requireUntyped } from './engines.js'
import { menu, REQUEST, rule } from './pages.js'

const MENUS = { 'main.yaml': menu('main', [{ label: 'A', url: '/a' }]) }
const NO_ENVIRONMENTS: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  'an empty object': {},
  'a text': 'views',
  'a number': 1,
  'a list': [],
  'a function': () => undefined,
  'a module of nunjucks itself': requireUntyped('nunjucks'),
  'a module of its successor': requireUntyped('@11ty/nunjucks'),
  'a request': REQUEST,
  'a configuration of Eleventy': { addNunjucksGlobal: () => undefined, addFilter: () => undefined },
  'something that takes globals and has no filters': { addGlobal: () => undefined },
}

for (const [what, environment] of Object.entries(NO_ENVIRONMENTS)) {
  rule(`Given ${what} in place of an environment, registering explains what to pass`, (open) => {
    const { service } = open(MENUS)
    try {
      registerMenuGlobals(environment as TemplateEnvironment, service)
      assert.unreachable('it takes anything')
    } catch (error) {
      assert.instance(error, TypeError)
      assert.match((error as Error).message, /Environment/)
      assert.match((error as Error).message, /nunjucks\.configure/)
    }
  })
}

rule('Given its arguments the wrong way round, registering explains what to pass', (open) => {
  const { service, environment } = open(MENUS)
  const swapped = () => registerMenuGlobals(service as never, environment as never)
  assert.throws(swapped, (error: Error) => error instanceof TypeError && /Environment/.test(error.message))
})

rule('All globals are there, and registering again changes nothing', (open) => {
  const { render, environment, service } = open(MENUS)
  const names = ['tree', 'config', 'html', 'breadcrumbs'].map((name) => `dashboard_menu_${name}`)
  for (const name of names) assert.type(environment.getGlobal(name), 'function')
  const shown = names.map((name) => `{{ ${name}('main') | dump }}`).join('')
  const before = render(shown)
  registerMenuGlobals(environment, service)
  assert.is(render(shown), before)
})

rule('Two environments have a service each, and a log each', (open) => {
  const one = open(MENUS)
  const other = open({ 'main.yaml': menu('main', [{ label: 'Other', url: '/' }]) })
  const label = "{{ dashboard_menu_tree('main')[0].label }}{{ dashboard_menu_tree('none') | length }}"
  assert.equal([one.render(label), other.render(label), one.render(label)], ['A0', 'Other0', 'A0'])
  assert.equal([one.events.length, other.events.length], [1, 1])
})

rule('One service may serve both engines at once', (open) => {
  const { service, render } = open(MENUS)
  const shown = "{{ dashboard_menu_html('main') }}"
  for (const engine of ENGINES) {
    const environment = engine.create()
    const { log, events } = createEventLog()
    registerMenuGlobals(environment, service, { log })
    assert.is(environment.renderString(shown, { request: REQUEST }), render(shown))
    assert.equal(events, [])
  }
})

rule(
  'An engine that hides its form of keywords takes arguments by position, and the log has the reason',
  (open) => {
    const { service } = open(MENUS)
    const renderings = [undefined, () => '', () => assert.unreachable('no rendering')]
    for (const renderString of renderings) {
      for (const engine of freshEngines()) {
        const environment = engine.create()
        const { log, events } = createEventLog()
        const opaque = Object.create(environment as object, { renderString: { value: renderString } })
        registerMenuGlobals(opaque as TemplateEnvironment, service, { log })
        const lengthOf = (call: string) =>
          environment.renderString(`{{ dashboard_menu_tree(${call}) | length }}`, { request: REQUEST })
        assert.equal([lengthOf("'main', 'en'"), lengthOf("'main', locale='en'")], ['1', '0'])
        assert.is(events.length, 1)
        assert.match(JSON.stringify(events), 'a map that no template wrote as keywords')
      }
    }
  },
)

test.run()
