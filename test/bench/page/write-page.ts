import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROWS } from '../http/rows.js'
import { type Result, readResults } from '../report.js'
import { drawPanels, type Panel, pointsOf } from './draw-curves.js'

const DOCS = join(import.meta.dirname, '../../../docs')

const INTRO = `# Performance

What Menuscript costs, beside something simple that does the same. Machines differ and are busy, so what counts is the
**ratio**: both sides are measured in the same run, in short turns, on the same core. A ratio of 1.2 means a fifth more time
of the processor. It is the median over the rounds, and the quartiles show how much the rounds differ. The times are
medians, too. \`load\` is the load of the machine at the end of a row; above 2 its two cores had other work as well.

A \`goal\` is what development aims at. Neither goals nor figures are promises, and no test fails because of them.
[What is promised](promises.md) is about correct answers, not about speed.
`

const SECTIONS: readonly (readonly [program: string, heading: string, text: string])[] = [
  [
    'http',
    'Requests',
    `\`GET /api/menu/{code}\` of \`menuscript serve\` with default options. The baseline is a server of plain \`node:http\` that
writes the same bytes under the same headers, whatever it is asked; for \`siblings\` it is the service with ten variants.`,
  ],
  [
    'templates',
    'Templates',
    'A menu of 50 nodes in a page of Nunjucks. The baseline is what a site would write by itself.',
  ],
  [
    'alternatives',
    'Alternatives',
    `The same tree of 4 KB from other servers, each beside plain \`node:http\` with the bytes of that server. \`plain\` is the
menu without a context, \`variant\` the one for a partner among eleven. Polka, Fastify and Express run a handler of 20 lines
that finds the variant and writes JSON. nginx sends a prepared file, and json-server filters a list. Only Menuscript
checks permissions, languages and permitted parameters, answers with validators and limits for caches, and follows the
files.`,
  ],
  ['reloading', 'Reloading', 'What happens while files change.'],
  [
    'large-folders',
    'Folders',
    `\`start\` beside a program that reads every file of the same data in JSON and parses it; \`lint\` beside one that parses the
files with the package \`yaml\`; \`changed\` beside the 100 ms after which a saved file counts as complete.`,
  ],
  ['start-times', 'Commands', 'Beside `node` by itself.'],
  ['edits-and-merges', 'Edits', 'A menu of 2,000 items, beside reading it once.'],
  [
    'merge-speed',
    'Merges',
    'Merges of menus of 2,000 items, beside serialising and parsing the three of them.',
  ],
  ['publish', 'Publishing', 'A change of a menu of 2,000 items, beside reading and judging it once.'],
]

const CURVES = `The curves show how the costs grow. Both axes are logarithmic.

![Six curves: microseconds for each request by connections, candidates, nodes and menus, the time of a start and the memory by menus; the line of Menuscript is close above that of node:http.](pictures/performance.svg)
`

/** Writes docs/performance.md and its picture from the figures that are kept. */
export function writePage(): void {
  const results = readResults()
  const sections = SECTIONS.map(([program, heading, text]) => {
    return { heading, text, rows: results.filter((each) => each.program === program) }
  }).filter(({ rows }) => rows.length > 0)
  const parts = sections.map(
    ({ heading, text, rows }) => `## ${heading}\n\n${text}\n\n${about(rows)}\n\n${tableOf(rows)}\n`,
  )
  const named = (isMissed: boolean): string => {
    const aims = sections.flatMap(({ rows }) => rows.filter(({ goal }) => goal !== null))
    const found = aims.filter(({ ratio, goal }) => Number(ratio.toFixed(2)) > (goal ?? 0) === isMissed)
    return found.map(({ name }) => `\`${name}\``).join(', ') || 'none'
  }
  const absent = ROWS.filter(
    ({ name }) => !results.some((each) => each.program === 'http' && each.name === name),
  )
  const unmeasured = absent.map(({ name }) => `\`${name}\``).join(', ') || 'none'
  const verdict = `Goals that are missed: ${named(true)}. Goals that are reached: ${named(false)}.

Rows of \`npm run bench -- http\` without a figure on this page: ${unmeasured}.
`
  const curves = results.filter(({ at }) => at !== undefined)
  if (curves.length > 0) {
    parts.push(`## Growth\n\n${CURVES}\n${about(curves)}\n\n${tableOf(curves)}\n`)
    writeFileSync(
      join(DOCS, 'pictures/performance.svg'),
      drawPanels(panelsOf(curves), 'How the costs of Menuscript grow'),
    )
  }
  writeFileSync(join(DOCS, 'performance.md'), [INTRO, verdict, ...parts].join('\n'))
}

/** Where figures were measured, and the command that repeats them. */
function about(rows: readonly Result[]): string {
  const of = (key: 'machine' | 'node' | 'rounds'): string =>
    [...new Set(rows.map((row) => row[key]))].join(', ')
  const dates = [...new Set(rows.map(({ date }) => date.slice(0, 10)))].join(', ')
  const [{ program = '' } = {}] = rows
  return `Measured on ${dates} with \`npm run bench -- ${program}\`: ${of('machine')}, Node ${of('node')}, ${of('rounds')} rounds.`
}

function tableOf(rows: readonly Result[]): string {
  const lines = rows.map(({ name, what, ratio, spread, goal, ours, baseline, unit, load, commit }) => [
    ...[`\`${name}\``, what, ratio.toFixed(2), spread.map((side) => side.toFixed(2)).join('–')],
    ...[
      goal?.toFixed(2) ?? '–',
      `${round(ours)} ${unit}`,
      `${round(baseline)} ${unit}`,
      load.toFixed(1),
      commit,
    ],
  ])
  const head = ['row', 'what', 'ratio', 'quartiles', 'goal', 'time', 'baseline', 'load', 'commit']
  const rule = head.map((_, place) => (place < 2 ? '---' : '---:'))
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function round(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0)
}

function panelsOf(results: readonly Result[]): readonly Panel[] {
  const beside = (curve: string) => [
    { name: 'Menuscript', points: pointsOf(results, curve) },
    { name: 'node:http', points: pointsOf(results, curve, 'baseline') },
  ]
  const alone = (curve: string) => [{ name: 'Menuscript', points: pointsOf(results, curve) }]
  const [seen, raw] = beside('seen')
  const panels = [
    { title: 'Request, µs', across: 'connections', lines: beside('connections') },
    {
      ...{ title: 'Request, µs', across: 'candidates' },
      lines: [{ ...seen, name: 'URL seen' }, raw, { name: 'URL new', points: pointsOf(results, 'new') }],
    },
    { title: 'Request, µs', across: 'nodes of the tree', lines: beside('nodes') },
    { title: 'Request, µs', across: 'menus', lines: beside('menus') },
    { title: 'Start, ms of the processor', across: 'menus', lines: alone('start') },
    { title: 'Memory, MB', across: 'menus', lines: alone('memory') },
  ] as readonly Panel[]
  return panels.filter(({ lines }) => lines.every(({ points }) => points.length > 0))
}
