import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { drafts } from '../change/menu-changes.js'
import type { OpenSite, SiteOptions } from '../http/sites.js'
import { sized } from '../support/figures.js'
import { test } from '../support/test.js'
import { codeOf, MENU, openForScript, type Script } from './managing.js'

/** Visitors say in a header what they may do. */
const SITE: SiteOptions = {
  config: {
    locales: ['en', 'es'],
    routes: { one: '/one/:id', two: '/two' },
    api: { node_members: ['id', 'attributes'] },
  },
  policies: `
    const keysOf = (headers) => (headers['x-may'] ?? '').split(',').filter((key) => key !== '')
    export const resolveViewer = ({ headers }) => ({ id: null, permissions: keysOf(headers) })
  `,
}

interface Preview {
  readonly file: string | null
  readonly config: { readonly name: string | null }
  readonly tree: readonly unknown[]
  readonly html: string
  readonly explanation: { readonly items: readonly { readonly line: number; readonly fate: string }[] }
}

const previewOf = async (script: Script, body: unknown): Promise<Preview> => {
  const answer = await script('POST', '/preview', { body })
  assert.is(answer.status, 200, answer.text)
  return answer.json() as Preview
}

/** What a visitor gets. */
async function served(site: OpenSite, locale: string, permissions: readonly string[]): Promise<unknown> {
  const headers = { 'x-may': permissions.join() }
  return (await site.ask(`/api/menu/main?_locale=${locale}`, { headers })).json()
}

const visits = fc.record({
  locale: fc.constantFrom('en', 'es', 'es-MX', 'fr'),
  permissions: fc.subarray(['one', 'two', 'three', 'four']),
})

test('The preview of a draft is what the API answers once it is published; that of a menu, what it answers now', async () => {
  const [script, site] = await openForScript(SITE)
  let published = 0
  const law = fc.asyncProperty(drafts, visits, async (items, { locale, permissions }) => {
    const { id } = (await script('POST', '/drafts?file=main.yaml')).json() as { id: string }
    const body = [{ op: 'replace', path: '/items', value: items }]
    assert.is((await script('PATCH', `/drafts/${id}`, { body })).status, 200)
    const asked = { locale, viewer: { permissions } }
    const before = await served(site, locale, permissions)
    assert.equal((await previewOf(script, { code: 'main', ...asked })).tree, before)
    const judged = await script('POST', '/preview', { body: { draft: id, ...asked } })
    assert.equal(await served(site, locale, permissions), before)
    const publishing = await script('POST', `/drafts/${id}/publish`)
    const { isBlocked = false } = judged.json() as { isBlocked?: boolean }
    assert.is(isBlocked ? 422 : judged.status, publishing.status)
    await script('DELETE', `/drafts/${id}`)
    if (publishing.status !== 200) return
    published++
    const after = await served(site, locale, permissions)
    assert.equal((judged.json() as Preview).tree, after)
    assert.equal((await previewOf(script, { file: 'main.yaml', ...asked })).tree, after)
  })
  await fc.assert(law, { numRuns: sized(30, 500) })
  assert.ok(published > 10, String(published))
})

test('A preview has the file, its configuration, its HTML, and why each item is there, with its line', async () => {
  const [script] = await openForScript()
  const { id } = (await script('POST', '/drafts?file=main.yaml')).json() as { id: string }
  const value = { label: '<b>"New"</b>', url: '/new', permissions: ['x'] }
  await script('PATCH', `/drafts/${id}`, { body: [{ op: 'add', path: '/items/1', value }] })
  const { file, config, html, explanation } = await previewOf(script, { draft: id })
  assert.is(file, 'main.yaml')
  assert.is(config.name, 'Main')
  assert.not.match(html, 'New')
  assert.equal(
    explanation.items.map(({ line, fate }) => [line, fate]),
    [
      [6, 'shown'],
      [8, 'denied'],
      [11, 'shown'],
    ],
  )
  const allowed = await previewOf(script, { draft: id, viewer: { permissions: ['x'] } })
  assert.match(allowed.html, '&lt;b&gt;&quot;New&quot;&lt;/b&gt;')
})

test('Without context sets, a file or a draft is previewed with its own; an unknown code is an empty tree', async () => {
  const variant = MENU.replace('name: Main', 'context: { plan: pro }\nname: Pro')
  const [script] = await openForScript({ menus: { 'main.yaml': MENU, 'pro.yaml': variant } })
  assert.is((await previewOf(script, { file: 'pro.yaml' })).config.name, 'Pro')
  assert.is((await previewOf(script, { code: 'main' })).config.name, 'Main')
  assert.is((await previewOf(script, { file: 'pro.yaml', context_sets: [{}] })).config.name, 'Main')
  const { file, tree, html } = await previewOf(script, { code: '\ud800' })
  assert.equal([file, tree, html], [null, [], ''])
})

test('A draft that is no menu has no preview but the reasons', async () => {
  const [script] = await openForScript()
  const { id } = (await script('POST', '/drafts?file=main.yaml')).json() as { id: string }
  await script('PATCH', `/drafts/${id}`, { body: [{ op: 'remove', path: '/items/0/label' }] })
  assert.is(codeOf(await script('POST', '/preview', { body: { draft: id } })), '422 invalid-menu')
  const bodies: readonly [unknown, string][] = [
    [{ draft: 'none' }, '404 no-draft'],
    [{ file: 'none.yaml' }, '404 no-file'],
    [{ file: '../main.yaml' }, '422 bad-path'],
    [{ code: 'main', context_sets: {} }, '400 bad-context-sets'],
    [{ code: 'main', context_sets: [{ a: [] }] }, '400 bad-context-sets'],
    [{ code: 'main', viewer: 'x' }, '400 bad-body'],
    [{ code: 'main', viewer: { permissions: [1] } }, '400 bad-body'],
    [{ code: 1 }, '400 bad-body'],
    [[], '400 bad-body'],
  ]
  for (const [body, code] of bodies)
    assert.is(codeOf(await script('POST', '/preview', { body })), code, JSON.stringify(body))
})

test('A preview and an explanation take the context sets that a menu request can have, and no more', async () => {
  const [script] = await openForScript()
  const long = [{ partner: 'x'.repeat(8_200) }]
  const sets = encodeURIComponent(JSON.stringify(long))
  for (const answer of [
    await script('POST', '/preview', { body: { code: 'main', context_sets: long } }),
    await script('GET', `/explain?code=main&context_sets=${sets}`),
  ]) {
    assert.is(codeOf(answer), '400 bad-context-sets')
    assert.match(answer.text, '8192')
  }
  const short = [{ partner: 'x'.repeat(8_000) }]
  assert.is((await script('POST', '/preview', { body: { code: 'main', context_sets: short } })).status, 200)
  const permissions = Array.from({ length: 400_000 }, (_, place) => `may.${place}`)
  const refused = await script('POST', '/preview', { body: { code: 'main', viewer: { permissions } } })
  assert.is(refused.status, 413)
})

test('A failing hook is named in the preview, without its message', async () => {
  const policies = `export const prepareRequest = () => { throw new Error('secret at db.internal') }`
  const [script] = await openForScript({ policies })
  for (const answer of [
    await script('POST', '/preview', { body: { code: 'main' } }),
    await script('GET', '/explain?code=main'),
  ]) {
    assert.is(codeOf(answer), '422 hook-failed')
    assert.match(answer.text, 'prepareRequest')
    assert.not.match(answer.text, 'secret')
  }
})

test('The live explanation matches the preview, and invalid requests are refused', async () => {
  const [script] = await openForScript()
  const sets = encodeURIComponent('[{"plan":"pro"},{}]')
  const asked = `/explain?code=main&locale=es-MX&context_sets=${sets}&permissions=a,b`
  const explained = (await script('GET', asked)).json()
  const body = { code: 'main', locale: 'es-MX', context_sets: [{ plan: 'pro' }, {}] }
  const { explanation } = await previewOf(script, { ...body, viewer: { permissions: ['a', 'b'] } })
  assert.equal(explained, explanation)
  assert.is(codeOf(await script('GET', '/explain')), '400 missing-parameter')
  for (const bad of ['[', '{}', '[{"a":1,"a":1}]', '[{"a":{}}]'])
    assert.is(
      codeOf(await script('GET', `/explain?code=main&context_sets=${encodeURIComponent(bad)}`)),
      '400 bad-context-sets',
    )
})

test('A preview and an explanation as of another time are what visitors get then', async () => {
  const timed = MENU.replace('url: /sales', 'url: /sales\n    visibleFrom: 2099-12-01T00:00:00+01:00')
  const [script, site] = await openForScript({ menus: { 'main.yaml': timed } })
  const fatesAt = async (now: string | null) => {
    const { tree, explanation } = await previewOf(script, { code: 'main', now })
    const path = `/explain?code=main${now === null ? '' : `&now=${encodeURIComponent(now)}`}`
    const explained = (await script('GET', path)).json() as Preview['explanation']
    assert.equal(explained.items, explanation.items)
    return [tree.length, ...explanation.items.map(({ fate }) => fate)]
  }
  assert.equal(await fatesAt(null), [1, 'shown', 'outside'])
  assert.equal(await fatesAt('2099-11-30T22:59:59Z'), [1, 'shown', 'outside'])
  assert.equal(await fatesAt('2099-11-30T23:00:00Z'), [2, 'shown', 'shown'])
  assert.is((await site.ask('/api/menu/main')).text.includes('Sales'), false)
  for (const now of ['2099-12-01', 'soon', '2099-02-30T00:00:00Z']) {
    assert.is(codeOf(await script('POST', '/preview', { body: { code: 'main', now } })), '400 bad-body')
    assert.is(codeOf(await script('GET', `/explain?code=main&now=${now}`)), '400 bad-parameter')
  }
})

test.run()
