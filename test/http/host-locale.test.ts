import type { IncomingMessage } from 'node:http'
import * as assert from 'uvu/assert'
import { get, type HttpAnswer } from '../support/http.js'
import { listening } from '../support/listening.js'
import { closing, test } from '../support/test.js'
import { type OpenSite, openSite } from './sites.js'

const MENUS = {
  'main.yaml': JSON.stringify({
    version: 1,
    code: 'main',
    name: 'Main',
    items: [{ label: { en: 'Home', es: 'Inicio' }, url: '/' }],
  }),
}
const CONFIG = { locales: ['en', 'es'] }

/** Asks a host whose middleware puts the locale of a cookie on the request. */
async function askMounted({ handler }: OpenSite, path: string, cookie: string | null): Promise<HttpAnswer> {
  const url = await listening((request: IncomingMessage & { locale?: unknown }, response) => {
    if (request.headers.cookie !== undefined) request.locale = request.headers.cookie
    handler(request, response)
  })
  return get(url + path, { headers: { 'accept-language': 'en', ...(cookie !== null && { cookie }) } })
}

test('The mounted handler uses the locale that the host put on a request, as templates do', async () => {
  const site = closing(await openSite(MENUS, { config: CONFIG }))
  for (const [cookie, language] of [
    ['es', 'es'],
    ['ES_mx', 'es'],
    ['fr', 'en'],
    [null, 'en'],
  ] as const) {
    const { headers } = await askMounted(site, '/api/menu/main', cookie)
    assert.is(headers['content-language'], language, `${cookie}`)
  }
  assert.is((await askMounted(site, '/api/menu/main?_locale=en', 'es')).headers['content-language'], 'en')
})

test('D18: an answer in the locale that the host put on the request is never shared, even with varyOn', async () => {
  const cacheOf = async (site: OpenSite, path: string, cookie: string | null) =>
    (await askMounted(site, path, cookie)).headers['cache-control'] ?? ''
  const varyOn = "export const varyOn = ['X-Tenant']"
  for (const options of [{ config: CONFIG }, { config: CONFIG, policies: varyOn }]) {
    const site = closing(await openSite(MENUS, options))
    assert.is(await cacheOf(site, '/api/menu/main', 'es'), 'private, no-cache')
    assert.is(await cacheOf(site, '/api/menu/none', 'es'), 'private, no-cache')
    assert.match(await cacheOf(site, '/api/menu/main', null), /^public/)
    assert.match(await cacheOf(site, '/api/menu/main?_locale=es', 'es'), /^public/)
  }
})

test('The hook resolveLocale takes precedence over the locale of the request', async () => {
  const site = closing(
    await openSite(MENUS, { config: CONFIG, policies: "export const resolveLocale = () => 'en'" }),
  )
  assert.is((await askMounted(site, '/api/menu/main', 'es')).headers['content-language'], 'en')
})

test.run()
