import { copyFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import type { TreeNode } from '../../src/client/client.js'
import { exportOf } from '../client/export-folder.js'
import { bundleRecipe, recipeText, toBare, toHtml } from '../client/recipes.js'
import { openStaticSite } from '../client/static-site.js'
import { openSite } from '../http/sites.js'
import { ROOT } from '../readme/readme.js'
import { listening } from '../support/listening.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { closing, test } from '../support/test.js'
import { visit } from './sites.js'

const MENU = JSON.stringify({
  ...{ version: 1, code: 'main', name: 'Main' },
  items: [
    {
      label: { en: 'Lamps & more', es: 'Lámparas' },
      url: '/lamps',
      children: [{ label: 'Desks', url: '/d' }],
    },
    { type: 'divider' },
    { type: 'section', label: 'Help', children: [{ label: 'Track', url: '/track' }] },
  ],
})
const PAGE =
  '<!doctype html><html lang="en"><title>A</title><nav id="menu"></nav><script type="module" src="a.js"></script>'
/** Pages and menus are of two origins here; offline, the console says so. */
const EXPECTED = /asked another origin|ERR_EMPTY_RESPONSE/

/** A service behind a server that keeps its requests, and a host for pages, with the client among them. */
async function open() {
  const options = { config: { locales: ['es', 'en'] } }
  const site = closing(await openSite({ 'main.yaml': MENU }, options))
  const seen: IncomingMessage[] = []
  const state = { isOffline: false }
  const url = await listening((request, response) => {
    if (state.isOffline) return void request.socket.destroy()
    seen.push(request)
    site.handler(request, response, () => response.writeHead(404).end())
  })
  const pages = closing(createMenusFolder({ 'index.html': PAGE, 'favicon.ico': '' }))
  copyFileSync(join(ROOT, 'dist/client.js'), join(pages.dir, 'client.js'))
  const exported = closing(await exportOf(site))
  const host = closing(await openStaticSite({ site: pages.dir, export: exported.dir }))
  const tree = (await site.ask('/api/menu/main?_locale=en')).json() as readonly TreeNode[]
  return { url, state, seen, pages, host, html: toHtml(tree) }
}

/** The menu of a page, as soon as there is one. */
async function menuOf(page: Page): Promise<string> {
  await page.locator('#menu ul').first().waitFor()
  return toBare(await page.locator('#menu').innerHTML()).replace(/^<nav>|<\/nav>$/g, '')
}

test('The plain recipe shows the menu, revalidates it without a preflight, and keeps it for a reload offline', async () => {
  const { url, state, seen, pages, host, html } = await open()
  pages.write('page.html', recipeText('plain/page.html', url))
  pages.write('menu.js', recipeText('plain/menu.js', url))
  const { page, close } = await visit()
  await page.goto(`${host.url}/site/page.html`)
  assert.is(await menuOf(page), html)
  await page.reload()
  assert.is(await menuOf(page), html)
  assert.equal(
    seen.map(({ method, headers }) => [method, headers['if-none-match'] !== undefined]),
    [
      ['GET', false],
      ['GET', true],
    ],
  )
  state.isOffline = true
  await page.reload()
  assert.is(await menuOf(page), html)
  await close(EXPECTED)
})

test('The recipe for React loads the menu in a browser', async () => {
  const { url, pages, host, html } = await open()
  await bundleRecipe('react/browser.jsx', url, join(pages.dir, 'a.js'), true)
  const { page, close } = await visit()
  await page.goto(`${host.url}/site/index.html`)
  assert.is(await menuOf(page), html)
  await close(EXPECTED)
})

test('A worker of a browser loads a menu from an export next to it, in a language that the browser prefers', async () => {
  const { pages, host } = await open()
  const start =
    "new Worker('worker.js', { type: 'module' }).onmessage = ({ data }) => { document.title = data }"
  pages.write('a.js', start)
  pages.write(
    'worker.js',
    `import { createMenuClient } from './client.js'
const menus = createMenuClient('/export/menus.json')
const labels = []
for (const locale of [undefined, 'es']) labels.push((await menus.tree('main', { locale }))[0].label)
postMessage(labels.join())`,
  )
  const { page, close } = await visit()
  await page.goto(`${host.url}/site/index.html`)
  await page.waitForFunction("document.title !== 'A'")
  assert.is(await page.title(), 'Lamps & more,Lámparas')
  await close()
  const asked = host.log.filter((line) => line.startsWith('/export/'))
  assert.is(asked.length, 4)
})

test.run()
