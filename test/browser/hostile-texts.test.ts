import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { test } from '../support/test.js'
import { openEditor } from './editing.js'

/** What would run, or be filled in by a template. */
const WRITTEN = '<script>boom=1</script>{{7*7}}'
/** The same with what ends an element, turns the words after it around, or does not fit a line. */
const HOSTILE = `${WRITTEN}"'</textarea></title><img src=x onerror=boom=1>{% raw %}\u202e🏳️‍🌈&amp;javascript:boom=1 ${'Dampfschifffahrt'.repeat(4)}`
const NARROW = 390

const menu = (code: string, label: string, more: object = {}): string =>
  JSON.stringify({
    ...{ version: 1, code, name: HOSTILE, context: { site: HOSTILE } },
    items: [
      { label, url: '/', permissions: [HOSTILE.slice(0, 60).trim()] },
      { type: 'section', label: HOSTILE, children: [{ label: 'Last', url: '/last', ...more }] },
    ],
  })
const MENU = menu('main', HOSTILE)
const site = await openSite(
  {
    'main.yaml': MENU,
    'torn.yaml': menu('torn', HOSTILE, { [HOSTILE]: HOSTILE, url: `javascript:${HOSTILE}` }),
  },
  { hasDashboard: true },
)
test.after(() => site.close())

/** The words after each hostile text, and how far from the left the first two letters of them are. */
const WORDS_AFTER = `{
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = []
  while (walker.nextNode()) {
    const text = walker.currentNode
    const [, words] = text.data.split(/\\u202e.*fahrt/s)
    const place = words?.search(/[a-z]{2}/) ?? -1
    const { parentElement: element } = text
    if (place < 0 || !element.checkVisibility() || element.closest('pre, code, textarea, .hidden')) continue
    const start = text.length - words.length + place
    const leftOf = (from) => {
      const range = document.createRange()
      range.setStart(text, from)
      range.setEnd(text, from + 1)
      return range.getBoundingClientRect().left
    }
    found.push([words, leftOf(start), leftOf(start + 1)])
  }
  found
}`

/** The text is on the page as it was written, did nothing, fits, and leaves the words after it in their order. */
async function judge(page: Page, where: string): Promise<void> {
  const shown = await page.evaluate<string>(
    "document.body.textContent + [...document.querySelectorAll('input, textarea')].map((field) => field.value)",
  )
  assert.ok(shown.includes(WRITTEN), where)
  assert.is(await page.evaluate('typeof boom'), 'undefined', where)
  assert.is(await page.locator('img[src=x], a[href^="javascript:"]').count(), 0, where)
  assert.is(await page.evaluate('document.documentElement.scrollWidth'), NARROW, where)
  for (const [words, first, second] of await page.evaluate<readonly [string, number, number][]>(WORDS_AFTER))
    assert.ok(first < second, `"${words}": ${where}`)
}

const to = (name: string, more: Readonly<Record<string, string>> = {}): string =>
  `${site.url}${HOME}${name && `/${name}`}?${new URLSearchParams({ file: 'main.yaml', ...more })}`

test('A hostile text is inert and readable in lists, messages, decisions, reviews, versions and questions', async () => {
  const { page, open, hears, saved } = await openEditor(site, { width: NARROW })
  const visit = async (address: string): Promise<void> => {
    await page.goto(address)
    await judge(page, address)
  }
  for (const name of ['', 'problems', 'text', 'delete']) await visit(to(name, { file: 'torn.yaml' }))
  for (const name of ['delete', 'settings', 'preview', 'text']) await visit(to(name))
  await visit(`${site.url}${HOME}/new?from=main.yaml`)

  await open('main.yaml')
  const boxes = ['.handle', '.name'].map((part) => page.locator(part).first().boundingBox())
  const [handle, name] = await Promise.all(boxes)
  assert.ok(handle && name && handle.x + handle.width <= name.x, 'the handle is beside the name')
  await page.locator('.more').first().click()
  await judge(page, 'the menu of a row')
  await page.locator('.tree .name').first().focus()
  await page.keyboard.press('Alt+ArrowDown')
  await hears('moved to position 2 of 2')
  await saved()
  await judge(page, 'what is said of a move')
  await visit(to('place', { item: '/items/1' }))
  await visit(to('transfer', { item: '/items/1' }))

  await page.goto(to('item', { item: '/items/1' }))
  await page.locator('[name="label:en"]').fill(`Mine ${HOSTILE}`)
  await page.locator('.actions button').first().click()
  await page.locator('.tree').waitFor()
  site.folder.write('menus/main.yaml', menu('main', `Theirs ${HOSTILE}`))
  await visit(to('review'))
  await page.getByLabel('Mine').check()
  await page.getByRole('button', { name: 'Continue to review' }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
  await judge(page, 'the review')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('heading', { name: /is live\.$/ }).waitFor()

  await page.goto(to('history'))
  await page.locator('.versions a').first().click()
  await page.locator('#comparison').waitFor()
  await judge(page, 'a comparison')
})

test('A hostile text is inert and readable in what an import would do, and why it is refused', async () => {
  const { page } = await openEditor(site, { width: NARROW })
  const link = { label: HOSTILE, externalUrl: '/', odd: HOSTILE }
  const payload = (...items: readonly object[]): string =>
    JSON.stringify([{ menu: { code: 'new', name: HOSTILE, [HOSTILE]: 1 }, items }])
  const check = async (json: string): Promise<void> => {
    await page.locator('#json').fill(json)
    await page.locator('button[value=check]').click()
  }
  await page.goto(to('import'))
  await check(payload({ ...link, externalUrl: `javascript:${HOSTILE}` }))
  await page.getByRole('alert').waitFor()
  await judge(page, 'a refused import')
  await check(payload(link))
  const button = page.locator('button[value=import]')
  await button.waitFor()
  await judge(page, 'what an import would do')
  await button.click()
  await page.getByText('1 file was written.').waitFor()
  assert.ok(existsSync(join(site.folder.dir, 'menus/new.yaml')))
  assert.match(readFileSync(join(site.folder.dir, 'menus/new.yaml'), 'utf8'), '{{7*7}}')
})

test.run()
