import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse as parseYaml } from 'yaml'
import { parseMenuFile } from '../../src/document/parse.js'
import type { Limits } from '../../src/model/limits.js'
import { isError, type Problem } from '../../src/model/problem.js'
import { PROBLEM_KINDS } from '../../src/model/problem-codes.js'
import type { RouteOption } from '../../src/model/route.js'
import { buildSnapshot, type Snapshot } from '../../src/model/snapshot.js'
import { hash, routesOf, toOptions } from './parsing.js'

const FIXTURES = fileURLToPath(new URL('../fixtures/problems/', import.meta.url))

/** Problems of the folder, the disk or a repository rather than of a menu: the tests of the store make them. */
const MADE_BY_THE_STORE = [
  'folder-missing',
  'unreadable-file',
  'not-a-file',
  'outside-folder',
  'watch-failed',
  'users-file',
  'remote-unreachable',
]

/** Problems of a configuration rather than of a menu. */
const MADE_BY_THE_CONFIGURATION = ['config-file', 'config-conflict', 'bad-option']

/** Problems of a file as a whole, or found where its text is not at hand. */
const WITHOUT_A_PLACE = ['path-clash', 'file-too-large', 'empty-file', 'duplicate-menu']

interface FixtureOptions {
  readonly limits?: Partial<Limits>
  readonly locales?: readonly string[]
  /** Route name → pattern; `{}` stands for a deployment that makes no paths at all. */
  readonly routes?: Readonly<Record<string, RouteOption>>
  readonly icon_library_prefix_map?: Readonly<Record<string, string>>
  readonly permissions?: readonly string[]
  /** File → the name that the test gives it, where no checkout could hold it. */
  readonly rename?: Readonly<Record<string, string>>
}

test('every problem has a fixture, and every fixture a problem', () => {
  const elsewhere = [...MADE_BY_THE_STORE, ...MADE_BY_THE_CONFIGURATION]
  const codes = Object.keys(PROBLEM_KINDS).filter((code) => !elsewhere.includes(code))
  assert.equal(readdirSync(FIXTURES).sort(), codes.sort())
})

for (const code of readdirSync(FIXTURES)) {
  test(`${code}: exactly the expected problems, well worded, and an error withholds its file`, () => {
    const snapshot = loadFixture(code)
    const found = snapshot.problems.map(toLine)
    assert.equal(
      found,
      readFileSync(join(FIXTURES, code, 'expected.txt'), 'utf8')
        .trim()
        .split('\n'),
    )
    for (const problem of snapshot.problems) {
      assert.is(problem.code, code)
      assertToldWell(problem)
      const served = snapshot.served.has(problem.path)
      assert.is(served, !isError(problem), `${problem.path} is served: ${served}`)
      const file = snapshot.files.find(({ path }) => path === problem.path)
      const withheldByItself = isError(problem) && problem.code !== 'duplicate-menu'
      assert.is(file?.menu === null, withheldByItself)
    }
  })
}

function loadFixture(code: string): Snapshot {
  const folder = join(FIXTURES, code)
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== 'options.yaml')
  const { limits, locales, routes, icon_library_prefix_map: icons, permissions, rename } = readOptions(folder)
  const options = toOptions({
    now: Date.UTC(2026, 0, 1),
    ...(limits && { limits }),
    ...(locales && { locales }),
    ...(icons && { iconLibraries: new Set(Object.keys(icons)) }),
    ...(routes && toRoutes(routes)),
    ...(permissions && { permissions: new Set(permissions) }),
  })
  const files = names.map((name) =>
    parseMenuFile(rename?.[name] ?? name, readFileSync(join(folder, name)), options),
  )
  return buildSnapshot({ files, previous: null, folderProblems: [], hash })
}

function toRoutes(routes: Readonly<Record<string, RouteOption>>) {
  const names = Object.keys(routes)
  return names.length === 0
    ? { routes: null, pathsAreMade: false }
    : { routes: routesOf(routes), pathsAreMade: true }
}

function readOptions(folder: string): FixtureOptions {
  const hasOptions = readdirSync(folder).includes('options.yaml')
  return hasOptions ? parseYaml(readFileSync(join(folder, 'options.yaml'), 'utf8')) : {}
}

function toLine({ path, line, column, severity, code }: Problem): string {
  return `${path}:${line}:${column} ${severity} ${code}`
}

function assertToldWell(problem: Problem): void {
  for (const text of [problem.what, problem.why, problem.todo]) assert.match(text, /^["A-Z\d].*\.$/)
  if (WITHOUT_A_PLACE.includes(problem.code)) return
  const rows = problem.frame.split('\n')
  const caretRow = rows.findIndex((row) => /^\s*\| +\^+$/.test(row))
  assert.match(rows[caretRow - 1] ?? '', new RegExp(`^ *${problem.line} \\| `))
  assert.is((rows[caretRow] ?? '').match(/\^+/)?.[0].length, Math.max(1, problem.endColumn - problem.column))
}

test.run()
