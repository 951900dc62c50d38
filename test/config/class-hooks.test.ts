import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  ConfigurationError,
  createMenuService,
  openMenus,
  openStore,
  type Policies,
} from '../../src/index.js'
import type { MenuItem } from '../../src/model/menu.js'
import { SILENT_LOG } from '../../src/service/log.js'
import { get, type HttpAnswer } from '../support/http.js'
import { link } from '../support/items.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { loadHooks, thrownBy } from './loading.js'

/** A menu without permissions, one item of which is for the boss alone. */
const MENU = `version: 1
code: main
name: Main
items:
  - label: Home
    url: /
  - label: Secret
    id: secret
    url: /secret
`

/** Hooks as a class: what they know is private to it, and its methods ask one another. */
const HOOKS = `class Base {
  canView(item, viewer) { return this.#open(item) || viewer.id === 'boss' }
  #open(item) { return item.id !== 'secret' }
}
class Hooks extends Base {
  #name = 'x-user'
  resolveViewer({ headers }) { return { id: headers[this.#name] ?? null, permissions: [] } }
  toString() { return 'hooks' }
}`
const AS_BOSS = { headers: { 'x-user': 'boss' } }

/** A module with this text, imported. */
async function load(text: string): Promise<Readonly<Record<string, unknown>>> {
  return import(`data:text/javascript,${encodeURIComponent(text)}`)
}

/** The hooks that an expression makes of the classes above. */
async function hooksOf(expression: string): Promise<Policies> {
  return (await load(`${HOOKS}\nexport const hooks = ${expression}`))['hooks'] as Policies
}

const labelsOf = ({ json }: HttpAnswer) => (json() as { label: string }[]).map(({ label }) => label)

/** Asks a site with these hooks for its menu, by its handler. */
async function asking(
  policies: Policies,
  test: (ask: (asked: { readonly headers: Record<string, string> }) => Promise<HttpAnswer>) => Promise<void>,
): Promise<void> {
  const folder = createMenusFolder({ 'menus/main.yaml': MENU })
  const inputs = { folder: folder.dir, environment: {}, watch: false, log: SILENT_LOG, policies }
  const menus = await openMenus(inputs).finally(() => folder.close())
  const server = createServer((request, response) => menus.handler(request, response, () => response.end()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    await test((options) => get(`http://127.0.0.1:${port}/api/menu/main`, options))
  } finally {
    server.close()
    await menus.close()
  }
}

/** What is wrong with hooks that a site gives, as the codes, messages and suggestions of the refusal. */
async function faultsOf(policies: unknown): Promise<readonly string[]> {
  const thrown = await thrownBy(() => asking(policies as Policies, async () => {}))
  if (!(thrown instanceof ConfigurationError)) throw thrown
  return thrown.problems.map(({ code, what, suggestion }) => `${code}: ${what} ${suggestion ?? ''}`.trim())
}

test('Hooks that are the methods of a class are asked, and no answer of theirs is shared', async () => {
  await asking(await hooksOf('new Hooks()'), async (ask) => {
    const boss = await ask(AS_BOSS)
    assert.equal(labelsOf(boss), ['Home', 'Secret'])
    assert.is(boss.headers['cache-control'], 'private, no-cache')
    assert.equal(labelsOf(await ask({ headers: {} })), ['Home'])
  })
})

test('varyOn of a class, a getter too, names the parts of a request that matter', async () => {
  const varying = await hooksOf("new class extends Hooks { get varyOn() { return ['X-User'] } }()")
  await asking(varying, async (ask) => {
    const { headers } = await ask(AS_BOSS)
    assert.match(headers['cache-control'] ?? '', /^public/)
    assert.match(headers['vary'] ?? '', 'X-User')
  })
})

test('A policies module may export an instance of a class, with other exports', async () => {
  const text = `${HOOKS}\nexport default new Hooks()\nexport const resolveLocale = () => 'es'`
  const { policies, problems } = await loadHooks(text)
  const request = { headers: { 'x-user': 'boss' } }
  assert.equal(problems, [])
  assert.equal(Object.keys(policies).sort(), ['canView', 'resolveLocale', 'resolveViewer'])
  assert.equal(policies.resolveViewer?.(request), { id: 'boss', permissions: [] })
  const secret: MenuItem = link('Secret', { id: 'secret' })
  assert.is(policies.canView?.(secret, { id: null, permissions: [] }, request), false)
})

test('A policies module of CommonJS may export an instance of a class', async () => {
  const { policies, problems } = await loadHooks(`${HOOKS}\nmodule.exports = new Hooks()`, 'cjs')
  assert.equal([Object.keys(policies).sort(), problems], [['canView', 'resolveViewer'], []])
})

test('The hooks of a class are asked by createMenuService, too', async () => {
  const folder = createMenusFolder({ 'main.yaml': MENU })
  const store = await openStore(folder.dir, { log: SILENT_LOG })
  folder.close()
  const service = createMenuService(store, { policies: await hooksOf('new Hooks()'), log: SILENT_LOG })
  const labels = (headers: Record<string, string>) =>
    service.tree('main', { request: { headers } }).map(({ label }) => label)
  assert.equal([labels({ 'x-user': 'boss' }), labels({})], [['Home', 'Secret'], ['Home']])
})

test('A misspelt hook of a class is reported, whichever of its classes has it', async () => {
  for (const expression of [
    'new class extends Hooks { canVeiw() { return false } }()',
    'new (class extends (class { canVeiw() { return false } }) {})()',
    'new class { canVeiw = () => false }()',
    'new class { get canVeiw() { return () => false } }()',
    'Object.create({ canVeiw() { return false } })',
    'Object.create(null, { canVeiw: { value: () => false } })',
  ]) {
    const [fault = '', ...more] = await faultsOf(await hooksOf(expression))
    assert.match(fault, /^unknown-key: canVeiw is not a hook;.* canView$/, expression)
    assert.equal(more, [], expression)
  }
})

test('Anything but an object of hooks is refused: a class itself, a promise, null', async () => {
  assert.match((await faultsOf(await hooksOf('Hooks'))).join(), /^wrong-type: /)
  assert.match((await faultsOf(null)).join(), /^wrong-type: /)
  assert.match((await faultsOf([() => true])).join(), /^wrong-type: /)
  assert.match((await faultsOf(Promise.resolve({ canView: () => true }))).join(), 'then is not a hook')
})

test('A getter of a hook is read once; where it throws or gives no hook, nothing starts', async () => {
  let reads = 0
  const counting = {
    get canView(): () => boolean {
      reads++
      return () => true
    },
  }
  await asking(counting, async (ask) => {
    await ask(AS_BOSS)
    await ask(AS_BOSS)
    assert.is(reads, 1)
  })
  const throwing = await hooksOf("new class { get canView() { throw new Error('no key') } }()")
  assert.equal(await faultsOf(throwing), ['config-file: canView cannot be read: no key.'])
  for (const expression of [
    'new class { get canView() {} }()',
    'new class { set canView(value) {} }()',
    '{ canView: undefined }',
  ]) {
    assert.equal(await faultsOf(await hooksOf(expression)), ['wrong-type: canView must be a function.'])
  }
})

test('Hooks stay as they were when given, even if their object changes', async () => {
  const hooks: { canView?: () => boolean } = { canView: () => false }
  await asking(hooks, async (ask) => {
    delete hooks.canView
    assert.equal(labelsOf(await ask(AS_BOSS)), [])
  })
})

test('The namespace of an ES module is an object of hooks', async () => {
  const folder = createMenusFolder({ 'h.mjs': "export const canView = ({ id }) => id !== 'secret'" })
  const hooks: Policies = await import(pathToFileURL(join(folder.dir, 'h.mjs')).href)
  folder.close()
  await asking(hooks, async (ask) => {
    const answer = await ask(AS_BOSS)
    assert.equal(labelsOf(answer), ['Home'])
    assert.is(answer.headers['cache-control'], 'private, no-cache')
  })
  assert.match((await faultsOf(await load('export const canVeiw = 1'))).join(), 'canVeiw is not a hook')
})

test.run()
