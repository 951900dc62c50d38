import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { axeFaults } from '../support/browser.js'
import { judgePage } from './judge.js'
import { helpCentre, LOCALES, sharedBrowser, shopSite } from './sites.js'

const [browser, shop, centre] = await Promise.all([sharedBrowser(), shopSite(), helpCentre()])

const PAGES: readonly [site: { readonly url: string }, path: string][] = [
  [shop, ''],
  [shop, '/lamps?maxPrice=50'],
  [shop, '/help/bulbs/e27'],
  [centre, '/help'],
  [centre, '/help/returns'],
  [centre, '/sell/fees'],
]

for (const locale of LOCALES) {
  test(`Pages for everybody are accessible and fit in ${locale}`, async () => {
    const { page, close } = await browser.visitor()
    for (const [{ url }, path] of PAGES) {
      await page.goto(`${url}/${locale}${path}`)
      await judgePage(page, locale)
    }
    await close()
  })
}

test('Pages are accessible in the dark, too', async () => {
  const { page, close } = await browser.visitor({ colorScheme: 'dark' })
  for (const address of [`${shop.url}/de/new`, `${shop.url}/ar/sell`, `${centre.url}/es/help`]) {
    await page.goto(address)
    assert.equal(await axeFaults(page), [], address)
  }
  await close()
})

test('Opened panels are accessible', async () => {
  const { page, close } = await browser.visitor({ width: 320 })
  await page.goto(`${shop.url}/de/new`)
  for (const button of ['Menü', 'Konto']) {
    await page.getByRole('button', { name: button }).click()
    assert.equal(await axeFaults(page), [], button)
    await page.keyboard.press('Escape')
  }
  await close()
})

test('Switching the language stays on the page, whose title is the label of its menu item', async () => {
  const { page, close } = await browser.visitor()
  const titles: string[] = []
  await page.goto(`${shop.url}/en/rooms/kitchen`)
  for (const name of ['Español', 'Deutsch', 'العربية', 'English']) {
    await page.getByRole('banner').getByRole('link', { name }).click()
    titles.push(await page.locator('h1').innerText())
  }
  assert.equal(titles, ['Cocina', 'Küche', 'المطبخ', 'Kitchen'])
  await close()
})

test.run()
