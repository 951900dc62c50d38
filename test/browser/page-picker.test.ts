import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { axeFaults, type VisitorOptions } from '../support/browser.js'
import { eventually } from '../support/eventually.js'
import { test } from '../support/test.js'
import { openEditor, overflowOf } from './editing.js'

const MENU = {
  version: 1,
  code: 'main',
  name: 'Main',
  items: [
    { label: { en: 'Home', ar: 'الرئيسية' }, url: '/' },
    { label: { en: 'Cook', ar: 'الطبخ' }, routeName: 'shop.room', routeParams: { room: 'cellar' } },
    { label: 'Team', url: '/team', permissions: ['staff'] },
  ],
}
const site = await openSite(
  { 'main.yaml': JSON.stringify(MENU) },
  {
    hasDashboard: true,
    config: {
      locales: ['en', 'ar'],
      routes: {
        'shop.room': {
          pattern: '/:_locale/rooms/:room/:floor?',
          name: { en: 'Lamps for a room', ar: 'مصابيح لغرفة' },
          params: { room: { values: ['kitchen', 'garden'] } },
        },
        'shop.sale': { pattern: '/:_locale/sale', name: 'Sale' },
        'help.home': '/help',
      },
      permissions: {
        ...{ staff: 'Works here', 'orders.view': 'See orders' },
        ...Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key) => [key, `Role ${key}`])),
      },
    },
  },
)
test.after(() => site.close())

/** The form of an item, and its field for a page. */
async function openForm(at: number, options: VisitorOptions = {}) {
  const { page, close } = await openEditor(site, options)
  await page.goto(`${site.url}${HOME}/item?file=main.yaml&item=/items/${at}`)
  const route = page.locator('#route')
  const offers = page.locator('#route + .offers')
  return { page, close, route, offers, offered: offers.getByRole('option') }
}

const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/\/edit\?/)
}

test('A page that was chosen from the list outlives its tab, as it was chosen', async () => {
  const { page, route, offered, close } = await openForm(1)
  await page.getByLabel('A page of this site').check()
  await route.fill('for a room')
  await offered.first().waitFor()
  await route.press('Enter')
  await eventually(async () => assert.is(await route.inputValue(), 'shop.room'))
  const next = await page.context().newPage()
  await page.close()
  await next.goto(`${site.url}${HOME}/edit?file=main.yaml`)
  await next.getByRole('link', { name: 'Restore what you typed' }).click()
  await eventually(async () => assert.is(await next.locator('#route').inputValue(), 'shop.room'))
  await close()
})

test('A page is found by its name, path and labels, chosen with keys or the mouse, and asks for its parameters', async () => {
  const { page, route, offers, offered } = await openForm(0)
  await page.getByLabel('A page of this site').check()
  for (const [words, shown] of [
    ['for a room', ['Lamps for a room', 'Cook']],
    ['rooms', ['/rooms/…/…']],
    ['shop.room', ['Lamps for a room']],
    ['sale', ['Sale', '/sale']],
    ['help', ['help.home', '/help']],
  ] as const) {
    await route.fill(words)
    await eventually(async () => {
      const texts = await offered.allInnerTexts()
      assert.is(texts.length, 1, words)
      for (const text of shown) assert.ok(texts[0]?.includes(text), `${words}: ${texts[0]}`)
    })
  }
  await route.fill('nothing like it')
  await offers.getByText('The site has no page with this name.').waitFor()
  await route.fill('lamps')
  await offered.waitFor()
  await route.press('ArrowDown')
  await route.press('Enter')
  assert.equal([await route.inputValue(), await offers.isVisible()], ['shop.room', false])
  const room = page.getByLabel('room (required)')
  await room.waitFor()
  assert.is(await page.locator('[name="param:_locale"]').count(), 0)
  assert.equal(
    await page.evaluate(
      `[...document.querySelectorAll('[id="values:room"] option')].map(({ value }) => value)`,
    ),
    ['kitchen', 'garden', 'cellar'],
  )
  await page.locator('.page', { hasText: 'Lamps for a room' }).waitFor()
  await route.fill('sale')
  await offered.getByText('Sale', { exact: true }).click()
  await room.waitFor({ state: 'detached' })
  // Who types and presses Enter at once gets the best for these words, not what was offered for others.
  await route.fill('lamps')
  await offered.first().waitFor()
  await route.fill('sale')
  await route.press('Enter')
  await eventually(async () => assert.is(await route.inputValue(), 'shop.sale'))
  await route.fill('shop.room')
  await route.press('Tab')
  await room.fill('garden')
  await save(page)
  await page.locator('.leads', { hasText: 'Lamps for a room · garden' }).waitFor()
})

test('Nothing moves while somebody types: the page and the panel scroll when the list opens, not at each key', async () => {
  const { page, close } = await openEditor(site)
  await page.setViewportSize({ width: 1280, height: 420 })
  await page.goto(`${site.url}${HOME}/edit?file=main.yaml`)
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByLabel('A page of this site').check()
  const [route, option] = [page.locator('#route'), page.locator('#route + .offers [role=option]').first()]
  const places: unknown[] = []
  for (const words of ['s', 'sh', 'sho', 'shop', 'shop.']) {
    await route.fill(words)
    await page.waitForResponse((response) => response.url().includes(`q=${words}&`)).catch(() => null)
    await option.waitFor()
    places.push(await page.evaluate('[scrollY, document.querySelector(".panel").scrollTop].join()'))
  }
  assert.is(new Set(places).size, 1, places.join(' '))
  await close()
})

test('Without a script, pages have their names in the list of the field, and a known page its values', async () => {
  const { page } = await openForm(1, { javaScriptEnabled: false })
  assert.is(
    await page.locator('#routes option').first().getAttribute('label'),
    'Lamps for a room · /rooms/…/…',
  )
  assert.is(await page.getByLabel('room (required)').getAttribute('list'), 'values:room')
  assert.is(await page.locator('[name="param:_locale"]').count(), 0)
  await page.locator('[name="label:en"]').fill('Cooking')
  await page.locator('[name="label:en"]').press('Enter')
  await page.waitForURL(/\/edit\?/)
  await page.getByRole('link', { name: 'Cooking', exact: true }).waitFor()
})

test('An address is judged as the server judges it, once the typing pauses, and an empty field is not', async () => {
  const { page } = await openForm(0)
  await page.getByLabel('An address', { exact: true }).check()
  const [url, verdict] = [page.locator('#url'), page.locator('#url-verdict')]
  assert.is(await verdict.getAttribute('role'), 'status')
  for (const [typed, said] of [
    ['example.org', /Write https:/],
    ['javascript:alert(1)', /is not allowed/],
    ['/a b', /is not allowed/],
    ['', /^$/],
    ['https:', /is not allowed/],
    ['  /team ', /^$/],
    ['example.org', /Write https:/],
  ] as const) {
    await url.fill(typed)
    await eventually(async () => assert.match(await verdict.innerText(), said, typed))
    // Screen readers hear it with the field, and it has more than its colour.
    assert.is(await url.getAttribute('aria-invalid'), said.source === '^$' ? null : 'true')
  }
  assert.match((await url.getAttribute('aria-describedby')) ?? '', /^url-hint url-verdict$/)
  assert.match(
    await page.evaluate<string>(
      `getComputedStyle(document.querySelector('#url-verdict'), '::before').content`,
    ),
    '!',
  )
  assert.equal(await axeFaults(page), [])
})

test('Many permissions are searched; those that are ticked stay, and a search is no change', async () => {
  const { page } = await openForm(2)
  const search = page.getByLabel('Search the permissions')
  await search.fill('ORDERS')
  assert.ok(await page.getByLabel('See orders').isVisible())
  assert.ok(await page.getByLabel('Works here').isVisible(), 'ticked')
  assert.not(await page.getByLabel('Role a').isVisible())
  await search.press('Enter')
  await search.fill('')
  assert.ok(await page.getByLabel('Role g').isVisible())
  await search.fill('role')
  // Nothing was typed that could be lost.
  await page.goto(`${site.url}${HOME}/edit?file=main.yaml`)
  await page.getByRole('link', { name: 'Team', exact: true }).waitFor()
})

test('Permissions are ticked by what they allow, and “Everyone” takes them away', async () => {
  const { page } = await openForm(2)
  assert.ok(await page.getByLabel('Works here').isChecked())
  await page.getByLabel('See orders').check()
  await save(page)
  await page.goto(`${site.url}${HOME}/item?file=main.yaml&item=/items/2`)
  assert.ok(await page.getByLabel('See orders').isChecked())
  await page.getByLabel('Everyone', { exact: true }).check()
  assert.is(await page.getByLabel('See orders').isVisible(), false)
  await page.locator('#url').fill('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Only visitors with permissions').check()
  assert.ok(await page.getByLabel('See orders').isChecked(), 'what was ticked stays, also after an error')
  await page.locator('#url').fill('/x')
  await page.getByLabel('Everyone', { exact: true }).check()
  await save(page)
  await page.goto(`${site.url}${HOME}/item?file=main.yaml&item=/items/2`)
  assert.ok(await page.getByLabel('Everyone', { exact: true }).isChecked())
  await page.getByText('Who sees it, and when').click()
  await page.getByLabel('Only visitors with permissions').check()
  await page.getByText('This site cannot tell its visitors apart yet').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').getByText('Choose a permission').waitFor()
})

test('Beside the tree, the form offers pages and judges addresses as on its own page', async () => {
  const { page, open } = await openEditor(site)
  await open('main.yaml')
  await page.getByRole('link', { name: 'Team', exact: true }).click()
  const panel = page.locator('.panel')
  await panel.locator('#url').fill('example.org')
  await panel.getByText('Write https://').waitFor()
  await panel.getByLabel('A page of this site').check()
  const route = panel.getByRole('combobox', { name: 'Page' })
  await route.fill('for a room')
  await panel.getByRole('option').waitFor()
  await route.press('Escape')
  assert.is(await panel.getByRole('option').count(), 0)
  assert.ok(await panel.isVisible(), 'Escape closes the list first')
  await route.press('ArrowDown')
  await panel.getByRole('option').click()
  await panel.getByLabel('room (required)').waitFor()
  assert.equal(await axeFaults(page), [])
})

for (const [locale, colorScheme, width] of [
  ['en', 'light', 1280],
  ['ar', 'dark', 320],
] as const) {
  test(`The list of pages is accessible and fits, ${locale}, ${colorScheme}, ${width} pixels wide`, async () => {
    const { page, route, offered } = await openForm(1, { locale, colorScheme, width })
    await route.fill('room')
    await offered.waitFor()
    await route.press('ArrowDown')
    assert.equal(await axeFaults(page), [])
    assert.is(await overflowOf(page), 0)
  })
}

test('With a page chosen, all are offered, and the first click into a parameter takes what is typed', async () => {
  const { page, route, offered, close } = await openForm(1)
  await route.click()
  await eventually(async () => assert.is(await offered.count(), 3))
  await page.keyboard.press('Escape')
  await route.fill('sale')
  await offered.filter({ hasText: 'Sale' }).click()
  await page.locator('[name="param:room"]').waitFor({ state: 'detached' })
  await route.fill('for a room')
  await offered.first().click()
  await page.locator('[name="param:room"]').waitFor()
  await page.locator('[name="param:room"]').click()
  await page.keyboard.type('attic')
  assert.match(await page.locator('[name="param:room"]').inputValue(), 'attic')
  await close()
})

test('A new item that came back with an error has the name of the page that is chosen then', async () => {
  const { page, route, offered, close } = await openForm(1)
  await page.goto(`${site.url}${HOME}/item?file=main.yaml&new=inside`)
  const choose = async (words: string): Promise<void> => {
    await route.fill(words)
    await offered.first().waitFor()
    await route.press('Enter')
  }
  await choose('for a room')
  const label = page.locator('[name="label:en"]')
  await eventually(async () => assert.is(await label.inputValue(), 'Lamps for a room'))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').waitFor()
  assert.is(await page.locator('[name="param:room"]').getAttribute('aria-invalid'), 'true')
  // What is wrong with a field that does not count is no error.
  for (const [way, isShown] of [
    ['An address', false],
    ['A page of this site', true],
  ] as const) {
    await page.getByLabel(way, { exact: true }).check()
    assert.is(await page.locator('[role=alert]').isVisible(), isShown)
  }
  await choose('sale')
  await eventually(async () => assert.is(await label.inputValue(), 'Sale'))
  // Where a name was typed in one language, the others go on following.
  await choose('for a room')
  await label.fill('Rooms')
  const arabic = page.locator('[name="label:ar"]')
  assert.is(await arabic.inputValue(), 'مصابيح لغرفة')
  await choose('sale')
  await eventually(async () => assert.is(await arabic.inputValue(), ''))
  assert.is(await label.inputValue(), 'Rooms')
  // Enter closes a list that is empty, and sends nothing.
  await route.fill('nothing like it')
  await page.getByText('The site has no page with this name.').first().waitFor()
  await route.press('Enter')
  assert.is(await page.locator('#route + .offers').isVisible(), false)
  assert.is(await route.inputValue(), 'nothing like it')
  await close(/422/)
})

test('A link to an address that becomes a section leads nowhere, as the form says', async () => {
  const { page, close } = await openForm(2)
  await page.getByRole('radio', { name: 'Section' }).check()
  assert.is(await page.locator('[name=to]:checked').getAttribute('value'), 'nowhere')
  await close()
})

test('A time is chosen in the zone of the browser, in which rows and reviews show it, with what it means now', async () => {
  const { page, close } = await openForm(0, { timezoneId: 'Europe/Madrid' })
  const field = page.getByLabel('Visible from')
  await page.getByText('Who sees it, and when').click()
  assert.is(await page.getByText('A date and time with an offset').count(), 0)
  await page.getByText('Your time (Madrid)').first().waitFor()
  const note = page.getByText('Visitors stop seeing it')
  await field.fill('2020-07-01T09:30')
  assert.is(await note.filter({ visible: true }).count(), 0)
  await field.fill('2099-07-01T09:30')
  assert.is(
    await note
      .filter({ visible: true })
      .innerText()
      .then((text) => text.trim()),
    'Visitors stop seeing it until then.',
  )
  assert.is(await page.locator('[name=visibleFrom]').inputValue(), '2099-07-01T09:30:00+02:00')
  await save(page)
  await page.getByText('from 1 Jul 2099').waitFor()
  await page.getByTitle('1 Jul 2099, 09:30 CEST').waitFor()
  await page.goto(`${site.url}${HOME}/review?file=main.yaml`)
  await page.getByText('1 Jul 2099, 09:30 CEST · Visitors stop seeing it until then.').waitFor()
  await page.goto(`${site.url}${HOME}/item?file=main.yaml&item=/items/0`)
  assert.is(await field.inputValue(), '2099-07-01T09:30')
  await field.fill('')
  assert.is(await page.locator('[name=visibleFrom]').inputValue(), '')
  await close()
})

for (const [path, label, button] of [
  ['item?file=main.yaml&item=/items/1', 'Visible from', 'Save'],
  ['settings?file=main.yaml', 'Visible until', 'Save'],
  ['preview?file=main.yaml', 'As of', 'Show'],
] as const)
  test(`A date without a time at “${label}” of ${path.replace(/\?.*/, '')} is not sent; the field says why`, async () => {
    const { page, close } = await openForm(0)
    await page.goto(`${site.url}${HOME}/${path}`)
    const field = page.getByLabel(label)
    if (path.startsWith('item')) await page.getByText('Who sees it, and when').click()
    await field.focus()
    await page.keyboard.type('12042026')
    const address = page.url()
    await page.getByRole('button', { name: button, exact: true }).click()
    const error = page.getByText('Enter both a date and a time.').filter({ visible: true })
    await error.waitFor()
    assert.is(page.url(), address)
    assert.ok(await field.evaluate('document.activeElement.type === "datetime-local"'))
    await field.focus()
    await page.keyboard.type('120420260930AM')
    assert.is(await field.inputValue(), '2026-12-04T09:30')
    assert.is(await error.count(), 0)
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.waitForURL((url) => url.href !== address)
    await close()
  })

test('A page is not saved without the parameters that it needs', async () => {
  const { page, route, close } = await openForm(2, { javaScriptEnabled: false })
  await page.getByLabel('A page of this site').check()
  await route.fill('shop.room')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'The page needs a value for' }).waitFor()
  await page.locator('[name="param:room"]').fill('attic')
  await save(page)
  await close(/422/)
})

test.run()
