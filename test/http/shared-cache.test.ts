import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createGreedyCache } from './greedy-cache.js'
import { type OpenSite, withSite } from './sites.js'

// D18 as a whole: a cache between the service and its visitors, as greedy as RFC 9111 allows it to be.

const ITEMS = [
  { label: { en: 'Open', es: 'Abierto' }, url: '/' },
  { label: 'A', url: '/a', permissions: ['a'] },
  { label: 'B', url: '/b', permissions: ['a', 'b'], permissionMode: 'any' },
]
const MENUS = {
  'guarded.yaml': JSON.stringify({ version: 1, code: 'guarded', name: 'Guarded', items: ITEMS }),
  'open.yaml': JSON.stringify({ version: 1, code: 'open', name: 'Open', items: ITEMS.slice(0, 1) }),
}
const CONFIG = { locales: ['en', 'es'] }
/** The viewer is who the header says; the menu is named after the tenant. */
const POLICIES = `
export const resolveViewer = ({ headers }) =>
  ({ id: headers['x-user'] ?? null, permissions: (headers['x-user'] ?? '').split('') })
export const resolveMenuCode = ({ headers }, hint) => headers['x-tenant'] === 'plain' ? 'open' : hint
`
const VIEWERS = [
  {},
  { 'x-user': 'a' },
  { 'x-user': 'b', 'accept-language': 'es' },
  { 'x-user': 'ab', 'x-tenant': 'plain' },
  { 'accept-language': 'es, en;q=0.5' },
]
const PATHS = ['/api/menu/guarded', '/api/menu/open', '/api/menu/guarded?_locale=es', '/api/menu/none']

/** Every viewer asks for every path again and again; answers how often the cache could help. */
async function foreignAnswers(site: OpenSite, rounds: number): Promise<{ hits: number; foreign: number }> {
  const throughCache = createGreedyCache(site.ask)
  const own = new Map<string, string>()
  const count = { hits: 0, foreign: 0 }
  for (let round = 0; round < rounds; round++) {
    for (const path of PATHS) {
      for (const [who, headers] of VIEWERS.entries()) {
        const key = `${who} ${path}`
        const truth = own.get(key) ?? (await site.ask(path, { headers })).text
        own.set(key, truth)
        const { answer, hit } = await throughCache(path, headers)
        if (hit) count.hits++
        if (answer.text !== truth) count.foreign++
      }
    }
  }
  return count
}

test('D18: behind a shared cache no viewer gets the answer of another, with any hooks', async () => {
  await withSite(MENUS, { config: CONFIG, policies: POLICIES }, async (site) => {
    assert.equal(await foreignAnswers(site, 40), { hits: 0, foreign: 0 })
  })
})

test('D18: with varyOn the cache helps, and still no viewer gets the answer of another', async () => {
  const policies = `${POLICIES}export const varyOn = ['X-User', 'X-Tenant']`
  await withSite(MENUS, { config: CONFIG, policies }, async (site) => {
    const { hits, foreign } = await foreignAnswers(site, 40)
    assert.is(foreign, 0)
    assert.ok(hits > 100, `${hits}`)
  })
})

test('D18: with hooks of ours the cache helps for menus without permissions', async () => {
  await withSite(MENUS, { config: CONFIG }, async (site) => {
    const { hits, foreign } = await foreignAnswers(site, 40)
    assert.is(foreign, 0)
    assert.ok(hits > 100, `${hits}`)
  })
})

test.run()
