import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { floorFaults, importsOf } from './support/floors.js'

const ROOT = join(import.meta.dirname, '..')

/** The faults of made-up sources. */
function faultsOf(sources: Readonly<Record<string, string>>): string[] {
  return floorFaults(new Map(Object.entries(sources)))
}

test('The sources keep the law of the floors', () => {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[cm]?tsx?$/.test(path))
    .map((path) => `src/${path.split(sep).join('/')}`)
  assert.ok(paths.length > 20, 'the sources are not where this test looks for them')
  const sources = new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
  assert.equal(floorFaults(sources), [])
})

test('The client imports only types from other floors: its bytes are its own', () => {
  for (const name of readdirSync(join(ROOT, 'src/client'))) {
    const text = readFileSync(join(ROOT, 'src/client', name), 'utf8')
    for (const [line] of text.matchAll(/^(?:import|export)\b.*'\.\.\/.*$/gm))
      assert.match(line, /^import type /)
  }
})

const ALLOWED: readonly [path: string, specifier: string][] = [
  ['src/model/tree.ts', './label.js'],
  ['src/change/merge/merge.ts', '../compare/match.js'],
  ['src/change/compare/match.ts', '../json.js'],
  ['src/store/live/open-store.ts', '../git/lock.js'],
  ['src/store/live/watch.ts', 'chokidar'],
  ['src/change/apply.ts', '../model/menu.js'],
  ['src/document/parse.ts', 'yaml'],
  ['src/document/read/validators.ts', '../../../schemas/menu.schema.json'],
  ['src/service/resolve.ts', '../document/parse.js'],
  ['src/store/disk-tree.ts', 'node:fs'],
  ['src/web/problem.ts', '../store/store.js'],
  ['src/http/api.ts', '../web/problem.js'],
  ['src/dashboard/handler.ts', './access/operator.js'],
  ['src/review/diff/build.ts', '../../store/git/commit-tree.js'],
  ['src/review/history/menus-at.ts', '../refusal.js'],
  ['src/http/api.ts', '../review/lint/report.js'],
  ['src/cli/serve.ts', '../../package.json'],
  ['src/cli/serve.ts', '../runtime.js'],
  ['src/cli/serve.ts', '../review/count.js'],
  ['src/runtime.ts', './dashboard/handler.js'],
  ['src/index.ts', './runtime.js'],
  ['src/cli.ts', './runtime.js'],
]

for (const [path, specifier] of ALLOWED) {
  test(`${path} may import ${specifier}`, () => {
    assert.equal(faultsOf({ [path]: `import { a } from '${specifier}'\n` }), [])
  })
}

const REFUSED: readonly [path: string, specifier: string][] = [
  ['src/model/tree.ts', '../change/apply.js'],
  ['src/change/compare/match.ts', '../merge/merge.js'],
  ['src/change/compare/match.ts', '../odds/ends.js'],
  ['src/store/git/log.ts', '../live/watch.js'],
  ['src/store/live/scan.ts', 'chokidar'],
  ['src/web/answer.ts', 'express'],
  ['src/model/tree.ts', 'yaml'],
  ['src/model/tree.ts', 'node:crypto'],
  ['src/model/tree.ts', '../../schemas/menu.schema.json'],
  ['src/change/apply.ts', '../document/parse.js'],
  ['src/document/parse.ts', 'node:buffer'],
  ['src/document/parse.ts', 'fs/promises'],
  ['src/service/resolve.ts', '../render/html.js'],
  ['src/render/html.ts', 'node:util'],
  ['src/store/store.ts', '../config/load.js'],
  ['src/web/problem.ts', '../http/api.js'],
  ['src/http/api.ts', '../dashboard/handler.js'],
  ['src/dashboard/access/site.ts', '../pages/list.js'],
  ['src/http/api.ts', '../runtime.js'],
  ['src/http/api.ts', '../elsewhere/thing.js'],
  ['src/cli/serve.ts', '../cli.js'],
  ['src/cli/serve.ts', '../http/server.js'],
  ['src/cli/serve.ts', '../web/head.js'],
  ['src/runtime.ts', './cli/serve.js'],
  ['src/review/diff/build.ts', '../../runtime.js'],
  ['src/review/diff/build.ts', '../../web/head.js'],
  ['src/review/lint/report.ts', '../diff/report.js'],
  ['src/store/git/log.ts', '../../review/count.js'],
  ['src/cli/serve.ts', '../../test/support/http.js'],
  ['src/runtime.ts', './index.js'],
  ['src/index.ts', './cli.js'],
  ['src/cli.ts', './index.js'],
]

for (const [path, specifier] of REFUSED) {
  test(`${path} may not import ${specifier}`, () => {
    const faults = faultsOf({ [path]: `import { a } from '${specifier}'\n` })
    assert.is(faults.length, 1)
    assert.match(faults[0] ?? '', path)
    assert.match(faults[0] ?? '', specifier)
  })
}

test('Below store/ nothing uses the process or the console, which need no import', () => {
  const uses = [
    "process.env['A']",
    'console.warn(a)',
    'process?.exit()',
    "globalThis.process['cwd']()",
    'console\n  .log(a)',
  ]
  for (const use of uses) {
    const name = use.includes('process') ? 'process' : 'console'
    for (const floor of ['model', 'change', 'document', 'service', 'render']) {
      const path = `src/${floor}/a.ts`
      assert.equal(faultsOf({ [path]: `const a = ${use}\n` }), [
        `${path}: ${name} is only for store/ and above`,
      ])
    }
    assert.equal(faultsOf({ 'src/store/a.ts': use, 'src/cli/a.ts': use }), [])
  }
  const others =
    "// process.exit\n/** The end of a process. */\nconst a = child.process.env + preprocess.a + 'process.'\n"
  assert.equal(faultsOf({ 'src/model/a.ts': others }), [])
})

test('The log of last resort may use the console, and nothing else', () => {
  const path = 'src/service/log.ts'
  assert.equal(faultsOf({ [path]: 'console.warn(a)\n' }), [])
  assert.equal(faultsOf({ [path]: 'process.exit()\n' }).length, 1)
})

test('A folder or a file at the top that is on no floor is refused', () => {
  assert.equal(faultsOf({ 'src/utils/text.ts': '' }), ['src/utils/text.ts: no floor has this name'])
  assert.equal(faultsOf({ 'src/toString/text.ts': '', 'src/main.ts': '' }).length, 2)
})

test('A file may have at most 300 lines', () => {
  assert.equal(faultsOf({ 'src/model/long.ts': 'a\n'.repeat(300) }), [])
  assert.equal(faultsOf({ 'src/model/long.ts': 'a\n'.repeat(301) }).length, 1)
})

test('A cycle is found, also within one folder, through types and through several files', () => {
  const faults = faultsOf({
    'src/model/a.ts': "import type { B } from './b.js'\n",
    'src/model/b.ts': "export * from './c.js'\n",
    'src/model/c.ts': "const a = await import('./a.js')\n",
    'src/model/d.ts': "import './a.js'\n",
  })
  assert.equal(faults, ['a cycle: src/model/a.ts → src/model/b.ts → src/model/c.ts → src/model/a.ts'])
})

test('A file that imports itself is a cycle', () => {
  assert.is(faultsOf({ 'src/model/a.ts': "import { a } from './a.js'\n" }).length, 1)
})

test('Imports are found in every form, and not in comments', () => {
  const text = [
    "import a from '1'",
    "import type { B } from '2'",
    "import {\n  c,\n  type D,\n} from '3'",
    "import '4'",
    "export { e } from '5'",
    "export * as f from '6'",
    "import data from '7' with { type: 'json' }",
    "const g = await import('8')",
    "type H = import('9').H",
    "// import i from 'no'",
    "/* import j from 'no' */",
    "export const k = 'no/*'",
    "const l = import('10') // and not */",
    "export function from() {\n  return 'no'\n}",
  ].join('\n')
  assert.equal(importsOf(text), ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'])
})

test.run()
