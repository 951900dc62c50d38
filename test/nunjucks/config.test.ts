import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createApiHandler } from '../../src/http/handler.js'
import { SILENT_LOG } from '../../src/service/log.js'
import { get } from '../support/http.js'
import { type Context, menu, rule } from './pages.js'
import { withServer } from './with-server.js'

const CLASSES = {
  menu: '',
  item: '',
  link: '',
  children: '',
  section: '',
  divider: '',
  current: '',
  branch: '',
}
const DISPLAY = {
  classes: CLASSES,
  style: 'list',
  htmlId: null,
  depthLimit: null,
  collapsible: false,
  collapsibleExpanded: true,
  nestedCollapsible: false,
  icon: null,
  label: null,
}
const KEYS = ['code', 'name', 'context', 'version', ...Object.keys(DISPLAY)]
const FULL = {
  classes: {
    menu: 'm',
    item: 'i',
    link: 'l',
    children: 'c',
    section: 's',
    divider: 'd',
    current: 'x',
    branch: 'b',
  },
  style: 'disclosure',
  htmlId: 'side',
  depthLimit: 2,
  collapsible: true,
  collapsibleExpanded: false,
  nestedCollapsible: true,
  icon: 'bootstrap-icons:list',
  label: 'Side',
  'x-theme': { dark: true, colours: ['a', 'b'] },
  'x-order': 7,
}

/** A configuration without what only a hash can tell. */
function told({ version, ...rest }: { readonly version: string | null }): Context {
  assert.type(version, 'string')
  return rest
}

rule('A menu without a display has the defaults, in the order of the contract', (open) => {
  const config = open({ 'main.yaml': menu('main', []) }).config("dashboard_menu_config('main')")
  assert.equal(told(config), { code: 'main', name: 'The main menu', context: {}, ...DISPLAY })
  assert.equal(Object.keys(config), KEYS)
  assert.equal(Object.keys(config.classes), Object.keys(CLASSES))
})

rule('Display options override the defaults, and custom keys are kept', (open) => {
  const context = { partnerId: 3, plan: 'pro', trial: false, until: null }
  const menus = { 'main.yaml': menu('main', [], { context, display: FULL }) }
  const config = open(menus).config("dashboard_menu_config('main', [context])", { context })
  assert.equal(told(config), { code: 'main', name: 'The main menu', context, ...FULL })
})

rule('A class that the display leaves out keeps its default, and so does anything else', (open) => {
  const configWith = (display: Context) => {
    const { config, events } = open({ 'main.yaml': menu('main', [], { display }) })
    assert.equal(events, [])
    return config("dashboard_menu_config('main')")
  }
  assert.equal(configWith({ classes: { current: 'now' } }).classes, { ...CLASSES, current: 'now' })
  assert.equal(configWith({ classes: {} }).classes, CLASSES)
  assert.equal(configWith({}).classes, CLASSES)
  const { depthLimit, htmlId, collapsibleExpanded } = configWith({ depthLimit: null, 'x-a': null })
  assert.equal(
    { depthLimit, htmlId, collapsibleExpanded },
    {
      depthLimit: null,
      htmlId: null,
      collapsibleExpanded: true,
    },
  )
})

rule('Templates reach keys of the menu by their names', (open) => {
  const { render } = open({ 'main.yaml': menu('main', [], { display: FULL }) })
  const set = "{% set config = dashboard_menu_config('main') %}"
  const shown = "{{ config['x-theme'].colours | join }} {{ config.classes.menu }} {{ config['x-none'] }}."
  assert.is(render(set + shown), 'ab m .')
})

rule('The context sets choose the menu that is described, as they do for the tree', (open) => {
  const { config, tree } = open({
    'main.yaml': menu('main', [], { display: { htmlId: 'all' } }),
    'main.3.yaml': menu('main', [{ label: 'Three', url: '/' }], {
      context: { id: 3 },
      display: { htmlId: 'three' },
    }),
  })
  const idOf = (sets: unknown) => config("dashboard_menu_config('main', sets)", { sets }).htmlId
  assert.equal([idOf(null), idOf([]), idOf([{}]), idOf([null])], ['all', 'all', 'all', 'all'])
  assert.equal([idOf([{ id: 3 }]), idOf([{ id: 4 }, { id: 3 }, {}])], ['three', 'three'])
  assert.equal([idOf([{ id: 4 }]), idOf([{ id: '3' }])], [null, null])
  assert.is(tree("dashboard_menu_tree('main', null, [{ id: 3 }])")[0]?.label, 'Three')
  assert.equal(config("dashboard_menu_config('main', [{ id: 3 }])").context, { id: 3 })
})

rule('The code is the one that the code resolver gives', (open) => {
  const policies = { resolveMenuCode: (_request: unknown, hint: string) => `${hint}-9` }
  const { config } = open({ 'main-9.yaml': menu('main-9', []) }, { policies })
  const { code, name } = config("dashboard_menu_config('main')")
  assert.equal({ code, name }, { code: 'main-9', name: 'The main-9 menu' })
  const unknown = config("dashboard_menu_config('other')")
  assert.equal({ code: unknown.code, name: unknown.name }, { code: 'other-9', name: null })
})

rule('A menu that does not exist has the defaults and no name', (open) => {
  const { config } = open({
    'main.yaml': menu('main', [], { context: { id: 3 }, display: FULL }),
  })
  const none = { name: null, context: {}, version: null, ...DISPLAY }
  for (const call of ["'unknown'", "'main'", "'main', [{ id: 4 }]", "'constructor'", "'__proto__'"]) {
    const { code, ...rest } = config(`dashboard_menu_config(${call})`)
    assert.equal(rest, none, call)
    assert.match(call, code)
    assert.equal(Object.keys(config(`dashboard_menu_config(${call})`)), KEYS)
  }
})

rule('The version is that of the file, as at the endpoint, and changes with the file', async (open) => {
  const { config, publish, service } = open({ 'main.yaml': menu('main', []) })
  const { version } = config("dashboard_menu_config('main')")
  const handler = createApiHandler(service, SILENT_LOG)
  const { headers } = await withServer(handler, (url) => get(`${url}/api/menu/main`))
  assert.is(headers['menu-version']?.replaceAll('"', ''), version)
  publish({ 'main.yaml': menu('main', [], { display: FULL }) })
  assert.is.not(config("dashboard_menu_config('main')").version, version)
})

rule(
  'The configuration does not depend on who asks, nor in which language where its label is one text',
  (open) => {
    const { config, events } = open({ 'main.yaml': menu('main', [], { display: FULL }) })
    const first = config("dashboard_menu_config('main')")
    const request = { url: '/x', headers: { 'accept-language': 'es' }, params: { id: 7 } }
    assert.equal(config("dashboard_menu_config('main')", { request }), first)
    assert.equal(config("dashboard_menu_config('main', locale='es')"), first)
    assert.equal(events, [])
  },
)

test.run()
