import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { menuscript } from '../cli/command.js'
import { menuText } from '../http/sites.js'
import type { VisitorOptions } from '../support/browser.js'
import { eventually } from '../support/eventually.js'
import { get } from '../support/http.js'
import { createRepository } from '../support/repository.js'
import { test } from '../support/test.js'
import { yaml } from '../support/yaml.js'
import { serveIn } from './editing.js'
import { visit } from './sites.js'

/** What each way has to make. */
const MADE = yaml`
  version: 1
  code: shop
  name: Shop
  items:
    - label: { en: Home, de: Start }
      url: /
    - type: section
      label: { en: Products }
      children:
        - label: { en: Chairs }
          url: /chairs
        - label: { en: Lamps }
          url: /lamps
    - label: { en: Help }
      url: /help
      icon: bootstrap-icons:question
`

const repository = createRepository()
const first = repository.commit('First', {
  'menuscript.config.yaml': 'locales: [en, de]\n',
  'menus/other.yaml': menuText('other', 'Other'),
})
const server = await serveIn(repository.dir)
const { url } = server
test.after(async () => {
  await server.stop()
  repository.close()
})

/** How somebody uses what is on a page. */
interface Hands {
  readonly use: (control: Locator) => Promise<void>
  /** Makes two of the items those of a section, the later one first. */
  readonly sort: () => Promise<void>
}

/** Goes from the address that `menuscript` prints to a published menu. */
async function makeMenu(page: Page, link: string, { use, sort }: Hands): Promise<void> {
  const control = (role: 'link' | 'button' | 'radio', name: string) =>
    page.getByRole(role, { name, exact: true }).last()
  const write = async (field: string, text: string): Promise<void> => {
    await use(page.getByLabel(field, { exact: true }))
    await page.keyboard.insertText(text)
  }
  /** Sends a form, whose answer is another page, or is shown in place of the form beside the tree. */
  const send = async (button: string): Promise<void> => {
    const loaded = page.waitForEvent('load')
    const sent = await control('button', button).elementHandle()
    const panel = (await page.locator('.panel').count()) > 0
    await use(control('button', button))
    await (panel ? sent?.waitForElementState('hidden') : loaded)
    loaded.catch(() => undefined)
  }
  await page.goto(link)
  await send('Sign in')
  await use(control('link', 'New menu'))
  await write('Code (required)', 'shop')
  await write('Name (optional)', 'Shop')
  await send('Create menu')
  await use(control('link', 'Add an item'))
  for (const [label, address, icon] of [
    ['Home', '/'],
    ['Products', null],
    ['Lamps', '/lamps'],
    ['Chairs', '/chairs'],
    ['Help', '/help', 'bootstrap-icons:question'],
  ] as const) {
    if (address === null) await use(page.getByRole('radio', { name: /^Section/ }))
    await write('English', label)
    if (address !== null) await write('Address', address)
    if (icon !== undefined) await write('Icon', icon)
    await send(icon === undefined && address !== null ? 'Save and add another' : 'Save')
    if (address === null) await use(control('link', 'Add an item'))
  }
  await sort()
  await use(control('link', 'Home'))
  await write('German', 'Start')
  await send('Save')
  await use(control('link', 'Review'))
  await send('Publish')
  await page.getByRole('heading', { name: /is live\.$/ }).waitFor()
}

function byKeys(page: Page): Hands {
  const reach = async (control: Locator): Promise<void> => {
    for (let presses = 0; presses < 80; presses++) {
      const key = await control.evaluate((each) => {
        const focused = each.ownerDocument.activeElement
        if (each === focused) return null
        // In a group of radio buttons, Tab reaches only one.
        return each.type === 'radio' && each.name === focused.name ? 'ArrowDown' : 'Tab'
      })
      if (key === null) return
      await page.keyboard.press(key)
    }
    throw new Error(`no key leads to ${control}`)
  }
  const use = async (control: Locator): Promise<void> => {
    await reach(control)
    if (!(await control.evaluate((each) => each.matches('input')))) await page.keyboard.press('Enter')
  }
  const press = async (label: string, keys: string): Promise<void> => {
    await reach(page.getByRole('link', { name: label, exact: true }))
    await page.keyboard.press(keys)
  }
  const sort = async (): Promise<void> => {
    await press('Lamps', 'Alt+ArrowRight')
    await press('Chairs', 'Alt+ArrowRight')
    await press('Chairs', 'Alt+ArrowUp')
  }
  return { use, sort }
}

function byClicks(page: Page): Hands {
  const use = (control: Locator) => control.click()
  const sort = async (): Promise<void> => {
    for (const [label, deed] of [
      ['Lamps', 'Nest under Products'],
      ['Chairs', 'Nest under Products'],
      ['Chairs', 'Move up'],
    ] as const) {
      const more = page.getByRole('link', { name: `Actions for ${label}`, exact: true })
      if (await more.isVisible()) await more.click()
      await page.getByRole('button', { name: deed, exact: true }).click()
    }
  }
  return { use, sort }
}

function byTouch(page: Page): Hands {
  /** Drags a row by a finger into the branch above it: in front of another one, or to the right. */
  const drag = async (label: string, before: string): Promise<void> => {
    const row = (name: string) => page.locator('.row', { has: page.getByRole('link', { name, exact: true }) })
    const [handle, target] = [
      await row(label).locator('.handle').boundingBox(),
      await row(before).boundingBox(),
    ]
    if (handle === null || target === null) throw new Error('a row has no place')
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove', x: number, y: number) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x, y }] })
    const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2]
    await touch('touchStart', x, y)
    await touch('touchMove', x + 12, y - 1)
    await touch('touchMove', x + 24, target.y + target.height / 4)
    // A finger that is lifted in full flight flings, and the next tap only ends that.
    await page.waitForTimeout(100)
    await touch('touchMove', x + 24, target.y + target.height / 4 + 1)
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await session.detach()
  }
  const sort = async (): Promise<void> => {
    await drag('Lamps', 'Lamps')
    await drag('Chairs', 'Lamps')
  }
  return { use: (control) => control.tap(), sort }
}

const WAYS: readonly (readonly [name: string, how: (page: Page) => Hands, options: VisitorOptions])[] = [
  ['by keys alone', byKeys, {}],
  ['by single clicks', byClicks, {}],
  ['by touch on a telephone', byTouch, { width: 390, hasTouch: true, isMobile: true }],
  ['without JavaScript', byClicks, { javaScriptEnabled: false }],
]

for (const [place, [name, how, options]] of WAYS.entries()) {
  test(`From the printed link to the same file and its commit, ${name}`, async () => {
    repository.git('reset', '--quiet', '--hard', first)
    await eventually(async () => assert.equal((await get(url, { target: '/api/menu/shop' })).json(), []))
    const printed =
      place === 0 ? server.stdout() : (await menuscript(['link'], { cwd: repository.dir })).stdout
    const { page } = await visit({ locale: 'en', ...options })
    await makeMenu(page, /http\S+link=\S+/.exec(printed)?.[0] ?? '', how(page))
    const path = join(repository.dir, 'menus/shop.yaml')
    const text = readFileSync(path, 'utf8')
    assert.is(text, MADE)
    assert.is(`${repository.git('show', 'HEAD:menus/shop.yaml')}\n`, text)
    assert.is(repository.git('show', '--format=', '--name-only'), 'menus/shop.yaml')
    assert.match(repository.git('log', '-1', '--format=%s'), /^Menu shop: \d+ changes/)
    assert.is(repository.git('status', '--porcelain'), '')
  })
}

test.run()
