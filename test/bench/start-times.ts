import { spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createRepository } from '../support/repository.js'
import { openReport } from './report.js'
import { compareRounds, type Round } from './rounds.js'

const HELP = `Usage: node --import tsx test/bench/start-times.ts [--rounds N] [DIST...]

Starts each quick command N times (default: 20) from each folder DIST (default: dist) in turn, over the example menus,
and prints the median processor time, with that of the programs that it starts, beside that of node by itself. For "serve" it is the time from the start to the end, which comes as soon as it listens. Needs bash.
`
const ROOT = join(import.meta.dirname, '../..')
const BASE =
  'version: 1\ncode: m\nname: M\nitems:\n  - { label: One, url: /one }\n  - { label: Two, url: /two }\n'

/** The words behind the program, by what is measured. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  '--version': ['--version'],
  '--help': ['--help'],
  list: ['list'],
  lint: ['lint'],
  'merge-driver, clean': ['merge-driver', 'base', 'clean', 'theirs', 'menus/m.yaml'],
  'merge-driver, conflict': ['merge-driver', 'base', 'conflict', 'theirs', 'menus/m.yaml'],
  serve: ['serve', '--port', '0'],
  diff: ['diff'],
}
/** Runs what is behind it, and prints its processor time. A signal for all ends it, and not the shell. */
const TIMED = 'trap : TERM; TIMEFORMAT="%U %S"; { time "$@" 2>/dev/null; } 2>&1'

const [first = '', count = '20', ...rest] = process.argv.slice(2)
if (first === '--help') process.stdout.write(HELP)
else if (first === '--rounds') await measureAll(Number(count), rest)
else await measureAll(20, process.argv.slice(2))

async function measureAll(rounds: number, given: readonly string[]): Promise<void> {
  const folders = (given.length === 0 ? ['dist'] : given).map((each) => resolve(each))
  const { dir, write, commit, close } = createRepository()
  for (const name of ['menus', 'menuscript.config.yaml'])
    cpSync(join(ROOT, name), join(dir, name), { recursive: true })
  commit('First')
  const report = openReport('start-times', rounds)
  for (const [name, words] of Object.entries(COMMANDS)) {
    const measured = folders.map((): Round[] => [])
    for (let round = 0; round < rounds; round++) {
      const bare = await timeOf(['-e', '0'], dir)
      for (const [place, folder] of folders.entries()) {
        write('base', BASE)
        write('theirs', BASE.replace('Two', 'Zwei'))
        write('clean', BASE.replace('M\n', 'N\n'))
        write('conflict', BASE.replace('Two', 'Deux'))
        measured[place]?.push({ ours: await timeOf([join(folder, 'cli.js'), ...words], dir), baseline: bare })
      }
    }
    for (const [place, each] of measured.entries()) {
      const row = folders.length === 1 ? name : `${name} ${given[place]}`
      report({ name: row, what: `menuscript ${words[0]}`, goal: null, unit: 'ms', ...compareRounds(each) })
    }
  }
  close()
}

/** The processor time of a start, in milliseconds. */
function timeOf(program: readonly string[], cwd: string): Promise<number> {
  const child = spawn('bash', ['-c', TIMED, '', process.execPath, ...program], { cwd, detached: true })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const listened = printed.includes('listening')
    printed += text
    if (!listened && printed.includes('listening')) process.kill(-(child.pid ?? 0), 'SIGTERM')
  })
  return new Promise((done) => {
    child.on('close', () => {
      const [user = '', system = ''] = printed.trim().split('\n').at(-1)?.split(' ') ?? []
      done((Number(user) + Number(system)) * 1000)
    })
  })
}
