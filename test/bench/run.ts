import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { measureRow } from './http/measure.js'
import { ROWS } from './http/rows.js'
import { openReport } from './report.js'
import { stayOnOneCore } from './rounds.js'

/** What else is measured here, each by a program of its own. */
const PROGRAMS = [
  'start-times',
  'large-folders',
  'static-export',
  'edits-and-merges',
  'merge-speed',
  'publish',
  'templates',
  'reloading',
]
/** What runs only by its name: it takes long, fetches a package or writes a page. */
const BY_NAME = ['alternatives', 'curves']
const HELP = `Usage: npm run bench [-- [NAME...] [--rounds N]]

Measures what a request for a menu costs, and then runs the other programs of this folder; with a NAME, only those.

${ROWS.map(({ name, what }) => `  ${name.padEnd(18)}${what}`).join('\n')}
  ${'http'.padEnd(18)}all of these
  ${PROGRAMS.join(', ')}
  ${BY_NAME.join(', ')} (only by name)

Requests go to "dist/cli.js serve" and to plain node:http that writes the same bytes under the same headers, in short turns,
for N rounds (default: 40), with five starts of each server. Counted is the processor time of each server for a request.
"ratio" is the median over the rounds, with its quartiles. All runs on one core, so that other work has another one; it needs
Linux. All programs keep their figures in test/bench/results.json. Run "npm run build" before.
`

const args = process.argv.slice(2)
const place = args.indexOf('--rounds')
const [, rounds = '40'] = place === -1 ? [] : args.splice(place, 2)
const isWanted = (name: string): boolean => args.length === 0 || args.includes(name)
const known = [...ROWS.map(({ name }) => name), ...PROGRAMS, ...BY_NAME, 'http']
const unknown = args.find((each) => !known.includes(each))
if (args.includes('--help') || unknown !== undefined) process.stdout.write(HELP)
else {
  for (const name of PROGRAMS.filter(isWanted)) runProgram(name)
  for (const name of BY_NAME.filter((each) => args.includes(each))) runProgram(name)
  // At the end, because it takes one core from here on.
  await runRows(ROWS.filter(({ name }) => isWanted(name) || isWanted('http')))
}

async function runRows(rows: typeof ROWS): Promise<void> {
  if (rows.length === 0) return
  if (!stayOnOneCore()) console.log('Without taskset the figures differ more between runs.')
  const report = openReport('http', Number(rounds))
  for (const row of rows) report(await measureRow(row, Number(rounds)))
}

function runProgram(name: string): void {
  const file = join(import.meta.dirname, `${name}.ts`)
  spawnSync(process.execPath, ['--import', 'tsx', file], { stdio: 'inherit' })
}
