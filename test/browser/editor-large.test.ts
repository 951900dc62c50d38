import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { axeFaults, type VisitorOptions } from '../support/browser.js'
import { eventually } from '../support/eventually.js'
import { figure } from '../support/figures.js'
import { test } from '../support/test.js'
import { openEditor, overflowOf } from './editing.js'

const items = Array.from({ length: 200 }, (_, at) => ({
  label: `Group ${at}`,
  url: '/',
  icon: `set:icon-${at}`,
  children: Array.from({ length: 9 }, (_, below) => ({ label: `Item ${at}.${below}`, url: '/' })),
}))
const BODY = '<path fill="currentColor" d="M2 2h12v12H2z"/>'
const set = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`icon-${at}`, { body: BODY }]))
/** Whatever runs of it asks the site for `/ran`. */
const EVIL =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="fetch(\'/ran\')"><script>fetch("/ran")</script>' +
  '<style>@import "/ran";</style><image href="/ran"/><foreignObject><iframe src="/ran"/></foreignObject></svg>'

const site = await openSite(
  {
    'large.yaml': JSON.stringify({ version: 1, code: 'large', name: 'Large', items }),
    'small.yaml': JSON.stringify({ version: 1, code: 'small', name: 'Small', items: items.slice(0, 2) }),
  },
  {
    hasDashboard: true,
    config: { icons: ['set.json', 'own', 'names.txt'], routes: { 'shop.room': '/rooms/:room/:floor?' } },
    prepare: (dir) => {
      mkdirSync(join(dir, 'own'))
      writeFileSync(join(dir, 'own/evil.svg'), EVIL)
      writeFileSync(join(dir, 'names.txt'), 'bare:name')
      writeFileSync(join(dir, 'set.json'), JSON.stringify({ prefix: 'set', icons: set }))
    },
  },
)
test.after(() => site.close())

test('A menu of 2,000 items moves like a small one', async () => {
  const { page, open, press, saved, said } = await openEditor(site)
  await open('large.yaml')
  const usable = await page.evaluate<number>('performance.now()')
  figure('2,000 items usable', `${Math.round(usable)} ms`, '1,000 ms')
  const glyphs = await page.evaluate<number>(
    "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/icon?')).length",
  )
  assert.ok(glyphs > 0 && glyphs < 100, `${glyphs} glyphs of 200 rows are loaded: those near the screen`)
  await page.getByRole('link', { name: 'Group 100', exact: true }).focus()
  const times: number[] = await page.evaluate(`{
    const press = () => {
      const since = performance.now()
      const how = { key: 'ArrowUp', altKey: true, bubbles: true, cancelable: true }
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', how))
      document.body.getBoundingClientRect()
      return performance.now() - since
    }
    Array.from({ length: 20 }, press)
  }`)
  times.sort((a, b) => a - b)
  figure('a move among 2,000 items, on the page', `p50 ${Math.round(times[10] ?? 0)} ms`, '50 ms')
  assert.is(await said(), 'Group 100 moved to position 81 of 200.')
  await saved()
  await page.reload()
  await press('Group 100', 'Alt+ArrowUp')
  assert.is(await said(), 'Group 100 moved to position 80 of 200.')
  await saved()
})

const ITEM = `${site.url}${HOME}/item?file=large.yaml&item=/items/0/children/0`

/** The form of an item, and the list of its icons. */
async function openIcons(options: VisitorOptions = {}) {
  const editor = await openEditor(site, options)
  const { page } = editor
  await page.goto(ITEM)
  const icon = page.getByRole('combobox', { name: 'Icon' })
  const list = page.getByRole('listbox', { name: 'Icon' })
  const shown = page.locator('#icon + .offers [role=status]')
  return { ...editor, icon, list, shown, offered: list.getByRole('option') }
}

/** The pixels of the first glyph; 0 before it is drawn. */
function widthOf(page: Page): Promise<number> {
  return page.evaluate<number>("document.querySelector('.offers img')?.naturalWidth ?? 0")
}

test('Of 10,000 icons, the form offers at most 80 with their glyphs, and finds those that have the words', async () => {
  const { page, icon, list, shown, offered } = await openIcons()
  assert.is(await icon.getAttribute('aria-expanded'), 'false')
  await icon.focus()
  assert.is(await list.count(), 0, 'a field that gets the focus covers nothing')
  const timed = async (name: string, goal: string, act: string, words: RegExp): Promise<void> => {
    const took = await page.evaluate<number>(`new Promise((resolve) => {
      const field = document.activeElement
      const since = performance.now()
      const status = document.querySelector('#icon + .offers [role=status]')
      new MutationObserver(() => {
        document.body.getBoundingClientRect()
        resolve(performance.now() - since)
      }).observe(status, { childList: true })
      ${act}
    })`)
    figure(name, `${Math.round(took)} ms`, goal)
    assert.match(await shown.innerText(), words)
  }
  await timed('10,000 icons open', '150 ms', 'field.click()', /^80 of 10,002 icons shown$/)
  assert.is(await offered.count(), 80)
  const type = (text: string): string =>
    `field.value = '${text}'; field.dispatchEvent(new InputEvent('input', { bubbles: true }))`
  await timed('a key in the field for 10,000 icons', '50 ms', type('icon-99 9'), /^80 of /)
  await eventually(async () => assert.is((await widthOf(page)) > 0, true))
  const drawn = await list.locator('img').count()
  assert.ok(drawn < 40, `${drawn} of 80 glyphs are loaded: those on screen`)
  await offered.last().scrollIntoViewIfNeeded()
  await offered.last().locator('img').waitFor()
  await timed('a key that leaves one', '50 ms', type('icon 9999'), /^1 of 1 /)
  assert.equal(await offered.allInnerTexts(), ['icon-9999'])
  await eventually(async () => assert.is((await widthOf(page)) > 0, true))
  await icon.fill('bare')
  await offered.getByText('bare:name').waitFor()
  assert.is(await list.locator('img').count(), 0, 'a name without a drawing')
  await icon.fill('nothing has this')
  await shown.getByText('The site has no icon with this name.').waitFor()
  assert.is(await icon.getAttribute('aria-expanded'), 'false')
})

test('Keys and clicks choose an icon; Escape leaves what was typed', async () => {
  const { page, icon, list, offered } = await openIcons()
  const active = async (): Promise<string | null> => {
    const id = await icon.getAttribute('aria-activedescendant')
    return id ? page.locator(`#${id}[aria-selected=true]`).innerText() : null
  }
  await icon.fill('icon-77')
  await list.waitFor()
  // The best one is marked, so that Enter takes it.
  assert.is(await active(), 'icon-77')
  for (const [key, name] of [
    ['ArrowDown', 'icon-770'],
    ['ArrowUp', 'icon-77'],
    ['ArrowUp', 'icon-7770'],
    ['ArrowDown', 'icon-77'],
  ] as const) {
    await icon.press(key)
    assert.is(await active(), name)
  }
  await icon.press('Escape')
  assert.equal([await list.count(), await icon.inputValue(), await active()], [0, 'icon-77', null])
  await icon.press('ArrowDown')
  await list.waitFor()
  await icon.press('Enter')
  assert.equal([await list.count(), await icon.inputValue(), page.url()], [0, 'set:icon-77', ITEM])
  await icon.click()
  await offered.getByText('set:icon-7709').click()
  assert.equal([await list.count(), await icon.inputValue()], [0, 'set:icon-7709'])
  await icon.press('ArrowDown')
  await list.waitFor()
  await icon.press('Tab')
  assert.is(await list.count(), 0)
  await icon.press('Enter')
  await page.waitForURL(/\/edit\?/)
})

test('The field shows the glyph of its value, from the start and whenever the value becomes another icon', async () => {
  const { page, icon, offered } = await openIcons()
  const chosen = page.locator('.chosen img')
  const named = async (name: string): Promise<void> => {
    await page.locator(`.chosen img[src$="${encodeURIComponent(name)}"]`).waitFor()
    await eventually(async () =>
      assert.is(await page.evaluate("document.querySelector('.chosen img').naturalWidth > 0"), true),
    )
  }
  await page.goto(`${site.url}${HOME}/item?file=small.yaml&item=/items/1`)
  await named('set:icon-1')
  await icon.fill('set:icon-77')
  await named('set:icon-77')
  await icon.fill('set:icon-nowhere')
  await chosen.waitFor({ state: 'detached' })
  await icon.fill('icon-99')
  await offered.getByText('set:icon-990', { exact: true }).click()
  await named('set:icon-990')
})

for (const [colorScheme, width, dir] of [
  ['light', 1280, 'ltr'],
  ['dark', 320, 'rtl'],
] as const) {
  test(`The list of icons is accessible and fits, ${colorScheme}, ${dir}, ${width} pixels wide`, async () => {
    const { page, icon, list, shown, offered } = await openIcons({ colorScheme, width })
    await page.evaluate(`document.dir = '${dir}'`)
    await icon.fill('icon-1')
    await list.waitFor()
    await icon.press('ArrowDown')
    assert.is(await overflowOf(page), 0)
    const foot = await shown.boundingBox()
    assert.ok(foot && foot.y + foot.height <= 800, 'the whole list is in the window')
    // On a telephone, the buttons of the form lie over its fields until its end.
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    assert.equal(await axeFaults(page), [])
    const box = await offered.first().boundingBox()
    assert.ok(box && box.height >= 24 && box.x >= 0 && box.x + box.width <= width)
  })
}

test('E9: a drawing runs nothing and loads nothing, in the list and opened by itself', async () => {
  const { page, icon, list, close } = await openIcons()
  const asked: string[] = []
  // A request that the policy blocks is announced, and gets no answer.
  page.on('response', (response) => asked.push(response.url()))
  await icon.fill('evil')
  await eventually(async () => assert.is(await widthOf(page), 9))
  const address = (await list.locator('img').getAttribute('src')) ?? ''
  await page.goto(new URL(address, site.url).href)
  assert.is(await page.evaluate('document.documentElement.localName'), 'svg')
  assert.equal(
    asked.filter((url) => url.includes('ran')),
    [],
  )
  await close(/Content Security Policy|sandboxed|ran: csp/)
})

test('A route gets the fields of its parameters', async () => {
  const { page } = await openIcons()
  const route = page.getByRole('combobox', { name: 'Page' })
  await page.getByLabel('A page of this site').check()
  await route.fill('shop.room')
  await route.press('Tab')
  await page.getByLabel('room (required)').fill('kitchen')
  await page.getByLabel('Floor', { exact: true }).fill('2')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByTitle('route shop.room (room: kitchen, floor: 2)').waitFor()
})

test('Parameters keep typed text while the routes cannot be loaded, and when another route comes and goes', async () => {
  const { page, close } = await openIcons()
  const route = page.getByRole('combobox', { name: 'Page' })
  const isUnknown = async (name: string): Promise<void> => {
    const asked = page.waitForResponse((each) => each.url().includes(`route=${name}`))
    await route.fill(name)
    await route.press('Tab')
    await asked
  }
  const room = page.locator('[name="param:room"]')
  const isChosen = async (): Promise<void> => {
    await route.fill('shop.room')
    await route.press('Tab')
    await room.waitFor()
  }
  await page.getByLabel('A page of this site').check()
  await isUnknown('shop.none')
  await isChosen()
  await room.fill('kitchen')
  for (const address of ['**/api/routes*', '**/item?*&route=*'])
    await page.route(address, (each) => each.fulfill({ status: 503 }), { times: 1 })
  await isUnknown('shop.rooms')
  await page.route('**/api/icons*', (each) => each.fulfill({ status: 503 }), { times: 1 })
  const refused = page.waitForResponse(/api\/icons/)
  await page.locator('#icon').fill('cup')
  await refused
  assert.is(await page.locator('#icon + .offers').isVisible(), false)
  assert.is(await room.inputValue(), 'kitchen')
  await route.fill('shop.none')
  await route.press('Tab')
  await room.waitFor({ state: 'detached' })
  await isChosen()
  assert.is(await room.inputValue(), 'kitchen')
  await close(/status of 503/)
})

test('Help, open menus and messages are accessible', async () => {
  const { page, open, press } = await openEditor(site)
  await open('small.yaml')
  await press('Group 1', '?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  assert.equal(await axeFaults(page), [])
  await page.keyboard.press('Escape')
  await page.locator('.pages summary').click()
  await page.getByRole('link', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('button').click()
  await page.getByRole('link', { name: 'Actions for Group 1', exact: true }).click()
  await page.keyboard.press('Alt+ArrowUp')
  assert.equal(await axeFaults(page), [])
})

test.run()
