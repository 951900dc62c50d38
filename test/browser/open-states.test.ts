import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { NESTED } from '../dashboard/managing.js'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { axeFaults } from '../support/browser.js'
import { test } from '../support/test.js'
import { openEditor, overflowOf } from './editing.js'
import { visit } from './sites.js'

const GLYPH = { body: '<path fill="currentColor" d="M2 2h12v12H2z"/>' }
const site = await openSite(
  { 'main.yaml': NESTED },
  {
    hasDashboard: true,
    config: {
      icons: ['set.json'],
      routes: {
        room: {
          pattern: '/rooms/:room/:floor?',
          name: { en: 'Room' },
          params: { room: { values: ['kitchen'] } },
        },
      },
      permissions: { 'orders.view': 'See orders', 'orders.edit': '' },
    },
    prepare: (dir) =>
      writeFileSync(
        join(dir, 'set.json'),
        JSON.stringify({ prefix: 'set', icons: { house: GLYPH, 'house-fill': GLYPH } }),
      ),
  },
)
test.after(() => site.close())

/** A state is accessible, in colours that the visitor forces too, and fits a narrow window. */
async function judge(page: Page, state: string): Promise<void> {
  // At its end, the page has nothing half below what stays at the bottom of the window.
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  for (const forcedColors of ['active', 'none'] as const) {
    await page.emulateMedia({ forcedColors })
    assert.equal(await axeFaults(page), [], `${state}, forced colours: ${forcedColors}`)
  }
  assert.is(await overflowOf(page), 0, state)
}

const to = (name: string, item = '/items/0'): string =>
  `${site.url}${HOME}/${name}?${new URLSearchParams({ file: 'main.yaml', item })}`

test('axe finds targets that are too small', async () => {
  const { page } = await visit()
  const small = '<button aria-label="A" style="width: 10px; height: 10px; padding: 0; border: 0">·</button>'
  // Come to from a page of the dashboard, it would have its content security policy.
  await page.goto('about:blank')
  await page.setContent(`<html lang="en"><title>A</title><main><h1>A</h1>${small}${small}</main></html>`)
  assert.match((await axeFaults(page)).join(), 'target-size')
})

test('The editor is accessible with whatever can be open on it', async () => {
  const { page, open, press, hears, saved } = await openEditor(site, { width: 390 })
  await open('main.yaml')
  await press('Blog', 'Alt+ArrowUp')
  await saved()
  await page.locator('.more').first().click()
  await judge(page, 'a message, and the menu of a row')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await judge(page, 'the keys')
  await page.keyboard.press('Escape')
  site.folder.write('menus/main.yaml', NESTED.replace('About', 'About us'))
  await open('main.yaml')
  await page.getByText('The menu has changed since you began.').waitFor()
  await press('About', 'Delete')
  await page.keyboard.press('Control+z')
  await hears('Undone: ')
  await judge(page, 'a change from outside, and a step that was taken back')
})

test('The pages of an item are accessible with their lists, errors and decisions', async () => {
  const { page } = await openEditor(site, { width: 390 })
  await page.goto(to('place'))
  await judge(page, 'the places for an item')
  await page.goto(to('item'))
  await page.locator('#icon').fill('hou')
  await page.locator('.offers [role=option]').first().waitFor()
  await judge(page, 'the list of icons')
  await page.getByRole('radio', { name: 'A page of this site' }).check()
  await page.locator('#route').fill('room')
  await page.locator('#route + .offers [role=option]').waitFor()
  await judge(page, 'the list of pages')
  await page.locator('#icon').focus()
  await page.getByLabel('room (required)').waitFor()
  await judge(page, 'the parameters of a route')
  await page.getByText('Who sees it, and when').click()
  await page.getByRole('radio', { name: 'Only visitors with permissions' }).check()
  await page.locator('#icon').fill('set:none')
  await page.locator('#icon').blur()
  await page.getByText('so visitors may see none').waitFor()
  await judge(page, 'permissions, and an unknown icon')
  await page.locator('#route').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').waitFor()
  await judge(page, 'errors')
  await page.goto(to('item'))
  await page.locator('[name="label:en"]').fill('Mine')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.tree').waitFor()
  site.folder.write('menus/main.yaml', NESTED.replace('Home', 'Theirs'))
  await page.goto(to('review'))
  await page.getByText('1 conflict to decide').waitFor()
  await judge(page, 'a conflict')
})

test.run()
