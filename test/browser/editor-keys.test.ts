import * as assert from 'uvu/assert'
import { NESTED } from '../dashboard/managing.js'
import { openSite } from '../http/sites.js'
import { test } from '../support/test.js'
import { openEditor } from './editing.js'

const site = await openSite(
  { 'main.yaml': NESTED, 'menu.yaml': NESTED.replace('main', 'menu') },
  { hasDashboard: true },
)
test.after(() => site.close())

test('Keys move items, the focus stays on what moved, and everything is said', async () => {
  const { page, open, tree, said, saved, focus } = await openEditor(site)
  await open('main.yaml')
  await page.getByRole('link', { name: 'Blog', exact: true }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  assert.is(await said(), 'Blog moved to position 1 of 2 under Products.')
  assert.is(await tree(), '1 Home, 1 Products, 2 Blog, 2 Lamps, 1 About')
  assert.is(await focus(), 'Blog')
  await page.keyboard.press('Alt+ArrowUp')
  assert.is(await said(), 'Blog is already first in its list.')
  await page.keyboard.press('Alt+ArrowLeft')
  assert.is(await said(), 'Blog moved to position 3 of 4.')
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowRight')
  assert.is(await tree(), '1 Home, 2 Blog, 1 Products, 2 Lamps, 1 About')
  await page.keyboard.press('Delete')
  assert.is(await focus(), 'Home')
  await page.keyboard.press('Control+z')
  await saved()
  await page.getByRole('link', { name: 'Blog', exact: true }).waitFor()
  assert.is(await said(), 'Undone: deleting Blog.')
  assert.is(await tree(), '1 Home, 2 Blog, 1 Products, 2 Lamps, 1 About')
  await page.reload()
  assert.is(await tree(), '1 Home, 2 Blog, 1 Products, 2 Lamps, 1 About')
})

test('In the menu of a row, keys mean the row, and Escape leads back to it', async () => {
  const { page, open, tree, said, saved, focus } = await openEditor(site)
  await open('menu.yaml')
  const more = page.getByRole('link', { name: 'Actions for Products', exact: true })
  const button = page.getByRole('button', { name: 'Duplicate', exact: true })
  await more.press('Enter')
  await button.press('Escape')
  assert.equal([await focus(), await button.count()], ['Products', 0])
  await more.press('Enter')
  await page.getByRole('button', { name: 'Move down', exact: true }).press('Delete')
  assert.is(await said(), 'Products deleted, with everything below it.')
  assert.is(await tree(), '1 Home, 1 About')
  await saved()
})

test.run()
