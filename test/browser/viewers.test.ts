import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { endpointTree, helpCentre, shopSite, shownTree, signIn, visit } from './sites.js'

const [shop, centre] = await Promise.all([shopSite(), helpCentre()])

/** The links of the panel behind the button of the account. */
async function accountLinks(page: Page): Promise<readonly string[]> {
  await page.locator('.account-button').click()
  return page.getByRole('navigation', { name: 'My account' }).getByRole('link').allInnerTexts()
}

test('Signing in shows more, and signing out hides it again, all without scripts', async () => {
  const { page } = await visit({ locale: 'en', javaScriptEnabled: false })
  await page.goto(`${shop.url}/en`)
  const before = await accountLinks(page)
  assert.equal(before, ['Sign in', 'Create an account', 'Track an order'])
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, shop.url, 'sam')
  await page.goto(`${shop.url}/en`)
  const signedIn = await accountLinks(page)
  assert.ok(signedIn.includes('Back office') && signedIn.includes('Sign out'))
  await page.getByRole('link', { name: 'Sign out' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${shop.url}/en`)
  assert.equal(await accountLinks(page), before)
})

test('A customer gets no way into the back office, and is not let in without one', async () => {
  const { page } = await visit({ locale: 'en' })
  await signIn(page, shop.url, 'clara')
  await page.goto(`${shop.url}/en`)
  assert.not.ok((await accountLinks(page)).includes('Back office'))
  const answer = await page.goto(`${shop.url}/office`)
  assert.is(answer?.status(), 403)
})

test('Staff see the items that they have the permissions for, and no heading above nothing', async () => {
  const { page } = await visit({ locale: 'en' })
  await signIn(page, shop.url, 'sam')
  const shown = await shownTree(page, 'Back office')
  const top = shown.map(({ label }) => label)
  assert.equal(top, ['Dashboard', 'Sales', 'Catalogue', '', 'System status'])
  const catalogue = shown.find(({ label }) => label === 'Catalogue')
  assert.equal(
    catalogue?.children.map(({ label }) => label),
    ['Products', 'Reviews to approve'],
  )
  assert.equal(shown, await endpointTree(page, 'sidebar', 'en'))
  assert.is((await page.goto(`${shop.url}/office/reports/stock`))?.status(), 403)
})

/** Users of partners, their language, the contexts that their back office asks for, and the name of the menu in it. */
const PARTNERS: readonly [
  user: string,
  locale: string,
  sets: readonly unknown[],
  name: string,
  first: string,
][] = [
  ['nora', 'de', [{ partnerId: 3 }, null], 'Verwaltung', 'Nordlicht'],
  ['omar', 'ar', [{ partnerId: 3, role: 'operator' }, { partnerId: 3 }, null], 'لوحة الإدارة', 'التغليف'],
  ['pilar', 'es', [{ partnerId: 8 }, null], 'Administración', 'Casa Farol'],
]

for (const [user, locale, sets, name, first] of PARTNERS) {
  test(`The back office of ${user} has the sidebar of its first existing context`, async () => {
    const { page } = await visit({ javaScriptEnabled: false })
    await signIn(page, shop.url, user)
    await page.locator(`button[value=${locale}]`).click()
    await page.locator(`html[lang=${locale}]`).waitFor()
    const shown = await shownTree(page, name)
    assert.is(shown[0]?.label, first)
    assert.equal(shown, await endpointTree(page, 'sidebar', locale, sets))
  })
}

test('The language of the back office is the one that was chosen, page after page', async () => {
  const { page } = await visit({ locale: 'en' })
  await signIn(page, shop.url, 'olga')
  await page.getByRole('button', { name: 'Español' }).click()
  await page.locator('html[lang=es]').waitFor()
  await page.getByRole('navigation', { name: 'Administración' }).getByText('Ventas').click()
  await page.getByRole('link', { name: 'Clientes' }).click()
  assert.is(await page.locator('h1').innerText(), 'Clientes')
})

test('On a second site the same menus know its own visitors', async () => {
  const { page } = await visit({ javaScriptEnabled: false })
  await page.goto(`${centre.url}/de/sell`)
  const before = await shownTree(page, 'Auf Lumen verkaufen')
  await page.getByRole('button', { name: 'Anmelden' }).click()
  const sandbox = page.getByRole('link', { name: 'Testumgebung' })
  await sandbox.waitFor()
  assert.equal(await shownTree(page, 'Auf Lumen verkaufen'), await endpointTree(page, 'sell', 'de'))
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await sandbox.waitFor({ state: 'detached' })
  assert.equal(await shownTree(page, 'Auf Lumen verkaufen'), before)
})

test.run()
