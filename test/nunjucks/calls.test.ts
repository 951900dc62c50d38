import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Context, labelsOf, menu, type OpenPages, type Pages, rule } from './pages.js'

// How the globals may be called, rightly and wrongly.

const LABEL = { en: 'Hello', es: 'Hola' }

function openShop(open: OpenPages): Pages {
  return open({
    'main.yaml': menu('main', [{ label: LABEL, url: '/' }]),
    'main.3.yaml': menu('main', [{ label: { en: 'Three', es: 'Tres' }, url: '/3' }], { context: { id: 3 } }),
    'main.pro.yaml': menu('main', [{ label: 'Pro', url: '/pro' }], { context: { plan: 'pro' } }),
  })
}

/** Macros give what nunjucks calls a safe string, which is an object. */
const MACROS =
  '{% macro code() %}main{% endmacro %}{% macro spanish() %}es{% endmacro %}{% set tag %}es{% endset %}'

const CALLS: Readonly<Record<string, string>> = {
  "'main'": 'Hello',
  "'main', none": 'Hello',
  "'main', undefined": 'Hello',
  "'main', nothing_of_that_name": 'Hello',
  "'main', ''": 'Hello',
  "'main', null, none": 'Hello',
  "'main', null, undefined": 'Hello',
  "'main', null, []": 'Hello',
  "'main', null, [{}]": 'Hello',
  "'main', null, [none]": 'Hello',
  "'main', null, [[]]": 'Hello',
  "'main', 'es'": 'Hola',
  "'main', 'es', [{ id: 3 }]": 'Tres',
  "'main', null, [{ id: 3 }]": 'Three',
  "'main', null, [{ id: 3.0 }]": 'Three',
  "'main', null, [{ id: 4 }, { id: 3 }, {}]": 'Three',
  "'main', null, [{ id: 4 }, {}, { id: 3 }]": 'Hello',
  "'main', null, [{ id: '3' }]": '',
  "'main', null, [{ id: 4 }]": '',
  "'main', contextSets=[{ id: 3 }]": 'Three',
  "'main', locale='es'": 'Hola',
  "'main', 'es', contextSets=[{ id: 3 }]": 'Tres',
  "'main', contextSets=[{ id: 3 }], locale='es'": 'Tres',
  "code='main'": 'Hello',
  "code='main', locale='es', contextSets=[{ id: 3 }]": 'Tres',
  "'main', locale=none, contextSets=none": 'Hello',
  "'main', null, [{ id: number }]": 'Three',
  "'main', null, sets": 'Three',
  'code()': 'Hello',
  "'main', spanish()": 'Hola',
  "'main', tag": 'Hola',
  "'ma' + 'in'": 'Hello',
}

for (const [call, expected] of Object.entries(CALLS)) {
  rule(
    `dashboard_menu_tree(${call}) is ${expected === '' ? 'empty' : expected}, and nothing to complain of`,
    (open) => {
      const { render, events } = openShop(open)
      const labels = `{{ dashboard_menu_tree(${call}) | join(' ', 'label') }}`
      assert.is(render(MACROS + labels, { number: 3, sets: [{ id: 3 }] }), expected)
      // A context that is nearly one of a menu is worth a line to whoever looks for it, and no complaint.
      assert.equal(
        events.filter(({ event }) => event !== 'context_nearly_matches'),
        [],
      )
    },
  )
}

// Design, section 3: "No context sets (absent, empty string, null, [])".
rule('An empty text means no context sets, as at the endpoint', (open) => {
  const { tree, events } = openShop(open)
  assert.equal(labelsOf(tree("dashboard_menu_tree('main', null, '')")), ['Hello'])
  assert.equal(events, [])
})

const WRONG: readonly string[] = [
  '',
  'none',
  'undefined',
  'nothing_of_that_name',
  "''",
  '42',
  'true',
  "['main']",
  "{ code: 'main' }",
  'code=none',
  "locale='es'",
  "'main', null, { id: 3 }",
  "'main', null, 'id'",
  "'main', null, '[{\"id\": 3}]'",
  "'main', null, 3",
  "'main', null, true",
  "'main', null, [3]",
  "'main', null, ['id']",
  "'main', null, [[{ id: 3 }]]",
  "'main', null, [{ id: { of: 3 } }]",
  "'main', null, [{ id: [3] }]",
  "'main', null, [{ id: undefined }]",
  "'main', null, [{ id: huge }]",
  "'main', null, [{ id: nan }]",
  "'main', null, [{ id: date }]",
  "'main', null, tooMany",
  "'main', null, [tooLarge]",
  "'main', null, trap",
  "'main', null, [trap]",
]

const trap: unknown = new Proxy(
  {},
  {
    get: () => {
      throw new Error('a trap')
    },
    ownKeys: () => {
      throw new Error('a trap')
    },
  },
)
const VALUES: Context = {
  huge: 2 ** 60,
  nan: Number.NaN,
  date: new Date(0),
  tooMany: Array.from({ length: 65 }, () => ({})),
  tooLarge: Object.fromEntries(Array.from({ length: 17 }, (_, place) => [`k${place}`, 1])),
  trap,
}

for (const call of WRONG) {
  rule(`dashboard_menu_tree(${call}) is an empty tree, and the log says so once`, (open) => {
    const { render, events } = openShop(open)
    const template = `{{ dashboard_menu_tree(${call}) | length }} and the rest`
    for (let times = 0; times < 5; times++) assert.is(render(template, VALUES), '0 and the rest')
    assert.is(events.length, 1, JSON.stringify(events))
  })
}

rule(
  'What is wrong for the tree is wrong for the other globals: no HTML, and a configuration of defaults',
  (open) => {
    const { render, config } = openShop(open)
    for (const call of ['', '42', "'main', contextSets={ id: 3 }", "'main', contextSets=trap"]) {
      const html = `[{{ dashboard_menu_html(${call}) }}{{ dashboard_menu_breadcrumbs(${call}) }}]`
      assert.is(render(html, VALUES), '[]', call)
      assert.is(config(`dashboard_menu_config(${call})`, VALUES).name, null, call)
    }
  },
)

rule('Another mistake is logged as well, though the same menu was asked for wrongly before', (open) => {
  const { render, events } = openShop(open)
  render("{{ dashboard_menu_tree('main', null, { id: 3 }) }}")
  assert.is(events.length, 1)
  render("{{ dashboard_menu_tree('main', null, [{}, { id: [3] }]) }}")
  assert.is(events.length, 2)
  assert.match(JSON.stringify(events[1]), '/1/id')
})

rule(
  'The context sets of the configuration are where the tree has its locale, and mixing them up is logged',
  (open) => {
    const { config, events } = openShop(open)
    assert.is(config("dashboard_menu_config('main', [{ id: 3 }])").context['id'], 3)
    assert.is(config("dashboard_menu_config('main', contextSets=[{ id: 3 }])").context['id'], 3)
    assert.equal(events, [])
    assert.is(config("dashboard_menu_config('main', 'es', [{ id: 3 }])").name, null)
    assert.is(events.length, 1)
  },
)

/** Calls with more than there is room for, or with one thing twice, and what the log says of them. */
const SURPLUS: Readonly<Record<string, string>> = {
  "dashboard_menu_tree('main', none, [{ id: 3 }], request) | length":
    'code, locale, contextSets by position, and got 4',
  "dashboard_menu_tree('main', none, [], none) | length": 'code, locale, contextSets by position, and got 4',
  "dashboard_menu_config('main', none, [{ id: 3 }]).name": 'code, contextSets by position, and got 3',
  "dashboard_menu_config('main', [{ id: 3 }], request=request, locale='es', code='main').name":
    'code is given by position',
  "dashboard_menu_html('main', none, [{ id: 3 }], 'Name')":
    'code, locale, contextSets by position, and got 4',
  "dashboard_menu_breadcrumbs('main', none, [{ id: 3 }], 'Name')":
    'code, locale, contextSets by position, and got 4',
  "dashboard_menu_json('main', none, [{ id: 3 }], 'Name')":
    'code, locale, contextSets by position, and got 4',
  "dashboard_menu_tree('main', 'es', locale='en') | length": 'locale is given by position and by name',
  "dashboard_menu_html('main', none, [{ id: 3 }], contextSets=none)": 'contextSets is given by position',
}

for (const [call, told] of Object.entries(SURPLUS)) {
  rule(
    `${call} shows no menu, since it could be another than was meant, and the log says so once`,
    (open) => {
      const { render, events } = openShop(open)
      for (let times = 0; times < 5; times++) assert.match(render(`[{{ ${call} }}]`), /^\[(?:0|\[\])?\]$/)
      assert.is(events.length, 1)
      assert.match(JSON.stringify(events), told)
    },
  )
}

const MISSPELT: Readonly<Record<string, string>> = {
  contextsets: 'contextSets',
  contextSet: 'contextSets',
  local: 'locale',
  requests: 'request',
}

for (const [keyword, suggestion] of Object.entries(MISSPELT)) {
  rule(
    `The keyword ${keyword} shows no menu, perhaps another partner's, and ${suggestion} is suggested once`,
    (open) => {
      const { render, events } = openShop(open)
      const template = `{{ dashboard_menu_tree('main', ${keyword}='x') | length }}.`
      for (let times = 0; times < 5; times++) assert.is(render(template), '0.')
      assert.is(events.length, 1)
      const told = `${keyword} is not a keyword; did you mean ${suggestion}?`
      assert.match(JSON.stringify(events), told)
    },
  )
}

rule('Keywords that every object has are as unknown as others', (open) => {
  const { render } = openShop(open)
  for (const keyword of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    assert.match(render(`{{ dashboard_menu_tree('main', ${keyword}='x') | length }}.`), /^[01]\.$/)
})

rule('Called outside a template, a global answers as for an anonymous viewer', (open) => {
  const { environment } = openShop(open)
  const tree = environment.getGlobal('dashboard_menu_tree') as (code: string) => readonly unknown[]
  assert.is(tree('main').length, 1)
  assert.is(tree.call(undefined, 'main').length, 1)
  assert.is(tree.call(null, 'unknown').length, 0)
})

test.run()
