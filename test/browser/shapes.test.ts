import type { Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { axeFaults, type VisitorOptions } from '../support/browser.js'
import { eventually } from '../support/eventually.js'
import { test } from '../support/test.js'
import { overflowOf } from './editing.js'
import { shapesSite, visit } from './sites.js'

const site = await shapesSite()

interface Header {
  readonly page: Page
  readonly bar: Locator
  /** What opens a branch, by its name. */
  readonly opener: (name: string) => Locator
  /** The branches whose panels are open. */
  readonly open: () => Promise<readonly (string | null)[]>
  /** What has the focus. */
  readonly focus: () => Promise<string>
  readonly close: () => Promise<void>
}

/** The menu in the header of a page of the site. */
async function headerOf(path: string, options: VisitorOptions = {}): Promise<Header> {
  const { page, close } = await visit(options)
  await page.goto(`${site.url}${path}`)
  const bar = page.getByRole('navigation', {
    name: options.locale === 'ar' ? 'القائمة' : 'Menu',
    exact: true,
  })
  return {
    page,
    bar,
    opener: (name) => bar.getByRole('button', { name, exact: true }),
    open: () =>
      bar
        .locator('[aria-expanded=true]')
        .evaluateAll((all: { ariaLabel: string | null; textContent: string }[]) =>
          all.map(({ ariaLabel, textContent }) => ariaLabel ?? textContent),
        ),
    focus: () =>
      page.evaluate<string>(
        "(({ localName, ariaLabel, textContent }) => localName + ' ' + (ariaLabel ?? textContent))(document.activeElement)",
      ),
    close,
  }
}

/** How the pages are visited, what is opened on them, and which window they have. */
const STATES: readonly (readonly [what: string, options: VisitorOptions, path: string])[] = [
  ['on a desk', {}, '/lamps/kitchen'],
  ['in the dark', { colorScheme: 'dark' }, '/account/settings/profile'],
  ['from right to left', { locale: 'ar' }, '/help/bulbs/sockets/e27'],
  ['without the script', {}, '/account/orders/open'],
  ['on a phone', { width: 320, hasTouch: true, isMobile: true }, '/lamps/kitchen'],
  [
    'on a phone in the dark, from right to left',
    { width: 320, locale: 'ar', colorScheme: 'dark' },
    '/account/orders/open',
  ],
]
for (const [what, options, path] of STATES) {
  test(`Every style is accessible and fits ${what}, folded and unfolded`, async () => {
    const { page, bar } = await headerOf(path, options)
    if (what === 'without the script') {
      await page.route('**/disclosure.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: '' }),
      )
      await page.reload()
    }
    const judge = async () => {
      assert.equal(await axeFaults(page), [])
      assert.is(await overflowOf(page), 0)
    }
    await judge()
    if (options.width === 320) await bar.locator('summary').first().click()
    await bar.locator('li:nth-child(4) > button, li:nth-child(4) > details > summary').click()
    await page.locator('aside details:not([open]) > summary').last().click()
    await judge()
  })
}

test('The style sheet is all that it takes: the bar is a row, its panel below its branch, the open branch marked', async () => {
  const { page, bar, opener } = await headerOf('/lamps/kitchen')
  await opener('Lamps').click()
  const box = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const [link, panel] = [bar.getByRole('link', { name: 'Lamps' }), bar.getByRole('list').nth(1)]
  const [first, lamps, below] = await Promise.all([bar.getByRole('link').first(), link, panel].map(box))
  assert.is(first?.y, lamps?.y)
  assert.ok(below && lamps && below.y > lamps.y + lamps.height && below.x === lamps.x)
  assert.is(await bar.getByRole('link', { name: 'Kitchen' }).getAttribute('aria-current'), 'page')
  const colourOf = (locator: Locator) =>
    locator.evaluate('(element) => getComputedStyle(element).color') as Promise<string>
  assert.is(await colourOf(link), await colourOf(bar.getByRole('link', { name: 'Kitchen' })))
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.is.not(await colourOf(bar.getByRole('link', { name: 'Magazine' })), 'rgb(0, 0, 0)')
  assert.is((await page.locator('header svg').count()) > 3, true)
})

test('The keyboard walks through the bar and its panels, and Escape leads back', async () => {
  const { page, opener, open, focus } = await headerOf('/new')
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
    return focus()
  }
  assert.equal([await press('Tab'), await press('Tab')], ['a New in', 'a Lamps'])
  assert.is(await press('ArrowRight'), 'button Lamps')
  assert.equal(await open(), [])
  assert.is(await press('ArrowDown'), 'a Magazine')
  assert.is(await press('ArrowLeft', 'Enter'), 'button Lamps')
  assert.equal(await open(), ['Lamps'])
  const panel = await opener('Lamps').getAttribute('aria-controls')
  assert.is(await page.locator(`[id="${panel}"]`).count(), 1)
  assert.is(await press('ArrowDown'), 'a Living room')
  assert.equal([await press('End'), await press('ArrowDown')], ['a Under €50', 'a Under €50'])
  assert.equal([await press('ArrowUp'), await press('Home')], ['a Garden', 'a Living room'])
  assert.is(await press('Alt+ArrowDown'), 'a Living room')
  assert.is(await press('Escape'), 'button Lamps')
  assert.equal(await open(), [])
  assert.equal([await press('Home'), await press('End')], ['a New in', 'button Service'])
  assert.is(await press('Space', 'Tab'), 'a Delivery')
  assert.equal(await open(), ['Service'])
  await press('Tab', 'Tab', 'Tab')
  assert.equal(await open(), [])
})

test('From right to left, the arrow keys go where they point', async () => {
  const { page, focus } = await headerOf('/new', { locale: 'ar' })
  for (const key of ['Tab', 'ArrowLeft', 'ArrowLeft', 'ArrowRight']) await page.keyboard.press(key)
  assert.is(await focus(), 'a المصابيح')
})

test('One panel is open at a time, and a click elsewhere closes it', async () => {
  const { page, opener, open } = await headerOf('/new')
  for (const name of ['Lamps', 'Service']) {
    await opener(name).click()
    assert.equal(await open(), [name])
  }
  await page.getByLabel('Search').click()
  assert.equal(await open(), [])
  assert.match(await page.evaluate<string>('document.activeElement.localName'), 'input')
})

test('A mouse opens what it points at, can go there, and traps no one', async () => {
  const { page, bar, opener, open, focus } = await headerOf('/new')
  const isOpen = (...names: string[]) => eventually(async () => assert.equal(await open(), names))
  await bar.getByRole('link', { name: 'Lamps' }).hover()
  await isOpen('Lamps')
  await bar.getByRole('link', { name: 'Garden' }).hover()
  await page.waitForTimeout(400)
  assert.equal(await open(), ['Lamps'])
  // Dismissed without moving the mouse, and without a focus.
  await page.keyboard.press('Escape')
  assert.equal(await open(), [])
  assert.match(await focus(), /^body /)
  await opener('Service').hover()
  await isOpen('Service')
  await page.mouse.move(900, 700)
  await isOpen()
  // What the mouse opened stays after a click, until the next one.
  await opener('Lamps').hover()
  await isOpen('Lamps')
  await opener('Lamps').click()
  await page.mouse.move(900, 700)
  await page.waitForTimeout(400)
  assert.equal(await open(), ['Lamps'])
  await opener('Lamps').click()
  assert.equal(await open(), [])
})

test('A mouse that leaves does not close the panel in which the focus is', async () => {
  const { page, bar, open } = await headerOf('/new')
  await bar.getByRole('link', { name: 'Lamps' }).hover()
  await eventually(async () => assert.equal(await open(), ['Lamps']))
  await bar.getByRole('link', { name: 'Garden' }).focus()
  await page.mouse.move(900, 700)
  await page.waitForTimeout(400)
  assert.equal(await open(), ['Lamps'])
  await page.getByLabel('Search').focus()
  assert.equal(await open(), [])
})

test('A finger opens a panel and follows a link at the first touch', async () => {
  const { page, bar, opener, open } = await headerOf('/new', { width: 1024, hasTouch: true, isMobile: true })
  await opener('Lamps').tap()
  assert.equal(await open(), ['Lamps'])
  await page.getByRole('heading', { name: 'Lumen' }).tap()
  assert.equal(await open(), [])
  await bar.getByRole('link', { name: 'Lamps' }).tap()
  await page.waitForURL('**/lamps')
})

test('In a narrow window, the menu is folded, its branches unfold in place, and the open one is unfolded', async () => {
  const { page, bar, opener, open } = await headerOf('/lamps/kitchen', { width: 320 })
  assert.not.ok(await bar.getByRole('link', { name: 'New in' }).isVisible())
  await bar.getByText('Menu').click()
  assert.equal(await open(), ['Lamps'])
  await opener('Service').click()
  assert.equal(await open(), ['Lamps', 'Service'])
  const tops = await bar
    .getByRole('link')
    .evaluateAll((links: { getBoundingClientRect(): { top: number } }[]) =>
      links.map((link) => Math.round(link.getBoundingClientRect().top)),
    )
  assert.equal(
    tops,
    [...new Set(tops)].sort((one, other) => one - other),
  )
  await page.keyboard.press('Escape')
  assert.equal(await open(), ['Lamps', 'Service'])
})

test('Without JavaScript, every page of every style can be reached', async () => {
  for (const width of [1280, 320]) {
    const { page, bar } = await headerOf('/new', { width, javaScriptEnabled: false })
    if (width === 320) await bar.getByText('Menu').click()
    const openers = bar.locator('li > details > summary')
    await openers.first().press('Enter')
    assert.ok(await bar.getByRole('link', { name: 'Garden' }).isVisible())
    // Opening one closes the other.
    await openers.last().press('Enter')
    assert.not.ok(await bar.getByRole('link', { name: 'Garden' }).isVisible())
    await bar.getByRole('link', { name: 'Returns' }).click()
    assert.match(page.url(), '/service/returns')
    await page.goto(`${site.url}/account`)
    await page.getByRole('link', { name: 'Settings' }).click()
    assert.match(page.url(), '/account/settings/profile')
    await page.getByRole('link', { name: 'Payment' }).click()
    assert.is(await page.getByRole('link', { name: 'Settings' }).getAttribute('aria-current'), 'true')
  }
})

test('On a phone, the tabs scroll to the open one, and the page does not', async () => {
  const { page } = await headerOf('/account/settings/payment', { width: 320 })
  const tabs = page.getByRole('navigation', { name: 'My account' })
  for (const name of ['Settings', 'Payment']) {
    const box = await tabs.getByRole('link', { name }).boundingBox()
    assert.ok(box && box.x >= 0 && box.x + box.width <= 320, `${name} ${box?.x}`)
  }
  assert.is(await overflowOf(page), 0)
})

test('Menus that come later, and one menu twice, have ids of their own and work', async () => {
  const { page, bar, open } = await headerOf('/new')
  const html = await (await page.request.get(page.url())).text()
  const late = await page.evaluate<readonly string[]>(`(async () => {
    const { enhanceMenus } = await import('/menuscript/disclosure.js')
    const html = ${JSON.stringify(html)}
    const copy = new DOMParser().parseFromString(html, 'text/html').querySelector('nav')
    copy.setAttribute('aria-label', 'Late')
    document.querySelector('footer').append(copy)
    enhanceMenus()
    enhanceMenus(copy.parentElement)
    return [...document.querySelectorAll('[aria-controls]')].map((button) => button.getAttribute('aria-controls'))
  })()`)
  assert.is(late.length, 4)
  assert.is(new Set(late).size, 4)
  const menu = page.getByRole('navigation', { name: 'Late' })
  await menu.getByRole('button', { name: 'Service' }).click()
  assert.ok(await menu.getByRole('link', { name: 'Returns' }).isVisible())
  assert.equal(await open(), [])
  assert.is(await bar.getByRole('button').count(), 2)
})

test('What is folded or scrolls is not printed, lists and breadcrumbs are', async () => {
  const { page } = await headerOf('/lamps/kitchen')
  await page.emulateMedia({ media: 'print' })
  const printed = await page
    .locator('nav')
    .evaluateAll((all: { ariaLabel: string; checkVisibility(): boolean }[]) =>
      all.filter((nav) => nav.checkVisibility()).map(({ ariaLabel }) => ariaLabel),
    )
  assert.equal(printed, ['Breadcrumb', 'Footer'])
})

test('The pages need nothing inline, and search engines find the breadcrumbs', async () => {
  const { page, close } = await headerOf('/lamps/kitchen')
  const { itemListElement: list } = JSON.parse((await page.locator('script:not([src])').textContent()) ?? '')
  assert.equal(
    list.map(({ item }: { item?: string }) => item),
    ['https://lumen.example/lamps', undefined],
  )
  assert.is(await page.locator('[style], style, [onclick]').count(), 0)
  await close()
})

test.run()
