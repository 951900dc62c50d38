import { test } from 'uvu'
import * as assert from 'uvu/assert'
import configSchema from '../../schemas/config.schema.json' with { type: 'json' }
import { toSettings } from '../../src/config/service-settings.js'
import { CHANGEABLE_CODES, PROBLEM_KINDS } from '../../src/model/problem-codes.js'
import { load, loadFaultless, onlyProblemOf, optionOf } from './loading.js'

const CONFIG = 'menuscript.config.yaml'

function rules(text: string): Readonly<Record<string, string>> {
  return { [CONFIG]: `lint:\n  rules:\n    ${text}\n` }
}

test('The severity of every warning can be changed, and of nothing else', async () => {
  assert.equal(
    [...configSchema.properties.lint.properties.rules.propertyNames.enum].sort(),
    [...CHANGEABLE_CODES].sort(),
  )
  for (const severity of ['off', 'warning', 'error']) {
    const { config } = await loadFaultless(rules(`missing-translation: ${severity}`))
    assert.equal(optionOf(config, 'lint.rules'), [{ 'missing-translation': severity }, `${CONFIG}:2`])
  }
  for (const code of Object.keys(PROBLEM_KINDS)) {
    const { config } = await load(rules(`${code}: error`))
    assert.is(config.problems.length, CHANGEABLE_CODES.some((each) => each === code) ? 0 : 1, code)
  }
})

test('An error that withholds its file cannot be turned off, which is reported at its line', async () => {
  const { code, line, column, what } = await onlyProblemOf(rules('unsafe-url: off'))
  assert.equal([code, line, column], ['bad-value', 3, 5])
  assert.match(what, /"unsafe-url" is an error that withholds its file/)
})

test('A misspelt code or severity is reported with a suggestion', async () => {
  const misspelt = await onlyProblemOf(rules('missing-translatoin: error'))
  assert.equal([misspelt.code, misspelt.line, misspelt.suggestion], ['unknown-key', 3, 'missing-translation'])
  const severity = await onlyProblemOf(rules('missing-translation: warn'))
  assert.equal([severity.code, severity.suggestion], ['bad-value', 'warning'])
  const strange = await onlyProblemOf(rules('no-such-thing-anywhere: error'))
  assert.match(strange.todo, 'missing-translation')
})

test('Rules and permissions can be set by variables: as JSON, permissions as a comma list, too', async () => {
  const environment = { MENUSCRIPT_LINT_RULES: '{"unknown-route":"off"}', MENUSCRIPT_PERMISSIONS: 'a.b, c.d' }
  const { config } = await loadFaultless({}, { environment })
  assert.equal(config.options.lint.rules, { 'unknown-route': 'off' })
  assert.equal(config.options.permissions, ['a.b', 'c.d'])
})

test('Permissions may be a file that explains what each allows', async () => {
  const files = {
    [CONFIG]: 'permissions: perms.yaml\n',
    'perms.yaml': 'reports.view: See reports.\nusers.edit: ""\n',
  }
  const { config, dir } = await loadFaultless(files)
  assert.equal(config.options.permissions, { 'reports.view': 'See reports.', 'users.edit': '' })
  assert.equal(config.inputFiles, [`${dir}/${CONFIG}`, `${dir}/perms.yaml`])
  const environment = { MENUSCRIPT_PERMISSIONS: 'perms.yaml' }
  assert.equal(
    (await loadFaultless({ 'perms.yaml': 'a: b\n' }, { environment })).config.options.permissions,
    { a: 'b' },
  )
})

test('A file of permissions that is missing or not a map, and a key with blanks, stop the start', async () => {
  const missing = await onlyProblemOf({ [CONFIG]: 'permissions: perms.yaml' })
  assert.equal([missing.code, missing.path], ['config-file', 'perms.yaml'])
  const list = await onlyProblemOf({ [CONFIG]: 'permissions: perms.yaml', 'perms.yaml': '- a\n' })
  assert.equal([list.code, list.path, list.severity], ['config-file', 'perms.yaml', 'error'])
  const blank = await onlyProblemOf({ [CONFIG]: 'permissions: [" a"]' })
  assert.equal([blank.code, blank.line], ['bad-value', 1])
})

test('Routes and permissions may say what people call them, in the configuration or in a file of their own', async () => {
  const routes =
    'room: { pattern: "/rooms/:room", name: { en: Room }, params: { room: { values: [hall, 2] } } }\n'
  const permissions = 'orders.view: { en: See orders, de: Bestellungen sehen }\nold.key: ""\n'
  const indented = (text: string): string => text.replace(/^/gm, '  ').trimEnd()
  const own = `routes:\n${indented(routes)}\npermissions:\n${indented(permissions)}\n`
  const named = 'routes: routes.yaml\npermissions: perms.yaml\n'
  for (const files of [
    { [CONFIG]: own },
    { [CONFIG]: named, 'routes.yaml': routes, 'perms.yaml': permissions },
  ]) {
    const settings = toSettings((await loadFaultless(files)).config.options)
    const route = settings.routes?.get('room')
    assert.equal([route?.pattern, route?.title], ['/rooms/:room', { en: 'Room' }])
    assert.equal([...(route?.values ?? [])], [['room', ['hall', '2']]])
    assert.equal([...(settings.permissions?.keys() ?? [])], ['orders.view', 'old.key'])
  }
})

test('A route with an unknown key, a parameter that its pattern lacks or without a pattern stops the start', async () => {
  for (const [option, code, suggestion] of [
    ['{ pattern: /a, nam: A }', 'unknown-key', 'name'],
    ['{ name: A }', 'missing-key', 'pattern'],
    ['{ pattern: "/:room", params: { roon: {} } }', 'bad-option', 'room'],
    ['{ pattern: /a, name: [A] }', 'wrong-type', null],
    ['[/a]', 'wrong-type', null],
  ]) {
    for (const files of [
      { [CONFIG]: `routes:\n  a: ${option}\n` },
      { [CONFIG]: 'routes: routes.yaml', 'routes.yaml': `a: ${option}\n` },
    ]) {
      const problem = await onlyProblemOf(files)
      assert.equal([problem.code, problem.suggestion], [code, suggestion], problem.what)
    }
  }
})

test.run()
