import * as assert from 'uvu/assert'
import { get } from '../support/http.js'
import { test } from '../support/test.js'
import {
  currentLinks,
  endpointTree,
  helpCentre,
  hrefsOf,
  LOCALES,
  type ShownItem,
  serveSite,
  shopSite,
  shownTree,
  signIn,
  visit,
} from './sites.js'

const [shop, centre] = await Promise.all([shopSite(), helpCentre()])

const MAIN = { en: 'Main menu', es: 'Menú principal', de: 'Hauptmenü', ar: 'القائمة الرئيسية' }
const FOOTER = { en: 'Footer', es: 'Pie de página', de: 'Fußzeile', ar: 'تذييل الصفحة' }

for (const locale of LOCALES) {
  test(`The menus of a page show what the endpoint answers in ${locale}`, async () => {
    const { page } = await visit({ javaScriptEnabled: false })
    await page.goto(`${shop.url}/${locale}/lamps`)
    for (const [code, name] of [
      ['main', MAIN[locale]],
      ['footer', FOOTER[locale]],
    ] as const) {
      const shown = await shownTree(page, name)
      assert.ok(shown.length > 3)
      assert.equal(shown, await endpointTree(page, code, locale))
    }
  })
}

test('In winter the shop asks for the winter menu first', async () => {
  const winterShop = await serveSite('express', '2026-12-01')
  const { page, close } = await visit()
  await page.goto(`${winterShop.url}/en/campaigns/gifts`)
  const shown = await shownTree(page, 'Main menu')
  assert.equal(shown, await endpointTree(page, 'main', 'en', [{ season: 'winter' }, null]))
  assert.not.equal(shown, await endpointTree(page, 'main', 'en'))
  assert.equal(await currentLinks(page), ['Main menu: Gifts'])
  await close()
  await winterShop.stop()
})

/** Addresses, the links that are marked as current there, and the breadcrumbs. */
const PLACES: readonly [path: string, current: readonly string[], trail: readonly string[]][] = [
  ['/en', ['Footer: English'], []],
  ['/en/new', ['Main menu: New in'], ['New in']],
  ['/en/new/', ['Main menu: New in'], ['New in']],
  ['/en/new?sort=price', ['Main menu: New in'], ['New in']],
  ['/en/rooms/kitchen', ['Main menu: Kitchen'], ['Lamps', 'By room', 'Kitchen']],
  ['/en/lamps', ['Main menu: Lamps'], ['Lamps']],
  // A link without a query is current whatever the page's query is, so the list and its part both are.
  ['/en/lamps?maxPrice=50', ['Main menu: Lamps', 'Main menu: Under €50'], ['Lamps', 'Under €50']],
  ['/en/lamps?maxPrice=60', ['Main menu: Lamps'], ['Lamps']],
  ['/en/help/bulbs/e27', ['Help centre: E27'], ['Choosing and fitting', 'Which bulb fits?', 'E27']],
  [
    '/en/help/returns',
    ['Help centre: Return a lamp', 'Footer: Returns'],
    ['Returns and warranty', 'Return a lamp'],
  ],
  ['/en/sell/fees', ['Sell on Lumen: Fees'], ['Fees']],
  ['/en/legal/terms', ['Footer: Terms and conditions'], ['Terms and conditions']],
  ['/en/nowhere', [], []],
]

test('The current page is marked in each menu that has it, and breadcrumbs lead there', async () => {
  const { page } = await visit({ javaScriptEnabled: false })
  for (const [path, current, trail] of PLACES) {
    await page.goto(`${shop.url}${path}`)
    assert.equal(await currentLinks(page), current, path)
    const crumbs = await page.locator('nav[aria-label="You are here"] li').allInnerTexts()
    assert.equal(crumbs, trail, path)
  }
})

test('The menu of the account marks the list of orders and not the orders of one state', async () => {
  const { page } = await visit({ locale: 'en' })
  await signIn(page, shop.url, 'sam')
  for (const [path, current] of [
    ['/account/orders', 'My orders'],
    ['/account/orders/shipped', 'On the way'],
  ] as const) {
    await page.goto(`${shop.url}${path}`)
    assert.equal(await currentLinks(page), [`My account: ${current}`])
    const shown = await shownTree(page, 'My account')
    assert.equal(shown, await endpointTree(page, 'account', 'en'))
  }
})

test('Only the branches that lead to the current page are open', async () => {
  const { page } = await visit({ locale: 'de' })
  await signIn(page, shop.url, 'olga')
  await page.goto(`${shop.url}/office/orders/ready`)
  const sidebar = page.getByRole('navigation', { name: 'Verwaltung' })
  const open = await sidebar
    .locator('details[open] > summary')
    .evaluateAll((all: readonly unknown[]) => all.length)
  assert.is(open, 3, 'the sidebar, its section and its branch')
  assert.ok(await sidebar.getByRole('link', { name: 'Versandbereit' }).isVisible())
  assert.not.ok(await sidebar.getByRole('link', { name: 'Produkte' }).isVisible())
  await sidebar.getByText('Katalog').click()
  assert.ok(await sidebar.getByRole('link', { name: 'Produkte' }).isVisible())
})

/** Who sees which sidebar: between them they see all that the back office has. */
const OFFICES: readonly [user: string, sets: readonly unknown[] | null][] = [
  ['olga', null],
  ['nora', [{ partnerId: 3 }]],
  ['omar', [{ partnerId: 3, role: 'operator' }]],
  ['pilar', [{ partnerId: 8 }]],
]

test('Every link of the menus that stays on the site leads to a page', async () => {
  const { page } = await visit({ locale: 'en' })
  const asked = new Set<string>()
  const follow = async (tree: readonly ShownItem[]) => {
    for (const href of hrefsOf(tree).filter((each) => each.startsWith('/') && !asked.has(each))) {
      asked.add(href)
      assert.is((await page.request.get(`${shop.url}${href}`)).status(), 200, href)
    }
  }
  for (const [user, sets] of OFFICES) {
    await signIn(page, shop.url, user)
    await follow(await endpointTree(page, 'sidebar', 'en', sets))
    await follow(await endpointTree(page, 'account', 'en'))
  }
  for (const locale of LOCALES) {
    for (const code of ['main', 'footer', 'help', 'sell'])
      await follow(await endpointTree(page, code, locale))
    await follow(await endpointTree(page, 'main', locale, [{ season: 'winter' }]))
  }
  assert.ok(asked.size > 150, `${asked.size} links`)
})

test('Markup that a template makes of a tree has the links of the menu', async () => {
  const { page } = await visit({ javaScriptEnabled: false })
  for (const locale of LOCALES) {
    await page.goto(`${centre.url}/${locale}/help`)
    const cards = page.locator('.cards a')
    const hrefs = await cards.evaluateAll((links: readonly { getAttribute(name: string): string | null }[]) =>
      links.map((link) => link.getAttribute('href')),
    )
    const links = hrefsOf(await endpointTree(page, 'help', locale)).filter((href) => href !== '#')
    assert.ok(links.length > 10)
    assert.equal(hrefs, links)
  }
})

for (const name of ['express', 'polka'] as const) {
  test(`The site on ${name} ends when it is asked to, with a visitor's connections open`, async () => {
    const site = await serveSite(name)
    const { page, close } = await visit()
    await page.goto(`${site.url}/en/help`)
    assert.is(await site.stop(), 0)
    assert.is(site.stderr(), '')
    assert.is(await get(site.url).catch(({ code }) => code), 'ECONNREFUSED')
    // The browser may look for the icon of the page only now.
    await close(/mark\.svg/)
  })
}

test.run()
