import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type LoadedPolicies, loadHooks as load, loadHooksAt } from './loading.js'

const toLines = ({ problems }: LoadedPolicies) =>
  problems.map(({ path, code, severity }) => `${path} ${severity} ${code}`)

test('Hooks are named exports', async () => {
  const { policies, problems } = await load(`
    export const canView = () => true
    export function resolveMenuCode(request, hint) { return hint + '-b' }
    export async function prepareRequest() {}
  `)
  assert.equal(problems, [])
  assert.equal(Object.keys(policies).sort(), ['canView', 'prepareRequest', 'resolveMenuCode'])
  const request = { url: '/', headers: {} }
  assert.is(policies.resolveMenuCode?.(request, 'main', { has: () => true }), 'main-b')
})

test('Hooks can be members of a default export', async () => {
  const { policies, problems } = await load(
    'export default { resolveLocale: () => "es", varyOn: ["Cookie"] }',
  )
  assert.equal(problems, [])
  assert.is(policies.resolveLocale?.({ url: '/', headers: {} }), 'es')
  assert.equal(policies.varyOn, ['Cookie'])
})

test('Hooks can be the exports of a CommonJS module', async () => {
  const { policies, problems } = await load('exports.__esModule = true; exports.canView = () => true', 'cjs')
  assert.equal(problems, [])
  assert.is(typeof policies.canView, 'function')
})

test('A misspelt hook stops the start with a suggestion, and never counts as none', async () => {
  const loaded = await load('export const canVeiw = () => false')
  assert.equal(toLines(loaded), ['policies.mjs error unknown-key'])
  assert.is(loaded.problems[0]?.suggestion, 'canView')
  assert.equal(toLines(await load('export default { resolveviewer() {} }')), [
    'policies.mjs error unknown-key',
  ])
})

test('A hook that is not a function stops the start', async () => {
  for (const value of ['true', 'null', '{}', '"allow"']) {
    const loaded = await load(`export const canView = ${value}`)
    assert.equal(toLines(loaded), ['policies.mjs error wrong-type'], value)
    assert.match(loaded.problems[0]?.what ?? '', 'canView')
  }
})

test('config-file: a module that throws, does not parse or is missing stops the start', async () => {
  const throwing = await load('throw new Error("no such planet")')
  assert.equal(toLines(throwing), ['policies.mjs error config-file'])
  assert.match(throwing.problems[0]?.what ?? '', 'no such planet')
  assert.equal(toLines(await load('export const = 1')), ['policies.mjs error config-file'])
  assert.equal(toLines(await loadHooksAt('/nowhere/policies.mjs')), ['policies.mjs error config-file'])
})

test('varyOn is a list of header names, and * is not one', async () => {
  for (const value of ['["Cookie"]', '["x-partner", "Accept-Language"]', '[]']) {
    assert.equal(toLines(await load(`export const varyOn = ${value}`)), [], value)
  }
  for (const value of ['"Cookie"', '["*"]', '["a b"]', '["Cookie: x"]', '[1]', '[""]', '() => []']) {
    const lines = toLines(await load(`export const varyOn = ${value}`))
    assert.equal(lines, ['policies.mjs error wrong-type'], value)
  }
})

test('A module whose hooks cannot be found stops the start', async () => {
  for (const text of ['export default () => true', 'export default 42', 'export default null']) {
    assert.is((await load(text)).problems.length, 1, text)
  }
})

test.run()
