import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { judgePage } from './judge.js'
import { LOCALES, shopSite, signIn, visit } from './sites.js'

const shop = await shopSite()

for (const locale of LOCALES) {
  test(`Pages behind the sign-in are accessible and fit in ${locale}`, async () => {
    const { page } = await visit({ locale })
    await page.goto(`${shop.url}/account/sign-in`)
    await judgePage(page, locale)
    await signIn(page, shop.url, 'olga')
    await page.locator(`button[value=${locale}]`).click()
    await page.locator(`html[lang=${locale}]`).waitFor()
    for (const path of ['/account/orders', '/office', '/account/sign-out']) {
      await page.goto(`${shop.url}${path}`)
      await judgePage(page, locale)
    }
  })
}

test('A failed sign-in is reported, keeps the address, and shows no more than before', async () => {
  const { page } = await visit({ locale: 'en' })
  await page.goto(`${shop.url}/account/sign-in`)
  await page.getByLabel('Email').fill('nobody@example.org')
  await page.getByLabel('Password').fill('wrong')
  await page.locator('main form').getByRole('button').click()
  await page.getByRole('alert').waitFor()
  assert.is(await page.getByLabel('Email').inputValue(), 'nobody@example.org')
  assert.is(await page.getByLabel('Email').getAttribute('aria-invalid'), 'true')
  assert.is((await page.goto(`${shop.url}/office`))?.url().includes('/account/sign-in'), true)
})

test.run()
