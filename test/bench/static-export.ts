import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '../support/process.js'
import { openReport } from './report.js'
import { compareRounds, type Round, runRound } from './rounds.js'
import { sampleMenu } from './sample-menu.js'

const HELP = `Usage: node --import tsx test/bench/static-export.ts [--rounds N] [COUNT]

Measures "menuscript build" of a folder with COUNT menus of 1 KB in two locales (default: 10000), N times (default: 5), in turn
with "menuscript lint" of the same folder. Printed are medians of wall time from start to end:

  build    into an empty folder
  rebuild  without changes: the goal is a second more than lint
`
const CLI = join(import.meta.dirname, '../../dist/cli.js')
const PER_FOLDER = 500

const args = process.argv.slice(2)
const place = args.indexOf('--rounds')
const rounds = Number(place === -1 ? 5 : args.splice(place, 2)[1])
if (args.includes('--help')) process.stdout.write(HELP)
else await measure(Number(args[0] ?? 10_000))

async function measure(count: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'menuscript-bench-'))
  try {
    writeFileSync(join(dir, 'menuscript.config.yaml'), 'locales: [en, es]\n')
    for (let at = 0; at < count; at++) {
      const folder = join(dir, 'menus', `${Math.floor(at / PER_FOLDER)}`)
      mkdirSync(folder, { recursive: true })
      const text = sampleMenu(at).yaml.replaceAll(/en: (.*)/g, 'en: $1\n      es: Entrada $1')
      writeFileSync(join(folder, `menu-${at}.yaml`), text)
    }
    const lint = () => timeOf(dir, ['lint'])
    const [builds, rebuilds]: [Round[], Round[]] = [[], []]
    let built = 0
    for (let round = 0; round < rounds; round++) {
      builds.push(await runRound(() => timeOf(dir, ['build', '--out', `out-${built++}`]), lint))
      rebuilds.push(await runRound(() => timeOf(dir, ['build', '--out', 'out-0']), lint))
    }
    const report = openReport('static-export', rounds)
    const what = 'of two locales, compared with lint'
    report({ name: `build ${count}`, what: `a build ${what}`, goal: 2, unit: 'ms', ...compareRounds(builds) })
    const again = `a build without changes ${what}`
    report({ name: `rebuild ${count}`, what: again, goal: null, unit: 'ms', ...compareRounds(rebuilds) })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Milliseconds from the start to the end of a command. */
async function timeOf(cwd: string, words: readonly string[]): Promise<number> {
  const since = performance.now()
  const command = startProcess('node', [CLI, ...words], { cwd })
  const { code } = await command.ended
  if (code !== 0) throw new Error(command.stderr())
  return performance.now() - since
}
