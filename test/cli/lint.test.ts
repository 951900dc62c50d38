import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMenusFolder } from '../support/menus-folder.js'
import { yaml } from '../support/yaml.js'
import { menuscript, menuscriptOn, menuText } from './command.js'

/** Three files: one is fine, one has an error, one has two warnings, at places that this test counts by hand. */
const PLANTED = {
  'menuscript.config.yaml': 'locales: [en, es]\nroutes: { home: / }\n',
  'menus/fine.yaml': menuText('fine'),
  'menus/shop/100%, odd: name.yaml': yaml`
    version: 1
    code: odd
    name: Odd
    items:
      - label: Home
        ulr: /
  `,
  'menus/warned.yaml': yaml`
    version: 1
    code: warned
    name: Warned
    items:
      - label: Far
        routeName: hmoe
      - label: { en: Near }
        url: /near
  `,
}
const ODD = 'menus/shop/100%, odd: name.yaml'
const PLACES = [
  `${ODD}:6:5 error unknown-key`,
  'menus/warned.yaml:6:16 warning unknown-route',
  'menus/warned.yaml:7:5 warning missing-translation',
]

interface JsonReport {
  readonly version: number
  readonly files: number
  readonly errors: number
  readonly warnings: number
  readonly problems: readonly Readonly<Record<string, string | number>>[]
}

test('lint reports each problem at its file, line and column, with why and what to do', async () => {
  const { code, stdout, stderr } = await menuscriptOn(PLANTED, ['lint'])
  assert.equal([code, stderr], [1, ''])
  const heads = stdout.match(/^\S.*:\d+:\d+ .*$/gm)
  assert.equal(heads, PLACES)
  assert.match(stdout, /Did you mean "url"\?/)
  assert.match(stdout, /6 \| {5}ulr: \/\n.*\^\^\^/)
  assert.is(stdout.match(/^ {2}why ./gm)?.length, 3)
  assert.is(stdout.match(/^ {2}do {2}./gm)?.length, 3)
  assert.match(stdout, /3 files, 1 error, 2 warnings\n$/)
})

test('lint --json is one JSON value with everything that the text has', async () => {
  const { code, stdout, stderr } = await menuscriptOn(PLANTED, ['lint', '--json'])
  assert.equal([code, stderr], [1, ''])
  const report = JSON.parse(stdout) as JsonReport
  assert.equal([report.version, report.files, report.errors, report.warnings], [1, 3, 1, 2])
  assert.equal(
    report.problems.map((each) => `${each.path}:${each.line}:${each.column} ${each.severity} ${each.code}`),
    PLACES,
  )
  for (const { what, why, todo, pointer } of report.problems) assert.ok(what && why && todo && pointer)
  for (const { code: name, docs } of report.problems) assert.is(docs, `docs/problems.md#${name}`)
  assert.is(report.problems[0]?.suggestion, 'url')
  assert.is((await menuscriptOn(PLANTED, ['lint', '--format', 'json'])).stdout, stdout)
})

test('lint --format github is a line of workflow commands a problem, properly escaped', async () => {
  const { code, stdout } = await menuscriptOn(PLANTED, ['lint', '--format', 'github'])
  assert.is(code, 1)
  const lines = stdout.trimEnd().split('\n')
  assert.is(lines.length, 3)
  const form = /^::(error|warning) file=([^,:]+),line=(\d+),col=(\d+)(,endColumn=\d+)?,title=([a-z-]+)::(.+)$/
  for (const line of lines) assert.match(line, form)
  const [, severity, file = '', line, column, , title] = form.exec(lines[0] ?? '') ?? []
  assert.is(file, 'menus/shop/100%25%2C odd%3A name.yaml')
  assert.is(`${decodeURIComponent(file)}:${line}:${column} ${severity} ${title}`, PLACES[0])
})

interface Sarif {
  readonly $schema: string
  readonly version: string
  readonly runs: readonly [SarifRun]
}
interface SarifRun {
  readonly tool: { readonly driver: { readonly name: string; readonly rules: readonly { id: string }[] } }
  readonly results: readonly SarifResult[]
}
interface SarifResult {
  readonly ruleId: string
  readonly level: string
  readonly message: { readonly text: string }
  readonly locations: readonly [{ readonly physicalLocation: SarifPlace }]
}
interface SarifPlace {
  readonly artifactLocation: { readonly uri: string }
  readonly region: { readonly startLine: number; readonly startColumn: number; readonly endColumn?: number }
}

test('lint --format sarif has the members of SARIF 2.1.0, and every result a rule and a place', async () => {
  const { code, stdout } = await menuscriptOn(PLANTED, ['lint', '--format', 'sarif'])
  assert.is(code, 1)
  const { version, $schema, runs } = JSON.parse(stdout) as Sarif
  assert.is(version, '2.1.0')
  assert.match($schema, /^https:.*sarif/)
  assert.is(runs.length, 1)
  const [{ tool, results }] = runs
  assert.is(tool.driver.name, 'menuscript')
  const rules = tool.driver.rules.map(({ id }) => id)
  const places = results.map(({ ruleId, level, message, locations: [{ physicalLocation }] }) => {
    const { artifactLocation, region } = physicalLocation
    assert.ok(rules.includes(ruleId) && message.text !== '')
    assert.ok((region.endColumn ?? 2) > 1)
    assert.match(artifactLocation.uri, /^[\w/.%-]+$/)
    const path = decodeURIComponent(artifactLocation.uri)
    return `${path}:${region.startLine}:${region.startColumn} ${level} ${ruleId}`
  })
  assert.equal(places, PLACES)
})

test('Reports for CI name files from the top of its work tree, in whichever folder the step runs', async () => {
  const folder = createMenusFolder({ 'sites/shop/menus/a b.yaml': 'version: 1\n' })
  const cwd = join(folder.dir, 'sites/shop')
  const told = async (form: string, top: string): Promise<string> => {
    const env = { GITHUB_WORKSPACE: top, CI_PROJECT_DIR: top }
    return (await menuscript(['lint', '--format', form], { cwd, env })).stdout
  }
  try {
    for (const [form, fromTop, fromHere] of [
      ['github', '::error file=sites/shop/menus/a b.yaml,', '::error file=menus/a b.yaml,'],
      ['gitlab', '"path": "sites/shop/menus/a b.yaml"', '"path": "menus/a b.yaml"'],
      ['sarif', '"uri": "sites/shop/menus/a%20b.yaml"', '"uri": "menus/a%20b.yaml"'],
    ] as const) {
      assert.match(await told(form, folder.dir), fromTop)
      for (const top of [cwd, '', join(folder.dir, 'sites/other'), join(folder.dir, 'sites/sho')])
        assert.match(await told(form, top), fromHere)
    }
    assert.match(await told('text', folder.dir), /^menus\/a b\.yaml:1:1 /)
    assert.match(await told('json', folder.dir), '"path": "menus/a b.yaml"')
  } finally {
    folder.close()
  }
})

test('A folder without problems is fine in every format', async () => {
  const files = { 'menus/main.yaml': menuText('main') }
  assert.match((await menuscriptOn(files, ['lint'])).stdout, /1 file, 0 errors, 0 warnings\n$/)
  for (const form of ['json', 'github', 'sarif']) {
    const { code, stdout, stderr } = await menuscriptOn(files, ['lint', '--format', form])
    assert.equal([code, stderr], [0, ''], form)
    if (form === 'github') assert.is(stdout, '')
    else JSON.parse(stdout)
  }
})

test('Warnings are not findings, until there are more than --max-warnings', async () => {
  const files = { ...PLANTED, [ODD]: menuText('odd') }
  assert.is((await menuscriptOn(files, ['lint'])).code, 0)
  assert.is((await menuscriptOn(files, ['lint', '--max-warnings', '2'])).code, 0)
  assert.is((await menuscriptOn(files, ['lint', '--max-warnings', '1'])).code, 1)
  assert.is((await menuscriptOn(files, ['lint', '--max-warnings=0', '--json'])).code, 1)
  for (const number of ['-1', 'none', '1.5', '']) {
    assert.is((await menuscriptOn(files, ['lint', `--max-warnings=${number}`])).code, 2, number)
  }
})

test('Paths limit the report to some files and folders', async () => {
  const json = async (...paths: string[]) => {
    const { code, stdout } = await menuscriptOn(PLANTED, ['lint', '--json', ...paths])
    const { files, problems } = JSON.parse(stdout) as JsonReport
    return [code, files, problems.length]
  }
  assert.equal(await json('menus/fine.yaml'), [0, 1, 0])
  assert.equal(await json('menus/warned.yaml'), [0, 1, 2])
  assert.equal(await json('menus/shop'), [1, 1, 1])
  assert.equal(await json('./menus/shop/', 'menus/fine.yaml'), [1, 2, 1])
  assert.equal(await json('.'), [1, 3, 3])
})

test('A path judges a file among the others: a duplicate is found even if only one of the two is named', async () => {
  const files = { 'menus/a.yaml': menuText('main'), 'menus/b.yaml': menuText('main') }
  const { code, stdout } = await menuscriptOn(files, ['lint', 'menus/b.yaml'])
  assert.is(code, 1)
  assert.match(stdout, 'menus/b.yaml:2:1 error duplicate-menu')
})

test('A path that is missing or not a menu is a mistake in the command, and a folder above the menus is not', async () => {
  const files = { ...PLANTED, 'notes.md': '' }
  for (const [path, said] of [
    ['menus/mian.yaml', 'menus/mian.yaml'],
    ['notes.md', 'notes.md is not a menu file'],
  ] as const) {
    const { code, stdout, stderr } = await menuscriptOn(files, ['lint', path])
    assert.equal([code, stdout], [2, ''])
    assert.match(stderr, said)
  }
  const whole = await menuscriptOn(PLANTED, ['lint', '--json'])
  assert.is((await menuscriptOn(PLANTED, ['lint', '--json', '.'])).stdout, whole.stdout)
})

test('lint judges by the configuration that --config names', async () => {
  const files = { ...PLANTED, 'conf/other.yaml': 'storage: { connections: { default: ../menus/shop } }\n' }
  const { code, stdout } = await menuscriptOn(files, ['lint', '--config', 'conf/other.yaml', '--json'])
  assert.is(code, 1)
  assert.equal((JSON.parse(stdout) as JsonReport).problems.length, 1)
})

test('Control characters in the name or the text of a file do not reach the terminal', async () => {
  const name = 'menus/\u001b[2J\u009b31m\u202eodd\u0007\r.yaml'
  const files = { [name]: 'version: 1\n"\\e[31m": 1\n', 'menus/\u001bsecond.yaml': menuText('b', '"\\e[1m"') }
  for (const format of ['text', 'github']) {
    const { code, stdout, stderr } = await menuscriptOn(files, ['lint', '--format', format])
    assert.is(code, 1)
    assert.match(stdout, 'odd')
    assert.not.match((stdout + stderr).replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u, format)
  }
})

test.run()
