import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { type Measured, measureRow } from './http/measure.js'
import { ROWS } from './http/rows.js'
import { stayOnOneCore } from './rounds.js'

/** What else is measured here, each by a program of its own. */
const PROGRAMS = ['start-times', 'large-folders', 'edits-and-merges', 'merge-speed', 'publish']
const HELP = `Usage: npm run bench [-- [NAME...] [--rounds N]]

Measures what a request for a menu costs, and then runs the other programs of this folder; with a NAME, only those.

${ROWS.map(({ name, what }) => `  ${name.padEnd(18)}${what}`).join('\n')}
  ${'http'.padEnd(18)}all of these
  ${PROGRAMS.join(', ')}

Requests go to "dist/cli.js serve" and to plain node:http that writes the same bytes under the same headers, in short turns,
for N rounds (default: 40), with five starts of each server. Counted is the processor time of each server for a request.
"ratio" is the median over the rounds, with its quartiles. All runs on one core, so that other work has another one; it needs
Linux. The rows are written to test/bench/results.json as well. Run "npm run build" before.
`

const args = process.argv.slice(2)
const place = args.indexOf('--rounds')
const [, rounds = '40'] = place === -1 ? [] : args.splice(place, 2)
const isWanted = (name: string): boolean => args.length === 0 || args.includes(name)
const unknown = args.find((each) => ![...ROWS.map(({ name }) => name), ...PROGRAMS, 'http'].includes(each))
if (args.includes('--help') || unknown !== undefined) process.stdout.write(HELP)
else {
  await runRows(ROWS.filter(({ name }) => isWanted(name) || isWanted('http')))
  for (const name of PROGRAMS.filter(isWanted)) runProgram(name)
}

async function runRows(rows: typeof ROWS): Promise<void> {
  if (rows.length === 0) return
  const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim()
  const about = {
    machine: `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`,
    load: loadavg()[0]?.toFixed(1),
    commit: `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ' and changes'}`,
    rounds: Number(rounds),
    core: stayOnOneCore() ? 'one' : 'any',
  }
  console.log(
    Object.entries(about)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
  )
  console.log(toLine(['', 'ratio', 'quartiles', 'goal', 'µs', 'baseline', 'bytes']))
  const measured: Measured[] = []
  for (const row of rows) {
    const each = await measureRow(row, Number(rounds))
    measured.push(each)
    const { ratio, spread, goal, ours, baseline, bytes } = each
    const cells = [ratio.toFixed(2), spread.map((side) => side.toFixed(2)).join('–'), goal.toFixed(2)]
    console.log(toLine([row.name, ...cells, ours.toFixed(1), baseline.toFixed(1), String(bytes)]))
  }
  const file = join(import.meta.dirname, 'results.json')
  writeFileSync(file, `${JSON.stringify({ ...about, rows: measured }, null, 2)}\n`)
}

function toLine([name = '', ...cells]: readonly string[]): string {
  return name.padEnd(12) + cells.map((each) => each.padStart(11)).join('')
}

function runProgram(name: string): void {
  console.log(`\n${name}`)
  const file = join(import.meta.dirname, `${name}.ts`)
  spawnSync(process.execPath, ['--import', 'tsx', file], { stdio: 'inherit' })
}
