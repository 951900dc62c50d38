import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { API, codeOf, managing, renamed } from './managing.js'

const menuOf = (code: string): string => `version: 1\ncode: ${code}\nname: ${code}\nitems: []\n`
const MENUS = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`m${at}.yaml`, menuOf(`m${at}`)]))
const PROXIED = {
  config: { server: { trusted_proxies: ['127.0.0.1'] }, dashboard: { proxy_user_header: 'X-User' } },
}

interface Listed {
  readonly id: string | null
  readonly user: string
}

test('A user has up to a hundred drafts: the next one is refused, one that exists is resumed, others begin theirs', async () => {
  await managing(
    async (script) => {
      const open = (at: number, query = '') => script('POST', `/drafts?file=m${at}.yaml${query}`)
      const opened = []
      for (let at = 0; at < 100; at++) opened.push((await open(at)).status)
      assert.equal(opened, Array(100).fill(201))
      for (const query of ['', '&dry_run=true'])
        assert.is(codeOf(await open(100, query)), '507 too-many-drafts')
      const { id } = (await open(99)).json() as { id: string }
      assert.is((await script('DELETE', `/drafts/${id}`)).status, 204)
      assert.is((await open(100)).status, 201)
    },
    {},
    MENUS,
  )
})

test('The admin token discards drafts of anybody, a user their own only, and both see which', async () => {
  await managing(async (script, site) => {
    const as = async (user: string) => {
      const headers = { 'x-user': user, origin: site.url }
      const { csrf } = (await site.ask(`${API}/session`, { headers })).json() as { csrf: string }
      return (method: string, path: string) =>
        site.ask(`${API}${path}`, { method, headers: { ...headers, 'x-csrf-token': csrf } })
    }
    const [ana, bo] = [await as('ana'), await as('bo')]
    const { id } = (await ana('POST', '/drafts?file=main.yaml')).json() as { id: string }
    const listed = async (ask: typeof ana) =>
      ((await ask('GET', '/drafts')).json() as { drafts: Listed[] }).drafts.map((each) => [
        each.user,
        each.id,
      ])
    assert.equal(await listed(ana), [['ana', id]])
    assert.equal(await listed(bo), [['ana', null]])
    assert.is((await bo('DELETE', `/drafts/${id}`)).status, 204)
    assert.equal(await listed((method, path) => script(method, path)), [['ana', id]])
    assert.is(codeOf(await script('PATCH', `/drafts/${id}`, { body: renamed('x') })), '404 no-draft')
    assert.is((await script('DELETE', `/drafts/${id}`)).status, 204)
    assert.equal(await listed(ana), [])
  }, PROXIED)
})

test.run()
