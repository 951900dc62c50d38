import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { yaml } from '../support/yaml.js'
import { load, loadFaultless, nest, OPTION_NAMES, onlyProblemOf, optionOf, toLine } from './loading.js'

const FORMS: Readonly<Record<string, string>> = {
  'menuscript.config.yaml': 'cache:\n  ttl: 7\n',
  'menuscript.config.yml': 'cache: { ttl: 7 }',
  'menuscript.config.json': '{\n\t"cache": {\n\t\t"ttl": 7\n\t}\n}\n',
  'menuscript.config.js': 'export default { cache: { ttl: 7 } }',
  'menuscript.config.mjs': 'export default { cache: { ttl: 3 + 4 } }',
}

for (const [name, text] of Object.entries(FORMS)) {
  test(`${name} is found and read`, async () => {
    const { config, dir } = await loadFaultless({ [name]: text })
    const [value, from] = optionOf(config, 'cache.ttl')
    assert.is(value, 7)
    assert.is(from.replace(/:\d+$/, ''), name)
    assert.is(config.file, join(dir, name))
  })
}

test('A CommonJS module can be a configuration', async () => {
  const { config } = await loadFaultless({ 'menuscript.config.js': 'module.exports = { locales: ["de"] }' })
  assert.equal(config.options.locales, ['de'])
})

test('Without a file, everything has its default and the menus are in menus/', async () => {
  const { config, dir } = await loadFaultless()
  assert.is(config.file, null)
  assert.is(config.menusFolder, join(dir, 'menus'))
})

test('config-conflict: two configuration files stop the start, and both are named', async () => {
  const problem = await onlyProblemOf({ 'menuscript.config.yaml': '', 'menuscript.config.js': '' })
  assert.is(toLine(problem), 'menuscript.config.js:1 config-conflict')
  assert.match(problem.what, 'menuscript.config.yaml and menuscript.config.js')
})

test('The file named by --config is read, even if others exist', async () => {
  const files = { 'menuscript.config.yaml': 'cache: { ttl: 1 }', 'other/prod.yaml': 'cache: { ttl: 2 }' }
  const { config } = await loadFaultless(files, { file: 'other/prod.yaml' })
  assert.equal(optionOf(config, 'cache.ttl'), [2, 'prod.yaml:1'])
})

test('config-file: a file that does not exist, or is a folder, stops the start', async () => {
  for (const file of ['missing.yaml', 'menuscript.config.yaml']) {
    const problem = await onlyProblemOf({ 'menuscript.config.yaml/x': '' }, { file })
    assert.is(toLine(problem), `${file}:1 config-file`)
    assert.match(problem.what, 'cannot be read')
  }
})

test('config-file: a file that is not regular, or has no end, is not read', async () => {
  const folder = createMenusFolder({})
  const [pipe, large] = [join(folder.dir, 'pipe.yaml'), join(folder.dir, 'large.yaml')]
  execFileSync('mkfifo', [pipe])
  execFileSync('truncate', ['--size', '5G', large])
  const reasons = [
    [pipe, 'it is not a regular file.'],
    ['/dev/zero', 'it is not a regular file.'],
    [large, 'it has 5368709120 bytes; at most 8388608 are allowed.'],
  ] as const
  for (const [file, reason] of reasons) {
    for (const options of [{ file }, { flags: { routes: file } }, { flags: { permissions: file } }]) {
      const { problems } = await loadConfig({
        ...{ folder: folder.dir, file: null, environment: {}, flags: {} },
        ...options,
      })
      assert.equal(
        problems.map(({ code }) => code),
        ['config-file'],
      )
      assert.ok(problems[0]?.what.endsWith(`cannot be read: ${reason}`), problems[0]?.what)
    }
  }
  folder.close()
})

test('config-file: a module that throws, or exports no object, stops the start', async () => {
  const throwing = await onlyProblemOf({ 'menuscript.config.mjs': 'throw new Error("no such planet")' })
  assert.is(toLine(throwing), 'menuscript.config.mjs:1 config-file')
  assert.match(throwing.what, 'no such planet')
  for (const text of ['export const locales = ["en"]', 'export default []', 'export default null']) {
    const problem = await onlyProblemOf({ 'menuscript.config.mjs': text })
    assert.is(toLine(problem), 'menuscript.config.mjs:1 config-file', text)
  }
})

for (const text of ['', '# nothing yet\n', '---\n', '{}', '\ufeff']) {
  test(`A file of ${JSON.stringify(text)} configures nothing, and that is fine`, async () => {
    const { config } = await loadFaultless({ 'menuscript.config.yaml': text })
    assert.equal(optionOf(config, 'locales'), [['en'], 'default'])
  })
}

test('A file that is not a map stops the start', async () => {
  for (const text of ['- locales', 'locales', '42']) {
    const { config } = await load({ 'menuscript.config.yaml': text })
    assert.is(config.problems.length, 1, text)
    assert.is(config.problems[0]?.severity, 'error', text)
  }
})

test('Nothing throws, with any content in place of a value or a section', async () => {
  const sections = ['storage', 'doctrine', 'cache', 'api', 'dashboard', 'limits', 'server']
  for (const name of [...OPTION_NAMES, ...sections]) {
    for (const value of [null, 5, 'x', true, [], [null], {}, { x: null }]) {
      const { config } = await load({ 'menuscript.config.json': JSON.stringify(nest(name, value)) })
      for (const { line } of config.problems) assert.ok(line >= 1, name)
    }
  }
})

test('Invalid YAML stops the start with its place', async () => {
  const { config } = await load({ 'menuscript.config.yaml': 'locales: [en]\ncache: { ttl: 5\n' })
  const [problem] = config.problems
  assert.is(problem?.code, 'yaml-syntax')
  assert.ok((problem?.line ?? 0) >= 2)
})

test('An unknown key stops the start with file, line and suggestion', async () => {
  const file = yaml`
    locales: [en]
    cache:
      tll: 5
  `
  const problem = await onlyProblemOf({ 'menuscript.config.yaml': file })
  assert.is(toLine(problem), 'menuscript.config.yaml:3 unknown-key')
  assert.is(problem.suggestion, 'ttl')
  assert.match(problem.frame, /3 \| {3}tll: 5\n.*\^\^\^/)
})

test('An unknown key of a module is reported with a suggestion', async () => {
  const problem = await onlyProblemOf({ 'menuscript.config.mjs': 'export default { locale: ["en"] }' })
  assert.is(toLine(problem), 'menuscript.config.mjs:1 unknown-key')
  assert.is(problem.suggestion, 'locales')
})

test('Bad values stop the start, each with its line', async () => {
  const file = yaml`
    cache:
      ttl: -1
    api:
      enabled: "yes"
      path_prefix: api/
    log: { level: verbose }
  `
  const { config } = await load({ 'menuscript.config.yaml': file })
  assert.equal(config.problems.map(toLine).sort(), [
    'menuscript.config.yaml:2 bad-value',
    'menuscript.config.yaml:4 wrong-type',
    'menuscript.config.yaml:5 bad-value',
    'menuscript.config.yaml:6 bad-value',
  ])
  for (const problem of config.problems) assert.is(problem.severity, 'error')
})

test('A value that looks secret is not repeated in a message', async () => {
  const file = yaml`
    dashboard:
      session_secret: too-short-a-secret
      session_hours: long
  `
  const { config } = await load({ 'menuscript.config.yaml': file })
  assert.is(config.problems.length, 2)
  assert.not.match(JSON.stringify(config.problems), 'too-short-a-secret')
  const environment = { MENUSCRIPT_DASHBOARD_SESSION_SECRET: 'too-short-a-secret' }
  assert.not.match(JSON.stringify((await load({}, { environment })).config.problems), 'too-short-a-secret')
})

const SECRET = 'abcdefghijklmnopqrstuvwxyz-0123456789'
/** Ways to write a secret so that its bytes stand next to a mistake. */
const EXPOSED: Readonly<Record<string, string>> = {
  'under a misspelt name': `dashboard:\n  session_secrte: ${SECRET}\n`,
  'under a misspelt name, beside others': `dashboard: { session_srecet: ${SECRET}, session_hours: 1 }\n`,
  'in a block': `dashboard:\n  session_secret: |\n    first-of-two-lines\n    ${SECRET}\n  session_hours: x\n`,
  'in the line behind a misspelt name': `dashboard:\n  sesion_secret:\n    ${SECRET}\n`,
  'in a block under a misspelt name': `dashboard:\n  sesion_secret: |\n    ${SECRET}\n`,
  'beside a mistake that is another': `dashboard:\n  session_secrt: ${SECRET}\n  sesion_hours: 3\n`,
  'in a section with a misspelt name': `dashbord:\n  session_secret: ${SECRET}\n`,
  'in short words over two lines': `dashboard:\n  session_secret: >-\n    abcdefg hijklmn\n    ${SECRET}\n  session_hours: x\n`,
  'over two lines in quotes': `dashboard:\n  session_secret: "abcdefg\\\n    ${SECRET}"\n  session_hours: x\n`,
  'in a list': `dashboard:\n  session_secret:\n    - ${SECRET}\n`,
  'that is a number': 'dashboard:\n  session_secret: 1234567890123\n',
  'of the wrong type': 'dashboard:\n  session_secret: [1234567890123]\n',
  'above an error of YAML': 'dashboard:\n  session_secret: my-1234567890123\n  users_file: [a\n',
  'below an error of YAML':
    'dashboard:\n  users_file: "a" b\n  session_secret: my-1234567890123-my-1234567890123\n',
  'in a folded text': `dashboard:\n  session_secret: first-of-two-lines\n    ${SECRET}\n  session_hours: x\n`,
}

for (const [how, text] of Object.entries(EXPOSED)) {
  test(`A secret ${how} is not repeated in a message`, async () => {
    const { config } = await load({ 'menuscript.config.yaml': text })
    assert.ok(config.problems.length > 0)
    assert.not.match(JSON.stringify(config.problems), /abcdefg|1234567890123/)
  })
}

test('The problems of a configuration that speaks of no secret show its lines', async () => {
  const { config } = await load({ 'menuscript.config.yaml': 'server:\n  port: many\n' })
  assert.match(config.problems[0]?.frame ?? '', 'port: many')
})

test('The keys of Object.prototype are unknown keys or plain data, and change nothing', async () => {
  const odd = ['__proto__', 'constructor', 'toString']
  for (const key of odd) {
    const problem = await onlyProblemOf({ 'menuscript.config.yaml': `${key}: { polluted: true }\n` })
    assert.is(toLine(problem), 'menuscript.config.yaml:1 unknown-key', key)
  }
  const map = `{${odd.map((key) => `"${key}":"bi"`).join(',')}}`
  const { config } = await loadFaultless({ 'menuscript.config.yaml': `icon_library_prefix_map: ${map}` })
  assert.equal(Object.keys(config.options.icon_library_prefix_map ?? {}), odd)
  const environment = { MENUSCRIPT_STORAGE: '{"__proto__":{"polluted":true}}' }
  assert.is((await onlyProblemOf({}, { environment })).code, 'unknown-key')
  assert.is(Reflect.get({}, 'polluted'), undefined)
})

test('A single origin in place of a list is reported with the forms that are allowed', async () => {
  const file = 'api:\n  cors_origins: https://shop.example\n'
  const problem = await onlyProblemOf({ 'menuscript.config.yaml': file })
  assert.is(toLine(problem), 'menuscript.config.yaml:2 bad-value')
  assert.match(problem.what, /\* or a list of origins/)
  assert.not.match(problem.what, 'version')
})

test('A value over a limit is reported in plain words', async () => {
  const values: readonly (readonly [text: string, words: string])[] = [
    ['cache: { ttl: -1 }', 'is less than 0.'],
    ['storage: { rescan_seconds: 4000 }', 'is more than 3600.'],
    ['locales: []', 'has fewer entries than 1.'],
    ['locales: [en, en]', 'has an entry twice.'],
    [`storage: { connection: ${'x'.repeat(101)} }`, 'has more than 100 characters.'],
  ]
  for (const [text, words] of values) {
    const { what } = await onlyProblemOf({ 'menuscript.config.yaml': text })
    assert.ok(what.endsWith(words), what)
  }
})

test.run()
