import * as assert from 'uvu/assert'
import { NESTED } from '../dashboard/managing.js'
import { openSite } from '../http/sites.js'
import { axeFaults } from '../support/browser.js'
import { test } from '../support/test.js'
import { openEditor, overflowOf } from './editing.js'

const site = await openSite(
  { 'main.yaml': NESTED, 'long.yaml': NESTED.replace('main', 'long').replace('Blog', 'Blog '.repeat(12)) },
  { hasDashboard: true },
)
test.after(() => site.close())

for (const width of [1280, 320])
  test(`What was done is said with a button that undoes it, and covers nothing, at ${width} pixels`, async () => {
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
        ;[inside(dock, boxOf('.toast')), inside(boxOf('.toast'), boxOf('.toast button')),
          boxOf('.toast button').height >= 24, focused.bottom <= dock.top + 1, focused.top >= 0]
      }`)
      assert.equal(boxes, [true, true, true, true, true])
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
      await toast.getByRole('button', { name: 'Undo' }).click()
      await hears('Undone.')
      await saved()
      assert.is(await tree(), before)
      await page.getByText('No changes', { exact: true }).waitFor({ state: 'attached' })
      assert.is(await toast.getByRole('button').count(), 0)
    }
  })

test.run()
