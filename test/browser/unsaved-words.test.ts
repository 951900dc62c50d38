import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { NESTED } from '../dashboard/managing.js'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import { test } from '../support/test.js'
import { openEditor } from './editing.js'

const site = await openSite({ 'main.yaml': NESTED }, { hasDashboard: true })
test.after(() => site.close())

/** What a page asks before it is left; `answers` say whether to leave. */
function answering(page: Page, ...answers: boolean[]): { readonly asked: string[] } {
  const asked: string[] = []
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type())
    await (answers.shift() ? dialog.accept() : dialog.dismiss())
  })
  return { asked }
}

const FORMS = [
  ['an item', 'item?file=main.yaml&item=/items/0', 'Save', '[id="label:en"]', 'x'],
  ['the settings of a menu', 'settings?file=main.yaml', 'Save', '#name', 'x'],
  ['the source of a menu', 'text?file=main.yaml', 'Publish', '#text', '# x\n'],
] as const

for (const [name, path, button, field, more] of FORMS)
  test(`Leaving the form of ${name} with words that are not saved asks first, and saving never does`, async () => {
    const { page, close } = await openEditor(site)
    const { asked } = answering(page, false, false, true)
    const address = `${site.url}${HOME}/${path}`
    await page.goto(address)
    const typed = (await page.locator(field).inputValue()) + more
    const back = page.locator('.bar a.brand')
    // Nothing is typed, or it is as it was.
    await page.locator(field).fill(typed)
    await page.locator(field).fill(typed.slice(0, -more.length))
    await back.click()
    await page.waitForURL(`${site.url}${HOME}`)
    assert.equal(asked, [])
    await page.goto(address)
    await page.locator(field).fill(typed)
    await page.evaluate("document.querySelector('.bar a.brand').click()")
    await eventually(() => assert.is(asked.length, 1))
    await page.evaluate('location.reload()')
    await eventually(() => assert.is(asked.length, 2))
    assert.equal([asked, await page.locator(field).inputValue()], [['beforeunload', 'beforeunload'], typed])
    await back.click()
    await page.waitForURL(`${site.url}${HOME}`)
    assert.is(asked.length, 3)
    await page.goto(address)
    await page.locator(field).fill(typed)
    const left = page.waitForURL((url) => url.href !== address)
    await page.getByRole('button', { name: button, exact: true }).click()
    await left
    assert.is(asked.length, 3)
    await close()
  })

test('The table of texts marks what was changed and counts it beside Save, which stays in view', async () => {
  const { page, close } = await openEditor(site)
  await page.setViewportSize({ width: 1280, height: 300 })
  await page.goto(`${site.url}${HOME}/translate?file=main.yaml&which=all`)
  const fields = page.locator('.texts td input')
  const before = await fields.first().inputValue()
  await fields.first().fill('One')
  await fields.nth(1).fill('Two')
  await page.getByText('2 changed', { exact: true }).waitFor()
  await fields.first().fill(before)
  await page.getByText('1 changed', { exact: true }).waitFor()
  assert.is(await page.locator('td.edited').count(), 1)
  await page.evaluate("document.querySelector('.texts').scrollIntoView()")
  const places = await page.evaluate<number[]>(
    "['thead th', '.texts + .actions .main'].map((each) => document.querySelector(each).getBoundingClientRect().bottom)",
  )
  assert.ok(
    places.every((bottom) => bottom > 0 && bottom <= 300),
    String(places),
  )
  await page.getByRole('button', { name: 'Save all to the draft' }).click()
  await page.waitForURL(/saved=1/)
  await close()
})

test('Decisions at a conflict are sent without a question', async () => {
  const { page, close } = await openEditor(site)
  const { asked } = answering(page)
  await page.goto(`${site.url}${HOME}/item?file=main.yaml&item=/items/0`)
  await page.locator('[id="label:en"]').fill('Mine')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.tree').waitFor()
  site.folder.write('menus/main.yaml', NESTED.replace('Home', 'Theirs'))
  await page.goto(`${site.url}${HOME}/review?file=main.yaml`)
  await page.getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Continue to review' }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
  assert.equal(asked, [])
  await close()
})

test('Words that were not saved are offered in the next tab, and forgotten once they are saved', async () => {
  const { page, close } = await openEditor(site)
  const path = `${site.url}${HOME}/item?file=main.yaml&item=/items/2`
  const restore = (on: Page) => on.getByRole('button', { name: 'Restore what you typed' })
  await page.goto(path)
  await page.locator('[id="label:en"]').fill('Typed')
  const next = await page.context().newPage()
  await page.close()
  await next.goto(`${site.url}${HOME}/edit?file=main.yaml`)
  await next.getByRole('link', { name: 'Restore what you typed' }).click()
  await restore(next).click()
  assert.is(await next.locator('[id="label:en"]').inputValue(), 'Typed')
  await next.getByRole('button', { name: 'Save', exact: true }).click()
  await next.getByRole('link', { name: 'Typed' }).waitFor()
  await next.goto(path)
  await next.locator('.item-form').waitFor()
  assert.is(await restore(next).count(), 0)
  await close()
})

test.run()
