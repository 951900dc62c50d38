import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { axeFaults } from '../support/browser.js'
import { eventually } from '../support/eventually.js'
import { figure } from '../support/figures.js'
import { openEditor } from './editing.js'
import { sharedBrowser } from './sites.js'

const items = Array.from({ length: 200 }, (_, at) => ({
  label: `Group ${at}`,
  url: '/',
  children: Array.from({ length: 9 }, (_, below) => ({ label: `Item ${at}.${below}`, url: '/' })),
}))
const icons = Array.from({ length: 10_000 }, (_, at) => `set:icon-${at}`)

const browser = await sharedBrowser()
const site = await openSite(
  {
    'large.yaml': JSON.stringify({ version: 1, code: 'large', name: 'Large', items }),
    'small.yaml': JSON.stringify({ version: 1, code: 'small', name: 'Small', items: items.slice(0, 2) }),
  },
  {
    hasDashboard: true,
    config: { icons: ['icons.json'], routes: { 'shop.room': '/rooms/:room/:floor?' } },
    prepare: (dir) => writeFileSync(join(dir, 'icons.json'), JSON.stringify(icons)),
  },
)
test.after(() => site.close())

test('A menu of 2,000 items moves like a small one', async () => {
  const { page, open, press, saved, said, close } = await openEditor(browser, site)
  await open('large.yaml')
  const usable = await page.evaluate<number>('performance.now()')
  figure('2,000 items usable', `${Math.round(usable)} ms`, '1,000 ms')
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
  await close()
})

test('Of 10,000 icons, the form offers 80 at most; a route gets the fields of its parameters', async () => {
  const { page, open, close } = await openEditor(browser, site)
  await open('large.yaml')
  await page.goto(`${site.url}${HOME}/item?file=large.yaml&item=/items/0`)
  const options = page.locator('#icons option')
  const [icon, route] = [page.getByLabel('Icon'), page.getByLabel('Route', { exact: true })]
  await icon.focus()
  await eventually(async () => assert.is(await options.count(), 80))
  const since = await page.evaluate<number>('performance.now()')
  await icon.fill('icon-9999')
  await eventually(async () => assert.is(await options.count(), 1))
  const took = (await page.evaluate<number>('performance.now()')) - since
  figure('a key in the field for 10,000 icons', `${Math.round(took)} ms`, '50 ms and the pause')
  await page.getByLabel('A page of the application').check()
  await route.fill('shop.room')
  await route.press('Tab')
  await page.getByLabel('room (required)').fill('kitchen')
  await page.getByLabel('floor', { exact: true }).fill('2')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('route shop.room (room: kitchen, floor: 2)').waitFor()
  await close()
})

test('Help, open menus and what is said are accessible', async () => {
  const { page, open, press, close } = await openEditor(browser, site)
  await open('small.yaml')
  await press('Group 1', '?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  assert.equal(await axeFaults(page), [])
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByRole('dialog', { name: 'Keys' }).getByRole('button').click()
  await page.getByRole('link', { name: 'Actions for Group 1', exact: true }).click()
  await page.keyboard.press('Alt+ArrowUp')
  assert.equal(await axeFaults(page), [])
  await close()
})

test.run()
