import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ExplainedItem } from '../../src/service/explain/explanation.js'
import { yaml } from '../support/yaml.js'
import { menuscriptProcess } from './command.js'
import { inProject, STACK } from './project.js'

// What `explain` makes of the hooks of a deployment: the same as a request over HTTP would.

const MENUS = {
  'menus/main.yaml': yaml`
    version: 1
    code: main
    name: Main
    items:
      - label: { en: Users, es: Usuarios }
        url: /users
        permissions: [users.view]
      - { label: Other, routeName: other }
  `,
  'menus/guest.yaml': 'version: 1\ncode: guest\nname: Guest\nitems: [{ label: Sign in, url: / }]\n',
  'menuscript.config.yaml': 'locales: [en, es]\npolicies: policies.mjs\n',
}

interface Told {
  readonly code: { readonly asked: string; readonly resolved: string; readonly why: string }
  readonly locale: { readonly effective: string; readonly why: string }
  readonly viewer: { readonly id: unknown; readonly permissions: readonly string[]; readonly why: string }
  readonly menu: { readonly path: string } | null
  readonly items: readonly ExplainedItem[]
}

/** Runs `explain main` under these hooks, and gives what it told as JSON with its messages. */
function explainUnder(policies: string, ...args: readonly string[]) {
  return inProject({ ...MENUS, 'policies.mjs': policies }, async ({ run }) => {
    const outcome = await run('explain', 'main', '--json', ...args)
    return { ...outcome, told: outcome.stdout === '' ? null : (JSON.parse(outcome.stdout) as Told) }
  })
}

const JANE = "export const resolveViewer = () => ({ id: 'jane', permissions: ['users.view'] })\n"

test('The viewer comes from resolveViewer, unless --permissions is given', async () => {
  const { told } = await explainUnder(JANE)
  assert.equal([told?.viewer.id, told?.viewer.permissions], ['jane', ['users.view']])
  assert.match(told?.viewer.why ?? '', 'resolveViewer')
  assert.is(told?.items[0]?.fate, 'shown')
  const given = (await explainUnder(JANE, '--permissions', ' a ,, b')).told
  assert.equal([given?.viewer.permissions, given?.items[0]?.fate], [['a', 'b'], 'denied'])
  const none = (await explainUnder(JANE, '--permissions', '')).told
  assert.equal([none?.viewer.id, none?.viewer.permissions, none?.items[0]?.fate], [null, [], 'denied'])
})

test('--permissions replaces even a resolveViewer that fails', async () => {
  const broken = "export const resolveViewer = () => { throw new Error('no session') }\n"
  const { code, told } = await explainUnder(broken, '--permissions', 'users.view')
  assert.equal([code, told?.items[0]?.fate], [0, 'shown'])
})

test('Every --header reaches the hooks, by its name in lower case and with its value unchanged', async () => {
  const policies = `
    export const resolveViewer = ({ headers }) => ({ id: JSON.stringify(headers), permissions: [] })
    export const resolveMenuCode = ({ headers }, hint) => (headers['x-user'] === undefined ? 'guest' : hint)
  `
  const headers = ['--header', 'X-User: jane: doe', '--header', 'x-empty:']
  const { told } = await explainUnder(policies, ...headers)
  assert.equal(JSON.parse(String(told?.viewer.id)), { 'x-user': 'jane: doe', 'x-empty': '' })
  assert.is(told?.menu?.path, 'menus/main.yaml')
  const guest = (await explainUnder(policies)).told
  assert.equal(
    [guest?.code.asked, guest?.code.resolved, guest?.menu?.path],
    ['main', 'guest', 'menus/guest.yaml'],
  )
  assert.match(guest?.code.why ?? '', 'resolveMenuCode')
})

test('Accept-Language is a header like any other, and --locale overrides it', async () => {
  const header = ['--header', 'Accept-Language: de, es-AR;q=0.8']
  const { told } = await explainUnder(JANE, ...header)
  assert.equal([told?.locale.effective, told?.items[0]?.label.text], ['es', 'Usuarios'])
  assert.match(told?.locale.why ?? '', 'Accept-Language')
  const named = (await explainUnder(JANE, ...header, '--locale', 'en')).told
  assert.is(named?.locale.effective, 'en')
})

test('prepareRequest is awaited before the other hooks', async () => {
  const policies = `
    export const prepareRequest = async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      request.user = { id: request.headers.session, permissions: ['users.view'] }
    }
    export const resolveViewer = ({ user }) => user
  `
  const { told, stderr } = await explainUnder(policies, '--header', 'Session: jane')
  assert.equal([told?.viewer.id, told?.items[0]?.fate, stderr], ['jane', 'shown', ''])
})

/** Hooks without whose answer nothing is served, and how they fail. */
const FATAL: readonly (readonly [hook: string, policies: string])[] = [
  ['prepareRequest', "export const prepareRequest = async () => { throw new Error('no session store') }"],
  ['resolveViewer', "export const resolveViewer = () => { throw new Error('no session store') }"],
  ['resolveMenuCode', "export const resolveMenuCode = () => { throw new Error('no session store') }"],
]

for (const [hook, policies] of FATAL) {
  test(`A ${hook} that fails is reported with its reason and without a stack, and the exit code is 3`, async () => {
    const { code, stdout, stderr } = await explainUnder(policies)
    assert.equal([code, stdout], [3, ''])
    assert.match(stderr, new RegExp(`^error: .*500.*${hook}`, 'm'))
    assert.match(stderr, 'no session store')
    assert.not.match(stderr, STACK)
  })
}

/** Hooks whose failure costs an item or a path, and how they fail. */
const HARMLESS: readonly (readonly [hook: string, policies: string])[] = [
  ['canView', "export const canView = () => { throw new Error('no role table') }"],
  ['generatePath', "export const generatePath = () => { throw new Error('no role table') }"],
  ['resolveLocale', "export const resolveLocale = () => { throw new Error('no role table') }"],
]

for (const [hook, policies] of HARMLESS) {
  test(`A ${hook} that fails is reported on stderr once with its reason, and the rest is explained`, async () => {
    const { code, told, stderr } = await explainUnder(policies)
    assert.equal([code, told?.items.length], [0, 2])
    assert.match(stderr, new RegExp(`^.*${hook}.*no role table\n$`))
    assert.not.match(stderr, STACK)
    if (hook === 'canView') assert.equal([told?.items[0]?.fate, told?.items[1]?.fate], ['denied', 'denied'])
    if (hook === 'generatePath') assert.is(told?.items[1]?.href?.value, '#')
    if (hook === 'resolveLocale') assert.is(told?.locale.effective, 'en')
  })
}

test('Handles left open by a policies module do not keep explain from ending', async () => {
  const start = performance.now()
  const files = { ...MENUS, 'policies.mjs': `setInterval(() => {}, 1000)\n${JANE}` }
  const { code } = await inProject(files, ({ dir }) => menuscriptProcess(['explain', 'main'], { cwd: dir }))
  const took = Math.round(performance.now() - start)
  console.log(`    it took ${took} ms (promised: 1000 ms)`)
  assert.is(code, 0)
  assert.ok(took < 60_000)
})

test('The request that hooks are given is the one of builds: url, locale, headers and params', async () => {
  const policies =
    'export const resolveViewer = (request) => ({ id: JSON.stringify(request), permissions: [] })'
  const { told } = await explainUnder(policies, '--locale', 'es')
  const request = JSON.parse(String(told?.viewer.id)) as Readonly<Record<string, unknown>>
  assert.equal(Object.keys(request).sort(), ['headers', 'locale', 'params', 'url'])
  assert.equal([request['headers'], request['params'], request['locale']], [{}, {}, 'es'])
})

test.run()
