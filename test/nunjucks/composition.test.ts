import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menu, type OpenPages, type Pages, requestFor, rule } from './pages.js'

// Where in a template the globals may stand: they see the request everywhere but in macros that see no context.

const ITEMS = [
  { label: 'Open', url: '/', children: [{ label: 'Inner', url: '/inner' }] },
  { label: 'Secret', url: '/secret', permissions: ['secret'] },
]
const LABELS = "{{ dashboard_menu_tree('main') | join(' ', 'label') }}"

const TEMPLATES = {
  'labels.njk': LABELS,
  'macros.njk':
    `{% macro labels() %}${LABELS}{% endmacro %}` +
    "{% macro given(request) %}{{ dashboard_menu_tree('main', request=request) | join(' ', 'label') }}{% endmacro %}" +
    "{% macro html(request) %}{{ dashboard_menu_html('main', request=request) }}{% endmacro %}" +
    '{% macro list(nodes) %}({% for n in nodes %}{{ n.label }}{{ list(n.children) if n.children.length }}{% endfor %}){% endmacro %}' +
    '{% macro box() %}[{{ caller() }}]{% endmacro %}',
  'base.njk': `{% block nav %}${LABELS}{% endblock %}|{% block body %}{% endblock %}`,
  'child.njk': `{% extends 'base.njk' %}{% block nav %}<{{ super() }}>{% endblock %}{% block body %}${LABELS}{% endblock %}`,
  'loop.njk': "{% for i in [1, 2] %}{% include 'labels.njk' %};{% endfor %}",
  'outer.njk': "{% include 'inner.njk' %}",
  'inner.njk': "{% set code = 'main' %}{% include 'labels.njk' %}",
}

/** Whoever says so may see the secret. */
function openShop(open: OpenPages, autoescape = true): Pages {
  return open(
    { 'main.yaml': menu('main', ITEMS) },
    {
      autoescape,
      templates: TEMPLATES,
      policies: {
        resolveViewer: ({ headers }) => ({
          id: null,
          permissions: headers['x-staff'] === 'yes' ? ['secret'] : [],
        }),
      },
    },
  )
}

const STAFF = { request: requestFor('/', { 'x-staff': 'yes' }) }

const PLACES: Readonly<Record<string, readonly [template: string, html: string]>> = {
  'at the top': [LABELS, 'Open Secret'],
  'in a loop': [`{% for i in [1, 2] %}${LABELS};{% endfor %}`, 'Open Secret;Open Secret;'],
  'in a condition': ["{% if dashboard_menu_tree('main').length == 2 %}two{% endif %}", 'two'],
  'in an inline condition': ["{{ dashboard_menu_tree('main')[1].label if true else 'x' }}", 'Secret'],
  'in a variable': [
    "{% set tree = dashboard_menu_tree('main') %}{% for i in [1] %}{{ tree[1].label }}{% endfor %}",
    'Secret',
  ],
  'in the text of a variable': [`{% set text %}${LABELS}{% endset %}{{ text }}`, 'Open Secret'],
  'by another name': ["{% set menu = dashboard_menu_tree %}{{ menu('main').length }}", '2'],
  'in a filter block': [`{% filter upper %}${LABELS}{% endfilter %}`, 'OPEN SECRET'],
  'in a filter argument': ["{{ [1] | concatenated(dashboard_menu_tree('main')) | length }}", '3'],
  'in an include': ["{% include 'labels.njk' %}", 'Open Secret'],
  'in an include of an include': ["{% include 'outer.njk' %}", 'Open Secret'],
  'in an include in a loop': ["{% include 'loop.njk' %}", 'Open Secret;Open Secret;'],
  'in blocks of a layout and of a page': ["{% extends 'child.njk' %}", '<Open Secret>|Open Secret'],
  'in a macro imported with context': [
    "{% import 'macros.njk' as m with context %}{{ m.labels() }}",
    'Open Secret',
  ],
  'in a macro from an import with context': [
    "{% from 'macros.njk' import labels with context %}{{ labels() }}",
    'Open Secret',
  ],
  'in a macro of the page': [`{% macro m() %}${LABELS}{% endmacro %}{{ m() }}`, 'Open Secret'],
  'in a macro that is given the request': [
    "{% import 'macros.njk' as m %}{{ m.given(request) }}",
    'Open Secret',
  ],
  'in a call block': [
    `{% from 'macros.njk' import box %}{% call box() %}${LABELS}{% endcall %}`,
    '[Open Secret]',
  ],
  'as the argument of a recursive macro': [
    "{% from 'macros.njk' import list %}{{ list(dashboard_menu_tree('main')) }}",
    '(Open(Inner)Secret)',
  ],
  'in a loop over what the configuration holds': [
    "{% for key, value in dashboard_menu_config('main').classes %}{{ key }} {% endfor %}",
    'menu item link children section divider current branch ',
  ],
  'in an asynchronous loop': [
    `{% asyncEach i in [1, 2] %}${LABELS};{% endeach %}`,
    'Open Secret;Open Secret;',
  ],
  'in a parallel loop': [`{% asyncAll i in [1, 2] %}${LABELS};{% endall %}`, 'Open Secret;Open Secret;'],
}

for (const [place, [template, html]] of Object.entries(PLACES)) {
  rule(`The request is seen ${place}`, (open) => {
    const { render, environment, events } = openShop(open)
    const concatenated = (list: unknown, other?: unknown) => [list, other].flat()
    environment.addFilter('concatenated', concatenated)
    assert.is(render(template, STAFF), html)
    assert.equal(events, [])
  })
}

rule(
  'A macro without a context shows the menu of an anonymous viewer, and the log has advice once',
  (open) => {
    const { render, events } = openShop(open)
    const template = "{% import 'macros.njk' as m %}{{ m.labels() }}"
    for (let times = 0; times < 5; times++) assert.is(render(template, STAFF), 'Open')
    assert.is(events.length, 1)
    assert.match(JSON.stringify(events), 'request=')
  },
)

rule('HTML of a macro comes out unharmed, with autoescape on or off', (open) => {
  const direct = openShop(open).render("{{ dashboard_menu_html('main') }}", STAFF)
  assert.match(direct, '<nav')
  for (const autoescape of [true, false]) {
    const { render } = openShop(open, autoescape)
    assert.is(render("{% import 'macros.njk' as m %}{{ m.html(request) }}", STAFF), direct)
  }
})

rule('The keyword goes before the request of the context', (open) => {
  const { render } = openShop(open)
  const template = "{{ dashboard_menu_tree('main', request=other) | join(' ', 'label') }}"
  assert.is(render(template, { ...STAFF, other: requestFor('/') }), 'Open')
  assert.is(render(template, { other: STAFF.request }), 'Open Secret')
})

rule('Templates rendered at the same time each see their own request', async (open) => {
  const { environment } = openShop(open)
  const page = (request: object) =>
    new Promise((resolve, reject) =>
      environment.render('child.njk', { request }, (error, html) => (error ? reject(error) : resolve(html))),
    )
  const pages = await Promise.all([page(STAFF.request), page(requestFor('/')), page(STAFF.request)])
  assert.equal(pages, ['<Open Secret>|Open Secret', '<Open>|Open', '<Open Secret>|Open Secret'])
})

test.run()
