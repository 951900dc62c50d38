import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../support/figures.js'
import { get } from '../support/http.js'
import { startProcess } from '../support/process.js'

const HELP = `Usage: node --import tsx test/bench/large-folders.ts [--rounds N] [COUNT...]

Measures folders of COUNT menus of 1 KB (default: 100 1000 10000), N times each (default: 7), in turn with the floor: a
program that reads every file of the same data in JSON and parses it. Printed are medians, the processor time as a ratio
to that of the floor:

  start    from the start of "menuscript serve" to its first answer, beside a floor that answers as well
  lint     "menuscript lint" from start to end
  changed  from the moment when one file is replaced until it is served
`
const CLI = join(import.meta.dirname, '../../dist/cli.js')
const FLOOR = join(import.meta.dirname, 'read-and-parse.mjs')
const PER_FOLDER = 500

const args = process.argv.slice(2)
const place = args.indexOf('--rounds')
const rounds = Number(place === -1 ? 7 : args.splice(place, 2)[1])
if (args.includes('--help')) process.stdout.write(HELP)
else {
  console.log(
    `${''.padEnd(18)}${['ratio', 'ms', 'cpu ms', 'floor cpu ms'].map((each) => each.padStart(14)).join('')}`,
  )
  for (const count of args.length === 0 ? [100, 1_000, 10_000] : args.map(Number)) await measureFolder(count)
}

async function measureFolder(count: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'menuscript-bench-'))
  try {
    for (let at = 0; at < count; at++) {
      const inside = join(`${Math.floor(at / PER_FOLDER)}`, `menu-${at}`)
      const { yaml, json } = menuOf(at)
      for (const [folder, text] of [
        ['menus', yaml],
        ['json', json],
      ] as const) {
        const path = join(dir, folder, `${inside}.${folder === 'json' ? 'json' : 'yaml'}`)
        mkdirSync(join(path, '..'), { recursive: true })
        writeFileSync(path, text)
      }
    }
    const [start, startFloor, lint, lintFloor]: [Cost[], Cost[], Cost[], Cost[]] = [[], [], [], []]
    for (let round = 0; round < rounds; round++) {
      start.push(await timeStart([CLI, 'serve', '--port', '0'], dir, '/api/menu/menu-0'))
      startFloor.push(await timeStart([FLOOR, 'json', 'serve'], dir, '/'))
      lint.push(await timeEnd([CLI, 'lint'], dir))
      lintFloor.push(await timeEnd([FLOOR, 'json'], dir))
    }
    report(`start ${count}`, start, startFloor)
    report(`lint ${count}`, lint, lintFloor)
    const changes = await timeChanges(dir, count)
    console.log(
      `${`changed, 1 of ${count}`.padEnd(24)}p50 ${quantile(changes, 0.5).toFixed(0)} ms, p95 ${quantile(changes, 0.95).toFixed(0)} ms`,
    )
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

interface Cost {
  readonly wall: number
  readonly cpu: number
}

function report(name: string, ours: readonly Cost[], floor: readonly Cost[]): void {
  const median = (costs: readonly number[]): number => quantile([...costs], 0.5)
  const ratio = median(ours.map(({ cpu }, round) => cpu / (floor[round]?.cpu ?? Number.NaN)))
  const cells = [
    ratio.toFixed(2),
    ...[ours.map(({ wall }) => wall), ours.map(({ cpu }) => cpu), floor.map(({ cpu }) => cpu)].map((each) =>
      median(each).toFixed(0),
    ),
  ]
  console.log(`${name.padEnd(18)}${cells.map((each) => each.padStart(14)).join('')}`)
}

/** From the start of a server until it has answered a request with 200. */
async function timeStart(words: readonly string[], cwd: string, path: string): Promise<Cost> {
  const since = performance.now()
  const server = startProcess('node', words, { cwd })
  const [, url = ''] = await server.waitFor(/^listening on (\S+)$/m)
  const { status } = await get(`${url}${path}`)
  const wall = performance.now() - since
  const cpu = cpuOf(server.pid)
  await server.stop()
  if (status !== 200) throw new Error(`HTTP ${status}`)
  return { wall, cpu }
}

async function timeEnd(words: readonly string[], cwd: string): Promise<Cost> {
  const since = performance.now()
  const command = startProcess(
    'bash',
    ['-c', 'TIMEFORMAT="cpu %U %S"; time "$@"', 'bash', process.execPath, ...words],
    { cwd },
  )
  const { code } = await command.ended
  const wall = performance.now() - since
  const [, user, system] = /cpu (\S+) (\S+)/.exec(command.stderr()) ?? []
  if (code !== 0) throw new Error(command.stderr())
  return { wall, cpu: (Number(user) + Number(system)) * 1_000 }
}

/** Milliseconds of the processor that a process has used so far (proc(5): in hundredths of a second). */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
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

/** A menu of about 1 KB. */
function menuOf(at: number): { readonly yaml: string; readonly json: string } {
  const labels = Array.from({ length: 12 }, (_, item) => `Entry ${item} of menu ${at}`)
  const items = labels.map((label, item) => ({
    label: { en: label },
    url: `/section-${at}/page-${item}`,
    icon: 'bi:house',
  }))
  const head = { version: 1, code: `menu-${at}`, name: `Menu ${at}` }
  const lines = items.flatMap(({ label, url, icon }) => [
    `  - label:`,
    `      en: ${label.en}`,
    `    url: ${url}`,
    `    icon: ${icon}`,
  ])
  const yaml = [`version: 1`, `code: ${head.code}`, `name: ${head.name}`, 'items:', ...lines, ''].join('\n')
  return { yaml, json: JSON.stringify({ ...head, items }) }
}
