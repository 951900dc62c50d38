import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import packageJson from '../../package.json' with { type: 'json' }
import { runProgram } from '../../src/cli/program.js'
import { createTerminal } from '../../src/cli/terminal.js'
import { toShellWord } from '../../src/review/shell-word.js'
import { eventually } from '../support/eventually.js'
import { createLargeFolder, type MenusFolder } from '../support/menus-folder.js'
import { type Running, runProcess, type StartOptions, startProcess } from '../support/process.js'

/** What starts the command as `npm run build` makes it, wherever the child's folder is. */
export const PROGRAM: readonly string[] = [fileURLToPath(new URL('../../dist/cli.js', import.meta.url))]

/** What a command answered. */
export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The variables that a command takes from what it is given; all others are those of its process. */
const GIVEN = /^(MENUSCRIPT_|PORT$|GITHUB_|CI_)/

/** Runs `menuscript` to its end as a process of its own: for what only a process has. */
export function menuscriptProcess(args: readonly string[], options: StartOptions = {}): Promise<Outcome> {
  return runProcess('node', [...PROGRAM, ...args], withCleanEnvironment(options))
}

/**
 * Runs `menuscript` to its end, for what it answers: in this process, in a twentieth of the time, unless it serves or
 * other variables are set than those that a command is given.
 */
export async function menuscript(args: readonly string[], options: StartOptions = {}): Promise<Outcome> {
  const { cwd = process.cwd(), env = {} } = options
  const isGiven = Object.keys(env).every((name) => GIVEN.test(name))
  if (args[0] === 'serve' || !isGiven) return menuscriptProcess(args, options)
  const [out, err] = [createOutput(), createOutput()]
  const context = {
    terminal: createTerminal(out.stream, err.stream),
    folder: realpathSync(cwd),
    environment: withoutUndefined({ ...process.env, ...withoutOptions(), ...env }),
    version: packageJson.version,
    programFile: PROGRAM[0] ?? '',
  }
  const code = await runProgram(context, args)
  return { code, stdout: out.text(), stderr: err.text() }
}

/** A stream that keeps what is written to it. */
function createOutput(): { readonly stream: NodeJS.WriteStream; readonly text: () => string } {
  const chunks: Uint8Array[] = []
  const stream = new Writable({
    write: (chunk: Uint8Array, _, done) => {
      chunks.push(chunk)
      done()
    },
  })
  return { stream: stream as NodeJS.WriteStream, text: () => Buffer.concat(chunks).toString('utf8') }
}

/** Starts `menuscript` and does not wait for its end. */
export function startMenuscript(args: readonly string[], options: StartOptions = {}): Running {
  return startProcess('node', [...PROGRAM, ...args], withCleanEnvironment(options))
}

/** Runs `menuscript` in a folder with these files, which goes with it. */
export async function menuscriptOn(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  options: StartOptions = {},
): Promise<Outcome> {
  const folder = createLargeFolder(files)
  const outcome = await menuscript(args, { ...options, cwd: folder.dir })
  folder.close()
  return outcome
}

/** A service that was started by the command, and has said where it listens. */
export interface Service extends Running {
  readonly url: string
  readonly folder: MenusFolder
}

/** Serves a folder with these files on a free port while the test runs; service and folder are gone behind it. */
export async function serving(
  files: Readonly<Record<string, string>>,
  test: (service: Service) => Promise<void>,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: StartOptions['env'] } = {},
): Promise<void> {
  const folder = createLargeFolder(files)
  const child = startMenuscript(['serve', '--port', '0', ...args], { cwd: folder.dir, env: { ...env } })
  try {
    const [, url = ''] = await child.waitFor(/^listening on (\S+)$/m)
    await test({ ...child, url, folder })
  } finally {
    await child.stop()
    folder.close()
  }
}

function withCleanEnvironment(options: StartOptions): StartOptions {
  return { ...options, env: { ...withoutOptions(), ...options.env } }
}

/** Removes options from an environment: those of the person who runs the tests would apply to the tests. */
export function withoutOptions(): Readonly<Record<string, undefined>> {
  const names = Object.keys(process.env).filter((name) => name === 'PORT' || name.startsWith('MENUSCRIPT_'))
  return Object.fromEntries(names.map((name) => [name, undefined]))
}

function withoutUndefined(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined))
}

/** A small menu file: a code, and a name that tells its versions apart. */
export function menuText(code: string, name: string = code): string {
  return `version: 1\ncode: ${code}\nname: ${name}\nitems:\n  - label: ${name}\n    url: /${code}\n`
}

/** Answers prompts on a terminal of its own, by `script` of util-linux; gives the exit code and all that the terminal showed. */
export async function onTerminal(
  cwd: string,
  args: readonly string[],
  prompt: RegExp,
  answers: readonly string[],
): Promise<string> {
  const quoted = [process.execPath, ...PROGRAM, ...args].map(toShellWord).join(' ')
  const child = spawn('script', ['-qec', quoted, '/dev/null'], {
    cwd,
    env: { ...process.env, ...withoutOptions() },
  })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  const ended = once(child, 'close')
  for (const [at, answer] of answers.entries()) {
    await eventually(() => assert.is(shown.split(prompt).length, at + 2))
    child.stdin.write(answer)
  }
  const [code] = await ended
  return `${code} ${shown}`
}
