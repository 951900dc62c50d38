import * as assert from 'uvu/assert'
import { NESTED } from '../dashboard/managing.js'
import { openSite } from '../http/sites.js'
import { axeFaults } from '../support/browser.js'
import { test } from '../support/test.js'
import { openEditor, overflowOf } from './editing.js'

const site = await openSite({ 'main.yaml': NESTED }, { hasDashboard: true })
test.after(() => site.close())

test('Without a session and without a network, changes are kept, the page says why, and sends them later', async () => {
  const { page, open, press, tree, saved, close } = await openEditor(site)
  const held = page.locator('.held')
  await open('main.yaml')
  await page.context().clearCookies()
  await press('Blog', 'Alt+ArrowUp')
  await held.getByText('You are signed out.').waitFor()
  assert.is(await held.getByRole('link', { name: 'Sign in in another tab' }).getAttribute('target'), '_blank')
  await press('About', 'Delete')
  assert.equal(await axeFaults(page), [])
  const tab = await page.context().newPage()
  await tab.goto(site.link())
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await tab.getByRole('heading', { name: 'Menus' }).waitFor()
  await tab.close()
  await saved()
  await page.context().setOffline(true)
  await press('Home', 'Alt+ArrowDown')
  await held.getByText('Not saved yet: the server does not respond.').waitFor()
  await page.context().setOffline(false)
  await saved()
  assert.is(await held.textContent(), '')
  await open('main.yaml')
  assert.is(await tree(), '1 Products, 2 Blog, 2 Lamps, 1 Home')
  await page.getByText('3 changes, not published').waitFor()
  await close(/status of 40[13]|ERR_INTERNET_DISCONNECTED/)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`A drag and an open menu are accessible in the narrowest window, ${colorScheme}`, async () => {
    const { page, open } = await openEditor(site, { colorScheme, width: 320 })
    await open('main.yaml')
    await page.locator('.handle').first().hover()
    await page.mouse.down()
    await page.mouse.move(200, 600)
    assert.equal(await axeFaults(page), [], 'while something is dragged')
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await page.locator('.more').first().click()
    assert.equal(await axeFaults(page), [], 'with an open menu')
    assert.is(await overflowOf(page), 0)
  })
}

test.run()
