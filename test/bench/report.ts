import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import type { Compared } from './rounds.js'

/** What something costs beside its baseline. */
export interface Figure extends Compared {
  readonly name: string
  /** What is measured, and beside what. */
  readonly what: string
  /** How large the ratio may be; null where nothing is promised. */
  readonly goal: number | null
  /** Of `ours` and `baseline`. */
  readonly unit: 'µs' | 'ms' | 'MB' | ''
}

/** A figure with where and when it was measured. */
export interface Result extends Figure {
  readonly program: string
  readonly machine: string
  readonly node: string
  readonly commit: string
  readonly date: string
  /** The load of the machine when the figure was complete: mean of a minute. */
  readonly load: number
  readonly rounds: number
}

const FILE = join(import.meta.dirname, 'results.json')
const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim()

/** Prints the head of a table; answers what prints a row of it, and keeps it in `results.json` in place of an older one. */
export function openReport(program: string, rounds: number): (figure: Figure) => void {
  const run = {
    machine: `${cpus().length} × ${cpus()[0]?.model}`,
    node: process.version,
    commit: `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', 'src', 'test') === '' ? '' : ' and changes'}`,
    date: new Date().toISOString(),
  }
  console.log(`\n${program}: ${Object.values(run).join(', ')}, load ${load()}, ${rounds} rounds`)
  console.log(toLine('', ['ratio', 'quartiles', 'goal', 'ours', 'baseline', '']))
  return (figure) => {
    const { name, what, goal, unit, ratio, spread, ours, baseline } = figure
    const cells = [ratio.toFixed(2), spread.map((side) => side.toFixed(2)).join('–'), goal?.toFixed(2) ?? '']
    const times = [ours, baseline].map((time) => time.toFixed(time < 100 ? 1 : 0))
    console.log(toLine(name, [...cells, ...times, unit, what]))
    const others = readResults().filter((each) => each.program !== program || each.name !== name)
    const result: Result = { program, ...figure, ...run, load: load(), rounds }
    writeFileSync(FILE, `${JSON.stringify([...others, result], null, 2)}\n`)
  }
}

/** All figures of this folder, each of its latest run; none where an older benchmark wrote the file. */
export function readResults(): readonly Result[] {
  const results: unknown = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : null
  return Array.isArray(results) ? results : []
}

function toLine(name: string, [ratio = '', spread = '', goal = '', ...rest]: readonly string[]): string {
  const [ours = '', baseline = '', unit = '', what = ''] = rest
  const cells = [
    ratio.padStart(7),
    spread.padStart(12),
    goal.padStart(6),
    ours.padStart(9),
    baseline.padStart(9),
  ]
  return `${name.padEnd(26)}${cells.join('')} ${unit}   ${what}`.trimEnd()
}

function load(): number {
  return Math.round((loadavg()[0] ?? 0) * 10) / 10
}
