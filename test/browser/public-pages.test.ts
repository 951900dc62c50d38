import * as assert from 'uvu/assert'
import { axeFaults } from '../support/browser.js'
import { test } from '../support/test.js'
import { judgePage } from './judge.js'
import { helpCentre, LOCALES, shopSite, visit } from './sites.js'

const [shop, centre] = await Promise.all([shopSite(), helpCentre()])

const PAGES: readonly [site: { readonly url: string }, path: string][] = [
  [shop, ''],
  [shop, '/lamps?maxPrice=50'],
  [shop, '/help/bulbs/e27'],
  [centre, '/help'],
  [centre, '/help/returns'],
  [centre, '/sell/fees'],
]

for (const locale of LOCALES) {
  test(`Public pages are accessible and fit in ${locale}`, async () => {
    const { page } = await visit()
    for (const [{ url }, path] of PAGES) {
      await page.goto(`${url}/${locale}${path}`)
      await judgePage(page, locale)
    }
  })
}

test('Pages are accessible in the dark, too', async () => {
  const { page } = await visit({ colorScheme: 'dark' })
  for (const address of [`${shop.url}/de/new`, `${shop.url}/ar/sell`, `${centre.url}/es/help`]) {
    await page.goto(address)
    assert.equal(await axeFaults(page), [], address)
  }
})

test('Opened panels are accessible', async () => {
  const { page } = await visit({ width: 320 })
  await page.goto(`${shop.url}/de/new`)
  for (const button of ['Menü', 'Konto']) {
    await page.getByRole('button', { name: button }).click()
    assert.equal(await axeFaults(page), [], button)
    await page.keyboard.press('Escape')
  }
})

test('Switching the language stays on the page, whose title is the label of its menu item', async () => {
  const { page } = await visit()
  const titles: string[] = []
  await page.goto(`${shop.url}/en/rooms/kitchen`)
  for (const name of ['Español', 'Deutsch', 'العربية', 'English']) {
    await page.getByRole('banner').getByRole('link', { name }).click()
    titles.push(await page.locator('h1').innerText())
  }
  assert.equal(titles, ['Cocina', 'Küche', 'المطبخ', 'Kitchen'])
})

test.run()
