import type { Page, Route } from 'playwright-core'
import * as assert from 'uvu/assert'
import { SIMPLE_ACTIONS } from '../../src/change/actions/action.js'
import { ADMIN, NESTED, scriptOf, versionOf } from '../dashboard/managing.js'
import { openSite } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import { test } from '../support/test.js'
import { openEditor } from './editing.js'

const FILES = ['add', 'steps', 'link', 'twice', 'others', 'copies', 'branch', 'all'] as const
const site = await openSite(
  Object.fromEntries(FILES.map((code) => [`${code}.yaml`, NESTED.replace('main', code)])),
  { hasDashboard: true, adminToken: ADMIN },
)
test.after(() => site.close())

/** Keeps what the server returned for the page from arriving; answers a function that lets it through. */
async function holdPages(
  page: Page,
): Promise<{ readonly held: Promise<unknown>; readonly release: () => void }> {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let arrive = (): void => {}
  const held = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route('**/edit?*', async (route: Route) => {
    const request = route.request()
    if (request.isNavigationRequest() || request.method() !== 'GET') return route.continue()
    const response = await route.fetch()
    arrive()
    await released
    await route.fulfill({ response })
  })
  return { held, release }
}

/** Adds an item behind the last one, by its form. */
async function addItem(page: Page, label: string): Promise<void> {
  await page.getByRole('link', { name: 'Add an item' }).first().click()
  await page.getByLabel('English', { exact: true }).fill(label)
  await page.locator('#url').fill(`/${label.toLowerCase()}`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: label, exact: true }).waitFor()
  await page.locator('.handle').first().waitFor()
}

test('Delete, pressed on an item whose addition is being undone, deletes no other item', async () => {
  const { page, open, press, tree, hears, saved, focus } = await openEditor(site)
  await open('add.yaml')
  const before = await tree()
  await addItem(page, 'Contact')
  const { held, release } = await holdPages(page)
  await press('Contact', 'Control+z')
  await held
  await press('Contact', 'Delete')
  release()
  await hears('This item no longer exists.')
  assert.is(await tree(), before)
  await saved()
  await page.keyboard.press('Delete')
  assert.is(await tree(), before)
  await page.keyboard.press('ArrowDown')
  assert.is(await focus(), 'About')
  await page.getByText('No changes').waitFor()
})

test('Undo, pressed as often as there are steps, undoes all of them, whenever the answers come', async () => {
  const { page, open, press, tree, saved } = await openEditor(site)
  await open('steps.yaml')
  const before = await tree()
  await press('Blog', 'Alt+ArrowUp')
  await press('About', 'Alt+ArrowUp')
  await press('Home', 'Alt+ArrowDown')
  await saved()
  const { held, release } = await holdPages(page)
  await page.keyboard.press('Control+z')
  await held
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  // Both are saved before the page arrives that shows the first.
  await saved()
  release()
  await eventually(async () => assert.is(await tree(), before))
  await page.getByText('No changes').waitFor()
  await page.reload()
  assert.is(await tree(), before)
})

test('Enter, pressed on an item while a step is undone, opens the form of that item', async () => {
  const { page, open, press, saved } = await openEditor(site)
  await open('link.yaml')
  await press('Home', 'Delete')
  await saved()
  const { held, release } = await holdPages(page)
  await page.keyboard.press('Control+z')
  await held
  await press('About', 'Enter')
  release()
  await page.locator('.panel').waitFor()
  assert.is(await page.getByLabel('English', { exact: true }).inputValue(), 'About')
})

test('Keys that wait for an answer are followed in their order', async () => {
  const { page, open, press, tree, saved } = await openEditor(site)
  await open('twice.yaml')
  await press('Home', 'Delete')
  await saved()
  const { held, release } = await holdPages(page)
  await page.keyboard.press('Control+z')
  await held
  await press('About', 'Alt+ArrowUp')
  await press('Blog', 'Delete')
  await page.keyboard.press('Control+z')
  await press('Blog', 'Alt+ArrowLeft')
  await page.keyboard.press('Control+s')
  release()
  await page.waitForURL('**/review?*')
  await open('twice.yaml')
  assert.is(await tree(), '1 Home, 1 About, 1 Products, 2 Lamps, 1 Blog')
  await saved()
})

test('If someone else deletes the focused item, Delete deletes no other item', async () => {
  const { page, open, tree, hears, saved, focus } = await openEditor(site)
  await open('others.yaml')
  await page.getByRole('link', { name: 'Products', exact: true }).focus()
  const script = scriptOf(site)
  const body = [{ op: 'remove', path: '/items/1' }]
  const type = 'application/json-patch+json'
  const version = await versionOf(script, 'others.yaml')
  assert.is((await script('PATCH', '/menu?file=others.yaml', { body, type, version })).status, 200)
  await hears('The menu was changed in another tab or by someone else.')
  await page.keyboard.press('Delete')
  assert.is(await tree(), '1 Home, 1 About')
  await page.keyboard.press('ArrowUp')
  assert.is(await focus(), 'About')
  await saved()
})

test('If one of several equal items is undone, Delete deletes none of the others', async () => {
  const { page, open, press, tree, hears, saved } = await openEditor(site)
  await open('copies.yaml')
  await page.getByRole('link', { name: 'Actions for Home', exact: true }).click()
  await page.getByRole('button', { name: 'Duplicate', exact: true }).click()
  await saved()
  const { held, release } = await holdPages(page)
  await page.keyboard.press('Control+z')
  await held
  await page.getByRole('link', { name: 'Home', exact: true }).nth(1).press('Delete')
  release()
  await hears('This item no longer exists.')
  assert.is(await tree(), '1 Home, 1 Products, 2 Lamps, 2 Blog, 1 About')
  await press('About', 'Alt+ArrowUp')
  await saved()
})

test('The button of a row is named after its action, whatever happened to the row', async () => {
  const { page, open, saved } = await openEditor(site)
  await open('all.yaml')
  for (const label of ['Home', 'Products', 'Blog']) {
    for (const action of [...SIMPLE_ACTIONS, ...SIMPLE_ACTIONS]) {
      const more = page.getByRole('link', { name: `Actions for ${label}`, exact: true }).first()
      const isOpen = (await page.locator('form.actions-menu').count()) > 0
      if (!isOpen) await more.click()
      const button = page.locator(`form.actions-menu button[value=${action}]`)
      if ((await button.isVisible()) && (await button.isEnabled())) await button.click()
      const names = await page.evaluate<string[]>(`
        [...document.querySelectorAll('.tree .more')].map((more) =>
          (more.closest('li').querySelector(':scope > form') === null ? '' : 'open ') + more.ariaLabel)
      `)
      const rows = await page.locator('.tree .row .name').allTextContents()
      const expected = rows.map((row, at) =>
        names[at]?.startsWith('open ') ? 'open Close' : `Actions for ${row}`,
      )
      assert.equal(names, expected, `${label} ${action}`)
    }
    await saved()
    await open('all.yaml')
  }
})

test.run()
