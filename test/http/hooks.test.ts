import * as assert from 'uvu/assert'
import { closing, test } from '../support/test.js'
import { type OpenSite, openSite } from './sites.js'

const MENUS = {
  'main.yaml': JSON.stringify({
    version: 1,
    code: 'main',
    name: 'Main',
    items: [
      { label: { en: 'Home', es: 'Inicio' }, url: '/' },
      { label: 'Route', routeName: 'route', routeParams: { id: 1 } },
    ],
  }),
}
const CONFIG = { locales: ['en', 'es'], routes: { route: '/route/:id' } }
const SPANISH = { headers: { 'accept-language': 'es' } }

/** What a hook must not do, as its text. */
const FAULTS: Readonly<Record<string, string>> = {
  'throws an error': "() => { throw new Error('secret /etc/passwd') }",
  'throws undefined': '() => { throw undefined }',
  'throws what is no text': '() => { throw Object.create(null) }',
  'answers a promise': '() => Promise.resolve(true)',
  'answers a promise that is rejected': "() => Promise.reject(new Error('secret'))",
  'answers undefined': '() => {}',
  'answers null': '() => null',
  'answers a number': '() => 7',
  'answers a list': "() => ['main']",
  'answers a text in an object': "() => new String('main')",
  'calls itself forever': '() => { const again = () => again(); return again() }',
  'answers junk': "() => ({ id: 'x', permissions: 'all' })",
}

async function openHooked(policies: string): Promise<OpenSite> {
  return closing(await openSite(MENUS, { config: CONFIG, policies }))
}

const linksOf = async ({ ask }: OpenSite) => {
  const nodes = (await ask('/api/menu/main', SPANISH)).json() as { label: string; href: string }[]
  return nodes.map(({ label, href }) => `${label} ${href}`)
}

/** The answer is a 500 that says nothing but an id, which is in the log; and the service goes on. */
async function failsClosed(site: OpenSite): Promise<void> {
  const answer = await site.ask('/api/menu/main')
  const { id, code } = answer.json() as { id: string; code: string }
  assert.equal([answer.status, code], [500, 'internal-error'])
  assert.is(answer.headers['content-type'], 'application/problem+json')
  assert.is(answer.headers['cache-control'], 'no-store')
  assert.not.match(
    answer.text,
    /secret|passwd|Hook|resolve|prepare|at |\.mjs|node:|stack|RangeError|policies/,
  )
  const line = site.events.find(({ event }) => event === 'request_failed')
  assert.is(line?.fields['id'], id)
  assert.is((await site.ask('/livez')).status, 200)
}

for (const [name, fault] of Object.entries(FAULTS)) {
  test(`D22: a code resolver that ${name} gives 500 with an id, and the service goes on`, async () =>
    failsClosed(await openHooked(`export const resolveMenuCode = ${fault}`)))

  test(`D15: a viewer resolver that ${name} gives 500 with an id, and the service goes on`, async () =>
    failsClosed(await openHooked(`export const resolveViewer = ${fault}`)))
}

for (const [name, fault] of Object.entries({ ...FAULTS, 'answers the text "true"': "() => 'true'" })) {
  test(`D21: a permission checker that ${name} hides every item, and is logged once, however often it is asked`, async () => {
    const site = await openHooked(`export const canView = ${fault}`)
    for (let time = 0; time < 5; time++) assert.equal(await linksOf(site), [])
    const logged = site.events.filter(({ event }) => event === 'hook_failed')
    assert.equal(
      logged.map(({ fields }) => fields['hook']),
      ['canView'],
    )
  })
}

for (const name of [
  'throws an error',
  'throws undefined',
  'throws what is no text',
  'answers a promise that is rejected',
]) {
  test(`D15: a preparation that ${name} gives 500 with an id, and the service goes on`, async () =>
    failsClosed(await openHooked(`export const prepareRequest = ${FAULTS[name]}`)))
}

test('A preparation is awaited before the other hooks, and its result is ignored', async () => {
  const text = `
    export const prepareRequest = async (request) => {
      await new Promise((done) => setTimeout(done, 20))
      request.tenant = 'main'
      return 'junk'
    }
    export const resolveMenuCode = (request) => request.tenant`
  const { ask } = await openHooked(text)
  const answers = await Promise.all(['/api/menu/x', '/api/menu/y'].map((path) => ask(path)))
  for (const { json } of answers) assert.is((json() as unknown[]).length, 2)
})

test('A viewer that the hook does not provide is refused whether or not there is a menu', async () => {
  const { ask } = await openHooked("export const resolveViewer = () => { throw new Error('expired') }")
  assert.is((await ask('/api/menu/nothing')).status, 500)
})

test('A request that fails leaves the next one alone', async () => {
  const text =
    "export const resolveViewer = ({ url }) => { if (url.includes('bad')) throw 1; return { id: null, permissions: [] } }"
  const { ask } = await openHooked(text)
  const statuses = await Promise.all(
    ['', '?bad', '', '?bad=1', ''].map(async (query) => (await ask(`/api/menu/main${query}`)).status),
  )
  assert.equal(statuses, [200, 500, 200, 500, 200])
})

test('D5: HEAD of a request that fails has no body', async () => {
  const { ask } = await openHooked('export const resolveViewer = () => null')
  const { status, body } = await ask('/api/menu/main', { method: 'HEAD' })
  assert.equal([status, body.length], [500, 0])
})

test('A hook of the viewer that shows more does not show it to the next viewer', async () => {
  const text = `
    export const resolveViewer = ({ headers }) => ({ id: headers['x-user'] ?? null, permissions: [] })
    export const canView = (item, viewer) => item.routeName === null || viewer.id === 'boss'`
  const { ask } = await openHooked(text)
  const count = async (user: string) =>
    ((await ask('/api/menu/main', { headers: { 'x-user': user } })).json() as unknown[]).length
  assert.equal([await count('boss'), await count('guest'), await count('boss')], [2, 1, 2])
})

test('A hook that reads the parameters of a page finds none on our own server, and does not fail', async () => {
  const site = await openHooked("export const resolveLocale = ({ params }) => params.lang ?? 'es'")
  assert.is((await linksOf(site))[0], 'Inicio /')
  assert.not.ok(site.events.some(({ event }) => event === 'hook_failed'))
})

test.run()
