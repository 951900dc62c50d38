import * as assert from 'uvu/assert'
import { closing, test } from '../support/test.js'
import { menuText, openSite, type SiteOptions, withSite } from './sites.js'

const GUARDED = JSON.stringify({
  version: 1,
  code: 'guarded',
  name: 'Guarded',
  items: [
    { label: 'Open', url: '/' },
    {
      type: 'section',
      label: 'Office',
      children: [{ label: 'Reports', url: '/reports', permissions: ['r'] }],
    },
  ],
})
const MENUS = { 'main.yaml': menuText('main', 'Home'), 'guarded.yaml': GUARDED }
const SHARED = 'public, max-age=0, s-maxage=60, stale-while-revalidate=10'
const PRIVATE = 'private, no-cache'

const site = await openSite(MENUS)
test.after(() => site.close())

/** Each hook alone, doing what ours would do: what counts is that it is not ours. */
const HOOKS: Readonly<Record<string, string>> = {
  resolveMenuCode: 'export const resolveMenuCode = (request, hint) => hint',
  resolveViewer: 'export const resolveViewer = () => ({ id: null, permissions: [] })',
  canView: 'export const canView = () => true',
  resolveLocale: "export const resolveLocale = () => 'en'",
  generatePath: "export const generatePath = () => '/'",
  prepareRequest: 'export const prepareRequest = async () => {}',
}

async function cacheOf(path: string, options: SiteOptions): Promise<Readonly<Record<string, string>>> {
  let headers: Readonly<Record<string, string>> = {}
  await withSite(MENUS, options, async ({ ask }) => {
    headers = (await ask(path)).headers
  })
  return headers
}

/** The names in a Vary header, in lower case. */
function variesOf({ vary = '' }: Readonly<Record<string, string>>): string[] {
  return vary
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .sort()
}

test('D18: with hooks of ours alone, a menu without permissions may be shared for the time configured', async () => {
  assert.is((await site.ask('/api/menu/main')).headers['cache-control'], SHARED)
  const { 'cache-control': control = '' } = await cacheOf('/api/menu/main', { config: { cache: { ttl: 7 } } })
  assert.match(control, /^public, max-age=0, s-maxage=7, stale-while-revalidate=\d+$/)
})

test('D18: a menu that carries a permission anywhere is private', async () => {
  assert.is((await site.ask('/api/menu/guarded')).headers['cache-control'], PRIVATE)
})

test('D18: an answer without a menu is requested again each time', async () => {
  assert.is((await site.ask('/api/menu/nothing')).headers['cache-control'], 'no-cache')
})

for (const [name, policies] of Object.entries(HOOKS)) {
  test(`D18: with ${name} of the deployment, every answer is private`, async () => {
    assert.is((await cacheOf('/api/menu/main', { policies }))['cache-control'], PRIVATE)
    const empty = await cacheOf('/api/menu/nothing', { policies })
    assert.match(empty['cache-control'] ?? '', /no-cache/)
    assert.not.match(empty['cache-control'] ?? '', /public/)
  })

  test(`D18: with ${name} and varyOn, answers are shared by the headers that it names`, async () => {
    const options = { policies: `${policies}\nexport const varyOn = ['X-Tenant', 'Cookie']` }
    for (const path of ['/api/menu/main', '/api/menu/guarded']) {
      const headers = await cacheOf(path, options)
      assert.is(headers['cache-control'], SHARED)
      assert.equal(variesOf(headers), ['accept-encoding', 'accept-language', 'cookie', 'x-tenant'])
    }
  })
}

test('D19: an answer varies by Accept-Language exactly when no locale was requested', async () => {
  const varies = async (query: string) =>
    variesOf((await site.ask(`/api/menu/main${query}`)).headers).includes('accept-language')
  assert.equal([await varies(''), await varies('?_locale='), await varies('?x=1')], [true, true, true])
  assert.equal([await varies('?_locale=en'), await varies('?_locale=xx')], [false, false])
  assert.ok(variesOf((await site.ask('/api/menu/nothing')).headers).includes('accept-language'))
})

/** Each hook failing while a header says so, and the answer that lacks something then. */
const FAILING: Readonly<Record<string, string>> = {
  canView: 'export const canView = (_, __, { headers }) => headers.broken ? undefined : true',
  resolveLocale: "export const resolveLocale = ({ headers }) => headers.broken ? headers.no.such : 'en'",
  generatePath: "export const generatePath = (_, __, { headers }) => headers.broken ? 1 : '/'",
}
const ROUTED = { version: 1, code: 'routed', name: 'R', items: [{ label: 'A', routeName: 'a' }] }

for (const [name, hook] of Object.entries(FAILING)) {
  test(`D18: with varyOn, an answer for which ${name} failed is requested again each time`, async () => {
    const menus = { 'routed.yaml': JSON.stringify(ROUTED) }
    const { ask } = closing(
      await openSite(menus, { policies: `${hook}\nexport const varyOn = ['X-Tenant']` }),
    )
    const controlOf = async (headers: Readonly<Record<string, string>>) =>
      (await ask('/api/menu/routed', { headers })).headers['cache-control']
    assert.equal(
      [await controlOf({}), await controlOf({ broken: '1' }), await controlOf({})],
      [SHARED, 'no-cache', SHARED],
    )
  })
}

test('D19: with varyOn, Accept-Language stays in Vary when no locale was requested', async () => {
  const policies = `${HOOKS['resolveViewer']}\nexport const varyOn = ['X-Tenant']`
  assert.ok(variesOf(await cacheOf('/api/menu/main', { policies })).includes('accept-language'))
  assert.not(variesOf(await cacheOf('/api/menu/main?_locale=en', { policies })).includes('accept-language'))
})

test('D18: an answer varies by its coding, also when it was sent plain', async () => {
  for (const path of ['/api/menu/main', '/api/menu/nothing', '/api/menu/guarded?_locale=en'])
    assert.ok(variesOf((await site.ask(path)).headers).includes('accept-encoding'), path)
})

test('D18: a problem is never cached', async () => {
  for (const path of ['/api/menu/main?_context_sets=x', '/none', '/api/menu/%zz'])
    assert.is((await site.ask(path)).headers['cache-control'], 'no-store', path)
})

test.run()
