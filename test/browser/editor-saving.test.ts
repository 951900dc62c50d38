import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { NESTED } from '../dashboard/managing.js'
import { createRepository } from '../support/repository.js'
import { type Editor, type Hands, handsOn, publish, serveIn } from './editing.js'
import { sharedBrowser } from './sites.js'

/** Everybody is who they say they are, and may do what they say. */
const POLICIES = `export const resolveOperator = ({ headers }) =>
  ({ id: headers['x-user'], role: headers['x-role'] ?? 'edit' })`

const browser = await sharedBrowser()
const repository = createRepository()
repository.commit('menus', {
  'menus/main.yaml': NESTED,
  'menus/alone.yaml': NESTED.replace('main', 'alone'),
  'menus/kept.yaml': NESTED.replace('main', 'kept'),
  'menus/first.yaml': NESTED.replace('main', 'first'),
  'menus/tabs.yaml': NESTED.replace('main', 'tabs'),
  'menus/late.yaml': NESTED.replace('main', 'late'),
  'policies.mjs': POLICIES,
  'menuscript.config.yaml': 'policies: ./policies.mjs\n',
})
let server = await serveIn(repository.dir)
const { url } = server
test.after(async () => {
  await server.stop()
  repository.close()
})

/** Somebody at a window of their own. */
async function enter(user: string): Promise<Pick<Editor, 'close'> & Hands> {
  const { page, close } = await browser.visitor({})
  await become(page, user, 'edit')
  return { ...handsOn(page, url), close }
}

function become(page: Page, user: string, role: 'view' | 'edit'): Promise<void> {
  return page.context().setExtraHTTPHeaders({ 'x-user': user, 'x-role': role, 'accept-language': 'en' })
}

/** Does something with each form that changes a draft; the page itself is fetched from the same address. */
async function routeSteps(
  page: Page,
  handle: (route: Route) => unknown,
  options: { readonly times?: number } = {},
): Promise<void> {
  let left = options.times ?? Number.POSITIVE_INFINITY
  await page.route('**/edit?*', async (route) => {
    const isStep = route.request().method() === 'POST' && left-- > 0
    await (isStep ? handle(route) : route.fallback())
  })
}

function textOfFile(file: string): string {
  return readFileSync(join(repository.dir, 'menus', file), 'utf8')
}

test('A tab and a server that are both killed lose nothing', async () => {
  const { page, open, press, saved } = await enter('ana')
  await open('kept.yaml')
  await press('Blog', 'Alt+ArrowUp')
  await saved()
  server.send('SIGKILL')
  await server.ended
  await press('Blog', 'Alt+ArrowLeft')
  await press('Home', 'Delete')
  await page.getByText('Not saved yet: the server does not respond.').waitFor()
  const next = await page.context().newPage()
  await page.close()
  server = await serveIn(repository.dir, new URL(url).port)
  const again = handsOn(next, url)
  await again.open('kept.yaml')
  await again.hears('Changes that were not saved when you left were sent.')
  assert.is(await again.tree(), '1 Products, 2 Lamps, 1 Blog, 1 About')
  await next.getByText('2 changes, not published').waitFor()
  await next.context().close()
})

test('What a tab left behind stays kept until another tab has sent it', async () => {
  const { page, open, press } = await enter('ana')
  await open('late.yaml')
  await routeSteps(page, (route) => route.abort())
  await press('Blog', 'Alt+ArrowUp')
  await page.getByText('Not saved yet: the server does not respond.').waitFor()
  const next = await page.context().newPage()
  await page.close()
  const asked = new Promise((resolve) => routeSteps(next, resolve))
  await handsOn(next, url).open('late.yaml')
  await asked
  const last = await next.context().newPage()
  await next.close()
  const again = handsOn(last, url)
  await again.open('late.yaml')
  await again.hears('Changes that were not saved when you left were sent.')
  assert.is(await again.tree(), '1 Home, 1 Products, 2 Blog, 2 Lamps, 1 About')
  await last.context().close()
})

test('Changes wait until the operator may edit again, but not for a proxy that will never let them through', async () => {
  const { page, open, press, tree, saved, hears, close } = await enter('dora')
  await open('late.yaml')
  await become(page, 'dora', 'view')
  await press('Home', 'Delete')
  await page.getByText('Not saved yet: ').waitFor()
  await become(page, 'dora', 'edit')
  await page.evaluate(`dispatchEvent(new Event('focus'))`)
  await saved()
  await page.getByText(/^4 items/).waitFor()
  await routeSteps(page, (route) => route.fulfill({ status: 413, body: '<h1>Too large</h1>' }))
  await press('About', 'Delete')
  await hears('Your last change could not be saved: 413')
  assert.is(await tree(), '1 Products, 2 Lamps, 2 Blog, 1 About')
  await close(/status of (403|413)/)
})

test('A browser that keeps nothing saves what it is asked to', async () => {
  const { page, open, press, tree } = await enter('emil')
  await page.addInitScript(
    `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError') } })`,
  )
  await open('late.yaml')
  const answered = page.waitForResponse((response) => response.request().method() === 'POST')
  await press('Home', 'Delete')
  await answered
  await page.reload()
  assert.is(await tree(), '1 Products, 2 Lamps, 2 Blog, 1 About')
  await page.context().close()
})

test('A page follows others again after its stream of events was refused', async () => {
  const { page, open, hears, close } = await enter('finn')
  await page.route('**/api/events', (route) => route.fulfill({ status: 502 }), { times: 1 })
  await open('late.yaml')
  const path = join(repository.dir, 'menus/late.yaml')
  writeFileSync(path, textOfFile('late.yaml').replace('Home', 'Start'))
  await hears('The menu was changed in another tab or by someone else.')
  await close(/status of 502/)
})

test('A page without changes adopts those of others in place; a page with changes keeps its own', async () => {
  const { page, open, press, tree, focus, saved, hears, close } = await enter('ana')
  await open('alone.yaml')
  await page.locator('.tree summary').click()
  await page.getByRole('link', { name: 'About', exact: true }).focus()
  const path = join(repository.dir, 'menus/alone.yaml')
  writeFileSync(
    path,
    textOfFile('alone.yaml').replace('- label: Home', '- label: First\n    url: /first\n  - label: Home'),
  )
  await hears('The menu was changed in another tab or by someone else.')
  assert.match(await tree(), /^1 First, 1 Home, /)
  assert.is(await focus(), 'About')
  assert.is(await page.locator('.tree details[open]').count(), 0)
  await press('About', 'Alt+ArrowUp')
  await saved()
  // Others save while a change of this page is on its way.
  await routeSteps(
    page,
    async (route) => {
      const heard = page.evaluate(HEARS_OF_NEXT)
      writeFileSync(path, NESTED.replace('main', 'alone').replace('Home', 'Start'))
      await heard
      await route.continue()
    },
    { times: 1 },
  )
  await press('About', 'Alt+ArrowUp')
  await saved()
  const mine = await tree()
  await page.getByText('The menu has changed since you began.').waitFor()
  assert.is(await tree(), mine)
  await close()
})

/** Waits for the second event about files, and for what a page may do about it. */
const HEARS_OF_NEXT = `new Promise((resolve) => {
  let count = 0
  const events = new EventSource('/admin/menus/api/events')
  events.addEventListener('revision', () => ++count === 2 && (events.close(), setTimeout(resolve, 600)))
})`

test('The first change of a page is kept if the file has changed since it was loaded', async () => {
  const { page, open, press, saved, tree, close } = await enter('cem')
  await page.route('**/api/events', (route) => route.abort())
  await open('first.yaml')
  const path = join(repository.dir, 'menus/first.yaml')
  writeFileSync(path, textOfFile('first.yaml').replace('Home', 'Start'))
  await press('Blog', 'Alt+ArrowUp')
  await saved()
  assert.is(await tree(), '1 Home, 1 Products, 2 Blog, 2 Lamps, 1 About')
  await open('first.yaml')
  await page.getByText('The menu has changed since you began.').waitFor()
  await page.getByRole('button', { name: 'Review and publish' }).click()
  await page.getByText('This is the merged result.').waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText(/is live\.$/).waitFor()
  assert.match(textOfFile('first.yaml'), /Start.*Blog.*Lamps/s)
  await close(/ERR_FAILED/)
})

test('The bar says at once that a deletion needs a look, and after Undo that nothing does', async () => {
  const { page, open, press, close } = await enter('dea')
  await open('tabs.yaml')
  await press('Blog', 'Alt+ArrowUp')
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
  await press('About', 'Delete')
  await page.getByRole('button', { name: 'Review and publish' }).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
  await close()
})

test('A tab shows what another tab of the same operator does to the draft', async () => {
  const [one, two] = [await enter('cem'), await enter('cem')]
  await one.open('tabs.yaml')
  await two.open('tabs.yaml')
  await one.press('Blog', 'Alt+ArrowUp')
  await two.hears('The menu was changed in another tab or by someone else.')
  assert.is(await two.tree(), '1 Home, 1 Products, 2 Blog, 2 Lamps, 1 About')
  await two.press('About', 'Alt+ArrowUp')
  await two.saved()
  await one.page.getByText('2 changes, not published').waitFor()
  assert.is(await one.tree(), await two.tree())
  await one.page.getByRole('link', { name: 'Discard' }).click()
  await one.page.getByRole('button', { name: 'Discard', exact: true }).click()
  await two.page.getByText('No changes').waitFor()
  assert.is(await two.tree(), '1 Home, 1 Products, 2 Lamps, 2 Blog, 1 About')
  await one.close()
  await two.close()
})

test('A tab that cannot know what another tab did says so at its next change, and shows the current draft', async () => {
  const [one, two] = [await enter('cem'), await enter('cem')]
  await one.open('main.yaml')
  await two.page.route('**/api/events', (route) => route.abort())
  await two.open('main.yaml')
  await one.press('Blog', 'Alt+ArrowUp')
  await one.saved()
  await two.press('About', 'Alt+ArrowUp')
  await two.hears('Your last change could not be saved')
  assert.is(await two.tree(), await one.tree())
  await one.page.keyboard.press('Control+z')
  await one.hears('Undone: ')
  await one.close()
  await two.close(/status of 409|ERR_FAILED/)
})

test('Two operators and a git pull on one menu lose nothing', async () => {
  const [ana, ben] = [await enter('ana'), await enter('ben')]
  await ana.open('main.yaml')
  await ben.open('main.yaml')
  await ana.press('Blog', 'Alt+ArrowUp')
  await ben.page.getByText('ana is also editing this menu: 1 change').waitFor()
  await ben.press('About', 'Alt+ArrowRight')
  await publish(ben.page)
  const clone = createRepository()
  clone.git('pull', '-q', repository.dir, 'HEAD')
  clone.commit('start', { 'menus/main.yaml': textOfFile('main.yaml').replace('Home', 'Start') })
  repository.git('pull', '-q', '--no-rebase', '--no-edit', clone.dir, 'HEAD')
  clone.close()
  await ana.page.getByText('The menu has changed since you began.').waitFor()
  await publish(ana.page)
  await ana.open('main.yaml')
  assert.is(await ana.tree(), '1 Start, 1 Products, 2 Blog, 2 About, 2 Lamps')
  await ana.close()
  await ben.close()
})

test.run()
