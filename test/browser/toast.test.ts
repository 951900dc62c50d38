import * as assert from 'uvu/assert'
import { ADMIN, NESTED, scriptOf, versionOf } from '../dashboard/managing.js'
import { openSite } from '../http/sites.js'
import { axeFaults } from '../support/browser.js'
import { test } from '../support/test.js'
import { openEditor, overflowOf } from './editing.js'

const calm = (width: number): string => NESTED.replace('main', `calm-${width}`)
const site = await openSite(
  {
    ...Object.fromEntries([1280, 320].map((width) => [`calm-${width}.yaml`, calm(width)])),
    'main.yaml': NESTED,
    'long.yaml': NESTED.replace('main', 'long').replace('Blog', 'Blog '.repeat(12)),
  },
  { hasDashboard: true, adminToken: ADMIN },
)
test.after(() => site.close())

for (const width of [1280, 320])
  test(`What was done is said beside the count and the one Undo, and covers nothing, at ${width} pixels`, async () => {
    const { page, open, press, tree, saved, hears } = await openEditor(site, { width })
    for (const [file, label] of [
      ['main.yaml', 'Blog'],
      ['long.yaml', 'Blog '.repeat(12).trim()],
    ] as const) {
      await open(file)
      const before = await tree()
      const bar = page.locator('.dock')
      await page.setViewportSize({ width, height: 500 })
      await press(label, 'Alt+ArrowUp')
      const toast = bar.locator('.toast')
      await toast.waitFor()
      const boxes = await page.evaluate<readonly boolean[]>(`{
        const inside = (outer, inner) =>
          outer.left <= inner.left && outer.right >= inner.right && outer.top <= inner.top && outer.bottom >= inner.bottom
        const boxOf = (selector) => document.querySelector(selector).getBoundingClientRect()
        const dock = boxOf('.dock')
        const focused = document.activeElement.closest('.row').getBoundingClientRect()
        ;[inside(dock, boxOf('.toast')), inside(dock, boxOf('.dock > p b')),
          focused.bottom <= dock.top + 1, focused.top >= 0]
      }`)
      assert.equal(boxes, [true, true, true, true])
      assert.is(await page.getByRole('button', { name: 'Undo' }).filter({ visible: true }).count(), 1)
      const heights = await page.evaluate<readonly number[]>(`{
        const heightOf = () => document.querySelector('.dock').getBoundingClientRect().height
        const toast = document.querySelector('.toast')
        const heights = [heightOf()]
        toast.hidden = true
        heights.push(heightOf())
        toast.hidden = false
        heights
      }`)
      assert.is(heights[0], heights[1], 'the bar has room for it')
      assert.is(await overflowOf(page), 0)
      assert.equal(await axeFaults(page), [])
      await page.getByRole('button', { name: 'Undo' }).click()
      await hears('Undone: ')
      await saved()
      assert.is(await tree(), before)
      await page.getByText('No changes', { exact: true }).waitFor({ state: 'attached' })
    }
  })

/** Where rows are in the window. */
const PLACES = `[...document.querySelectorAll('.tree .row')].map((row) => row.getBoundingClientRect().top).join()`

for (const [width, height] of [
  [1280, 900],
  [320, 500],
] as const)
  test(`No row moves when the page says what others did, at ${width} × ${height} pixels`, async () => {
    const { page, open, press, saved } = await openEditor(site, { width })
    await page.setViewportSize({ width, height })
    const file = `calm-${width}.yaml`
    const script = scriptOf(site)
    const rename = async (from: string, to: string): Promise<void> => {
      const version = await versionOf(script, file)
      const ops = { test: from, replace: to }
      const body = Object.entries(ops).map(([op, value]) => ({ op, path: '/items/2/label', value }))
      const type = 'application/json-patch+json'
      assert.is((await script('PATCH', `/menu?file=${file}`, { body, type, version })).status, 200)
    }
    const places = () => page.evaluate<string>(PLACES)
    await open(file)
    await press('Home', 'Alt+ArrowDown')
    await saved()
    for (const top of [0, 100, 5_000]) {
      await page.evaluate(`scrollTo(0, ${top})`)
      const before = await places()
      await rename('About', 'About us')
      await page.getByText('The menu has changed since you began.').waitFor()
      assert.is(await places(), before)
      assert.is(await overflowOf(page), 0)
      // At the end of the page, the bar covers no part of a row.
      if (top === 5_000) assert.equal(await axeFaults(page), [])
      await rename('About us', 'About')
      await page.getByText('The menu has changed since you began.').waitFor({ state: 'detached' })
      assert.is(await places(), before)
    }
  })

test.run()
