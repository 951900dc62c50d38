import * as assert from 'uvu/assert'
import { NESTED } from '../dashboard/managing.js'
import { openSite } from '../http/sites.js'
import { axeFaults } from '../support/browser.js'
import { eventually } from '../support/eventually.js'
import { test } from '../support/test.js'
import { openEditor, overflowOf } from './editing.js'

const LONG = JSON.stringify({
  ...{ version: 1, code: 'long', name: 'Long' },
  items: Array.from({ length: 40 }, (_, place) => ({ label: `Item ${place}`, url: '/' })),
})
const site = await openSite(
  { 'main.yaml': NESTED, 'long.yaml': LONG, 'narrow.yaml': NESTED.replace('main', 'narrow') },
  {
    hasDashboard: true,
    config: {
      locales: ['en', 'de'],
      routes: {
        campaign: { pattern: '/campaign', name: 'Campaign for gifts' },
        gifts: { pattern: '/gifts', name: { en: 'Gift cards', de: 'Gutscheine' } },
        sale: { pattern: '/sale', name: { en: 'Sale', de: 'Angebote' } },
        room: { pattern: '/rooms/:room', name: 'Lamps for a room' },
      },
    },
  },
)
test.after(() => site.close())

test('A section with three links takes a few clicks: each link is words for a page, Enter and Enter', async () => {
  const { page, open, hears, tree, focus, close } = await openEditor(site)
  await open('main.yaml')
  const panel = page.locator('.panel')
  await page.getByRole('link', { name: 'Add an item' }).click()
  await page.locator('.panel #route:focus').waitFor()
  await panel.getByRole('radio', { name: 'Section' }).check()
  assert.is(await panel.locator('[name=to]:checked').getAttribute('value'), 'nowhere')
  await panel.getByLabel('English').fill('More')
  await panel.getByRole('button', { name: 'Save and add inside' }).click()
  await hears('More added at position 4 of 4.')
  for (const [words, name] of [
    ['gift', 'Gift cards'],
    ['sal', 'Sale'],
  ] as const) {
    await page.locator('.panel #route:focus').waitFor()
    await page.keyboard.type(words)
    await panel.locator('[aria-selected=true]', { hasText: name }).waitFor()
    await page.keyboard.press('Enter')
    await eventually(async () => assert.is(await panel.getByLabel('English').inputValue(), name))
    await page.keyboard.press('Enter')
    await hears(`${name} added at position`)
    assert.is(await page.locator('.row.now .name').textContent(), name)
    assert.is(await panel.getByLabel('English').inputValue(), '')
  }
  assert.equal(await axeFaults(page), [])
  // What a page needs is asked for next.
  await page.locator('.panel #route:focus').waitFor()
  await page.keyboard.type('room')
  await panel.locator('[aria-selected=true]').waitFor()
  await page.keyboard.press('Enter')
  await panel.locator('[name="param:room"]:focus').waitFor()
  await page.keyboard.type('attic')
  await page.keyboard.press('Enter')
  await hears('Lamps for a room added at position 3 of 3 under More.')
  assert.match(await tree(), '1 About, 1 More, 2 Gift cards, 2 Sale, 2 Lamps for a room')
  await panel.getByRole('link', { name: 'Done' }).click()
  assert.is(await focus(), 'Lamps for a room')
  await page.keyboard.press('Control+z')
  await hears('Undone: ')
  await close()
})

test('A heading does not keep the page that was chosen before, nor its names in any language', async () => {
  const { page, open, close } = await openEditor(site)
  await open('main.yaml')
  const panel = page.locator('.panel')
  await page.getByRole('link', { name: 'Add an item' }).click()
  await page.locator('.panel #route:focus').waitFor()
  await page.keyboard.type('gift')
  await panel.locator('[aria-selected=true]', { hasText: 'Gift cards' }).waitFor()
  await page.keyboard.press('Enter')
  const german = panel.getByLabel('German')
  await eventually(async () => assert.is(await german.inputValue(), 'Gutscheine'))
  await panel.getByRole('radio', { name: 'Section' }).check()
  await eventually(async () => assert.is(await german.inputValue(), ''))
  assert.is(await panel.getByLabel('English').inputValue(), '')
  assert.is(await panel.locator('[name=to]:checked').getAttribute('value'), 'nowhere')
  await close()
})

test('Items of a series follow each other, wherever the first one is, in view and marked', async () => {
  const { page, open, tree } = await openEditor(site)
  await open('long.yaml')
  await page.getByRole('link', { name: 'Actions for Item 20' }).click()
  await page.getByRole('link', { name: 'Add after' }).click()
  const panel = page.locator('.panel')
  for (const name of ['One', 'Two', 'Three']) {
    await panel.getByLabel('An address').check()
    await panel.getByLabel('English').fill(name)
    await panel.locator('#url').fill('/')
    await panel.getByRole('button', { name: 'Save and add another' }).click()
    // A chip of the row before has "one" in it.
    await page.locator('.row.now').getByRole('link', { name, exact: true }).waitFor()
    await eventually(async () => {
      const box = await page.locator('.row.now').boundingBox()
      assert.ok(box !== null && box.y > 0 && box.y < 700, JSON.stringify(box))
    })
  }
  assert.match(await tree(), '1 Item 20, 1 One, 1 Two, 1 Three, 1 Item 21')
})

test('A label that somebody typed stays whatever page is chosen, and a suggested one follows the page', async () => {
  const { page } = await openEditor(site)
  await page.goto(`${site.url}/admin/menus/item?file=main.yaml&new=inside`)
  const choose = async (words: string): Promise<void> => {
    await page.locator('#route').fill(words)
    await page.locator('[aria-selected=true]').waitFor()
    await page.locator('#route').press('Tab')
  }
  const [english, german] = [page.getByLabel('English'), page.getByLabel('German')]
  const becomes = (...names: readonly string[]): Promise<void> =>
    eventually(async () => assert.equal([await english.inputValue(), await german.inputValue()], names))
  await choose('sale')
  await becomes('Sale', 'Angebote')
  await choose('gift')
  await becomes('Gift cards', 'Gutscheine')
  await english.fill('Vouchers')
  await choose('sale')
  await becomes('Vouchers', 'Angebote')
})

test('On a telephone, the form stays on its own page, and says what was added', async () => {
  const { page } = await openEditor(site, { width: 390, hasTouch: true, isMobile: true })
  await page.goto(`${site.url}/admin/menus/item?file=narrow.yaml&new=inside`)
  await page.locator('#route:focus').waitFor()
  await page.keyboard.type('gift')
  await page.locator('[aria-selected=true]').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save and add another' }).tap()
  await page.getByRole('status').filter({ hasText: 'Gift cards added at position 4 of 4.' }).waitFor()
  assert.equal([await axeFaults(page), await overflowOf(page)], [[], 0])
})

test.run()
