import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { TestRepository } from '../support/repository.js'
import { menuscript, type Outcome } from './command.js'
import { BARE, createGuarded, createTraps, guarded, MISSING, PLANTS, type Plant } from './hostile-plants.js'
import { STACK } from './project.js'

/** A command line, how it ends where nothing is wrong with git, and what it prints then. */
interface Case {
  readonly args: readonly string[]
  readonly exit: number
  readonly printed: RegExp
  /** Whether it works without git. */
  readonly isFree?: boolean
}

const MERGE = ['base', 'ours', 'theirs', 'menus/main.yaml']

/** Every command; the last ones write. */
const CASES: readonly Case[] = [
  { args: ['lint', '--changed', 'main', '--max-warnings', '0'], exit: 1, printed: /^menus\/main\.yaml:\d/m },
  {
    args: ['lint', '--fix', '--dry-run'],
    exit: 1,
    printed: /^-.*EN: Office.*\n\+.*en: Office/m,
    isFree: true,
  },
  { args: ['diff', 'main', '--fail-on', 'widened'], exit: 1, printed: /Office/ },
  { args: ['diff', 'main..HEAD', '--fail-on', 'widened'], exit: 1, printed: /Office/ },
  { args: ['diff', 'main...HEAD', '--fail-on', 'widened'], exit: 1, printed: /Office/ },
  { args: ['log', 'main', '--at', 'main'], exit: 0, printed: /Name\n.*relabelled[\s\S]*First\n/ },
  { args: ['blame', 'main'], exit: 0, printed: /Office/ },
  { args: ['blame', 'main', '--at', 'main'], exit: 0, printed: /Name|edited label/ },
  { args: ['show', 'main', '--at', 'main'], exit: 0, printed: /permissions: \[staff\]/ },
  { args: ['show', 'gone', '--at', 'main'], exit: 1, printed: /^$/ },
  { args: ['show', 'main'], exit: 0, printed: /Office/, isFree: true },
  { args: ['explain', 'main', '--at', 'main', '--locale', 'en'], exit: 0, printed: /staff/ },
  { args: ['config'], exit: 0, printed: /locales/, isFree: true },
  { args: ['list'], exit: 0, printed: /main/, isFree: true },
  { args: ['merge-driver', ...MERGE], exit: 0, printed: /^$/, isFree: true },
  { args: ['new', 'other'], exit: 0, printed: /other\.yaml/, isFree: true },
  { args: ['git', 'setup'], exit: 0, printed: /merge\.menuscript\.driver/, isFree: true },
  { args: ['lint', '--fix'], exit: 0, printed: /./, isFree: true },
]

/** Runs every command in a repository with a plant, one after the other; none of the traps may have run after any. */
async function eachIn(
  { title, plant, environment }: Plant,
  judge: (each: Case, outcome: Outcome, where: string) => void,
): Promise<void> {
  const traps = createTraps()
  const repository: TestRepository = createGuarded()
  try {
    plant(repository, traps.trap)
    for (const name of ['base', 'ours', 'theirs']) repository.write(name, guarded(name === 'theirs'))
    traps.sprung()
    for (const each of CASES) {
      const where = `${title}: ${each.args.join(' ')}`
      const env = environment?.(traps.trap) ?? {}
      const outcome = await menuscript(each.args, { cwd: repository.dir, env })
      assert.equal(traps.sprung(), [], where)
      assert.not.match(outcome.stderr, STACK, where)
      judge(each, outcome, where)
    }
  } finally {
    repository.close()
    traps.close()
  }
}

function works({ exit, printed }: Case, { code, stdout, stderr }: Outcome, where: string): void {
  assert.is(code, exit, `${where}: ${stdout}${stderr}`)
  assert.match(stdout, printed, where)
}

test('E16: One file alone starts programs, and git is the only one', () => {
  const src = join(import.meta.dirname, '../../src')
  const paths = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const starting = paths.filter((path) => readFileSync(join(src, path), 'utf8').includes('child_process'))
  assert.equal(starting, ['store/git/process.ts'])
  assert.equal(readFileSync(join(src, 'store/git/process.ts'), 'utf8').match(/execFile\(.*?,/g), [
    "execFile('git',",
  ])
})

for (const plant of PLANTS) {
  test(`E16: No command runs a program or overlooks a change through ${plant.title}`, () =>
    eachIn(plant, works))
}

for (const plant of BARE) {
  test(`E16: No command uses ${plant.title}; each reports what it found`, () =>
    eachIn(plant, (each, outcome, where) => {
      if (each.isFree) return works(each, outcome, where)
      assert.equal([outcome.code, outcome.stdout], [3, ''], `${where}: ${outcome.stderr}`)
      assert.match(
        outcome.stderr,
        /^error: \/\S+\/menus has the files of a bare git repository \(HEAD, objects, refs\), and is not read as one\. .*\n$/,
        where,
      )
    }))
}

test(`E16: No command fetches, even where ${MISSING.title}; commands that need it report that`, () =>
  eachIn(MISSING, (each, outcome, where) => {
    const needsIt = each.args[0] === 'log' || each.args[0] === 'blame'
    if (!needsIt && each.args[1] !== 'gone') return works(each, outcome, where)
    if (outcome.code === each.exit) return
    assert.is(outcome.code, 3, `${where}: ${outcome.stderr}`)
    assert.match(outcome.stderr, /^error: .*lacks .*git fetch/, where)
  }))

test.run()
