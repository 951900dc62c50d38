import * as assert from 'uvu/assert'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { axeFaults } from '../support/browser.js'
import { test } from '../support/test.js'
import { openEditor } from './editing.js'
import { judgePage } from './judge.js'

const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'
const menu = (code: string, items: readonly object[]): string =>
  JSON.stringify({ version: 1, code, name: `${code} \u0642\u0627\u0626\u0645\u0629`, items })
const ITEMS = [
  { label: { en: 'Home', de: 'Start' }, url: '/', icon: 'bootstrap-icons:house' },
  {
    type: 'section',
    label: '\u0645\u0646\u062a\u062c\u0627\u062a',
    children: [
      { label: { en: LONG }, routeName: 'room', routeParams: { room: 'kitchen' }, permissions: ['a', 'b'] },
      { type: 'divider' },
      { label: '"><script>alert(1)</script>', url: '/x', hidden: true },
    ],
  },
]
const site = await openSite(
  { 'main.yaml': menu('main', ITEMS), 'empty.yaml': menu('empty', []), 'torn.yaml': 'version: 1\ncode: [' },
  { hasDashboard: true, config: { locales: ['en', 'de'], routes: { room: '/shop/:room' } } },
)
test.after(() => site.close())

const addressOf = (page: string, more: Readonly<Record<string, string>> = {}): string =>
  `${site.url}${HOME}/${page}?${new URLSearchParams({ file: 'main.yaml', ...more })}`

const LAMP = '/items/1/children/0'
const STATES: readonly (readonly [page: string, more?: Readonly<Record<string, string>>])[] = [
  ['edit', { file: 'empty.yaml' }],
  ['edit', { file: 'torn.yaml' }],
  ['edit', { open: LAMP }],
  ['item', { item: LAMP }],
  ['item', { item: LAMP, new: 'after', type: 'divider' }],
  ['place', { item: LAMP }],
  ['transfer', { item: LAMP }],
  ['transfer', { item: LAMP, to: 'empty.yaml' }],
  ['settings'],
]

for (const [locale, colorScheme] of [
  ['en', 'light'],
  ['de', 'dark'],
  ['ar', 'light'],
] as const) {
  test(`Every page and state of the editor is accessible and fits, ${colorScheme}, in ${locale}`, async () => {
    const { page } = await openEditor(site, { locale, colorScheme })
    const judge = (): Promise<void> => judgePage(page, locale)
    for (const [name, more] of STATES) {
      await page.goto(addressOf(name, more))
      await judge()
    }
    await page.goto(addressOf('edit', { open: '/items/0' }))
    await page.locator('.actions-menu button[value=remove]').click()
    await page.locator('.said').filter({ hasText: /./ }).waitFor({ state: 'attached' })
    await judge()
    await page.goto(addressOf('review'))
    await judge()
    if (locale === 'de') assert.equal(await axeFaults(page), [], 'the colours of a difference')
    await page.goto(addressOf('edit', { ask: 'discard' }))
    await judge()
    await page.locator('button[value=discard]').click()
    await page.goto(addressOf('item', { item: LAMP }))
    await page.locator('input[value=url]').check()
    await page.locator('#url').fill('javascript:alert(1)')
    await page.locator('.actions button').first().click()
    await page.getByRole('alert').waitFor()
    await judge()
  })
}

test('Decisions at a conflict, and the page after the publish, are accessible and fit', async () => {
  const { page } = await openEditor(site)
  await page.goto(addressOf('item', { item: '/items/0' }))
  await page.locator('[name="label:en"]').fill('Mine')
  await page.locator('.actions button').first().click()
  await page.locator('.tree').waitFor()
  site.folder.write('menus/main.yaml', menu('main', ITEMS).replace('Home', 'Theirs'))
  await page.goto(addressOf('review'))
  await judgePage(page, 'en')
  await page.getByLabel('Your change').check()
  await page.getByRole('button', { name: 'Continue to review' }).click()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('heading', { name: /is live\.$/ }).waitFor()
  await judgePage(page, 'en')
})

test('An empty text of a label is copied from its fallback language, with what has been typed there', async () => {
  const { page } = await openEditor(site)
  await page.goto(addressOf('item', { item: LAMP }))
  const [english, german] = ['en', 'de'].map((locale) => page.locator(`[name="label:${locale}"]`))
  assert.ok(english && german)
  await english.fill('Lamp')
  const copy = page.getByRole('button', { name: /^Copy from / })
  assert.is(await copy.count(), 1)
  await copy.click()
  assert.equal([await german.inputValue(), await copy.count()], ['Lamp', 0])
  assert.is(await page.evaluate('document.activeElement.name'), 'label:de')
})

test('Without JavaScript, the menu of a row closes after a command, and the row has the focus', async () => {
  const { page } = await openEditor(site, { javaScriptEnabled: false })
  await page.goto(addressOf('edit', { open: '/items/1/children/2' }))
  await page.getByRole('button', { name: 'Move up' }).press('Enter')
  await page.getByText('moved to position 2 of 3').waitFor()
  assert.is(await page.locator('form.actions-menu').count(), 0)
  assert.is(await page.locator(':focus').innerText(), await page.locator('.row.now .name').innerText())
})

test.run()
