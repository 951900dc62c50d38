import { join } from 'node:path'
import { ENGINES, type Environment } from '../nunjucks/engines.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { openReport } from './report.js'
import { compareLegs, type Leg, stayOnOneCore, timeOf } from './rounds.js'

const HELP = `Usage: node --import tsx test/bench/templates.ts [ROUNDS]

Renders a menu of 50 nodes in a template of Nunjucks, ROUNDS times (default: 40) in turn with what a site would write without
Menuscript, and prints the processor time of one rendering beside that of the baseline.
`
const RENDERINGS = 300
const WARMING = 20
const MACRO = `{% macro list(nodes) %}<ul>{% for node in nodes %}<li><a href="{{ node.href }}">{{ node.label }}</a>
{% if node.children.length %}{{ list(node.children) }}{% endif %}</li>{% endfor %}</ul>{% endmacro %}`

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const [rounds = '40'] = process.argv.slice(2)
if (rounds === '--help') process.stdout.write(HELP)
else await measureAll(Number(rounds))

interface TreeNode {
  readonly label: string
  readonly href: string
  readonly children: readonly TreeNode[]
}

async function measureAll(rounds: number): Promise<void> {
  stayOnOneCore()
  const report = openReport('templates', rounds)
  const folder = createMenusFolder({ 'menus/main.yaml': JSON.stringify(menuOf()) })
  const library: typeof import('../../src/index.js') = await import(
    `${join(import.meta.dirname, '../../dist/index.js')}`
  )
  const menus = await library.openMenus({ menus: join(folder.dir, 'menus'), watch: false })
  const [engine] = ENGINES
  if (engine === undefined) throw new Error()
  const environment = engine.create()
  library.registerMenuGlobals(environment, menus.service)
  const nodes: readonly TreeNode[] = JSON.parse(
    environment.renderString("{{ dashboard_menu_tree('main') | dump | safe }}", {
      request: { url: '/', headers: {} },
    }),
  )
  const safe = environment.getFilter('safe') as (text: string) => unknown
  environment.addGlobal('own_html', (path: string) =>
    safe(`<nav aria-label="Main">${toList(nodes, path)}</nav>`),
  )

  let turn = 0
  const fresh = (): object => toContext(`/section-${turn % 5}/page-${turn++ % 9}?visit=${turn}`)
  const again = (): object => toContext('/section-1/page-1')
  const toContext = (url: string): object => ({
    request: { url, headers: {} },
    path: url.split('?')[0],
    nodes,
  })
  const html = "{{ dashboard_menu_html('main') }}"
  const rows = [
    [
      'macro',
      'a macro over dashboard_menu_tree, compared with a plain array',
      1.03,
      `${MACRO}{{ list(dashboard_menu_tree('main')) }}`,
      `${MACRO}{{ list(nodes) }}`,
      again,
    ],
    [
      'html',
      'dashboard_menu_html, compared with a global that joins strings',
      1.3,
      html,
      '{{ own_html(path) }}',
      fresh,
    ],
    ['html-again', 'the same page again', 0.1, html, '{{ own_html(path) }}', again],
  ] as const
  for (const [name, what, goal, ours, baseline, context] of rows) {
    const legs = [ours, baseline].map((source) => legOf(environment, source, context))
    const [mine, theirs] = legs as [Leg, Leg]
    const [one, other] = [ours, baseline].map((source) => environment.renderString(source, again()))
    if (one !== other) throw new Error(`${one}\nis not\n${other}`)
    report({ name, what, goal, unit: 'µs', ...(await compareLegs(mine, theirs, rounds, WARMING)) })
  }
  await menus.close()
  folder.close()
}

/** The microseconds of the processor that a rendering takes. */
function legOf(environment: Environment, source: string, context: () => object): Leg {
  const render = environment.compile(source)
  const renderAll = (): void => {
    for (let done = 0; done < RENDERINGS; done++) render(context())
  }
  return async () => ((await timeOf(renderAll)) * 1_000) / RENDERINGS
}

/** What a site would write: the same HTML. */
function toList(nodes: readonly TreeNode[], path: string): string {
  return `<ul>${nodes.map((node) => toItem(node, path)).join('')}</ul>`
}

function toItem({ label, href, children }: TreeNode, path: string): string {
  const current = href === path ? ' aria-current="page"' : ''
  const link = `<a href="${escaped(href)}"${current}>${escaped(label)}</a>`
  return `<li>${link}${children.length > 0 ? toList(children, path) : ''}</li>`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (found) => ESCAPES[found] ?? found)
}

/** Five links with nine below each. */
function menuOf(): object {
  const link = (label: string, url: string): object => ({ label, url })
  const items = [0, 1, 2, 3, 4].map((section) => ({
    ...link(`Section ${section}`, `/section-${section}`),
    children: [...Array(9).keys()].map((page) =>
      link(`Page ${page} & more`, `/section-${section}/page-${page}`),
    ),
  }))
  return { version: 1, code: 'main', name: 'Main', items }
}
