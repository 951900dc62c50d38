import * as assert from 'uvu/assert'
import { MENU } from '../dashboard/managing.js'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { axeFaults } from '../support/browser.js'
import { test } from '../support/test.js'
import { enter } from './editing.js'
import { visit } from './sites.js'

const names = Array.from({ length: 9 }, (_, place) => `main-${place}`)
const site = await openSite(
  Object.fromEntries(names.map((name) => [`${name}.yaml`, MENU.replace('main', name)])),
  { hasDashboard: true, config: { locales: ['en', 'de'] } },
)
test.after(() => site.close())

for (const [javaScriptEnabled, hasTouch] of [
  [true, false],
  [false, false],
  [false, true],
] as const)
  test(`Eight menus fit in a window, each with its links, ${hasTouch ? 'by touch' : 'by keys'}`, async () => {
    const { page } = await visit({ locale: 'en', javaScriptEnabled, hasTouch, isMobile: hasTouch })
    await page.setViewportSize({ width: 1280, height: 900 })
    await enter(page, site)
    await page.goto(`${site.url}${HOME}`)
    const eighth = await page.locator('.rows > li').nth(7).boundingBox()
    assert.ok(eighth && eighth.y + eighth.height <= 900)
    await page.locator('.rows a').first().focus()
    await page.keyboard.press('Tab')
    assert.match(await page.evaluate<string>('document.activeElement.textContent'), 'Preview')
    if (javaScriptEnabled) assert.equal(await axeFaults(page), [])
  })

test.run()
