import { Ajv } from 'ajv'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import menuSchema from '../../../schemas/menu.schema.json' with { type: 'json' }
import { createAjv } from '../../../src/document/read/ajv.js'
import { onlyProblem, parse, parseItems } from '../../document/parsing.js'

// What the validator does when it is asked the way its documentation asks it, and what we do with it.

const HEAD = 'version: 1\ncode: main\nname: Main\nitems:\n'

test('Trap 6: for 100,000 bad entries the validator keeps every error; we report 50 and count the others', () => {
  const schema = { type: 'array', items: { type: 'string', minLength: 1 } }
  const naive = new Ajv({ allErrors: true }).compile(schema)
  assert.not.ok(naive(Array.from({ length: 100_000 }, () => 1)))
  assert.is(naive.errors?.length, 100_000)
  const { problems, omitted } = parse(`${HEAD}- {label: A, url: /, permissions: [${'1,'.repeat(100_000)}]}\n`)
  assert.equal([problems.length, omitted], [50, 99_950])
})

test('Trap 6: a key that every object inherits counts as there for the validator, and not for us', () => {
  const schema = { type: 'object', required: ['constructor', 'toString'] }
  assert.ok(new Ajv().compile(schema)({}))
  assert.not.ok(createAjv().compile(schema)({}))
  const own = Object.fromEntries([...'constructor,toString'.split(',')].map((key) => [key, 1]))
  assert.ok(createAjv().compile(schema)(own))
})

test('Trap 6: a key that every object inherits is no key of a menu', () => {
  for (const key of ['__proto__', 'constructor', 'toString', 'valueOf']) {
    const problem = onlyProblem(parseItems(`- {label: A, url: /, "${key}": {label: B}}`))
    assert.equal([problem.code, problem.pointer], ['unknown-key', `/items/0/${key}`])
  }
})

test('Trap 6: items that are nested deeper than the stack break the validator, and never reach it', () => {
  let items: unknown[] = []
  for (let level = 0; level < 20_000; level++) items = [{ label: 'A', url: '/', children: items }]
  const naive = createAjv().compile({ ...menuSchema, $id: 'urn:naive:menu' })
  assert.throws(() => naive({ version: 1, code: 'a', name: 'a', items }), /Maximum call stack/)
  const open = '{label: A, url: /, children: ['
  for (const levels of [33, 3_000, 20_000]) {
    const { code } = onlyProblem(parse(`${HEAD}- ${open.repeat(levels)}${']}'.repeat(levels)}\n`))
    assert.is(code, levels === 33 ? 'too-many-levels' : 'yaml-depth')
  }
})

test.run()
