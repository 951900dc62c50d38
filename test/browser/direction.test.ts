import type { Locator, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sharedBrowser, shopSite, signIn } from './sites.js'

const WIDTH = 1280
const [browser, shop] = await Promise.all([sharedBrowser(), shopSite()])

/** How far something is from the edge at which lines begin, and from the other one. */
async function distances(place: Locator): Promise<{ readonly start: number; readonly end: number }> {
  const { x, width } = (await place.boundingBox()) ?? { x: Number.NaN, width: Number.NaN }
  const isRightToLeft = (await place.page().locator('html').getAttribute('dir')) === 'rtl'
  const [left, right] = [Math.round(x), Math.round(WIDTH - x - width)]
  return isRightToLeft ? { start: right, end: left } : { start: left, end: right }
}

/** Where the links of a navigation begin, in their order. */
async function starts(page: Page, links: string): Promise<readonly number[]> {
  const all = await page.locator(links).all()
  return Promise.all(all.map(async (link) => (await distances(link)).start))
}

test('In Arabic the header is mirrored: distances from one edge become distances from the other', async () => {
  const { page, close } = await browser.visitor()
  for (const place of ['.masthead .brand', '.account-button']) {
    const edge = place.includes('brand') ? 'start' : 'end'
    await page.goto(`${shop.url}/en/new`)
    const english = (await distances(page.locator(place)))[edge]
    await page.goto(`${shop.url}/ar/new`)
    assert.is((await distances(page.locator(place)))[edge], english, place)
  }
  await close()
})

for (const locale of ['en', 'ar']) {
  test(`The items of the main menu follow each other in the direction of ${locale}`, async () => {
    const { page, close } = await browser.visitor()
    await page.goto(`${shop.url}/${locale}`)
    const places = await starts(page, '.main-menu nav > ul > li > a')
    assert.is(places.length, 4)
    assert.equal(
      places,
      [...places].sort((a, b) => a - b),
    )
    await close()
  })
}

test('In Arabic the sidebar is at the right, and its levels are indented from there', async () => {
  const { page, close } = await browser.visitor()
  await signIn(page, shop.url, 'olga')
  const levels: number[][] = []
  for (const locale of ['en', 'ar']) {
    await page.locator(`button[value=${locale}]`).click()
    await page.locator(`html[lang=${locale}]`).waitFor()
    await page.goto(`${shop.url}/office/orders/ready`)
    const links = ['#dashboard > a', '#orders > a', '#orders li > a'].map((link) =>
      page.locator(link).first(),
    )
    const sidebar = await distances(page.locator('#sidebar'))
    levels.push([
      sidebar.start,
      ...(await Promise.all(links.map(async (link) => (await distances(link)).start))),
    ])
  }
  const [english = [], arabic = []] = levels
  assert.equal(arabic, english)
  assert.is(english[0], 0)
  assert.ok((english[3] ?? 0) > (english[2] ?? 0))
  await close()
})

test('A panel opens beneath its item, at the edge where lines start', async () => {
  const { page, close } = await browser.visitor()
  for (const locale of ['en', 'ar']) {
    await page.goto(`${shop.url}/${locale}`)
    await page.locator('#lamps > a').hover()
    const [item, panel] = await Promise.all([
      distances(page.locator('#lamps')),
      distances(page.locator('#lamps > ul')),
    ])
    assert.is(panel.start, item.start, locale)
  }
  await close()
})

test('On a narrow screen the menu slides in from the edge where lines end', async () => {
  const { page, close } = await browser.visitor({ width: 375 })
  for (const [locale, left] of [
    ['en', 40],
    ['ar', 0],
  ] as const) {
    await page.goto(`${shop.url}/${locale}`)
    await page.locator('.menu-button').click()
    assert.is((await page.locator('#main-menu').boundingBox())?.x, left, locale)
  }
  await close()
})

test.run()
