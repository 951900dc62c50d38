import type { Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { shopSite, signIn, visit } from './sites.js'

const WIDTH = 1280
const shop = await shopSite()

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
  const { page } = await visit()
  for (const place of ['.masthead .brand', '.account-button']) {
    const edge = place.includes('brand') ? 'start' : 'end'
    await page.goto(`${shop.url}/en/new`)
    const english = (await distances(page.locator(place)))[edge]
    await page.goto(`${shop.url}/ar/new`)
    assert.is((await distances(page.locator(place)))[edge], english, place)
  }
})

for (const locale of ['en', 'ar']) {
  test(`The items of the main menu follow each other in the direction of ${locale}`, async () => {
    const { page } = await visit()
    await page.goto(`${shop.url}/${locale}`)
    const places = await starts(page, '.main-menu nav > ul > li > a')
    assert.is(places.length, 4)
    assert.equal(
      places,
      [...places].sort((a, b) => a - b),
    )
  })
}

test('In Arabic the sidebar is at the right, and its levels are indented from there', async () => {
  const { page } = await visit()
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
})

test('A panel opens beneath its item, at the edge where lines start', async () => {
  const { page } = await visit()
  for (const locale of ['en', 'ar']) {
    await page.goto(`${shop.url}/${locale}`)
    await page.locator('#lamps > a').hover()
    const [item, panel] = await Promise.all([
      distances(page.locator('#lamps')),
      distances(page.locator('#lamps > ul')),
    ])
    assert.is(panel.start, item.start, locale)
  }
})

test('On a narrow screen the menu slides in from the edge where lines end', async () => {
  const { page } = await visit({ width: 375 })
  for (const [locale, left] of [
    ['en', 40],
    ['ar', 0],
  ] as const) {
    await page.goto(`${shop.url}/${locale}`)
    await page.locator('.menu-button').click()
    assert.is((await page.locator('#main-menu').boundingBox())?.x, left, locale)
  }
})

test.run()
