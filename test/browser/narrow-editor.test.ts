import * as assert from 'uvu/assert'
import { NESTED } from '../dashboard/managing.js'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { axeFaults } from '../support/browser.js'
import { test } from '../support/test.js'
import { openEditor, overflowOf } from './editing.js'

const files = ['main', 'marked', 'closed'].map(
  (code) => [`${code}.yaml`, NESTED.replace('main', code)] as const,
)
const site = await openSite(Object.fromEntries(files), {
  hasDashboard: true,
  config: { locales: ['en', 'de'] },
})
test.after(() => site.close())

const to = (name: string, more: object = {}): string =>
  `${site.url}${HOME}/${name}?${new URLSearchParams({ file: 'main.yaml', ...more })}`

test('On a narrow page, the menu of a row closes after an action, and the row keeps the focus', async () => {
  const { page, open, saved, focus, hears } = await openEditor(site, { width: 390 })
  await open('main.yaml')
  const name = await page.locator('.row .name').first().innerText()
  await page.locator('.more').first().click()
  await page.getByRole('button', { name: 'Move down' }).click()
  await hears(`${name} moved`)
  assert.is(await page.locator('form.actions-menu').count(), 0)
  assert.is(await focus(), name)
  await saved()
})

test('On a phone, the menu of a row is one list at the bottom of the window, with Delete in view', async () => {
  const { page, open } = await openEditor(site, { width: 390 })
  await open('main.yaml')
  await page.locator('.more').nth(2).click()
  const [sheet, last] = await Promise.all([
    page.locator('form.actions-menu').boundingBox(),
    page.getByRole('button', { name: 'Delete', exact: true }).boundingBox(),
  ])
  const height = page.viewportSize()?.height ?? 0
  assert.equal([sheet?.x, sheet?.width, (sheet?.y ?? 0) + (sheet?.height ?? 0)], [0, 390, height])
  assert.ok((last?.y ?? height) + (last?.height ?? 0) <= height)
  const columns = await page.evaluate<number>(`{
    const all = [...document.querySelectorAll('form.actions-menu :is(.button, button)')]
    new Set(all.filter((each) => each.offsetParent).map((each) => each.getBoundingClientRect().left)).size
  }`)
  assert.is(columns, 1)
  assert.equal(await axeFaults(page), [])
})

test('What is changed in a row is a word that is seen', async () => {
  const { page, open, press, saved } = await openEditor(site)
  await open('closed.yaml')
  await press('About', 'Alt+ArrowUp')
  await saved()
  assert.is(await page.locator('.row', { hasText: 'About' }).locator('.mark').innerText(), 'Moved')
  await page.keyboard.press('Control+z')
  await saved()
})

for (const locale of ['en', 'ar'])
  test(`On a narrow page, the current tab is in view, and so is Save of a long form, in ${locale}`, async () => {
    const { page } = await openEditor(site, { width: 390, locale })
    const isIn = (selector: string): Promise<boolean> =>
      page.evaluate<boolean>(`{
        const box = document.querySelector('${selector}').getBoundingClientRect()
        box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight
      }`)
    for (const tab of ['preview', 'translate', 'delete']) {
      await page.goto(to(tab))
      assert.ok(await isIn('.pages [aria-current]'), tab)
    }
    await page.goto(to('item', { item: '/items/0' }))
    assert.ok(await isIn('.item-form > .actions .main'))
    assert.equal(await axeFaults(page), [])
    assert.is(await overflowOf(page), 0)
  })

test('In the narrowest window, no field with the focus is behind the buttons of a new item', async () => {
  const { page } = await openEditor(site, { width: 320, locale: 'de' })
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(to('item', { new: 'inside' }))
  await page.locator('[value=section]').check()
  const place = (): Promise<string> =>
    page.evaluate<string>(`{
      const actions = document.querySelector('.item-form > .actions')
      const focused = document.activeElement
      const isBehind = focused.getBoundingClientRect().top >= actions.getBoundingClientRect().top
      actions.contains(focused) ? 'buttons' : isBehind ? 'behind ' + focused.id : 'seen'
    }`)
  for (let now = await place(), steps = 0; now !== 'buttons'; now = await place(), steps++) {
    assert.is(now, 'seen')
    assert.ok(steps < 60, 'the buttons are reached')
    await page.keyboard.press('Tab')
  }
})

test('The row of the open form stays marked while other rows move', async () => {
  const { page, open, press, hears, saved, tree } = await openEditor(site)
  await open('marked.yaml')
  const names = await page.locator('.row .name').allInnerTexts()
  const [first = '', second = ''] = names
  await page.getByRole('link', { name: first, exact: true }).click()
  await page.locator('.panel').waitFor()
  const marked = (): Promise<readonly string[]> => page.locator('.row.now .name').allInnerTexts()
  const before = await tree()
  await press(second, 'Alt+ArrowUp')
  await hears(`${second} moved`)
  assert.is.not(await tree(), before)
  assert.equal(await marked(), [first])
  await saved()
  await page.keyboard.press('Control+z')
  await hears('Undone: ')
  await saved()
  assert.equal(await marked(), [first])
})

test.run()
