import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createRandom } from '../cli/planting.js'
import { type FaultSite, faultSites } from './fault-sites.js'

const HELP = `Usage: node --import tsx test/bench/plant-faults.ts [options]

Plants small faults at random in a copy of the project, one at a time, and runs the tests that should notice it.

  --count N      how many faults (default: 100)
  --seed N       which ones (default: the time)
  --in FOLDERS   folders of src/, by commas (default: change,document)
  --tests PARTS  parts of paths of test files, by commas, besides those of the same folder
                 (default: change/,document/,cli/merge,cli/diff,cli/lint-fix)
  --no-build     leaves out the build, where no test uses the command
  --json FILE    also writes each fault and what noticed it

The last line is "N of M faults noticed". The exit code is 0 whatever was noticed, and 1 when the tests fail without a fault.
`

const ROOT = resolve(import.meta.dirname, '../..')
const LEFT_OUT = ['node_modules', '.git', 'dist', '.menuscript']
/** Milliseconds for the test files that share a process: a fault may make a loop endless. */
const TIMEOUT = '240000'

interface Planted {
  readonly path: string
  readonly before: string
  readonly after: string
  /** The first line of the runner that names a failing file; null when no test noticed the fault. */
  readonly noticed: string | null
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    in: { type: 'string', default: 'change,document' },
    tests: { type: 'string', default: 'change/,document/,cli/merge,cli/diff,cli/lint-fix' },
    'no-build': { type: 'boolean', default: false },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) process.stdout.write(HELP)
else plantAll()

function plantAll(): void {
  const copy = mkdtempSync(join(tmpdir(), 'planted-faults-'))
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (path) => !LEFT_OUT.some((name) => path === join(ROOT, name)),
  })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'dir')

  const sites = allSites(copy, values.in.split(','))
  const random = createRandom(Number(values.seed))
  console.log(`seed ${values.seed}; ${sites.length} places`)
  const fault = firstFailure(copy, '')
  if (fault !== null) {
    console.log(`the tests fail without a fault: ${fault}`)
    process.exitCode = 1
    return
  }
  const results: Planted[] = []
  for (let i = 0; i < Number(values.count) && sites.length > 0; i++) {
    const [chosen] = sites.splice(Math.floor(random() * sites.length), 1)
    if (chosen === undefined) break
    const { path, before, after, planted } = chosen
    const file = join(copy, path)
    const own = readFileSync(file, 'utf8')
    writeFileSync(file, planted)
    const noticed = firstFailure(copy, path)
    writeFileSync(file, own)
    results.push({ path, before, after, noticed })
    console.log(
      `${noticed === null ? 'MISSED ' : 'noticed'}  ${path}  ${short(before)} -> ${short(after)}  ${noticed ?? ''}`,
    )
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)
  console.log(
    `${results.filter(({ noticed }) => noticed !== null).length} of ${results.length} faults noticed`,
  )
}

function allSites(copy: string, folders: readonly string[]): (FaultSite & { readonly path: string })[] {
  return folders.flatMap((folder) =>
    readdirSync(join(copy, 'src', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .map((name) => `src/${folder}/${name}`)
      .flatMap((path) =>
        faultSites(readFileSync(join(copy, path), 'utf8')).map((site) => ({ ...site, path })),
      ),
  )
}

/** Runs the tests of the folder of `path`, then the others; the line of the first file that fails, or null. */
function firstFailure(copy: string, path: string): string | null {
  const near = /^src\/([^/]+\/)/.exec(path)?.[1]
  const others = values.tests.split(',')
  if (!values['no-build'] && run(copy, ['.build/build.ts']).status !== 0) return 'the build'
  for (const filters of near === undefined ? [others] : [[near], others.filter((part) => part !== near)]) {
    // No filter at all would be the whole suite.
    if (filters.length === 0) continue
    const { status, stdout } = run(copy, ['test/run.ts', ...filters, '--bail', '--timeout', TIMEOUT])
    if (status !== 0) return /^FAIL +(\S+)/m.exec(stdout)?.[1] ?? 'the runner'
  }
  return null
}

function run(
  copy: string,
  args: readonly string[],
): { readonly status: number | null; readonly stdout: string } {
  return spawnSync(process.execPath, ['--import', 'tsx', ...args], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
}

/** One line of at most 60 characters. */
function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
