import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toSourcePlaces } from './source-places.js'

/** How a test file fared. It is fine when there is no fault. */
export interface Verdict {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Why the file as a whole is not fine, in words. */
  readonly faults: readonly string[]
  /** All that it printed. */
  readonly output: string
  /** In milliseconds; null when it did not end. */
  readonly milliseconds: number | null
}

interface Ending {
  readonly output: string
  readonly code: number | null
  readonly late: boolean
}

/** The program that runs test files, and what it prints before and after each. */
const RUN_FILES = fileURLToPath(new URL('run-files.mjs', import.meta.url))
const BEGINS = '\0file\n'
const ENDS = /\0(\d+) ms\n/

/** Kept until they end, so that an interrupted run leaves nothing behind. */
const groups = new Set<number>()
process.on('exit', () => {
  for (const group of groups) killGroup(group)
})

/** A file of uvu tests, and what it was compiled to. */
export interface TestFile {
  readonly path: string
  readonly program: string
}

/**
 * Runs files of uvu tests in one process, one after the other; judges what each printed and how it is written.
 *
 * @param limit how long all of them together may take, in milliseconds
 */
export async function runTestFiles(files: readonly TestFile[], limit: number): Promise<readonly Verdict[]> {
  const { output, code, late } = await runToItsEnd([RUN_FILES, ...files.map(({ program }) => program)], limit)
  const parts = output.split(BEGINS).slice(1)
  return files.map(({ path }, place) => {
    const faults: string[] = []
    if (parts.length === 0 || place === parts.length - 1) {
      if (late) faults.push(`it did not end within ${limit} ms`)
      else if (code !== 0) faults.push(`it ended with exit code ${code}`)
    }
    return judge(path, parts[place] ?? '', faults)
  })
}

/** @param ending what is wrong with how its process ended */
function judge(path: string, output: string, ending: readonly string[]): Verdict {
  const { total, passed, skipped } = summaryOf(output)
  const faults = [...ending]
  if (total === null) faults.push('it ended without a summary of its tests')
  if (total === 0) faults.push('it has no test, or lacks its .run()')
  // uvu swallows what a before() or an after() throws: the tests behind it are missing from the count, and nothing else.
  if (passed < (total ?? 0)) faults.push(`${(total ?? 0) - passed} of its tests did not pass`)
  if (skipped > 0) faults.push(`${skipped} of its tests are skipped`)
  faults.push(...formFaults(readFileSync(path, 'utf8')))
  const failed = Math.max((total ?? 0) - passed, faults.length > 0 ? 1 : 0)
  const took = ENDS.exec(output)?.[1]
  const milliseconds = took === undefined ? null : Number(took)
  const printed = output.replace(ENDS, '')
  const shown = faults.length > 0 ? toSourcePlaces(printed) : printed
  return { passed, failed, skipped, faults, output: shown, milliseconds }
}

/** The numbers that uvu prints last; none at all when no module of uvu got to its end. */
function summaryOf(output: string): { total: number | null; passed: number; skipped: number } {
  const pattern = /.*\n {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)\n {2}Duration:/s
  const summary = pattern.exec(output)
  if (summary === null) return { total: null, passed: 0, skipped: 0 }
  const [total = 0, passed = 0, skipped = 0] = summary.slice(1).map(Number)
  return { total, passed, skipped }
}

/**
 * What uvu does not tell: a test that stands behind its `.run()`, or whose suite has none, is never run; a `.only` that
 * takes nothing away is not counted as skipping.
 */
export function formFaults(text: string): string[] {
  const faults: string[] = []
  if (/^[ \t]*\w+\.only\(/m.test(text)) faults.push('it has an .only')
  for (const name of testNames(text)) {
    const tests = [...text.matchAll(new RegExp(`^[ \\t]*${name}(\\.only|\\.skip)?\\(`, 'gm'))]
    const lastTest = tests.at(-1)?.index ?? -1
    const lastRun = text.lastIndexOf(`${name}.run()`)
    if (lastRun < lastTest) faults.push(`it lacks ${name}.run() behind its last ${name}(…)`)
  }
  return faults
}

/** The names under which a file declares tests: `test` itself, and each of its suites. */
function testNames(text: string): string[] {
  const named = [...text.matchAll(/^(?:export )?const (\w+)(?::[^=]+)? = suite\b/gm)].map(
    ([, name = '']) => name,
  )
  return /^import .*\btest\b.* from '(?:uvu|.*support\/test\.js)'/m.test(text) ? ['test', ...named] : named
}

function runToItsEnd(words: readonly string[], limit: number): Promise<Ending> {
  return new Promise((resolve, reject) => {
    // What looks for `node` by its name, such as npm, gets the one that runs the tests.
    const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`
    // Without colours the summary can be read; a group of its own lets its children be killed with it.
    const env = { ...process.env, PATH, NO_COLOR: '1', FORCE_COLOR: undefined }
    const child = spawn(process.execPath, words, {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const group = child.pid ?? 0
    if (group !== 0) groups.add(group)
    let output = ''
    let late = false
    const take = (text: string) => {
      output += text
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    const timer = setTimeout(() => {
      late = true
      killGroup(group)
    }, limit)
    child.on('error', reject)
    // What it leaves behind would hold its output open, and the run with it.
    child.on('exit', () => {
      killGroup(group)
      setTimeout(() => [child.stdout, child.stderr].map((stream) => stream.destroy()), 5_000).unref()
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      groups.delete(group)
      resolve({ output, code, late })
    })
  })
}

function killGroup(group: number): void {
  try {
    if (group !== 0) process.kill(-group, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
