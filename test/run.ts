import { existsSync, readdirSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compileTests } from './support/compile-tests.js'
import { prepareChromium } from './support/install-chromium.js'
import { runTestFiles, type Verdict } from './support/test-file.js'

const HELP = `Usage: node --import tsx test/run.ts [FILTER...] [options]

Runs test/**/*.test.ts with uvu in processes, two of test/browser/ and two others at once, and four others when the former are
through; the files of a folder share one, up to six, but most of test/hostile/, test/store/git/ and test/store/publish/ have
their own. Those that end in .waiting.test.ts, which need next to no processor, run beside them, two at once, and those that
end in .alone.test.ts afterwards, one by one.
A FILTER is a part of a path; a file runs when it has one of them.
A file fails when a test of it fails or is skipped, and when it has no test, no .run(), an .only, or does not end.

  --no-browser   leave out test/browser/, which needs a Chromium: that of CHROME_PATH or an installed one;
                 as root, where there is apt-get, it is installed
  --dir DIR      the folder to look in (default: the one of this program)
  --bail         stop at the first file that fails; those that run then still end
  --long         the long sizes of those tests that have one, which takes hours
  --timeout MS   how long one process may take (default: 600000; with --long 7200000)
  --help         this text

What tests measured ("figure: NAME VALUE (goal GOAL)") is listed before the last line, as a table; a seed in it repeats
what was done, by MENUSCRIPT_SEED. The last line is "N passed, N failed, N skipped". Exit codes: 0 all passed, 1 not, 2 usage.
`

/** Processes at once, on two cores: of those with a browser and of those after them, of the others, and of those that mostly wait. */
const AT_ONCE = 2
/** Folders whose files share processes, because they change nothing of theirs: to start and to warm up one takes a second. */
const SHARING =
  /^(?:(?:browser|change|cli|client|config|dashboard|deploy|document|http|model|nunjucks|package|readme|render|review|service|web)\/|store\/(?!git|publish)|hostile\/yaml\/(?:scalars|script-json|strings|suite))/
/** Files that share one process: more of them would keep the other cores waiting, and make git slower to start from it. */
const MOST_TOGETHER = 6
/** Not tests: what tests read, and what measures. */
const EXCLUDED = ['fixtures', 'bench', 'node_modules']

const total = { passed: 0, failed: 0, skipped: 0 }
const figures: string[] = []

// An interrupted run ends by `exit`, where the files that still run are killed.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

interface Wish {
  readonly dir: string
  readonly filters: readonly string[]
  readonly limit: number
  readonly browser: boolean
  readonly bail: boolean
}

const wish = parseWish()
if (wish !== null) await runAll(wish)

/** What was asked for on the command line; null when that was help, or is not understood. */
function parseWish(): Wish | null {
  try {
    const { values, positionals: filters } = parseArgs({
      allowPositionals: true,
      options: {
        'no-browser': { type: 'boolean', default: false },
        dir: { type: 'string', default: dirname(fileURLToPath(import.meta.url)) },
        bail: { type: 'boolean', default: false },
        long: { type: 'boolean', default: false },
        timeout: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.long) process.env['MENUSCRIPT_LONG'] = '1'
    const limit = Number(values.timeout ?? (values.long ? '7200000' : '600000'))
    if (!Number.isInteger(limit) || limit <= 0) throw new Error('--timeout needs a number of milliseconds.')
    if (!values.help)
      return { dir: resolve(values.dir), filters, limit, browser: !values['no-browser'], bail: values.bail }
    process.stdout.write(HELP)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${HELP}`)
    process.exitCode = 2
  }
  return null
}

async function runAll({ dir, filters, limit, browser, bail }: Wish): Promise<void> {
  const every = filesIn(dir, '.test.ts')
  const meets = (path: string, filter: string) =>
    path.includes(filter) || fromHere(dir, path).includes(filter)
  if (every.length === 0) fault(`There is no test file in ${dir}.`)
  for (const filter of filters) {
    if (!every.some((path) => meets(path, filter))) fault(`No test file has ${filter} in its path.`)
  }
  const wanted = every.filter((path) => filters.length === 0 || filters.some((filter) => meets(path, filter)))
  const inBrowser = wanted.filter((path) => path.startsWith('browser/'))
  if (inBrowser.length > 0 && !browser) say(`left out by --no-browser: ${inBrowser.length} files`)
  const runsBrowser = inBrowser.length > 0 && browser && hasChromium()
  const chosen = runsBrowser ? wanted : wanted.filter((path) => !inBrowser.includes(path))
  const isAlone = (path: string) => path.endsWith('.alone.test.ts')
  const isWaiting = (path: string) => path.endsWith('.waiting.test.ts')
  const programs = await compileTests(dir, [...chosen, ...filesIn(dir, '.program.ts')])
  const run = async (paths: readonly string[]) => {
    if (bail && total.failed > 0) return
    const files = paths.map((path) => ({ path: resolve(dir, path), program: programs.get(path) as string }))
    for (const [place, verdict] of (await runTestFiles(files, limit)).entries())
      report(paths[place] as string, verdict)
  }
  const oneByOne = (paths: readonly string[]) => paths.map((path) => [path])
  const busy = chosen.filter((path) => !isAlone(path) && !isWaiting(path))
  const withBrowser = together(busy.filter((path) => inBrowser.includes(path)))
  const others = together(busy.filter((path) => !inBrowser.includes(path)))
  // Those with a browser end long before the others, which half of the time wait for something: two more of them fill the cores.
  const lanes = [[oneByOne(chosen.filter(isWaiting))], [withBrowser, others], [others]]
  await Promise.all(lanes.map((queues) => inTurn(queues, AT_ONCE, run)))
  await inTurn([oneByOne(chosen.filter(isAlone))], 1, run)
  sayFigures()
  const { passed, failed, skipped } = total
  say(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  // Fine only when that is certain: a number that is none would be neither above nor below.
  process.exitCode = passed > 0 && failed === 0 && skipped === 0 ? 0 : 1
}

/** Makes a Chromium ready before any file runs, so that two of them do not both install one; tells the files which. */
function hasChromium(): boolean {
  try {
    process.env['CHROME_PATH'] = prepareChromium()
    return true
  } catch (error) {
    fault((error as Error).message)
    return false
  }
}

/** The files of a folder whose names end so, relative to it, with `/`, in a fixed order. */
function filesIn(dir: string, ending: string): string[] {
  if (!existsSync(dir)) return []
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith(ending) && !path.split('/').some((part) => EXCLUDED.includes(part)))
    .sort()
}

/** The path as the shell completes it from where one stands. */
function fromHere(dir: string, path: string): string {
  return relative(process.cwd(), resolve(dir, path)).split(sep).join('/')
}

/** Files that change nothing of their process share one, those of a folder; any other has its own. */
function together(paths: readonly string[]): (readonly string[])[] {
  const groups = new Map<string, string[]>()
  for (const path of paths) {
    const name = SHARING.test(path) ? dirname(path) : path
    groups.set(name, [...(groups.get(name) ?? []), path])
  }
  // What takes longest is not begun last.
  return [...groups.values()].flatMap(inParts).sort((a, b) => b.length - a.length)
}

/** Divides a list into equal parts that are not too long. */
function inParts<T>(all: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(all.length / MOST_TOGETHER)
  const from = (part: number) => Math.round((part * all.length) / count)
  return Array.from({ length: count }, (_, part) => all.slice(from(part), from(part + 1)))
}

/** Runs what queues have, the first of them first; others may take from them, too. */
async function inTurn<T>(queues: readonly T[][], atOnce: number, run: (one: T) => Promise<void>) {
  const next = () => queues.find(({ length }) => length > 0)?.shift()
  const worker = async () => {
    for (let one = next(); one !== undefined; one = next()) await run(one)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

function report(path: string, verdict: Verdict): void {
  const { passed, failed, skipped, faults, output, milliseconds } = verdict
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
  figures.push(...output.split('\n').filter((line) => line.startsWith('figure: ')))
  const counts = `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`
  const fine = faults.length === 0
  say(
    `${fine ? 'ok  ' : 'FAIL'}  ${path}  ${counts}  ${milliseconds ?? '…'} ms${fine ? '' : `: ${faults.join('; ')}`}`,
  )
  if (!fine) say(output.trimEnd().replace(/^/gm, '      '))
}

/** The figures as a table of Markdown. */
function sayFigures(): void {
  if (figures.length === 0) return
  say('\n| figure | reached | goal |\n|---|---|---|')
  for (const line of [...figures].sort()) {
    const [, name = line, reached = '', goal = ''] = /^figure: (.*?): (.*) \(goal (.*)\)$/.exec(line) ?? []
    say(`| ${name.replace(/^figure: /, '')} | ${reached} | ${goal} |`)
  }
  say('')
}

function fault(what: string): void {
  total.failed++
  say(`FAIL  ${what}`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
