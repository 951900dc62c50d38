import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROWS } from '../http/rows.js'
import { type Result, readResults } from '../report.js'

const DOCS = join(import.meta.dirname, '../../../docs')

const METHOD = `## Method

Each figure is the **ratio** between Menuscript and a simple baseline. Both are measured in the same run, in short turns, on the
same core, because machines differ and are busy. A ratio of 1.2 means 20 % more CPU time. It is the median over the rounds, and
the quartiles show the spread. Times are also medians. \`load\` is the load of the machine at the end of a row; above 2, its two
cores also had other work.

A \`goal\` is a target for development. Goals and figures are not promises, and no test fails because of them.
[Promises](promises.md) are about correct responses, not about speed.
`

const SECTIONS: readonly (readonly [program: string, heading: string, text: string])[] = [
  [
    'http',
    'Requests',
    `\`GET /api/menu/{code}\` of \`menuscript serve\` with default options. The baseline is a plain \`node:http\` server that sends
the same bytes and headers for every request. For \`siblings\`, it is the service with ten variants.`,
  ],
  [
    'templates',
    'Templates',
    'A menu of 50 nodes in a Nunjucks page. The baseline is code that a site would write without Menuscript.',
  ],
  [
    'alternatives',
    'Alternatives',
    `The same tree of 4 KB from other servers, each compared with plain \`node:http\` that sends the same bytes. \`plain\` is the menu
without a context, \`variant\` the one for a partner among eleven. Polka, Fastify and Express run a handler of 20 lines that
finds the variant and writes JSON. nginx sends a prepared file, and json-server filters a list. Only Menuscript checks
permissions, languages and parameters, sends validators and caching headers, and serves changed files.`,
  ],
  ['reloading', 'Reloading', 'Requests and memory while files change.'],
  [
    'large-folders',
    'Folders',
    `\`start\` is compared with a program that reads and parses the same data as JSON files. \`lint\` is compared with one that parses
the files with the package \`yaml\`, and \`changed\` with the 100 ms after which a saved file is treated as complete.`,
  ],
  ['start-times', 'Commands', 'Each command, compared with `node` without a program.'],
  ['edits-and-merges', 'Edits', 'A menu of 2,000 items, compared with reading it once.'],
  [
    'merge-speed',
    'Merges',
    'Merges of menus of 2,000 items, compared with serialising and parsing the three of them.',
  ],
  ['publish', 'Publishing', 'A change of a menu of 2,000 items, compared with reading and checking it once.'],
  ['curves', 'Growth', 'How costs grow with connections, candidates, nodes and menus.'],
]

/** Writes docs/performance.md from the figures that are kept. */
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
  const verdict = `## Goals

Goals that are missed: ${named(true)}. Goals that are reached: ${named(false)}.

Rows of \`npm run bench -- http\` without a figure on this page: ${unmeasured}.
`
  const summary = `# Performance\n\n${summaryOf(results).join('\n')}\n`
  writeFileSync(join(DOCS, 'performance.md'), [summary, ...parts, METHOD, verdict].join('\n'))
}

/** The figures that users ask for first; those that have not been measured are left out. */
function summaryOf(results: readonly Result[]): readonly string[] {
  const of = (name: string): Result | undefined => results.find((each) => each.name === name)
  const time = (name: string): string => {
    const { ours = 0, unit = '' } = of(name) ?? {}
    return unit === 'ms' && ours >= 1000 ? `${(ours / 1000).toFixed(1)} s` : `${round(ours)} ${unit}`
  }
  const lines: readonly (readonly [needed: readonly string[], text: () => string])[] = [
    [
      ['cached'],
      () =>
        `A cached menu of 4 KB takes ${time('cached')} of CPU time, ${of('cached')?.ratio.toFixed(2)} times a minimal Node.js server.`,
    ],
    [
      ['permissions', 'siblings'],
      () =>
        `With permissions, a request takes ${time('permissions')}. 10,000 variants of a menu cost as much as 10.`,
    ],
    [
      ['polka plain', 'fastify plain', 'express plain'],
      () =>
        `A handler of 20 lines without these features takes ${time('polka plain')} on Polka, ${time('fastify plain')} on Fastify and ${time('express plain')} on Express.`,
    ],
    [
      ['changed 100', 'changed 10000'],
      () =>
        `A saved file is live after ${time('changed 100')} among 100 files, and after ${time('changed 10000')} among 10,000.`,
    ],
    [
      ['start 100', 'start 10000', 'memory 10000'],
      () =>
        `The service starts in ${time('start 100')} with 100 menus, and in ${time('start 10000')} with 10,000, which need ${time('memory 10000')}.`,
    ],
  ]
  return lines
    .filter(([needed]) => needed.every((name) => of(name) !== undefined))
    .map(([, text]) => `- ${text()}`)
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
