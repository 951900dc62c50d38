import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { NESTED, textOf } from '../dashboard/managing.js'
import { openSite } from '../http/sites.js'
import { SEED, sized } from '../support/figures.js'
import { openEditor } from './editing.js'
import { sharedBrowser } from './sites.js'

const HOSTILE = '"><img src=x onerror=alert(1)>\u202e{{ 7 * 7 }}'
/** Random trees: for each item, how much deeper or less deep it is than the one above it. */
const trees = fc.sample(fc.array(fc.integer({ min: -2, max: 1 }), { minLength: 6, maxLength: 10 }), {
  seed: SEED,
  numRuns: sized(5, 30),
})

interface Item {
  readonly label: string
  readonly children?: readonly Item[]
}

function menuOf(code: string, steps: readonly number[]): string {
  const items: object[] = []
  const lists = [items]
  for (const [place, step] of steps.entries()) {
    lists.length = Math.max(1, Math.min(lists.length, lists.length + Math.min(step, 0)))
    const item: { label: string; url: string; children?: object[] } = { label: `${code}${place}`, url: '/' }
    const list = lists.at(-1)
    list?.push(item)
    if (step !== 1) continue
    item.children = [{ label: `${code}${place}x`, url: '/' }]
    lists.push(item.children)
  }
  return JSON.stringify({ version: 1, code, name: code, items })
}

const browser = await sharedBrowser()
const site = await openSite(
  {
    'clicks.yaml': NESTED.replace('main', 'clicks'),
    'touch.yaml': NESTED.replace('main', 'touch'),
    'hostile.yaml': JSON.stringify({
      ...{ version: 1, code: 'hostile', name: HOSTILE },
      items: [
        { label: HOSTILE, url: '/' },
        { label: HOSTILE, url: '/b', children: [{ label: HOSTILE, url: '/c' }] },
      ],
    }),
    ...Object.fromEntries(trees.map((steps, place) => [`t${place}.yaml`, menuOf(`t${place}`, steps)])),
  },
  { hasDashboard: true },
)
test.after(() => site.close())

/** The items of a file as the page would show them. */
function treeOfFile(file: string): string {
  const rows = (items: readonly Item[], level: number): string[] =>
    items.flatMap(({ label, children = [] }) => [`${level} ${label}`, ...rows(children, level + 1)])
  return rows((parse(textOf(site, file)) as { items: readonly Item[] }).items, 1).join(', ')
}

async function publish(page: Page): Promise<void> {
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('Published').first().waitFor()
}

test('Single clicks do what the keys do, and what is published is what the page showed', async () => {
  const { page, open, tree, said, saved, close } = await openEditor(browser, site)
  await open('clicks.yaml')
  await page.getByRole('link', { name: 'Actions for Blog' }).click()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  assert.ok(await button('Move down').isDisabled())
  assert.match(await page.locator('.actions-menu').innerText(), 'Blog is already last in its list.')
  await button('Move to the top').click()
  assert.is(await said(), 'Blog moved to position 1 of 2 under Products.')
  await button('Move out of Products').click()
  assert.is(await tree(), '1 Home, 1 Products, 2 Lamps, 1 Blog, 1 About')
  await button('Move down').click()
  await button('Move up').click()
  await button('Nest under Products').click()
  await button('Hide').click()
  assert.ok(await button('Show').isVisible())
  await button('Duplicate').click()
  await saved()
  assert.is(await tree(), '1 Home, 1 Products, 2 Lamps, 2 Blog, 2 Blog, 1 About')
  await page.getByText('7 changes, not published').waitFor()
  await publish(page)
  assert.is(treeOfFile('clicks.yaml'), '1 Home, 1 Products, 2 Lamps, 2 Blog, 2 Blog, 1 About')
  await close()
})

test(`Page, draft and file agree after random drags, and the line named the parent (seed ${SEED})`, async () => {
  const { page, open, tree, saved, close } = await openEditor(browser, site)
  // All rows fit: nothing scrolls while they are dragged.
  await page.setViewportSize({ width: 1280, height: 2_000 })
  for (const [place, steps] of trees.entries()) {
    const file = `t${place}.yaml`
    await open(file)
    const before = (await tree()).split(', ').map((row) => row.slice(2))
    const drops = fc.sample(
      fc.record({ from: fc.nat(), to: fc.nat(), sideways: fc.integer({ min: -3, max: 3 }) }),
      {
        seed: SEED + place,
        numRuns: sized(8, 20),
      },
    )
    for (const drop of drops) await dragRow(page, drop)
    await saved()
    const after = await tree()
    assert.equal(
      after
        .split(', ')
        .map((row) => row.slice(2))
        .sort(),
      [...before].sort(),
    )
    await page.reload()
    assert.is(await tree(), after, `the draft, of ${steps}`)
    await publish(page)
    assert.is(treeOfFile(file), after, `the file, of ${steps}`)
  }
  await close()
})

/** Drags a row by its handle to the middle of another, and judges what the line promised. */
async function dragRow(
  page: Page,
  { from, to, sideways }: { readonly from: number; readonly to: number; readonly sideways: number },
): Promise<void> {
  const rows = page.locator('.tree .row')
  const count = await rows.count()
  const row = rows.nth(from % count)
  const name = await row.locator('.name').innerText()
  await row.scrollIntoViewIfNeeded()
  const [handle, target] = [
    await row.locator('.handle').boundingBox(),
    await rows.nth(to % count).boundingBox(),
  ]
  if (handle === null || target === null) throw new Error('a row has no place')
  const x = handle.x + handle.width / 2
  await page.mouse.move(x, handle.y + handle.height / 2)
  await page.mouse.down()
  await page.mouse.move(x + 24 * sideways, target.y + target.height * (to % 2 === 0 ? 0.3 : 0.8))
  const line = page.locator('.drop-line')
  const words = await line.innerText()
  const isRefused = (await line.getAttribute('class'))?.includes('refused') === true
  await page.mouse.up()
  const parent = await page.evaluate<string>(`{
    const names = [...document.querySelectorAll('.tree .name')]
    const row = names.find((each) => each.textContent === ${JSON.stringify(name)}).closest('li')
    row.parentElement.closest('li')?.querySelector('.name').textContent ?? ''
  }`)
  // A row around all others has nowhere to go, and no line is shown.
  if (!isRefused && words !== '') assert.is(parent === '' ? 'At the top level' : `Under ${parent}`, words)
}

test('Escape takes a drag back, and nothing is sent', async () => {
  const { page, open, tree, said, close } = await openEditor(browser, site)
  await open('touch.yaml')
  const before = await tree()
  await page.locator('.handle').first().hover()
  await page.mouse.down()
  await page.mouse.move(300, 600)
  assert.is(await page.locator('.drop-line').count(), 1)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  assert.equal(
    [await tree(), await said(), await page.locator('.drop-line').count()],
    [before, 'Not moved.', 0],
  )
  await page.getByText('No changes', { exact: true }).waitFor()
  await close()
})

test('A finger drags by a handle of 44 pixels', async () => {
  const { page, open, tree, saved, close } = await openEditor(browser, site, {
    hasTouch: true,
    width: 390,
    isMobile: true,
  })
  await open('touch.yaml')
  const handles = page.locator('.handle')
  const [home, about] = [await handles.first().boundingBox(), await handles.last().boundingBox()]
  if (home === null || about === null) throw new Error('a handle has no place')
  assert.ok(home.width >= 44 && home.height >= 44)
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: home.x + 22, y }],
    })
  await touch('touchStart', home.y + 22)
  await touch('touchMove', about.y)
  await touch('touchMove', about.y + about.height)
  await touch('touchEnd', 0)
  await saved()
  assert.is(await tree(), '1 Products, 2 Lamps, 2 Blog, 1 About, 1 Home')
  await close()
})

test('C9: hostile labels are text in rows, menus and everything that is said', async () => {
  const { page, open, said, saved, close } = await openEditor(browser, site)
  await open('hostile.yaml')
  await page.locator('.more').nth(1).click()
  await page.getByRole('button', { name: 'Nest under' }).click()
  assert.is(await said(), `${HOSTILE} moved to position 1 of 1 under ${HOSTILE}.`)
  await page.locator('.pane summary').click()
  await page.locator('.pane .drawn').waitFor()
  await page.keyboard.press('Control+z')
  await saved()
  assert.is(await page.locator('img[src=x]').count(), 0)
  await close()
})

test.run()
