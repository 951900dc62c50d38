import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** A child process under test. */
export interface Running {
  readonly pid: number
  readonly stdout: () => string
  readonly stderr: () => string
  /** Resolves when it has ended: its exit code, or null and the signal. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  /** Waits for a text on stdout or stderr and gives the match; throws with all output when the process ends first. */
  readonly waitFor: (pattern: RegExp, options?: { readonly within?: number }) => Promise<RegExpExecArray>
  readonly send: (signal: NodeJS.Signals) => void
  /** Asks it to end (SIGTERM), waits for that, and kills it after a minute. Answers its exit code. */
  readonly stop: () => Promise<number | null>
}

export interface StartOptions {
  readonly cwd?: string
  /** Laid over the environment of the test; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Written to its stdin, which is closed then. */
  readonly input?: string
}

/** What ends at the latest with the test file, even if the file crashes. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts a program; `node` is the one that runs the tests.
 *
 * @example
 * const server = startProcess('node', ['dist/cli.js', 'serve', '--port', '0'], { cwd: folder.dir })
 * const [, url] = await server.waitFor(/listening on (\S+)/)
 */
export function startProcess(command: string, args: readonly string[], options: StartOptions = {}): Running {
  const program = command === 'node' ? process.execPath : command
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...options.env }
  const child = spawn(program, args, { env, ...(options.cwd !== undefined && { cwd: options.cwd }) })
  running.add(child)
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  // A program that ends without reading its input is no fault of the test.
  child.stdin.on('error', () => {}).end(options.input ?? '')
  let over = false
  const ended: Running['ended'] = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      over = true
      running.delete(child)
      resolve({ code, signal })
    })
  })
  // Whoever waits hears of it; nobody has to.
  ended.catch(() => {})
  const waitFor: Running['waitFor'] = async (pattern, { within = 60_000 } = {}) => {
    const deadline = performance.now() + within
    for (;;) {
      const last = over || performance.now() >= deadline
      const found = pattern.exec(out) ?? pattern.exec(err)
      if (found !== null) return found
      if (last) throw new Error(`${over ? 'It ended' : 'Time is up'} without ${pattern}.\n${out}\n${err}`)
      await sleep(10)
    }
  }
  const stop = async () => {
    child.kill('SIGTERM')
    const patience = setTimeout(() => child.kill('SIGKILL'), 60_000)
    const { code } = await ended.finally(() => clearTimeout(patience))
    return code
  }
  const send = (signal: NodeJS.Signals) => void child.kill(signal)
  return { pid: child.pid ?? -1, stdout: () => out, stderr: () => err, ended, waitFor, send, stop }
}

/** Runs a program to its end and gives what it said. */
export async function runProcess(
  command: string,
  args: readonly string[],
  options: StartOptions = {},
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = startProcess(command, args, options)
  const { code } = await child.ended
  return { code, stdout: child.stdout(), stderr: child.stderr() }
}
