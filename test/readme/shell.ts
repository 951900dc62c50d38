import * as assert from 'uvu/assert'
import { npmEnvironment } from '../package/project.js'
import { get, type HttpAnswer } from '../support/http.js'
import { type Running, runProcess, startProcess } from '../support/process.js'
import { CLI } from './readme.js'

interface CommandLine {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** A line such as `MENUSCRIPT_LOCALES=en,es menuscript serve`. */
function parseLine(line: string): CommandLine {
  const words = [...line.trim().matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
  const start = words.findIndex((word) => !/^[A-Z_]+=/.test(word))
  assert.is(words[start], 'menuscript', `${line} does not run menuscript`)
  const env = Object.fromEntries(words.slice(0, start).map((word) => word.split('=')))
  return { args: [CLI, ...words.slice(start + 1)], env }
}

/** Runs a `menuscript` line of our pages to its end. */
export function runMenuscript(line: string, cwd: string): ReturnType<typeof runProcess> {
  const { args, env } = parseLine(line)
  return runProcess('node', args, { cwd, env })
}

/** Runs `menuscript serve` as our pages write it, on a free port; `use` gets its address. */
export async function withServer(
  line: string,
  cwd: string,
  use: (address: string, server: Running) => Promise<void>,
): Promise<void> {
  const { args, env } = parseLine(line)
  const server = startProcess('node', args, { cwd, env: { ...env, PORT: '0' } })
  try {
    const [, address = ''] = await server.waitFor(/listening on (\S+)/)
    await use(address, server)
  } finally {
    await server.stop()
  }
}

/** Runs a block of shell as it stands. */
export async function runShell(text: string, cwd: string): Promise<string> {
  const { code, stdout, stderr } = await runProcess('bash', ['-euc', text], { cwd, env: npmEnvironment() })
  assert.is(code, 0, `${text}\n${stdout}${stderr}`)
  return stdout
}

/** Sends what a `curl` line says to the server at `address`; the options are those that our pages use. */
export function curl(line: string, address: string): Promise<HttpAnswer> {
  const [program, ...words] = [...line.trim().matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  )
  assert.is(program, 'curl')
  const headers: string[] = ['Host', new URL(address).host]
  const data: string[] = []
  let url = ''
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-s' || word === '-G') continue
    if (word === '-H') headers.push(...(words.shift() ?? '').split(': '))
    else if (word === '--data-urlencode') data.push(toData(words.shift() ?? ''))
    else if (word.startsWith('http://127.0.0.1:4400/') && url === '') url = word
    else throw new Error(`curl of the tests does not know ${word}`)
  }
  assert.is(data.length > 0, /(^| )-G( |$)/.test(line), 'curl sends data as a query with -G only')
  const { pathname, search } = new URL(url)
  const query = data.length === 0 ? search : `?${data.join('&')}`
  return get(address, { target: pathname + query, headers })
}

function toData(text: string): string {
  const equals = text.indexOf('=')
  return `${text.slice(0, equals)}=${encodeURIComponent(text.slice(equals + 1))}`
}

/** The JSON of a block without the line breaks that are there for its readers. */
export function compact(json: string): string {
  return JSON.stringify(JSON.parse(json))
}
