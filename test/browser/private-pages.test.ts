import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { judgePage } from './judge.js'
import { LOCALES, sharedBrowser, shopSite, signIn } from './sites.js'

const [browser, shop] = await Promise.all([sharedBrowser(), shopSite()])

for (const locale of LOCALES) {
  test(`Pages behind the sign-in are accessible and fit in ${locale}`, async () => {
    const { page, close } = await browser.visitor({ locale })
    await page.goto(`${shop.url}/account/sign-in`)
    await judgePage(page, locale)
    await signIn(page, shop.url, 'olga')
    await page.locator(`button[value=${locale}]`).click()
    await page.locator(`html[lang=${locale}]`).waitFor()
    for (const path of ['/account/orders', '/office', '/account/sign-out']) {
      await page.goto(`${shop.url}${path}`)
      await judgePage(page, locale)
    }
    await close()
  })
}

test('A failed sign-in is reported, keeps the address, and shows no more than before', async () => {
  const { page, close } = await browser.visitor({ locale: 'en' })
  await page.goto(`${shop.url}/account/sign-in`)
  await page.getByLabel('Email').fill('nobody@example.org')
  await page.getByLabel('Password').fill('wrong')
  await page.locator('main form').getByRole('button').click()
  await page.getByRole('alert').waitFor()
  assert.is(await page.getByLabel('Email').inputValue(), 'nobody@example.org')
  assert.is(await page.getByLabel('Email').getAttribute('aria-invalid'), 'true')
  assert.is((await page.goto(`${shop.url}/office`))?.url().includes('/account/sign-in'), true)
  await close()
})

test.run()
