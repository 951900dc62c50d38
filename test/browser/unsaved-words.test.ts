import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { NESTED } from '../dashboard/managing.js'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { axeFaults } from '../support/browser.js'
import { eventually } from '../support/eventually.js'
import { test } from '../support/test.js'
import { handsOn, openEditor } from './editing.js'

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
    "['thead th', '.texts + .dock .main'].map((each) => document.querySelector(each).getBoundingClientRect().bottom)",
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

const item = (place: number) => `${site.url}${HOME}/item?file=main.yaml&item=/items/${place}`
const label = '[id="label:en"]'
const link = (on: Page, name: string) => on.getByRole('link', { name: `Restore what you typed for ${name}` })

/** Types into the form of an item in a tab that dies. */
async function typeAndDie(page: Page, place: number, text: string): Promise<Page> {
  await page.goto(item(place))
  await page.locator(label).fill(text)
  const next = await page.context().newPage()
  await page.close()
  await next.goto(`${site.url}${HOME}/edit?file=main.yaml`)
  return next
}

test('Words that were not saved are offered in the next tab by the name of their item, and one click restores them', async () => {
  const { page, close } = await openEditor(site)
  const next = await typeAndDie(page, 2, 'Typed')
  await link(next, 'About').click()
  await eventually(async () => assert.is(await next.locator(label).inputValue(), 'Typed'))
  assert.is(await next.locator('.kept').count(), 0)
  assert.is(await next.locator('.row.now .name').textContent(), 'About')
  await next.getByRole('button', { name: 'Save', exact: true }).click()
  await next.getByRole('link', { name: 'Typed', exact: true }).waitFor()
  await next.reload()
  await next.locator('.tree').waitFor()
  assert.is(await next.locator('.kept').count(), 0)
  await next.goto(item(2))
  await next.locator('.item-form').waitFor()
  assert.is(await next.locator('.kept').count(), 0)
  await close()
})

test('Words are restored on top of an item that has changed meanwhile, and what nobody touched stays as it is', async () => {
  const { page, close } = await openEditor(site)
  const next = await typeAndDie(page, 2, 'Mine')
  await next.goto(item(2))
  await next.getByLabel('Opens in a new tab').check()
  await next.getByRole('button', { name: 'Save', exact: true }).click()
  await next.locator('.tree').waitFor()
  await next.getByRole('link', { name: 'Restore what you typed' }).click()
  await eventually(async () => assert.is(await next.locator(label).inputValue(), 'Mine'))
  assert.is(await next.locator('#url').inputValue(), '/about')
  const chosen = await next
    .locator('.item-form :checked:not(option)')
    .evaluateAll((all) => all.map((each) => `${each.getAttribute('name')} ${each.getAttribute('value')}`))
  assert.equal(chosen, ['type link', 'to url', 'newTab on', 'who everyone', 'mode all'])
  await next.close()
  await close()
})

test('Times that were chosen are restored, and what they are a part of is open', async () => {
  const { page, close } = await openEditor(site)
  await page.goto(item(2))
  await page.locator('summary', { hasText: 'Who sees it' }).click()
  await page.locator('#visibleFrom').fill('2031-05-06T07:08')
  const next = await page.context().newPage()
  await page.close()
  await next.goto(`${site.url}${HOME}/edit?file=main.yaml`)
  await next.getByRole('link', { name: 'Restore what you typed' }).click()
  await eventually(async () => assert.is(await next.locator('#visibleFrom').inputValue(), '2031-05-06T07:08'))
  assert.ok(await next.locator('#visibleFrom').isVisible())
  assert.match(await next.locator('[name=visibleFrom]').inputValue(), /^2031-05-06T07:08:00/)
  await next.close()
  await close()
})

test('Words that are offered stay while others are typed, until they are dismissed', async () => {
  const { page, close } = await openEditor(site)
  const second = await typeAndDie(page, 0, 'First words')
  const third = await typeAndDie(second, 3, 'Second words')
  assert.is(await third.locator('.kept').count(), 2)
  // In the same form, too.
  await third.goto(item(0))
  await third.locator(label).fill('Third words')
  await third.getByRole('button', { name: 'Restore what you typed' }).click()
  assert.is(await third.locator(label).inputValue(), 'First words')
  const last = await third.context().newPage()
  await third.close()
  await last.goto(`${site.url}${HOME}/edit?file=main.yaml`)
  await eventually(async () => assert.is(await last.locator('.kept').count(), 2))
  assert.equal(await axeFaults(last), [])
  for (const left of [1, 0]) {
    await last.getByRole('button', { name: 'Dismiss' }).first().click()
    assert.is(await last.locator('.kept').count(), left)
  }
  await last.reload()
  await last.locator('.handle').first().waitFor()
  assert.is(await last.locator('.kept').count(), 0)
  await close()
})

test('A form that comes back with an error offers nothing: it has the words', async () => {
  const { page, close, open } = await openEditor(site)
  await open('main.yaml')
  await page.locator('.tree .name').first().click()
  await page.locator('.panel #url, .panel #route').first().waitFor()
  await page.locator(`.panel ${label}`).fill('')
  await page.locator('.panel').getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.panel [aria-invalid=true]').first().waitFor()
  assert.is(await page.locator('.kept').count(), 0)
  await close(/status of 422/)
})

test('The table of translations keeps its words when its tab dies', async () => {
  const { page, close } = await openEditor(site)
  const address = `${site.url}${HOME}/translate?file=main.yaml&which=all`
  await page.goto(address)
  await page.locator('.texts td input').nth(1).fill('Kept text')
  const next = await page.context().newPage()
  await page.close()
  await next.goto(`${site.url}${HOME}/edit?file=main.yaml`)
  await next.getByRole('link', { name: 'Restore what you typed' }).click()
  await next.getByText('1 changed', { exact: true }).waitFor()
  assert.is(await next.locator('.texts td input').nth(1).inputValue(), 'Kept text')
  await next.keyboard.press('Control+s')
  await next.waitForURL(/saved=1/)
  await next.goto(address)
  assert.is(await next.locator('.kept').count(), 0)
  await close()
})

test('Ctrl+S in the form of an item saves it, and Review beside it saves it first, unless it has errors', async () => {
  const { page, close, open } = await openEditor(site)
  const { asked } = answering(page)
  const field = page.locator(`.panel ${label}`)
  await open('main.yaml')
  await page.locator('.tree .name').first().click()
  await field.fill('By key')
  await field.press('Control+s')
  await page.getByRole('link', { name: 'By key', exact: true }).waitFor()
  assert.is(new URL(page.url()).pathname, `${HOME}/edit`)
  const review = page.locator('.dock .review')
  await page.locator('.tree .name').first().click()
  await field.fill('')
  await review.click()
  await page.locator('.panel [aria-invalid=true]').first().waitFor()
  assert.is(new URL(page.url()).pathname, `${HOME}/edit`)
  await field.fill('By review')
  await review.click()
  await page.waitForURL(/\/review\?/)
  await page.getByText('By review').first().waitFor()
  await open('main.yaml')
  await page.locator('.tree .name').first().click()
  await field.fill('At once')
  await page.locator('.dock [value=publish]').click()
  // What was just typed is shown once more.
  await page.waitForURL(/\/review\?/)
  await page.getByText('At once').first().waitFor()
  await open('main.yaml')
  await page.locator('.dock [value=publish]').click()
  await page.getByRole('heading', { name: /is live\.$/ }).waitFor()
  await page.getByRole('link', { name: 'At once', exact: true }).waitFor()
  assert.equal(asked, [])
  await close(/status of 422/)
})

test('The form of an item opens beside the tree without moving anything', async () => {
  const { page, close, open } = await openEditor(site)
  await open('main.yaml')
  const places = () =>
    page.evaluate<number[]>(
      "['.brand', 'h1', '.tree .name', '.tree .more', '.dock .review', '.dock b'].flatMap((each) => { const { left, top } = document.querySelector(each).getBoundingClientRect(); return [Math.round(left), Math.round(top)] })",
    )
  for (const width of [1000, 1280, 1600]) {
    await page.setViewportSize({ width, height: 800 })
    const before = await places()
    await page.locator('.tree .name').first().click()
    await page.locator('.panel').waitFor()
    assert.equal(await places(), before, String(width))
    await page.keyboard.press('Escape')
    await page.locator('.panel').waitFor({ state: 'detached' })
  }
  await close()
})

/** Leaves words of the first item behind, and does something to it in the next tab. */
async function typeAndPress(page: Page, text: string, keys: string): Promise<{ next: Page; name: string }> {
  const next = await typeAndDie(page, 0, text)
  const { press, saved } = handsOn(next, site.url)
  const name = (await next.locator('.name').first().textContent()) ?? ''
  await press(name, keys)
  await saved()
  return { next, name }
}

test('Words are restored to their item wherever it has moved, and offered in its own form', async () => {
  const { page, close } = await openEditor(site)
  const { next, name } = await typeAndPress(page, 'Wandering words', 'Alt+ArrowDown')
  await next.goto(item(0))
  await next.locator('.item-form').waitFor()
  assert.is(await next.locator('.kept').count(), 0)
  await next.goto(item(1))
  await next.getByRole('button', { name: 'Restore what you typed' }).waitFor()
  await next.goto(`${site.url}${HOME}/edit?file=main.yaml`)
  await link(next, name).click()
  await eventually(async () => assert.is(await next.locator(label).inputValue(), 'Wandering words'))
  assert.is(await next.locator('.row.now .name').textContent(), name)
  await next.keyboard.press('Control+s')
  await next.getByRole('link', { name: 'Wandering words', exact: true }).waitFor()
  await next.close()
  await close()
})

test('Words whose item is gone are shown, and never put into the form of another one', async () => {
  const { page, close } = await openEditor(site)
  const { next, name } = await typeAndPress(page, 'Orphaned words', 'Delete')
  await link(next, name).click()
  await next.locator('.panel .kept', { hasText: 'Orphaned words' }).waitFor()
  assert.is.not(await next.locator(label).inputValue(), 'Orphaned words')
  await next.locator('.panel .kept').getByRole('button', { name: 'Dismiss' }).click()
  await next.close()
  await close()
})

test.run()
