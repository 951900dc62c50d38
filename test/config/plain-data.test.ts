import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ConfigurationError, type InlineOptions, openStore } from '../../src/index.js'
import { SILENT_LOG } from '../../src/service/log.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { load, loadFaultless, onlyProblemOf, optionOf, thrownBy } from './loading.js'

const MODULE = 'menuscript.config.mjs'

/** A prototype that does not say whose it is. */
function throwing(): object {
  return Object.defineProperty({}, 'constructor', {
    get: () => {
      throw new Error('no name')
    },
  })
}

/** What is no plain data, as the text of a module would have it, and what is told of it. */
const ODD: readonly (readonly [what: string, text: string, told: RegExp])[] = [
  ['a promise', '(async () => ({ locales: ["es"] }))()', /default is a promise that is not awaited/],
  ['a map', 'new Map([["locales", ["es"]]])', /default is an instance of Map/],
  ['an instance', 'new (class Site { get locales() { return ["es"] } })()', /default is an instance of Site/],
  ['what inherits its options', 'Object.create({ locales: ["es"] })', /default is an object that inherits/],
  ['a prototype', '{ __proto__: { locales: ["es"] } }', /default is an object that inherits/],
  ['a map in place of routes', '{ routes: new Map([["a", "/a"]]) }', /default\.routes is an instance of Map/],
  ['a function', '{ locales: () => ["es"] }', /default\.locales is a function/],
  ['a big integer', '{ server: { port: 8080n } }', /default\.server\.port is a bigint/],
  ['no number', '{ cache: { ttl: 60 * undefined } }', /default\.cache\.ttl is NaN/],
  ['an address as an object', '{ server: { public_url: new URL("https://a.example") } }', /instance of URL/],
  ['a hole in a list', '{ locales: ["en", , "es"] }', /default\.locales\[1\] is nothing/],
  ['a getter that throws', '{ get locales() { throw new Error("no disk") } }', /default\.locales .* no disk/],
  [
    'what nobody may look at',
    '(() => { const a = Proxy.revocable({}, {}); a.revoke(); return a.proxy })()',
    /revoked/,
  ],
]

for (const [what, text, told] of ODD) {
  test(`config-file: a module whose options are ${what} stops the start, and the error names it`, async () => {
    const problem = await onlyProblemOf({ [MODULE]: `export default ${text}` })
    assert.is(problem.code, 'config-file')
    assert.match(problem.what, told)
  })
}

test('config-file: options in circles stop the start', async () => {
  const text = 'const routes = {}\nroutes.routes = routes\nexport default { routes }'
  assert.match((await onlyProblemOf({ [MODULE]: text })).what, /contains itself/)
})

test('An unknown key with any value is reported with a suggestion', async () => {
  const text = 'export default { polices: { canView() {} } }'
  const problem = await onlyProblemOf({ [MODULE]: text })
  assert.equal([problem.code, problem.suggestion], ['unknown-key', 'policies'])
})

test('Undefined members of a module do not count, and frozen options are options', async () => {
  const text = 'export default Object.freeze({ locales: undefined, cache: { ttl: 5, pool: undefined } })'
  const { config } = await loadFaultless({ [MODULE]: text })
  assert.equal(optionOf(config, 'cache.ttl'), [5, MODULE])
  assert.equal(optionOf(config, 'locales'), [['en'], 'default'])
})

test('A key of a module that JavaScript treats in its own way is an unknown key', async () => {
  const text = 'export default JSON.parse(\'{"__proto__": {"locales": ["es"]}}\')'
  const { config } = await load({ [MODULE]: text })
  assert.is(config.problems.map(({ code }) => code).join(), 'unknown-key')
})

test('An error names the option of a program that is not plain data', async () => {
  const folder = createMenusFolder()
  const circle: Record<string, unknown> = {}
  circle['circle'] = circle
  for (const [given, told] of [
    [{ locales: () => ['es'] }, /options\.locales is a function/],
    [{ routes: new Map([['home', '/']]) }, /options\.routes is an instance of Map/],
    [{ cache: { ttl: 60n } }, /options\.cache\.ttl is a bigint/],
    [{ routes: circle }, /contains itself/],
    [{ routes: Object.create(throwing()) }, /options\.routes cannot be read: no name/],
  ] as const) {
    const options = { ...(given as InlineOptions), log: SILENT_LOG }
    const error = await thrownBy(() => openStore(folder.dir, options))
    assert.instance(error, ConfigurationError)
    assert.match(error.message, told)
  }
  const store = await openStore(folder.dir, { log: SILENT_LOG, default_locale: undefined } as never)
  assert.is(store.settings.locales.defaultLocale, 'en')
  folder.close()
})

test.run()
