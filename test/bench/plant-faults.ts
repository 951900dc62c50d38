import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build as bundle } from 'esbuild'
import { BUNDLE } from '../../.build/bundle.js'
import { createRandom } from '../cli/planting.js'
import { compileTests } from '../support/compile-tests.js'
import { runTestFiles } from '../support/test-file.js'
import { type FaultSite, faultSites, withFaults } from './fault-sites.js'

const TESTS =
  'change/,document/,review/,hostile/yaml/suite,hostile/yaml/scalars,hostile/yaml/naive-yaml,cli/merge,cli/diff,cli/lint-fix'
const HELP = `Usage: node --import tsx test/bench/plant-faults.ts [options]

Plants small faults at random in a copy of the project, one at a time, and runs the tests that should notice it, until one
fails: those of the same folder, then the others that import the faulted file, then those that start the command.

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
/** What the build runs instead of the tests: the schema compiler, whose code they get. */
const BUILD_ONLY = ['src/document/read/ajv.ts', 'src/document/read/validators.ts']
/** How many times as long as without a fault tests may take, and how many milliseconds in any case: a fault may make a loop endless. */
const PATIENCE = 4
const LEAST_LIMIT = 20_000
/** Megabytes for a process: an endless loop may fill a list. */
const MEMORY = 1500

interface Site extends FaultSite {
  /** Of the source, from the top of the project. */
  readonly path: string
}

/** A test file, how long it takes without a fault, in milliseconds, and the files that it imports, directly or not. */
interface TestFile {
  /** Within `test/`. */
  readonly name: string
  readonly path: string
  readonly program: string
  readonly took: number
  readonly imports: ReadonlySet<string>
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
if (values.help) process.stdout.write(HELP)
else await plantAll()

async function plantAll(): Promise<void> {
  const copy = copyOfProject()
  process.env['NODE_OPTIONS'] = `--max-old-space-size=${MEMORY}`
  const sites = chosenSites(copy)
  plantSwitches(copy, sites)
  const tests = await measureTests(copy, new Set(sites.map(({ path }) => path)))
  if (tests === null) {
    process.exitCode = 1
    return
  }
  const results: unknown[] = []
  let count = 0
  for (const [number, { path, line, turned, before }] of sites.entries()) {
    process.env['PLANTED_FAULT'] = String(number)
    const noticed = await firstFailure(path, tests)
    if (noticed !== null) count++
    results.push({ path, line, turned, before, noticed })
    console.log(
      `${noticed === null ? 'NOT NOTICED' : 'noticed'}  ${path}:${line}  ${turned}:  ${short(before)}${noticed === null ? '' : `  by ${noticed}`}`,
    )
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)
  console.log(`${count} of ${sites.length} faults noticed`)
}

/** A copy that goes with this process, together with the tests that run. */
function copyOfProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'planted-faults-'))
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (path) => !LEFT_OUT.some((name) => path === join(ROOT, name)),
  })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'dir')
  return copy
}

/** The faults to plant, in the order in which they are planted. */
function chosenSites(copy: string): readonly Site[] {
  const all = values.in.split(',').flatMap((folder) =>
    filesIn(join(copy, 'src', folder), '.ts')
      .map((name) => `src/${folder}/${name}`)
      .filter((path) => !BUILD_ONLY.includes(path))
      .flatMap((path) =>
        faultSites(readFileSync(join(copy, path), 'utf8')).sites.map((site) => ({ ...site, path })),
      ),
  )
  if (values.at !== undefined) {
    const places = values.at.split(',')
    return all.filter(({ path, line }) => places.includes(`${path}:${line}`))
  }
  const random = createRandom(Number(values.seed))
  console.log(`seed ${values.seed}; ${all.length} places`)
  const count = Math.min(Number(values.count), all.length)
  return Array.from({ length: count }, () => all.splice(Math.floor(random() * all.length), 1)).flat()
}

/** Writes all faults into the sources at once, so that these are compiled once; a variable chooses one. */
function plantSwitches(copy: string, sites: readonly Site[]): void {
  for (const path of new Set(sites.map((site) => site.path))) {
    const here = new Map([...sites.entries()].filter(([, site]) => site.path === path))
    const file = join(copy, path)
    writeFileSync(file, withFaults(faultSites(readFileSync(file, 'utf8')).code, here))
  }
}

/** Runs without a fault the tests that may notice one in these sources; null when one fails. */
async function measureTests(copy: string, sources: ReadonlySet<string>): Promise<readonly TestFile[] | null> {
  const build = spawnSync(process.execPath, ['--import', 'tsx', '.build/build.ts'], { cwd: copy })
  if (build.status !== 0) throw new Error(`The build fails: ${build.stderr}`)
  const [dir, parts] = [join(copy, 'test'), values.tests.split(',')]
  const wanted = filesIn(dir, '.test.ts').filter((name) => parts.some((part) => name.includes(part)))
  const importsOf = await readImports(copy, wanted)
  const names = wanted.filter(
    (name) => !isPure(name) || [...importsOf(name)].some((each) => sources.has(each)),
  )
  const programs = await compileTests(dir, [...names, ...filesIn(dir, '.program.ts')])
  const tests: TestFile[] = []
  for (const name of names) {
    const file = { path: join(dir, name), program: programs.get(name) ?? '' }
    const [verdict] = await runTestFiles([file], 600_000)
    if (verdict === undefined || verdict.faults.length > 0) {
      console.log(`${name} fails without a fault:\n${verdict?.output}`)
      return null
    }
    tests.push({ ...file, name, took: verdict.milliseconds ?? 0, imports: importsOf(name) })
  }
  const milliseconds = tests.reduce((total, { took }) => total + took, 0)
  console.log(`without a fault ${tests.length} test files pass, in ${Math.round(milliseconds / 1000)} s`)
  return tests.sort((a, b) => a.took - b.took)
}

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

/** Runs the tests that may notice a fault in a source, the nearest and quickest first, until one fails; which one, or null. */
async function firstFailure(source: string, tests: readonly TestFile[]): Promise<string | null> {
  const folder = dirname(source).slice('src/'.length)
  const importing = tests.filter(({ imports }) => imports.has(source))
  const near = importing.filter(({ name }) => dirname(name) === folder)
  const pure = importing.filter((test) => !near.includes(test) && isPure(test.name))
  const others = tests.filter((test) => !near.includes(test) && !isPure(test.name))
  for (const { name, took, ...file } of [...near, ...pure, ...others]) {
    const [verdict] = await runTestFiles([file], Math.max(LEAST_LIMIT, PATIENCE * took))
    if (verdict === undefined || verdict.faults.length === 0) continue
    const title = /^ +FAIL .*?(".*")$/m.exec(verdict.output)?.[1]
    return `${name} ${title ?? verdict.faults[0]}`
  }
  return null
}

/** Whether a test file only computes, and starts no command. */
function isPure(name: string): boolean {
  return /^(?:change|document)\//.test(name)
}

/** The files below a folder whose names end so, relative to it, in a fixed order. */
function filesIn(dir: string, ending: string): string[] {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith(ending) && !name.includes('node_modules')).sort()
}

/** One line of at most 70 characters. */
function short(expression: string): string {
  const line = expression.replaceAll(/\s+/g, ' ')
  return line.length > 70 ? `${line.slice(0, 69)}…` : line
}
