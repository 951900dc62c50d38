import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { build as bundle } from 'esbuild'
import { BUNDLE } from '../../.build/bundle.js'
import { createRandom } from '../cli/planting.js'
import { type FaultSite, faultSites } from './fault-sites.js'

const TESTS =
  'change/,document/,review/,hostile/yaml/suite,hostile/yaml/scalars,hostile/yaml/naive-yaml,cli/merge,cli/diff,cli/lint-fix'
const HELP = `Usage: node --import tsx test/bench/plant-faults.ts [options]

Plants small faults at random in a copy of the project, one at a time, and runs the tests that should notice it: those of the
same folder, then the others that import the faulted file, then those of the command, each only when those before noticed
nothing.

  --count N      how many faults (default: 100)
  --seed N       which ones (default: the time)
  --in FOLDERS   folders of src/, by commas (default: change,document)
  --at PLACES    instead of faults at random all those of these lines, by commas: src/change/change.ts:12
  --tests PARTS  parts of paths of test files, by commas
                 (default: ${TESTS})
  --json FILE    also writes each fault and what noticed it

The last line is "N of M faults noticed". The exit code is 0 whatever was noticed, and 1 when the tests fail without a fault.
`

const ROOT = resolve(import.meta.dirname, '../..')
const LEFT_OUT = ['node_modules', '.git', 'dist', '.menuscript']
/** How many times as long as without a fault tests may take, and how many milliseconds in any case: a fault may make a loop endless. */
const PATIENCE = 4
const LEAST_LIMIT = 15_000
/** Megabytes for each process of tests: an endless loop may fill a list. */
const MEMORY = 1500

interface Site extends FaultSite {
  /** Of the source, from the top of the project. */
  readonly path: string
}

interface Planted extends Omit<Site, 'planted'> {
  /** The test that noticed the fault; null for none. */
  readonly noticed: string | null
}

/** How the tests fared: the milliseconds of each file that passed, and the test that failed, or null. */
interface Run {
  readonly took: ReadonlyMap<string, number>
  readonly failed: string | null
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    in: { type: 'string', default: 'change,document' },
    at: { type: 'string' },
    tests: { type: 'string', default: TESTS },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
/** The program that runs now, to be stopped with this one. */
let running: ChildProcess | null = null
if (values.help) process.stdout.write(HELP)
else await plantAll()

async function plantAll(): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'planted-faults-'))
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (running === null) process.exit(130)
      // The runner stops what it started.
      running.on('close', () => process.exit(130)).kill('SIGTERM')
    })
  }
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (path) => !LEFT_OUT.some((name) => path === join(ROOT, name)),
  })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'dir')

  const sites = chosenSites(copy)
  const stages = await measureStages(copy)
  if (stages === null) return
  const results: Planted[] = []
  for (const { planted, ...site } of sites) {
    const file = join(copy, site.path)
    const own = readFileSync(file, 'utf8')
    writeFileSync(file, planted)
    const noticed = await firstFailure(copy, stages(site.path))
    writeFileSync(file, own)
    results.push({ ...site, noticed })
    console.log(
      `${noticed === null ? 'NOT NOTICED' : 'noticed    '}  ${site.path}:${site.line}  ${site.turned}:  ${short(site.expression)}${noticed === null ? '' : `  by ${noticed}`}`,
    )
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)
  console.log(
    `${results.filter(({ noticed }) => noticed !== null).length} of ${results.length} faults noticed`,
  )
}

/** The faults to plant, in the order in which they are planted. */
function chosenSites(copy: string): readonly Site[] {
  const sites = allSites(copy, values.in.split(','))
  if (values.at !== undefined) {
    const places = values.at.split(',')
    return sites.filter(({ path, line }) => places.includes(`${path}:${line}`))
  }
  const random = createRandom(Number(values.seed))
  console.log(`seed ${values.seed}; ${sites.length} places`)
  const count = Math.min(Number(values.count), sites.length)
  return Array.from({ length: count }, () => sites.splice(Math.floor(random() * sites.length), 1)).flat()
}

function allSites(copy: string, folders: readonly string[]): Site[] {
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

/** Test files to run together, and the milliseconds that they may take. */
interface Stage {
  readonly files: readonly string[]
  readonly limit: number
  /** Whether they start what is built. */
  readonly needsBuild: boolean
}

/** Runs the tests without a fault; for the path of a source, the stages in which they run then. Null when a test fails. */
async function measureStages(copy: string): Promise<((path: string) => readonly Stage[]) | null> {
  await build(copy)
  const { took, failed } = await runTests(copy, values.tests.split(','), 600_000)
  if (failed !== null) {
    console.log(`the tests fail without a fault: ${failed}`)
    process.exitCode = 1
    return null
  }
  const importsOf = await readImports(copy, [...took.keys()])
  console.log(
    `without a fault ${took.size} test files pass, in ${Math.round(sum([...took.values()]) / 1000)} s of all together`,
  )
  return (path) => {
    const folder = dirname(path).slice('src/'.length)
    const near = (file: string): Near => {
      if (!importsOf(file).has(path)) return PURE.test(file) ? 'unconcerned' : 'by command'
      return dirname(file) === folder ? 'same folder' : PURE.test(file) ? 'pure' : 'others'
    }
    return NEAR.flatMap((each) => {
      const files = [...took.keys()].filter((file) => near(file) === each)
      const limit = Math.max(LEAST_LIMIT, PATIENCE * sum(files.map((file) => took.get(file) ?? 0)))
      return files.length === 0 ? [] : [{ files, limit, needsBuild: each === 'by command' }]
    })
  }
}

/** Tests that start no command. */
const PURE = /^(?:change|document)\//
/** How near a test file is to a fault; the nearest run first, and those that cannot notice it do not. */
const NEAR = ['same folder', 'pure', 'others', 'by command'] as const
type Near = (typeof NEAR)[number] | 'unconcerned'

/** For each test file, the files that it imports, directly or not; all from the top of the project. */
async function readImports(
  copy: string,
  files: readonly string[],
): Promise<(file: string) => ReadonlySet<string>> {
  const { metafile } = await bundle({
    ...BUNDLE,
    absWorkingDir: copy,
    entryPoints: files.map((file) => `test/${file}`),
    outdir: 'never-written',
    packages: 'external',
    write: false,
    metafile: true,
  })
  return (file) => {
    const found = new Set([`test/${file}`])
    for (const path of found)
      for (const imported of metafile.inputs[path]?.imports ?? []) found.add(imported.path)
    return found
  }
}

/** Runs the stages until a test fails; which one, or null. */
async function firstFailure(copy: string, stages: readonly Stage[]): Promise<string | null> {
  for (const stage of stages) {
    if (stage.needsBuild && !(await build(copy))) return 'the build'
    const { failed } = await runTests(copy, stage.files, stage.limit)
    if (failed !== null) return failed
  }
  return null
}

async function build(copy: string): Promise<boolean> {
  return (await run(copy, ['.build/build.ts'])).code === 0
}

async function runTests(copy: string, files: readonly string[], limit: number): Promise<Run> {
  const { code, stdout } = await run(copy, ['test/run.ts', ...files, '--bail', '--timeout', String(limit)])
  const passed = stdout.matchAll(/^ok +(\S+).* (\d+) ms$/gm)
  const took = new Map([...passed].map(([, file = '', milliseconds]) => [file, Number(milliseconds)]))
  if (code === 0) return { took, failed: null }
  const [, file = 'the runner', why = ''] = /^FAIL +(\S+) .*?: (.*)$/m.exec(stdout) ?? []
  const title = /^ +FAIL .*?(".*")$/m.exec(stdout)?.[1]
  return { took, failed: `${file} ${title ?? why}` }
}

async function run(copy: string, args: readonly string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', ...args], {
    cwd: copy,
    env: { ...process.env, NODE_OPTIONS: `--max-old-space-size=${MEMORY}` },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  running = child
  const closed = new Promise<number | null>((done) => child.on('close', done))
  const stdout = await text(child.stdout)
  const code = await closed
  running = null
  return { code, stdout }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/** One line of at most 70 characters. */
function short(expression: string): string {
  const line = expression.replaceAll(/\s+/g, ' ')
  return line.length > 70 ? `${line.slice(0, 69)}…` : line
}
