import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../support/figures.js'
import { get } from '../support/http.js'
import { startProcess } from '../support/process.js'
import { processTime } from './processor.js'
import { openReport } from './report.js'
import { compareRounds, type Round, runRound } from './rounds.js'
import { sampleMenu } from './sample-menu.js'

const HELP = `Usage: node --import tsx test/bench/large-folders.ts [--rounds N] [COUNT...]

Measures folders of COUNT menus of 1 KB (default: 100 1000 10000), N times each (default: 7), in turn with a program that
reads every file and parses it. Printed are medians of processor times:

  start    from the start of "menuscript serve" to its first answer, beside a program that parses the same data in JSON and
           answers as well
  lint     "menuscript lint" from start to end, beside a program that parses the files with the package yaml
  changed  from the moment when one file is replaced until it is served, beside the time after which a file counts as complete
`
const CLI = join(import.meta.dirname, '../../dist/cli.js')
const FLOOR = join(import.meta.dirname, 'read-and-parse.mjs')
const PER_FOLDER = 500
const SETTLING = 100
/** Of start, lint and a change, by the number of menus. */
const GOALS: Readonly<Record<number, readonly (number | null)[]>> = {
  100: [1.7, null, 1.03],
  1000: [3.5, 1.2, 1.03],
  10000: [3, null, 1.4],
}

const args = process.argv.slice(2)
const place = args.indexOf('--rounds')
const rounds = Number(place === -1 ? 7 : args.splice(place, 2)[1])
if (args.includes('--help')) process.stdout.write(HELP)
else {
  const report = openReport('large-folders', rounds)
  for (const count of args.length === 0 ? [100, 1_000, 10_000] : args.map(Number))
    await measureFolder(count, report)
}

async function measureFolder(count: number, report: ReturnType<typeof openReport>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'menuscript-bench-'))
  try {
    for (let at = 0; at < count; at++) {
      const inside = join(`${Math.floor(at / PER_FOLDER)}`, `menu-${at}`)
      const { yaml, json } = sampleMenu(at)
      for (const [folder, text] of [
        ['menus', yaml],
        ['json', json],
      ] as const) {
        const path = join(dir, folder, `${inside}.${folder === 'json' ? 'json' : 'yaml'}`)
        mkdirSync(join(path, '..'), { recursive: true })
        writeFileSync(path, text)
      }
    }
    const [starts, lints, walls]: [Round[], Round[], number[]] = [[], [], []]
    const [start, startFloor] = [
      () => timeStart([CLI, 'serve', '--port', '0'], dir, '/api/menu/menu-0', walls),
      () => timeStart([FLOOR, 'json', 'serve'], dir, '/'),
    ]
    const [lint, lintFloor] = [() => timeEnd([CLI, 'lint'], dir), () => timeEnd([FLOOR, 'menus'], dir)]
    for (let round = 0; round < rounds; round++) {
      starts.push(await runRound(start, startFloor))
      lints.push(await runRound(lint, lintFloor))
    }
    const [startGoal = null, lintGoal = null, changedGoal = null] = GOALS[count] ?? []
    const unit = 'ms'
    const wall = quantile(walls, 0.5).toFixed(0)
    const started = `until the first response, after ${wall} ms`
    report({ name: `start ${count}`, what: started, goal: startGoal, unit, ...compareRounds(starts) })
    report({
      name: `lint ${count}`,
      what: 'lint of all files, compared with the package yaml',
      goal: lintGoal,
      unit,
      ...compareRounds(lints),
    })
    const changes = await timeChanges(dir, count)
    const compared = compareRounds(changes.map((ours) => ({ ours, baseline: SETTLING })))
    const what = `one file changed, p95 ${quantile(changes, 0.95).toFixed(0)} ms`
    report({ name: `changed ${count}`, what, goal: changedGoal, unit, ...compared })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Milliseconds of the processor from the start of a server until it has answered a request with 200. */
async function timeStart(
  words: readonly string[],
  cwd: string,
  path: string,
  walls: number[] = [],
): Promise<number> {
  const since = performance.now()
  const server = startProcess('node', words, { cwd })
  const [, url = ''] = await server.waitFor(/^listening on (\S+)$/m)
  const { status } = await get(`${url}${path}`)
  walls.push(performance.now() - since)
  const time = processTime(server.pid)
  await server.stop()
  if (status !== 200) throw new Error(`HTTP ${status}`)
  return time
}

async function timeEnd(words: readonly string[], cwd: string): Promise<number> {
  const command = startProcess(
    'bash',
    ['-c', 'TIMEFORMAT="cpu %U %S"; time "$@"', 'bash', process.execPath, ...words],
    { cwd },
  )
  const { code } = await command.ended
  const [, user, system] = /cpu (\S+) (\S+)/.exec(command.stderr()) ?? []
  if (code !== 0) throw new Error(command.stderr())
  return (Number(user) + Number(system)) * 1_000
}

async function timeChanges(cwd: string, count: number): Promise<readonly number[]> {
  const server = startProcess('node', [CLI, 'serve', '--port', '0'], { cwd })
  const [, url = ''] = await server.waitFor(/^listening on (\S+)$/m)
  const times: number[] = []
  for (let round = 0; round < rounds * 3; round++) {
    await sleep(300 + (round % 7) * 40)
    const at = (round * 7_919) % count
    const path = join(cwd, 'menus', `${Math.floor(at / PER_FOLDER)}`, `menu-${at}.yaml`)
    const text = readFileSync(path, 'utf8').replace(/Entry 0 [^\n]*/, `Entry 0 change ${round}`)
    writeFileSync(`${path}.tmp`, text)
    renameSync(`${path}.tmp`, path)
    const since = performance.now()
    for (;;) {
      const { text: body } = await get(`${url}/api/menu/menu-${at}`)
      if (body.includes(`change ${round}`)) break
      if (performance.now() - since > 10_000) throw new Error('The change was not served.')
      await sleep(2)
    }
    times.push(performance.now() - since)
  }
  await server.stop()
  return times
}
