import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { endpointTree, helpCentre, hrefsOf, shopSite, signIn, visit } from './sites.js'

const [shop, centre] = await Promise.all([shopSite(), helpCentre()])

/** What has the focus: where it stands in the document, and whether one sees that it has it. */
interface Stop {
  readonly place: number
  readonly what: string
  readonly navigation: string | null
  readonly isOutlined: boolean
  readonly isCovered: boolean
}

const FOCUS = `{
  const focused = document.activeElement
  const box = focused.getBoundingClientRect()
  const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  const outlined = [focused, focused.closest('.item')].filter((each) => each !== null)
  focused === document.body ? null : {
    place: [...document.querySelectorAll('*')].indexOf(focused),
    what: focused.getAttribute('href') ?? focused.textContent.trim(),
    navigation: focused.closest('nav')?.getAttribute('aria-label') ?? null,
    isOutlined: outlined.some((each) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(each)
      return outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2
    }),
    isCovered: !(focused === hit || focused.contains(hit) || hit?.closest('.item')?.contains(focused)),
  }
}`

/** Presses Tab from the top of a page to its end. */
async function tabThrough(page: Page): Promise<readonly Stop[]> {
  const stops: Stop[] = []
  for (;;) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate<Stop | null>(FOCUS)
    if (stop === null || stop.place === stops[0]?.place || stops.length > 200) return stops
    stops.push(stop)
  }
}

/** Every stop is seen, and they come in the order of the document. */
function judgeStops(stops: readonly Stop[], where: string): void {
  const unseen = stops.filter(({ isOutlined, isCovered }) => !isOutlined || isCovered)
  assert.equal(
    unseen.map(({ what }) => what),
    [],
    where,
  )
  const places = stops.map(({ place }) => place)
  assert.equal(
    places,
    [...places].sort((a, b) => a - b),
    where,
  )
}

for (const locale of ['en', 'ar']) {
  test(`Tab reaches every link of the menus in their order and shows where it is, in ${locale}`, async () => {
    const { page } = await visit({ javaScriptEnabled: false })
    for (const [{ url }, path, code] of [
      [shop, '/lamps', 'main'],
      [shop, '/lamps', 'footer'],
      [centre, '/help/returns', 'help'],
    ] as const) {
      await page.goto(`${url}/${locale}${path}`)
      const stops = await tabThrough(page)
      judgeStops(stops, page.url())
      const links = hrefsOf(await endpointTree(page, code, locale)).filter((href) => href !== '#')
      const reached = stops.filter(({ navigation }) => navigation !== null).map(({ what }) => what)
      const first = reached.lastIndexOf(links[0] ?? '')
      assert.equal(reached.slice(first, first + links.length), links, `${code} in ${locale}`)
    }
  })
}

test('The first stop skips to the content', async () => {
  const { page } = await visit()
  await page.goto(`${shop.url}/en/lamps`)
  await page.keyboard.press('Tab')
  assert.ok(await page.getByRole('link', { name: 'Skip to content' }).isVisible())
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  assert.ok(await page.evaluate("document.activeElement.closest('main') !== null"))
})

test('On a narrow screen the menu opens by Enter, is read through by Tab, and closes by Escape', async () => {
  const { page } = await visit({ width: 320, javaScriptEnabled: false })
  await page.goto(`${shop.url}/en`)
  await page.getByRole('button', { name: 'Menu' }).focus()
  await page.keyboard.press('Enter')
  const kitchen = page.getByRole('link', { name: 'Kitchen' })
  assert.ok(await kitchen.isVisible())
  const reached: string[] = []
  for (let press = 0; press < 5; press++) {
    await page.keyboard.press('Tab')
    reached.push(await page.evaluate<string>('document.activeElement.textContent.trim()'))
  }
  assert.equal(reached, ['Close', 'New in', 'Lamps', 'Living room', 'Kitchen'])
  await page.keyboard.press('Escape')
  assert.not.ok(await kitchen.isVisible())
  assert.is(await page.evaluate('document.activeElement.textContent'), 'Menu')
})

test('The keyboard folds and unfolds the sidebar, and the link next to a handle still works', async () => {
  const { page } = await visit({ locale: 'en', javaScriptEnabled: false })
  await signIn(page, shop.url, 'sam')
  const sidebar = page.getByRole('navigation', { name: 'Back office' })
  const orders = sidebar.locator('#orders > a')
  assert.not.ok(await orders.isVisible())
  await sidebar.getByText('Sales').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  judgeStops(await tabThrough(page), page.url())
  await sidebar.locator('summary', { hasText: 'Sales' }).press('Enter')
  assert.ok(await orders.isVisible())
  await orders.press('Enter')
  await page.waitForURL(`${shop.url}/office/orders`)
})

test.run()
