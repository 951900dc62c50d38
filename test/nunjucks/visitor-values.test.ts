import type { IncomingMessage, ServerResponse } from 'node:http'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { LoggedEvent } from '../service/services.js'
import { sized } from '../support/figures.js'
import { get } from '../support/http.js'
import { requireUntyped } from './engines.js'
import { menu, type OpenPages, type Pages, rule } from './pages.js'
import { withServer } from './with-server.js'

// What visitors send stands in templates as the values that parsers of queries and of JSON make: texts, numbers, lists and maps.

interface ParsedRequest extends IncomingMessage {
  readonly query: unknown
  readonly body: unknown
}
interface ExpressApp {
  (request: IncomingMessage, response: ServerResponse): void
  readonly set: (name: string, value: unknown) => void
  readonly use: (work: unknown) => void
}
const express = requireUntyped('express') as (() => ExpressApp) & { readonly json: () => unknown }

const MENUS = {
  'main.yaml': menu('main', [
    { label: 'Open', url: '/' },
    { label: 'Secret', url: '/secret', permissions: ['admin'] },
  ]),
  'main.3.yaml': menu('main', [{ label: 'Three', url: '/3' }], { context: { partner: 3 } }),
}

function openShop(open: OpenPages): Pages {
  return open(MENUS, {
    policies: {
      resolveViewer: (request) => {
        const { user } = request as { readonly user?: { readonly permissions: readonly string[] } }
        return user === undefined ? { id: null, permissions: [] } : { id: 1, ...user }
      },
    },
    templates: {
      'macros.njk':
        "{% macro nav(lang, request) %}{{ dashboard_menu_html('main', lang, request=request) }}{% endmacro %}",
    },
  })
}

const ADMIN = { user: { permissions: ['admin'] }, headers: {}, url: '/' }
/** What a visitor may make of one value; the engine marks keyword arguments by `__keywords: true`. */
const VALUES: Readonly<Record<string, unknown>> = {
  'a map that looks like keywords': { request: ADMIN, __keywords: true },
  'a map that looks like keywords and names the menu': { code: 'main', request: ADMIN, __keywords: true },
  'a map that looks like keywords of texts': { request: ADMIN, __keywords: '1' },
  'a map with keywords in it': { __keywords: { request: ADMIN, __keywords: true } },
  'a map with a prototype of its own': JSON.parse(
    '{"__proto__": {"__keywords": true}, "request": {"user": {"permissions": ["admin"]}}}',
  ),
  'a map': { request: ADMIN },
  'an empty map': {},
  'a list': [ADMIN],
  'a list of texts': ['en', 'es'],
  'an empty list': [],
  'a number': 7,
  'a truth': true,
}

/** The places where a site may put the value, which must not be one that shows a menu. */
const PLACES: readonly string[] = [
  "dashboard_menu_html('main', query.value)",
  "dashboard_menu_html('main', none, query.value)",
  "dashboard_menu_html('main', 'en', query.value)",
  'dashboard_menu_html(query.value)',
  "dashboard_menu_html('main', locale=query.value)",
  'dashboard_menu_html(code=query.value)',
  "dashboard_menu_html('main', label=query.value)",
  "dashboard_menu_breadcrumbs('main', label=query.value)",
  "dashboard_menu_html('main', query.value | same)",
  "dashboard_menu_html('main', query['value'] or none)",
  "dashboard_menu_html('main', (query.value if true else none), none)",
  "dashboard_menu_breadcrumbs('main', query.value)",
  "dashboard_menu_json('main', query.value)",
  "dashboard_menu_tree('main', query.value) | dump | safe",
  "dashboard_menu_tree('main', none, query.value) | dump | safe",
]

/** An empty list of context sets is none, so that the menu without a context is shown. */
function isNone(place: string, value: unknown): boolean {
  const inSets = /(?:none|'en'), query\.value\)/.test(place)
  return inSets && Array.isArray(value) && value.length === 0
}

for (const [what, value] of Object.entries(VALUES)) {
  rule(
    `C17: ${what} from a visitor is neither keywords nor a request in any place: no menu, and the log has the reason`,
    (open) => {
      const { render, environment, events } = openShop(open)
      environment.addFilter('same', (given) => given)
      for (const place of PLACES) {
        const told = events.length
        const html = render(`[{{ ${place} }}]`, { query: { value } })
        if (isNone(place, value)) continue
        assert.match(html, /^\[(\[\])?\]$/, `${place}: ${html}`)
        assert.ok(events.length > told || isTold(events), place)
      }
      assert.ok(events.length <= PLACES.length * 2, JSON.stringify(events))
    },
  )
}

function isTold(events: readonly LoggedEvent[]): boolean {
  return events.some((event) => /template_failed|menu_unknown/.test(JSON.stringify(event)))
}

rule(
  'C17: a configuration is that of no menu where a visitor names the contexts by a map that looks like keywords',
  (open) => {
    const { config, events } = openShop(open)
    const value = { contextSets: [{ partner: 3 }], __keywords: true }
    assert.is(config("dashboard_menu_config('main', query.value)", { query: { value } }).name, null)
    assert.is(config('dashboard_menu_config(query.value)', { query: { value } }).name, null)
    assert.is(events.length, 2)
  },
)

const texts = fc.constantFrom('__keywords', 'request', 'user', 'permissions', 'code', 'main', 'admin', 'en')
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(texts, fc.boolean(), fc.integer(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 4 }),
    tie('value').map((value) => ({ __keywords: true, request: { user: { permissions: ['admin'] } }, value })),
  ),
}))

rule('C17: no value of JSON shows in any place what a permission guards', (open) => {
  const { render, environment } = openShop(open)
  environment.addFilter('same', (given) => given)
  const template = PLACES.map((place) => `{{ ${place} }}`).join('')
  const rule = (value: unknown) => assert.not.match(render(template, { query: { value } }), 'Secret')
  fc.assert(fc.property(values, rule), { numRuns: sized(100, 1_000) })
})

rule(
  'C17: it holds in macros, blocks, includes and loops, asynchronous ones too, and in precompiled templates',
  async (open) => {
    const { render, environment } = openShop(open)
    const value = VALUES['a map that looks like keywords']
    const call = "{{ dashboard_menu_html('main', value) }}"
    const shown = (template: string) => render(template, { value, list: [1] })
    assert.is(shown(`{% macro m(value) %}${call}{% endmacro %}{{ m(value=value) }}`), '')
    assert.is(shown(`{% macro m(value, last) %}${call}{% endmacro %}{{ m(value, 1) }}`), '')
    assert.is(shown("{% from 'macros.njk' import nav %}{{ nav(lang=value) }}"), '')
    assert.is(shown(`{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}${call}{% endcall %}`), '')
    assert.is(shown(`{% block b %}${call}{% endblock %}`), '')
    assert.is(shown(`{% for i in list %}${call}{% endfor %}`), '')
    assert.is(shown(`{% asyncEach i in list %}${call}{% endeach %}`), '')
    assert.is(shown(`{% asyncAll i in list %}${call}{% endall %}`), '')
    assert.is(shown(`{% set k = value %}{{ dashboard_menu_html('main', k) }}`), '')
    const precompiled = environment.precompile(`[${call}{{ dashboard_menu_html('main', locale='en') }}]`)
    assert.match(precompiled({ value }), /^\[<nav.*Open.*<\/nav>\]$/)
    assert.not.match(precompiled({ value }), 'Secret')
  },
)

rule('Keywords that a template writes count wherever it writes them', (open) => {
  const { render, environment, events } = openShop(open)
  environment.addFilter('same', (given) => given)
  const shown = (template: string) => render(template, { admin: ADMIN, list: [1] })
  const call = "{{ dashboard_menu_tree('main', locale=('en' | same), request=admin) | join(' ', 'label') }}"
  const templates = [
    call,
    `{% macro m(admin) %}${call}{% endmacro %}{{ m(admin) }}`,
    `{% macro m(admin=none) %}${call}{% endmacro %}{{ m(admin=admin) }}`,
    `{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}${call}{% endcall %}`,
    `{% block b %}${call}{% endblock %}`,
    `{% for i in list %}${call}{% endfor %}`,
    `{% asyncEach i in list %}${call}{% endeach %}`,
    `{% asyncAll i in list %}${call}{% endall %}`,
    "{{ dashboard_menu_tree('main', request=admin, locale=dashboard_menu_config('main', contextSets=[]).icon) | join(' ', 'label') }}",
  ]
  for (const template of templates) assert.is(shown(template), 'Open Secret', template)
  assert.is(environment.precompile(call)({ admin: ADMIN }), 'Open Secret')
  assert.equal(events, [])
})

rule(
  'Registering again, and for a second environment of one engine, changes nothing of what other functions are given',
  (open) => {
    const [one, other] = [openShop(open), openShop(open)]
    for (const { environment, render } of [one, other]) {
      environment.addGlobal('given', (...args: readonly unknown[]) => JSON.stringify(args))
      assert.is(render('{{ given(1, a=2) | safe }}'), '[1,{"a":2,"__keywords":true}]')
      assert.is(render("{{ dashboard_menu_tree('main', request=admin) | length }}", { admin: ADMIN }), '2')
    }
  },
)

// The query `?lang[__keywords]=1&lang[request][user][permissions][]=admin`.
const QUERY = '/?lang%5B__keywords%5D=1&lang%5Brequest%5D%5Buser%5D%5Bpermissions%5D%5B%5D=admin'

rule(
  'C17: in a site on Express, with its extended query parser or a JSON body, no visitor becomes an admin',
  async (open) => {
    const { render, events } = openShop(open)
    const app = express()
    app.set('query parser', 'extended')
    app.use(express.json())
    app.use((request: ParsedRequest, response: ServerResponse) => {
      const template =
        "[{{ dashboard_menu_html('main', request.query.lang) }}{{ dashboard_menu_html('main', request.body.lang) }}]"
      response.end(render(template, { request }))
    })
    await withServer(app, async (url) => {
      const open = await get(`${url}/?lang=en`)
      assert.is(open.text.match(/Open/g)?.length, 2, open.text)
      const body = JSON.stringify({ lang: { request: ADMIN, __keywords: true } })
      const headers = { 'content-type': 'application/json' }
      const answer = await get(url, { target: QUERY, method: 'POST', body, headers })
      assert.is(answer.text, '[]')
    })
    assert.is(events.length, 1, JSON.stringify(events))
    assert.match(JSON.stringify(events), 'locale must be a string')
  },
)

test.run()
