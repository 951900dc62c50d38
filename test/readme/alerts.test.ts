import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { Ajv } from 'ajv'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { menuText, openSite } from '../http/sites.js'
import { closing, test } from '../support/test.js'
import { plain, toAnchor } from './markdown.js'
import { pageAt, ROOT, rowsUnder } from './readme.js'
import { matches } from './sources.js'

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

interface Panel {
  readonly id: number
  readonly title: string
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>
  readonly targets: readonly { readonly expr: string }[]
}

interface Board {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: unknown }[] }
}

const rules = parse(readFileSync(`${ROOT}/docs/deploy/alerts.yaml`, 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Alert[] }[]
}
const alerts = rules.groups.flatMap((group) => group.rules)
const boardText = readFileSync(`${ROOT}/docs/deploy/grafana.json`, 'utf8')
const board = JSON.parse(boardText) as Board

/** What a rule file may have (Prometheus, "Defining recording rules" and "Alerting rules"), with what ours must have. */
const DURATION = { type: 'string', pattern: '^(\\d+(ms|[smhdwy]))+$' }
const TEXTS = { type: 'object', additionalProperties: { type: 'string', minLength: 1 } }
const RULES = closed({
  groups: list(
    closed(
      {
        name: { type: 'string' },
        rules: list(
          closed(
            {
              alert: { type: 'string', pattern: '^Menuscript[A-Z][A-Za-z]+$' },
              expr: { type: 'string' },
              labels: { ...TEXTS, required: ['severity'] },
              annotations: { ...TEXTS, required: ['summary', 'runbook'] },
            },
            { for: DURATION, keep_firing_for: DURATION },
          ),
        ),
      },
      { interval: DURATION, limit: { type: 'integer' } },
    ),
  ),
})
/** The data source that a dashboard is opened with. */
const SOURCE_VARIABLE = `$\{datasource}`
/** What a dashboard has (Grafana, "Dashboard JSON model"), and each of our panels. */
const SOURCE = closed({ type: { const: 'prometheus' }, uid: { const: SOURCE_VARIABLE } })
const TARGET = {
  ...{ refId: { type: 'string', pattern: '^[A-Z]$' }, expr: { type: 'string' }, datasource: SOURCE },
}
const BOARD = open({
  id: { type: 'null' },
  uid: { type: 'string', pattern: '^[\\w-]{1,40}$' },
  title: { type: 'string' },
  schemaVersion: { type: 'integer', minimum: 36 },
  time: closed({ from: { type: 'string' }, to: { type: 'string' } }),
  templating: closed({
    list: list(open({ name: { type: 'string' }, type: { enum: ['datasource', 'query'] } })),
  }),
  panels: list(
    open({
      id: { type: 'integer' },
      type: { enum: ['stat', 'timeseries', 'table'] },
      title: { type: 'string' },
      description: { type: 'string' },
      datasource: SOURCE,
      gridPos: closed(
        Object.fromEntries(['x', 'y', 'w', 'h'].map((name) => [name, { type: 'integer', minimum: 0 }])),
      ),
      fieldConfig: open({ defaults: open({ unit: { type: 'string' } }), overrides: { type: 'array' } }),
      targets: list(open(TARGET)),
    }),
  ),
})

function open(properties: object): object {
  return { type: 'object', properties, required: Object.keys(properties) }
}

function closed(properties: object, optional: object = {}): object {
  return { ...open(properties), properties: { ...properties, ...optional }, additionalProperties: false }
}

function list(items: object): object {
  return { type: 'array', minItems: 1, items }
}

/** The metrics of an expression, and the labels that it compares or groups by. Throws where it is not PromQL. */
function read(expr: string): { readonly metrics: readonly string[]; readonly labels: readonly string[] } {
  const metrics: string[] = []
  const labels: string[] = []
  parser.parse(expr).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) throw new SyntaxError(`${expr} at ${from}`)
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        metrics.push(expr.slice(from, to))
      if (type.name === 'LabelName') labels.push(expr.slice(from, to))
    },
  })
  return { metrics, labels }
}

/** The expressions of the dashboard, with what Grafana puts in place of its variables. */
const shown = board.panels.flatMap(({ targets }) =>
  targets.map(({ expr }) =>
    expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$(job|instance)\b/g, '.+'),
  ),
)
const expressions = [...alerts.map(({ expr }) => expr), ...shown]

test('The alerts have the form of a rule file, and the dashboard that of Grafana', () => {
  const ajv = new Ajv({ allErrors: true })
  for (const [schema, value] of [
    [RULES, rules],
    [BOARD, board],
  ] as const) {
    const validate = ajv.compile(schema)
    assert.ok(validate(value), JSON.stringify(validate.errors))
  }
  const names = alerts.map(({ alert }) => alert)
  assert.is(new Set(names).size, names.length)
  for (const { labels } of alerts) assert.match(labels.severity, /^(critical|warning|info)$/)
})

test('What is not PromQL is found', () => {
  for (const wrong of ['up ==', 'sum by (job (up)', 'rate(up[5m]', 'up{job=menuscript}', ''])
    assert.throws(() => read(wrong), wrong)
  assert.equal(read('sum by (le) (rate(a_bucket{kind="menu"}[5m] offset 1h)) > 1').metrics, ['a_bucket'])
})

test('Each expression is PromQL about metrics and labels that the service has', async () => {
  const token = 'a-token-of-at-least-thirty-two-characters'
  const site = closing(await openSite({ 'main.yaml': menuText('main', 'Home') }, { adminToken: token }))
  await site.ask('/api/menu/main')
  const { text } = await site.ask('/metrics', { headers: { authorization: `Bearer ${token}` } })
  const series = matches(text, /^(?:# TYPE )?([a-zA-Z_]\w*)/gm)
  // What Prometheus itself adds.
  const known = new Set(['up', 'job', 'instance', ...series, ...matches(text, /[{,](\w+)="/g)])
  assert.ok(expressions.length > 20)
  for (const expr of expressions) {
    const { metrics, labels } = read(expr)
    assert.ok(metrics.length > 0, expr)
    for (const name of [...metrics, ...labels]) assert.ok(known.has(name), `${name} in ${expr}`)
  }
})

test('Each event in an expression is one of the log', () => {
  const events = rowsUnder('event', 'when').flatMap(([cell]) => plain(cell).split(', '))
  const named = expressions
    .flatMap((expr) => matches(expr, /event=~?"([^"]+)"/g))
    .flatMap((each) => each.split('|'))
  assert.ok(named.length > 5)
  for (const name of named) assert.ok(events.includes(name), name)
})

test('Each alert has a runbook that is a section of the page', () => {
  const anchors = pageAt('docs/monitoring.md').sections.map(({ heading }) => `#${toAnchor(heading)}`)
  for (const { alert, annotations } of alerts) {
    const [page, anchor = ''] = annotations.runbook.split(/(?=#)/)
    assert.equal([page, anchors.includes(anchor)], ['docs/monitoring.md', true], alert)
  }
})

test('No panel of the dashboard lies on another one or outside of the 24 columns', () => {
  const { panels, templating } = board
  assert.is(new Set(panels.map(({ id }) => id)).size, panels.length)
  for (const [place, { title, gridPos: a }] of panels.entries()) {
    assert.ok(a.x + a.w <= 24, title)
    for (const { title: other, gridPos: b } of panels.slice(0, place)) {
      const isApart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y
      assert.ok(isApart, `${title} and ${other}`)
    }
  }
  const variables = new Set(matches(boardText, /\$\{?(\w+)/g))
  assert.equal([...variables].sort(), ['__rate_interval', ...templating.list.map(({ name }) => name)].sort())
})

test.run()
